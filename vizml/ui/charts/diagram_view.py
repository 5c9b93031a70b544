"""A diagram in a dock: its nodes are linked with the canvas, the wheel zooms, and the cut can be dragged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)

from vizml.paint.pens import pen
from vizml.scene import Diagram
from vizml.ui.canvas.canvas_painter import CachedLayer
from vizml.ui.charts.chart_view import DrawingView
from vizml.ui.charts.diagram_layout import EDGE, WHOLE, DiagramLayout, PanZoom, lay_out_diagram, readable
from vizml.ui.charts.diagram_painting import DiagramHighlight, paint_highlight, paint_label, paint_still
from vizml.ui.widgets.appearance import Appearance, current
from vizml.ui.widgets.focus import ARROWS

ZOOM_STEP, DEEPEST = 1.2, 60.0
"""Magnification by a notch of the wheel, and the greatest one."""
HINT = "Drag to see the rest"
CLICK_RADIUS, REACH = 4.0, 6.0
"""Pixels that the pointer may move during a click, and distance at which the cut is grabbed."""
DIRECTIONS = {
    Qt.Key.Key_Left: (-1.0, 0.0),
    Qt.Key.Key_Right: (1.0, 0.0),
    Qt.Key.Key_Up: (0.0, -1.0),
    Qt.Key.Key_Down: (0.0, 1.0),
}


class DiagramView(DrawingView):
    """Shows one diagram, whole at first or with legible rows from its top, or a message in its place."""

    pointed = Signal(object)
    """The id of the node under the pointer, else of the selected one, or None."""
    cut = Signal(object)
    """A mapping of parameters to the values that the dragged cut sets."""

    kept_keys = ARROWS | {Qt.Key.Key_Escape}

    def __init__(self) -> None:
        super().__init__("Diagram")
        self.diagram: Diagram | None = None
        self._pan_zoom: PanZoom | None = None
        """The view that the user has chosen."""
        self._layout: DiagramLayout | None = None
        self.highlighted = DiagramHighlight()
        """The highlighted nodes, and the state of the cut."""
        self._pointed: str | None = None
        self._press: QPointF | None = None
        self._start = WHOLE
        self._layer = CachedLayer(self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.update_appearance()

    @property
    def diagram_layout(self) -> DiagramLayout | None:
        """The layout of the diagram at the present size and magnification."""
        if self._layout is None and self.diagram is not None:
            size, k = QSizeF(self.size()), current().type_scale
            view = self._pan_zoom or readable(self.diagram, size, k)
            self._layout = lay_out_diagram(self.diagram, size, k, view)
        return self._layout

    def set_diagram(self, diagram: Diagram | None, message: str = "") -> None:
        """Show another diagram, or a message; nodes that it still has keep their highlight."""
        if diagram is self.diagram and message == self._message:
            return
        if diagram is None or (self.diagram is not None and diagram.title != self.diagram.title):
            self._pan_zoom = None
        self.diagram, self._message, self._layout = diagram, message, None
        known = {node.id for node in diagram.nodes} if diagram else set()
        kept = {name: getattr(self.highlighted, name) for name in ("hover", "selected")}
        self._set_highlight(**{name: node if node in known else None for name, node in kept.items()})
        self.setAccessibleDescription(f"{diagram.title}. {diagram.note}" if diagram else message)
        self.update()

    def highlight(self, ids: Iterable[str]) -> None:
        """Highlight the nodes of a path and the links between them."""
        self._set_highlight(path=frozenset(ids))

    def clear_highlight(self) -> None:
        """Highlight no node."""
        self._set_highlight(hover=None, selected=None, path=frozenset())

    def fit(self) -> None:
        """Show the whole diagram."""
        self._set_pan_zoom(WHOLE)

    def apply_appearance(self, look: Appearance) -> None:
        self._layout = None
        self.update()

    # -- pointer and keys ------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or self.diagram_layout is None:
            return
        at = event.position()
        self._press, self._start = at, self.diagram_layout.pan_zoom
        if self._is_on_cut(self.diagram_layout, at):
            self._drag_cut(at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self.highlighted.held is not None:
            self._drag_cut(at)
        elif self._press is not None and (at - self._press).manhattanLength() > CLICK_RADIUS:
            moved = at - self._press
            start = self._start
            self._set_pan_zoom(replace(start, dx=start.dx + moved.x(), dy=start.dy + moved.y()))
        elif self._press is None:
            self._point_at(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or self._press is None:
            return
        at, start, self._press = event.position(), self._press, None
        if self.highlighted.held is not None:
            self._set_highlight(held=None)
            self.released.emit()
        elif (at - start).manhattanLength() <= CLICK_RADIUS:
            node = self.diagram_layout.node_at(at.x(), at.y()) if self.diagram_layout else None
            self._set_highlight(hover=node, selected=None if node == self.highlighted.selected else node)
        self._point_at(at)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        notches = event.angleDelta().y() / 120
        if notches and self.diagram_layout is not None:
            self._zoom(ZOOM_STEP**notches, event.position())

    def leaveEvent(self, event: QEvent) -> None:
        self._set_highlight(hover=None, on_cut=False)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.diagram is not None:
            self.menu_requested.emit(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in DIRECTIONS and self.diagram_layout is not None and self.diagram_layout.placed:
            self._set_highlight(selected=self._next_node(self.diagram_layout, DIRECTIONS[key]))
        elif key == Qt.Key.Key_Escape and self.highlighted.selected is not None:
            self._set_highlight(selected=None)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus) and self.diagram_layout is not None:
            factor = ZOOM_STEP if key != Qt.Key.Key_Minus else 1 / ZOOM_STEP
            self._zoom(factor, QRectF(self.rect()).center())
        elif key == Qt.Key.Key_0:
            self.fit()
        else:
            super().keyPressEvent(event)

    def _point_at(self, at: QPointF) -> None:
        layout = self.diagram_layout
        if layout is None:
            return
        on_cut = self._is_on_cut(layout, at)
        node = None if on_cut else layout.node_at(at.x(), at.y())
        shape = Qt.CursorShape.PointingHandCursor if node else Qt.CursorShape.ArrowCursor
        self.setCursor(Qt.CursorShape.SizeVerCursor if on_cut else shape)
        self._set_highlight(hover=node, on_cut=on_cut)

    @staticmethod
    def _is_on_cut(layout: DiagramLayout, at: QPointF) -> bool:
        cut = layout.diagram.cut
        return cut is not None and abs(layout.level(cut.y) - at.y()) <= REACH * layout.k

    def _drag_cut(self, at: QPointF) -> None:
        layout = self.diagram_layout
        if layout is not None and (cut := layout.diagram.cut) is not None:
            height = min(max(layout.height_at(at.y()), 0.0), 1.0)
            self._set_highlight(held=height)
            self.cut.emit({cut.sets: cut.value_at(height), **dict(cut.also)})

    def _next_node(self, layout: DiagramLayout, direction: tuple[float, float]) -> str:
        """Return the nearest node in a direction from the selected one; the first node if there is none."""
        ids, selected = list(layout.placed), self.highlighted.selected
        if selected is None:
            return ids[0]
        offsets = layout.places - layout.places[ids.index(selected)]
        along, aside = offsets @ np.array(direction), np.abs(offsets @ np.array(direction[::-1]))
        cost = np.where(along > 1.0, along + 2 * aside, np.inf)
        nearest = int(np.argmin(cost))
        return ids[nearest] if np.isfinite(cost[nearest]) else selected

    def _set_highlight(self, **changes: object) -> None:
        """Highlight other nodes, and emit the one to be shown on the canvas."""
        highlight = replace(self.highlighted, **changes)  # type: ignore[arg-type]
        if highlight != self.highlighted:
            self.highlighted = highlight
            self.update()
        shown = highlight.hover or highlight.selected
        if shown != self._pointed:
            self._pointed = shown
            self.pointed.emit(shown)

    # -- pan and zoom ----------------------------------------------------------------------------------------

    def _zoom(self, factor: float, about: QPointF) -> None:
        """Magnify about a place."""
        layout = self.diagram_layout
        if layout is None:
            return
        view = layout.pan_zoom
        zoom = min(max(view.zoom * factor, 1.0), DEEPEST)
        middle, ratio = layout.inner.center(), zoom / view.zoom
        x, y = about.x() - middle.x(), about.y() - middle.y()
        dx, dy = x - (x - view.dx) * ratio, y - (y - view.dy) * ratio
        self._set_pan_zoom(replace(view, zoom=zoom, dx=dx, dy=dy))

    def _set_pan_zoom(self, view: PanZoom) -> None:
        """Show another part; the diagram never leaves the view, and the whole of it stays in the middle."""
        layout = self.diagram_layout
        if layout is None:
            return
        self._pan_zoom, self._layout = view.within(layout.inner), None
        self.update()

    # -- painting --------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._layout = None

    def paintEvent(self, event: QPaintEvent) -> None:
        look, layout = current(), self.diagram_layout
        painter = QPainter(self)
        if layout is None or not layout.placed:
            self.paint_ground(painter, self._message)
        else:
            self.paint_ground(painter, "")
            paint = partial(paint_still, layout=layout, theme=look.theme, titled=False)
            self._layer.put(painter, (layout, look.theme), paint)
            paint_highlight(painter, layout, look.theme, self.highlighted)
            if self._pan_zoom is None and layout.pan_zoom != WHOLE:
                end = QPointF(self.width() - EDGE * layout.k, self.height())
                paint_label(painter, layout, look.theme, HINT, end)
        if self.hasFocus():
            width, corner = 2.0 * look.type_scale, look.px(5)
            painter.setPen(pen(look.theme.accent, width))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            frame = QRectF(self.rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2)
            painter.drawRoundedRect(frame, corner, corner)
        painter.end()
