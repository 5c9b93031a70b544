"""Charts as files: PNG, SVG and PDF of the same items that a dock shows, and CSV of their numbers."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QGraphicsScene

from vizml.paint.charts.plot import ChartPlot
from vizml.paint.export import Painting, Paper, application, save, write_file
from vizml.paint.pens import colour
from vizml.scene import LIGHT, Chart, Theme
from vizml.scene.chart import csv_text, table

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
    """Write a chart in the format of the path's suffix: .png, .svg, .pdf, or .csv for its numbers.

    Pictures need a QApplication: one without a screen is provided where none is running.
    """
    path = Path(path)
    if path.suffix.lower() == ".csv":
        write_file(path, csv_text(*table(chart)).encode())
        return
    paper = Paper(*size, scale)
    with application(QApplication):
        save(path, paper, chart_painting(chart, paper, theme, type_scale), chart.title)
