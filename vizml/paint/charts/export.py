"""Charts as files: PNG, SVG and PDF of the same items that a dock shows, and CSV of their numbers."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QGraphicsScene

from vizml.paint.charts.plot import ChartPlot
from vizml.paint.export import Painting, Paper, pdf, png, svg
from vizml.paint.pens import colour
from vizml.scene import LIGHT, Chart, Theme
from vizml.scene.chart import csv_text, table

WRITERS = {".png": png, ".svg": svg, ".pdf": pdf}
SIZE, SCALE = (640, 440), 2.0
"""Size of a saved chart in logical pixels, and pixels of a PNG for each of them."""


def paint_chart(painter: QPainter, chart: Chart, theme: Theme, rect: QRectF, k: float = 1.0) -> None:
    """Render a chart with its title into a rectangle of any painter."""
    if not isinstance(QApplication.instance(), QApplication):
        raise TypeError("a chart needs a QApplication (the platform 'offscreen' serves as well)")
    scene = QGraphicsScene()
    scene.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
    plot = ChartPlot(theme, k)
    scene.addItem(plot)
    plot.resize(QSizeF(rect.size()))
    plot.set_chart(chart)
    scene.render(painter, rect, QRectF(plot.rect()))


def chart_painting(chart: Chart, paper: Paper, theme: Theme = LIGHT, k: float = 1.0) -> Painting:
    """Return the painting of a chart on the theme's ground, for the formats of files."""
    rect = QRectF(0, 0, paper.width, paper.height)

    def paint(painter: QPainter) -> None:
        painter.fillRect(rect, colour(theme.ground))
        paint_chart(painter, chart, theme, rect, k)

    return paint


def save_chart(
    chart: Chart,
    path: Path | str,
    size: tuple[int, int] = SIZE,
    theme: Theme = LIGHT,
    *,
    scale: float = SCALE,
    type_scale: float = 1.0,
) -> None:
    """Write a chart as the suffix of the path says: .png, .svg, .pdf, or .csv for its numbers.

    Pictures need a QApplication.
    """
    path = Path(path)
    ending = path.suffix.lower()
    if ending == ".csv":
        path.write_text(csv_text(*table(chart)))
        return
    if ending not in WRITERS:
        known = ", ".join((*WRITERS, ".csv"))
        raise ValueError(f"a chart cannot be saved as '{path.suffix or path.name}': use one of {known}")
    paper = Paper(*size, scale)
    path.write_bytes(WRITERS[ending](paper, chart_painting(chart, paper, theme, type_scale), chart.title, ""))
