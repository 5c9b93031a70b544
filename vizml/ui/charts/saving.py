"""Charts and diagrams as files and on the clipboard: as pictures, and the numbers of a chart as CSV."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QSize, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from vizml.data.files import write_picture, write_whole
from vizml.paint.export import Painting, Paper
from vizml.scene import Chart, Diagram, Theme
from vizml.scene.chart import Value, csv_text, table
from vizml.ui.charts.diagram_painting import diagram_painting
from vizml.workspace.preferences import Preferences

PICTURES = {"png": "PNG pictures (*.png)", "svg": "SVG drawings (*.svg)", "pdf": "PDF documents (*.pdf)"}
LEAST = QSize(480, 320)
"""Least size of a saved picture; docks may be too small to read."""
SCALE = 2.0
"""Pixels of a PNG for each logical pixel."""


@dataclass(frozen=True, eq=False)
class Drawing:
    """A chart or a diagram to be saved: its title, its painting, and its numbers where it has any."""

    title: str
    painting: Callable[[Paper, Theme, float], Painting]
    header: Sequence[str] = ()
    rows: Sequence[Sequence[Value]] = ()

    @classmethod
    def of_chart(cls, chart: Chart) -> Drawing:
        """Take a chart with its title, as a whole."""

        def painting(paper: Paper, theme: Theme, k: float) -> Painting:
            from vizml.paint.charts.plot import chart_painting

            return chart_painting(chart, paper, theme, k)

        return cls(chart.title, painting, *table(chart))

    @classmethod
    def of_diagram(cls, diagram: Diagram) -> Drawing:
        """Take a diagram with its title, as a whole."""
        return cls(diagram.title, partial(diagram_painting, diagram))


class Saver(QObject):
    """Asks for a path, writes the file, and emits a message about the result."""

    told = Signal(str)
    """A message of success."""
    failed = Signal(str)
    """A message of failure."""

    def __init__(self, preferences: Preferences, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._preferences = preferences

    def show_menu(
        self, drawing: Drawing, size: QSize, parent: QWidget, at: QPoint, fit: Callable[[], None]
    ) -> None:
        """Show the context menu of a view, which is deleted when it closes."""
        menu = QMenu(parent)
        menu.addAction("Fit view").triggered.connect(fit)
        menu.addSeparator()
        self.fill_menu(menu, drawing, size, parent)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def fill_menu(self, menu: QMenu, drawing: Drawing, size: QSize, parent: QWidget) -> None:
        """Add the entries that save or copy a drawing of a size."""
        menu.setAccessibleName("Save or copy")
        menu.addAction("Save picture…").triggered.connect(lambda: self.ask_picture(drawing, size, parent))
        if drawing.header:
            numbers = menu.addAction("Save numbers as CSV…")
            numbers.triggered.connect(lambda: self.ask_numbers(drawing, parent))
        menu.addSeparator()
        menu.addAction("Copy picture").triggered.connect(lambda: self.copy(drawing, size))
        if drawing.header:
            menu.addAction("Copy numbers").triggered.connect(lambda: self.copy_numbers(drawing))

    def ask_picture(self, drawing: Drawing, size: QSize, parent: QWidget) -> None:
        path = self._ask(parent, drawing, "png", ";;".join(PICTURES.values()))
        if path is not None:
            self.save(path, drawing, size)

    def ask_numbers(self, drawing: Drawing, parent: QWidget) -> None:
        path = self._ask(parent, drawing, "csv", "CSV tables (*.csv)")
        if path is not None:
            self.save_numbers(path, drawing)

    def save(self, path: Path, drawing: Drawing, size: QSize) -> None:
        """Write the picture; a name without a known suffix becomes that of a PNG."""
        from vizml.paint import export

        if path.suffix.lower().lstrip(".") not in PICTURES:
            path = path.with_name(f"{path.name}.png")
        paper, paint_it = self._painted(drawing, size)

        def write() -> None:
            write_picture(path, export.encoded(path.suffix.lower(), paper, paint_it, drawing.title))

        self._try(write, f"Saved {path.name} in {path.parent}")

    def save_numbers(self, path: Path, drawing: Drawing) -> None:
        """Write the numbers."""
        path = path if path.suffix else path.with_suffix(".csv")
        raw = csv_text(drawing.header, drawing.rows).encode()
        self._try(lambda: write_whole(path, raw), f"Saved {path.name} in {path.parent}")

    def copy(self, drawing: Drawing, size: QSize) -> None:
        """Copy the picture to the clipboard."""
        from vizml.paint import export

        paper, paint_it = self._painted(drawing, size)
        done = f"{drawing.title} was copied to the clipboard"
        self._try(lambda: export.copy(paper, paint_it, drawing.title), done)

    def copy_numbers(self, drawing: Drawing) -> None:
        """Copy the numbers to the clipboard, with tabs between columns, as spreadsheets expect."""
        rows = [drawing.header, *drawing.rows]
        QGuiApplication.clipboard().setText("\n".join("\t".join(map(str, row)) for row in rows))
        self.told.emit(f"The numbers of {drawing.title} were copied to the clipboard")

    def _painted(self, drawing: Drawing, size: QSize) -> tuple[Paper, Painting]:
        theme, k = self._preferences.look.theme, self._preferences.type_scale
        least = LEAST * k
        paper = Paper(max(size.width(), least.width()), max(size.height(), least.height()), SCALE)
        return paper, drawing.painting(paper, theme, k)

    def _ask(self, parent: QWidget, drawing: Drawing, ending: str, kinds: str) -> Path | None:
        folder = self._preferences.text("export/folder", str(Path.home()))
        name = "".join(c if c.isalnum() else "-" for c in drawing.title.lower()).strip("-") or "chart"
        path, _ = QFileDialog.getSaveFileName(parent, "Save", str(Path(folder) / f"{name}.{ending}"), kinds)
        if path:
            self._preferences.set_text("export/folder", str(Path(path).parent))
        return Path(path) if path else None

    def _try(self, make: Callable[[], None], done: str) -> None:
        try:
            make()
        except (ValueError, OSError, MemoryError) as problem:
            self.failed.emit(f"It could not be saved: {problem}")
            return
        self.told.emit(done)
