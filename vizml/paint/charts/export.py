"""Charts as PNG, SVG and PDF, painted by the same items that a dock shows."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QGraphicsScene

from vizml.paint.charts.plot import ChartPlot
from vizml.paint.export import Painting, Paper, application, encoded
from vizml.paint.pens import colour
from vizml.scene import LIGHT, Chart, Theme

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


def encoded_chart(
    suffix: str,
    chart: Chart,
    size: tuple[int, int] = SIZE,
    theme: Theme = LIGHT,
    *,
    scale: float = SCALE,
    type_scale: float = 1.0,
) -> bytes:
    """Return a chart in the format of a file's ending: .png, .svg or .pdf.

    It needs a QApplication: one without a screen is provided where none is running.
    """
    paper = Paper(*size, scale)
    with application(QApplication):
        return encoded(suffix, paper, chart_painting(chart, paper, theme, type_scale), chart.title)
