"""Charts and diagrams as files and on the clipboard: their drawing, and the numbers of a chart as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import QObject, QRectF, QSize, Signal
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from vizml.data.files import write_whole
from vizml.paint.formats import Painting, Paper
from vizml.paint.pens import colour
from vizml.scene import Chart, Diagram, Theme
from vizml.scene.chart import Value, table
from vizml.ui.charts.diagram import paint_diagram
from vizml.ui.charts.paint import paint_chart
from vizml.ui.preferences import Preferences

Painter: TypeAlias = Callable[[QPainter, Theme, QRectF, float], None]
PICTURES = {"png": "PNG pictures (*.png)", "svg": "SVG drawings (*.svg)", "pdf": "PDF documents (*.pdf)"}
LEAST = QSize(480, 320)
"""What is smaller in its dock is saved larger, so that it can be read."""
SCALE = 2.0


@dataclass(frozen=True, eq=False)
class Drawing:
    """What can be saved: how it is painted, what it is called, and its numbers where it has any."""

    title: str
    paint: Painter
    header: Sequence[str] = ()
    rows: Sequence[Sequence[Value]] = ()

    @classmethod
    def of_chart(cls, chart: Chart) -> Drawing:
        """A chart with its title, without what follows the hand."""

        def paint(painter: QPainter, theme: Theme, rect: QRectF, k: float) -> None:
            paint_chart(painter, chart, theme, rect, k)

        return cls(chart.title, paint, *table(chart))

    @classmethod
    def of_diagram(cls, diagram: Diagram) -> Drawing:
        """All of a diagram, with its title."""

        def paint(painter: QPainter, theme: Theme, rect: QRectF, k: float) -> None:
            paint_diagram(painter, diagram, theme, rect, k)

        return cls(diagram.title, paint)

    def painting(self, paper: Paper, theme: Theme, k: float) -> Painting:
        """How it is painted onto paper."""
        rect = QRectF(0, 0, paper.width, paper.height)

        def paint_it(painter: QPainter) -> None:
            painter.fillRect(rect, colour(theme.ground))
            self.paint(painter, theme, rect, k)

        return paint_it

    def numbers(self) -> str:
        """Its numbers as CSV."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.header)
        writer.writerows(self.rows)
        return out.getvalue()


class Saver(QObject):
    """Asks where to and writes; it says what came of it."""

    told = Signal(str)
    failed = Signal(str)

    def __init__(self, preferences: Preferences, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._preferences = preferences

    def menu(self, drawing: Drawing, size: QSize, parent: QWidget) -> QMenu:
        """All that can be done with a drawing of this size."""
        menu = QMenu(parent)
        menu.setAccessibleName("Save or copy")
        menu.addAction("Save picture…").triggered.connect(lambda: self.ask_picture(drawing, size, parent))
        if drawing.header:
            menu.addAction("Save numbers as CSV…").triggered.connect(
                lambda: self.ask_numbers(drawing, parent)
            )
        menu.addSeparator()
        menu.addAction("Copy picture").triggered.connect(lambda: self.copy(drawing, size))
        if drawing.header:
            menu.addAction("Copy numbers").triggered.connect(lambda: self.copy_numbers(drawing))
        return menu

    def ask_picture(self, drawing: Drawing, size: QSize, parent: QWidget) -> None:
        path = self._ask(parent, drawing, "png", ";;".join(PICTURES.values()))
        if path is not None:
            self.save(path, drawing, size)

    def ask_numbers(self, drawing: Drawing, parent: QWidget) -> None:
        path = self._ask(parent, drawing, "csv", "CSV tables (*.csv)")
        if path is not None:
            self.save_numbers(path, drawing)

    def save(self, path: Path, drawing: Drawing, size: QSize) -> None:
        """Write the picture; a name that ends with no format of pictures becomes that of a PNG."""
        from vizml.ui import export

        if path.suffix.lower().lstrip(".") not in PICTURES:
            path = path.with_name(f"{path.name}.png")
        paper, paint_it = self._painted(drawing, size)

        def write() -> None:
            export.save_painting(path, paper, paint_it, drawing.title)

        self._try(write, f"Saved {path.name} in {path.parent}")

    def save_numbers(self, path: Path, drawing: Drawing) -> None:
        """Write the numbers."""
        path = path if path.suffix else path.with_suffix(".csv")
        self._try(
            lambda: write_whole(path, drawing.numbers().encode()), f"Saved {path.name} in {path.parent}"
        )

    def copy(self, drawing: Drawing, size: QSize) -> None:
        """Put the picture on the clipboard."""
        from vizml.ui import export

        paper, paint_it = self._painted(drawing, size)
        self._try(
            lambda: export.copy_painting(paper, paint_it, drawing.title),
            f"{drawing.title} is on the clipboard",
        )

    def copy_numbers(self, drawing: Drawing) -> None:
        """Put the numbers on the clipboard, as spreadsheets take them: tabs between the columns."""
        rows = [drawing.header, *drawing.rows]
        QGuiApplication.clipboard().setText("\n".join("\t".join(map(str, row)) for row in rows))
        self.told.emit(f"The numbers of {drawing.title} are on the clipboard")

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
