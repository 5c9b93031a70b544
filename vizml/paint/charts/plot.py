"""A chart as a pyqtgraph widget: a view box with items, and axes whose ticks are those of the canvas.

The same plot is shown in a dock, in a GraphicsView, and rendered to PNG, SVG and PDF.
"""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF, QSizeF, Signal
from PySide6.QtGui import QPainter, QTransform
from PySide6.QtWidgets import QApplication, QGraphicsItem, QGraphicsScene

from vizml.field.arrays import Bounds
from vizml.paint.axes import NO_TICKS, Axes, paint_axes, paint_grid
from vizml.paint.charts.items import ChartItem, ContentItem, reports_errors
from vizml.paint.charts.layout import ChartLayout
from vizml.paint.charts.legend import lay_out
from vizml.paint.charts.marks import series_marks
from vizml.paint.charts.overlay import Highlight, paint_overlay
from vizml.paint.export import Painting, Paper, application, encoded
from vizml.paint.pens import SMOOTH, colour
from vizml.scene import LIGHT, Chart, Mark, Theme

LEAST = QSizeF(90.0, 70.0)
"""A chart in a smaller rectangle would be all labels: it is not drawn."""
NEARLY = 1e-6
"""Share of an axis by which a view may miss the fitted one and still count as fitted."""
DEEPEST = 1e4
"""Greatest magnification of the fitted view."""
SIZE, SCALE = (640, 440), 2.0
"""Size of a saved chart in logical pixels, and pixels of a PNG for each of them."""


class ChartAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis with the ticks and fonts of the canvas, which are exact at any magnitude and zoom."""

    def __init__(self, orientation: str, plot: ChartPlot) -> None:
        super().__init__(orientation, parent=plot, linkView=plot.box)
        self.plot = plot

    def place(self, plot: QRectF, size: QSizeF) -> None:
        """Take the margin to the left of the plot or below it."""
        if self.orientation == "left":
            self.setWidth(plot.left())
            self.setGeometry(QRectF(0, plot.top(), plot.left(), plot.height()))
        else:
            below = size.height() - plot.bottom()
            self.setHeight(below)
            self.setGeometry(QRectF(plot.left(), plot.bottom(), plot.width(), below))

    @reports_errors
    def paint(self, painter: QPainter, *_: Any) -> None:
        layout = self.plot.chart_layout
        if layout is None:
            return
        painter.setWorldTransform(self.plot.to_device)
        (x, y), (across, up) = (layout.axes.x, layout.axes.y), layout.axis_titles
        own = Axes(NO_TICKS, y) if self.orientation == "left" else Axes(x, NO_TICKS)
        titles = ("", up) if self.orientation == "left" else (across, "")
        paint_axes(painter, layout.geometry, self.plot.theme, titles, own)


class OverlayItem(ChartItem):
    """The cursor, the handle, and what is under the pointer."""

    def __init__(self, plot: ChartPlot) -> None:
        super().__init__(plot)
        self.highlight = Highlight()

    def draw(self, painter: QPainter, layout: ChartLayout, theme: Theme) -> None:
        paint_overlay(painter, layout, theme, self.highlight)


class ChartPlot(pg.GraphicsWidget):  # type: ignore[misc]
    """One chart in a view box that zooms and pans within the fitted view."""

    range_changed = Signal()
    """Another part of the chart is visible, or it has another style."""

    def __init__(self, theme: Theme = LIGHT, type_scale: float = 1.0, *, titled: bool = True) -> None:
        super().__init__()
        self.theme, self.type_scale, self.titled = theme, type_scale, titled
        self.chart_layout: ChartLayout | None = None
        self.to_device = QTransform()
        """The painter's transform of this plot, for the items of its view box, which are painted next."""
        self._chart: Chart | None = None
        self._fitting = False
        self._fitted: Bounds | None = None
        self.box = pg.ViewBox(self, enableMenu=False, defaultPadding=0.0)
        self.box.setFlag(QGraphicsItem.GraphicsItemFlag.ItemClipsChildrenToShape, enabled=False)
        self.box.disableAutoRange()
        self.box.border = None
        self.box.borderRect.hide()
        self.axes = ChartAxis("left", self), ChartAxis("bottom", self)
        self.marks: tuple[Mark, ...] = ()
        self.overlay = OverlayItem(self)
        for item in (ContentItem(self), self.overlay):
            self.box.addItem(item, ignoreBounds=True)
        self.box.sigRangeChanged.connect(self._on_range_changed)

    @property
    def zoomed(self) -> bool:
        """Whether only a part of the chart is visible."""
        return self.chart_layout is not None and self.chart_layout.geometry.bounds != self._fitted

    def set_chart(self, chart: Chart | None) -> None:
        """Show another chart; a renewed one with the same title keeps a zoomed view."""
        renewed = chart is not None and self._chart is not None and chart.title == self._chart.title
        bounds = self.visible_bounds() if renewed and self.zoomed else None
        self._chart = chart
        self._lay_out(bounds)

    def set_style(self, theme: Theme, type_scale: float) -> None:
        """Change colours and the size of type."""
        self.theme, self.type_scale = theme, type_scale
        self._lay_out(self.visible_bounds() if self.zoomed else None)
        self.range_changed.emit()

    def set_highlight(self, highlight: Highlight) -> None:
        """Change what follows the timeline and the pointer."""
        self.overlay.highlight = highlight
        self.overlay.update()

    def fit(self) -> None:
        """Show the whole chart."""
        self._lay_out(None)
        self.range_changed.emit()

    def pan(self, dx: float, dy: float) -> None:
        """Move the view with the pointer by so many pixels."""
        if self.chart_layout is not None:
            across, up = self.chart_layout.geometry.unit
            self.box.translateBy(x=-dx * across, y=dy * up)

    def visible_bounds(self) -> Bounds:
        (left, right), (bottom, top) = self.box.viewRange()
        return left, right, bottom, top

    # -- layout ----------------------------------------------------------------------------------------------

    @reports_errors
    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self._lay_out(self.visible_bounds() if self.zoomed else None)

    def _on_range_changed(self) -> None:
        if not self._fitting and self.chart_layout is not None:
            self._lay_out(self.visible_bounds())
            self.range_changed.emit()

    def _lay_out(self, bounds: Bounds | None) -> None:
        """Fit plot and axes to the size; `bounds` is the visible part, None is all."""
        chart, size = self._chart, self.size()
        self.chart_layout = self._fitted = None
        if chart is not None and size.width() >= LEAST.width() and size.height() >= LEAST.height():
            layout = lay_out(chart, size, self.type_scale, titled=self.titled)
            self._fitted = whole = layout.geometry.bounds
            part = None if bounds is None else _part(bounds, whole)
            if part is not None:
                layout = lay_out(chart, size, self.type_scale, titled=self.titled, bounds=part)
            self.chart_layout = layout
            self.marks = tuple(series_marks(chart, whole))
            self._set_view(layout, whole)
        self.update()

    def _set_view(self, layout: ChartLayout, whole: Bounds) -> None:
        """Place view box and axes; the view stays within the fitted bounds."""
        plot, (left, right, bottom, top) = layout.geometry.plot, layout.geometry.bounds
        self._fitting = True
        limits = dict(zip(("xMin", "xMax", "yMin", "yMax"), whole))
        across, up = (whole[1] - whole[0]) / DEEPEST, (whole[3] - whole[2]) / DEEPEST
        self.box.setGeometry(plot)
        self.box.setLimits(**limits, minXRange=across, minYRange=up)
        self.box.setRange(xRange=(left, right), yRange=(bottom, top), padding=0.0)
        self.box.updateMatrix()  # else the view box does it while it is painted, and is painted twice
        self._fitting = False
        for axis in self.axes:
            axis.place(plot, self.size())

    # -- painting --------------------------------------------------------------------------------------------

    @reports_errors
    def paint(self, painter: QPainter, *_: Any) -> None:
        """Draw the grid, below the view box."""
        self.to_device = painter.worldTransform()
        painter.setRenderHints(SMOOTH)
        if self.chart_layout is not None and self.chart_layout.chart.heat is None:
            paint_grid(painter, self.chart_layout.geometry, self.theme, self.chart_layout.axes)


def _part(bounds: Bounds, whole: Bounds) -> Bounds | None:
    """Return the part of all that bounds show; None where that is all of it, or nothing."""
    left, right, bottom, top = bounds
    low_x, high_x, low_y, high_y = whole
    part = max(left, low_x), min(right, high_x), max(bottom, low_y), min(top, high_y)
    if part[0] >= part[1] or part[2] >= part[3]:
        return None
    shares = (part[1] - part[0]) / (high_x - low_x), (part[3] - part[2]) / (high_y - low_y)
    return part if min(shares) < 1 - NEARLY else None


def chart_painting(chart: Chart, paper: Paper, theme: Theme = LIGHT, k: float = 1.0) -> Painting:
    """Return the painting of a chart on the theme's ground, for the formats of files."""
    rect = QRectF(0, 0, paper.width, paper.height)

    def paint(painter: QPainter) -> None:
        if not isinstance(QApplication.instance(), QApplication):
            raise TypeError("a chart needs a QApplication (the platform 'offscreen' serves as well)")
        painter.fillRect(rect, colour(theme.ground))
        scene, plot = QGraphicsScene(), ChartPlot(theme, k)
        scene.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        scene.addItem(plot)
        plot.resize(QSizeF(rect.size()))
        plot.set_chart(chart)
        scene.render(painter, rect, rect)

    return paint


def encoded_chart(
    suffix: str, chart: Chart, size: tuple[int, int] = SIZE, theme: Theme = LIGHT, *, scale: float = SCALE
) -> bytes:
    """Return a chart in the format of a file's ending: .png, .svg or .pdf.

    It needs a QApplication: one without a screen is provided where none is running.
    """
    paper = Paper(*size, scale)
    with application(QApplication):
        return encoded(suffix, paper, chart_painting(chart, paper, theme), chart.title)
