"""Charts and diagrams as files and on the clipboard: as pictures, and the numbers of a chart as CSV."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QPoint, QSize, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from vizml.data.files import write_picture, write_whole
from vizml.paint.export import Painting, Paper
from vizml.scene import Chart, Diagram, Theme
from vizml.scene.chart import Value, csv_text, table
from vizml.ui.charts.diagram_painting import diagram_painting
from vizml.ui.export_queue import Export
from vizml.workspace.preferences import Preferences

PICTURES = {"png": "PNG pictures (*.png)", "svg": "SVG drawings (*.svg)", "pdf": "PDF documents (*.pdf)"}
LEAST = QSize(480, 320)
"""Least size of a saved picture; docks may be too small to read."""
TOLD = "Making the picture"
SCALE = 2.0
"""Pixels of a PNG for each logical pixel."""


@dataclass(frozen=True, eq=False)
class Drawing:
    """A chart or a diagram to be saved: its title, its painting, and its numbers where it has any."""

    title: str
    painting: Callable[[Paper, Theme, float], Painting]
    header: Sequence[str] = ()
    rows: Sequence[Sequence[Value]] = ()
    threaded: bool = False
    """Whether it is composed and painted in a thread; charts have objects of the window's thread."""

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
        self.run: Callable[[Export, str], None] = self._run
        """Completes an export of a picture; a queue makes its calls in a thread."""

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
        if path.suffix.lower().lstrip(".") not in PICTURES:
            path = path.with_name(f"{path.name}.png")
        self.run(_saved(path, drawing, *self._facts(size)), TOLD)

    def save_numbers(self, path: Path, drawing: Drawing) -> None:
        """Write the numbers."""
        path = path if path.suffix else path.with_suffix(".csv")
        raw = csv_text(drawing.header, drawing.rows).encode()
        self._run(_written(partial(write_whole, path, raw), path), TOLD)

    def copy(self, drawing: Drawing, size: QSize) -> None:
        """Copy the picture to the clipboard."""
        self.run(_copied(drawing, *self._facts(size)), TOLD)

    def copy_numbers(self, drawing: Drawing) -> None:
        """Copy the numbers to the clipboard, with tabs between columns, as spreadsheets expect."""
        rows = [drawing.header, *drawing.rows]
        QGuiApplication.clipboard().setText("\n".join("\t".join(map(str, row)) for row in rows))
        self.told.emit(f"The numbers of {drawing.title} were copied to the clipboard")

    def _facts(self, size: QSize) -> tuple[Paper, Theme, float]:
        theme, k = self._preferences.look.theme, self._preferences.type_scale
        least = LEAST * k
        paper = Paper(max(size.width(), least.width()), max(size.height(), least.height()), SCALE)
        return paper, theme, k

    def _ask(self, parent: QWidget, drawing: Drawing, ending: str, kinds: str) -> Path | None:
        folder = self._preferences.text("export/folder", str(Path.home()))
        name = "".join(c if c.isalnum() else "-" for c in drawing.title.lower()).strip("-") or "chart"
        path, _ = QFileDialog.getSaveFileName(parent, "Save", str(Path(folder) / f"{name}.{ending}"), kinds)
        if path:
            self._preferences.set_text("export/folder", str(Path(path).parent))
        return Path(path) if path else None

    def _run(self, export: Export, _told: str) -> None:
        """Complete an export in this thread."""
        try:
            call = next(export)
            while True:
                call = export.send(call())
        except StopIteration as end:
            self.told.emit(end.value)
        except (ValueError, OSError, MemoryError) as problem:
            self.failed.emit(f"It could not be saved: {problem}")


def _saved(path: Path, drawing: Drawing, paper: Paper, theme: Theme, k: float) -> Export:
    """Write a drawing in the format of the path."""
    from vizml.paint import export

    painting = yield from _in_thread(drawing.threaded, partial(drawing.painting, paper, theme, k))
    suffix = path.suffix.lower()
    if suffix == ".png":
        raw = yield partial(export.encoded_png, export.image(paper, painting))
    else:
        encoded = partial(export.encoded, suffix, paper, painting, drawing.title)
        raw = yield from _in_thread(drawing.threaded, encoded)
    return (yield from _written(partial(write_picture, path, raw), path))


def _copied(drawing: Drawing, paper: Paper, theme: Theme, k: float) -> Export:
    """Put a drawing on the clipboard."""
    from vizml.paint import export

    painting = yield from _in_thread(drawing.threaded, partial(drawing.painting, paper, theme, k))
    pixels = export.image(paper, painting)
    vectors = yield from _in_thread(drawing.threaded, partial(export.svg, paper, painting, drawing.title))
    export.put_on_clipboard(pixels, vectors)
    return f"{drawing.title} was copied to the clipboard"


def _written(write: Callable[[], object], path: Path) -> Export:
    yield write
    return f"Saved {path.name} in {path.parent}"


def _in_thread(threaded: bool, call: Callable[[], object]) -> Generator[Callable[[], object], Any, Any]:
    """Return the result of a call, which an export makes in a thread or at once."""
    return (yield call) if threaded else call()
