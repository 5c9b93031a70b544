"""The pyqtgraph view of a chart in a dock, and what the pointer does on it. Imported late: see ChartView."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QGraphicsScene, QGraphicsView

from vizml.paint.charts.layout import ChartLayout
from vizml.paint.charts.overlay import Highlight, exists, find, handle_place, paint_overlay
from vizml.paint.charts.plot import ChartPlot
from vizml.paint.pens import colour
from vizml.scene import Chart
from vizml.scene.chart import Value
from vizml.ui.canvas.canvas_painter import CachedLayer
from vizml.ui.widgets.appearance import current

if TYPE_CHECKING:
    from vizml.ui.charts.chart_view import ChartView

GRIP = 14.0
"""Pixels around the handle within which it is grabbed."""
LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton


class ChartCanvas(pg.GraphicsView):  # type: ignore[misc]
    """Shows a ChartPlot from a cached layer; what follows pointer and timeline is painted over it.

    Mouse events are handled here rather than in pyqtgraph's scene, which limits their rate and searches all
    items for each of them: 0.5 ms instead of 4 to 36.
    """

    def __init__(self, view: ChartView) -> None:
        super().__init__(view, useOpenGL=False, background=None)
        look = current()
        self._view = view
        self.plot = ChartPlot(look.theme, look.type_scale, titled=False)
        self._layer = CachedLayer(self.viewport())
        self._pressed = self._on_handle = False
        self._panned_from: QPointF | None = None
        self._picked: dict[str, Value] | None = None
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.NoViewportUpdate)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.viewport().setMouseTracking(True)
        # an index of items whose bounds follow the view box would keep pointers to those that were removed
        self.scene().setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self.setCentralItem(self.plot)
        self.plot.range_changed.connect(self.viewport().update)

    @property
    def highlight(self) -> Highlight:
        """The step of the timeline, the point or cell under the pointer, and the current cell."""
        return self.plot.overlay.highlight

    def set_chart(self, chart: Chart) -> None:
        """Show another chart; one with the same point keeps the pointer on it."""
        hover = self.highlight.hover
        kept = hover if hover is not None and hover.cell is None and exists(chart, hover) else None
        self.plot.set_chart(chart)
        self._update_highlight(hover=kept)
        self.viewport().update()

    def set_highlight(self, *, step: float | None, cell: tuple[int, int] | None) -> None:
        """Change the position of the timeline, and the cell of the current parameters."""
        self._update_highlight(step=step, cell=cell)

    # -- painting --------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        layout, theme = self.plot.chart_layout, self.plot.theme
        try:
            self._layer.put(painter, (layout, theme), self._paint_still)
            if layout is not None:
                paint_overlay(painter, layout, theme, self.highlight)
        finally:
            painter.end()  # or Qt would crash on a painter that an error left at work

    def _paint_still(self, painter: QPainter) -> None:
        """Render the plot without its overlay; a repeated painting of all items would hold up the pointer."""
        rect = QRectF(self.viewport().rect())
        painter.fillRect(rect, colour(self.plot.theme.ground))
        self.plot.overlay.hide()
        self.scene().render(painter, rect, rect)
        self.plot.overlay.show()

    def _update_highlight(self, **changes: Any) -> None:
        highlight = replace(self.highlight, **changes)
        if highlight != self.highlight:
            self.plot.set_highlight(highlight)
            self.viewport().update()

    # -- pointer ---------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        layout, at = self.plot.chart_layout, event.position()
        if layout is None or event.button() not in (LEFT, MIDDLE):
            return
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        action = self._action(layout, at)
        if event.button() is MIDDLE or shifted or action is None:
            self._panned_from = at
            return
        self._pressed, self._on_handle = True, grabs_handle(layout, at)
        action()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        layout, at = self.plot.chart_layout, event.position()
        if self._panned_from is not None:
            moved, self._panned_from = at - self._panned_from, at
            self.plot.pan(moved.x(), moved.y())
        elif self._pressed and layout is not None and (action := self._action(layout, at)):
            action()
        self._point_at(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._panned_from = None
        if event.button() is LEFT and self._pressed:
            changed = self._on_handle or self._picked is not None
            self._pressed, self._on_handle, self._picked = False, False, None
            if changed:
                self._view.released.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.plot.fit()

    def leaveEvent(self, event: QEvent) -> None:
        self._update_highlight(hover=None)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._view.menu_requested.emit(event.globalPos())

    def _action(self, layout: ChartLayout, at: QPointF) -> Callable[[], None] | None:
        """Return what a left click or drag at a place does, if anything."""
        chart, heat = layout.chart, layout.chart.heat
        if self._on_handle or (not self._pressed and grabs_handle(layout, at)):
            return partial(self._drag_handle, layout, at)
        if chart.cursor == "step":
            return partial(self._view.step_requested.emit, max(round(layout.value_x(at.x())), 1))
        if chart.sets:
            values = values_at(layout, at.x(), at.y())
            return partial(self._pick, values) if values else None
        cell = layout.cell_at(at.x(), at.y())
        if heat is None or not heat.members or cell is None:
            return None
        return partial(self._view.points_picked.emit, heat.members[cell[0]][cell[1]])

    def _pick(self, values: dict[str, Value]) -> None:
        if values != self._picked:
            self._picked = values
            self._view.picked.emit(values)

    def _drag_handle(self, layout: ChartLayout, at: QPointF) -> None:
        """Set the handle's parameter to the value at the nearest point of its series."""
        handle = layout.chart.handle
        if handle is not None:
            places = layout.pixels(layout.chart.series[handle.series])
            distance = np.nan_to_num(np.hypot(*(places - (at.x(), at.y())).T), nan=np.inf)
            self._view.handled.emit(handle.sets, float(handle.values[int(np.argmin(distance))]))

    def _point_at(self, at: QPointF) -> None:
        layout = self.plot.chart_layout
        if layout is None:
            return
        shape = Qt.CursorShape.PointingHandCursor if self._action(layout, at) else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor if self._panned_from is not None else shape)
        self._update_highlight(hover=find(layout, at.x(), at.y()))


def grabs_handle(layout: ChartLayout, at: QPointF) -> bool:
    """Whether a place is on the handle."""
    place = handle_place(layout)
    return place is not None and (place - at).manhattanLength() <= GRIP * layout.geometry.type_scale


def values_at(layout: ChartLayout, x: float, y: float) -> dict[str, Value]:
    """Return the parameters that a click sets: those of a cell, or of the nearest point along x."""
    chart = layout.chart
    if not chart.sets or not layout.geometry.plot.contains(x, y):
        return {}
    if chart.heat is not None:
        cell = layout.cell_at(x, y)
        indices = (cell[1], cell[0]) if cell else ()
        values = {name: choices[at] for name, choices, at in zip(chart.sets, chart.choices, indices)}
        return values and values | dict(chart.also)
    if not chart.series:
        return {}
    series = max(chart.series, key=lambda one: len(one.x))
    distance = np.abs(layout.pixels(replace(series, y=np.ones(len(series.x))))[:, 0] - x)
    if not np.isfinite(distance).any():
        return {}
    nearest = int(np.nanargmin(distance))
    choices = chart.choices[0] if chart.choices else tuple(series.x.tolist())
    return {chart.sets[0]: choices[nearest], **dict(chart.also)} if nearest < len(choices) else {}
