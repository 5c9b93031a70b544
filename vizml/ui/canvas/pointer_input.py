"""The hand on the canvas: turns mouse, wheel and gestures into strokes of the tool and moves of the view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent

from vizml.ui.canvas.selection import nearest
from vizml.ui.canvas.tools import Pointer, Tool
from vizml.ui.canvas.viewport import panned, zoomed

if TYPE_CHECKING:
    from vizml.ui.canvas.canvas import Canvas


REACH = 10.0
"""How near a right click must be to a point, in pixels."""
NOTCH = 120.0
ZOOM = 1.2
"""How much larger a notch of the wheel makes the view."""
STRIDE = 60.0
"""How far a notch with Shift moves the view, in pixels."""
OPTION = 1.15
LEFT, MIDDLE, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton


class PointerInput:
    """Knows where the pointer is and which stroke is under way."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self.at: Pointer | None = None
        """Where the pointer hovers or drags; None outside the plot."""
        self.stroke: Tool | None = None
        self.space = False
        """Whether the space bar is held: a drag pans, whatever the tool."""
        self.space_used = False

    # -- strokes -------------------------------------------------------------------------------------------

    def press(self, event: QMouseEvent, *, double: bool = False) -> None:
        """A button goes down; another one during a stroke means nothing."""
        at = self._pointer(event.position(), event.modifiers())
        if self.stroke or not self._in_plot(at):
            return
        self.at = at
        if event.button() == RIGHT:
            self._remove(at)
        elif event.button() == MIDDLE or (event.button() == LEFT and self.space):
            self._begin(self._canvas.tools["pan"], at)
        elif event.button() == LEFT:
            self._begin(self._canvas.active, at, double=double)

    def move(self, event: QMouseEvent) -> None:
        """The pointer moves, with or without a stroke."""
        at = self._pointer(event.position(), event.modifiers())
        if self.stroke and not event.buttons():
            self.end()  # the release went elsewhere: a dialog came up, another program took the mouse
        if self.stroke:
            self.at = at if self.stroke.name == "pan" else self._kept_in(at, event.modifiers())
            self.stroke.drag(self.at)
        else:
            self.at = at if self._in_plot(at) else None

    def hover(self, place: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        """The pointer is put somewhere by keys, as far as the plot goes."""
        self.at = self._kept_in(self._pointer(place, modifiers), modifiers)

    def release(self, event: QMouseEvent) -> None:
        """The button of the stroke goes up."""
        if event.button() in (LEFT, MIDDLE):
            self.end()

    def end(self) -> None:
        """The stroke is done, where there is one."""
        if self.stroke and self.at:
            self.stroke.release(self.at)
        self.stroke = None

    def cancel(self) -> bool:
        """Take back the stroke under way; False where there is none."""
        stroke, self.stroke = self.stroke, None
        if stroke:
            stroke.cancel()
        return stroke is not None

    def leave(self) -> None:
        """The pointer leaves the canvas."""
        if not self.stroke:
            self.at = None

    def click(self, at: Pointer) -> None:
        """A press and a release in one place, as a key gives them."""
        if not self.stroke:
            self.at = at
            self._begin(self._canvas.active, at)
            self.end()

    def _begin(self, tool: Tool, at: Pointer, *, double: bool = False) -> None:
        self.stroke = tool
        self.space_used = self.space
        if double:
            tool.double(at)
        else:
            tool.press(at)

    def _remove(self, at: Pointer) -> None:
        document = self._canvas.document
        document.erase(nearest(self._canvas.plot_geometry, document.dataset, at.place, REACH))

    # -- wheel and gestures --------------------------------------------------------------------------------

    def wheel(self, event: QWheelEvent) -> None:
        """Zoom about the pointer; Ctrl and Shift set the tool's options; two fingers on a pad pan."""
        turn = event.angleDelta()
        notches = (turn.y() or turn.x()) / NOTCH
        modifiers = event.modifiers()
        ctrl = modifiers & Qt.KeyboardModifier.ControlModifier
        shift = modifiers & Qt.KeyboardModifier.ShiftModifier
        if ctrl and self._canvas.scale_option("radius", OPTION**notches):
            return
        if shift and self._canvas.scale_option("density", OPTION**notches):
            return
        if shift:
            self.pan(STRIDE * notches, 0.0)
        elif event.phase() != Qt.ScrollPhase.NoScrollPhase and not event.pixelDelta().isNull():
            self.pan(event.pixelDelta().x(), event.pixelDelta().y())
        else:
            self.zoom(ZOOM**notches, event.position())

    def gesture(self, event: QNativeGestureEvent) -> bool:
        """Pinch on a pad: zoom about its middle."""
        if event.gestureType() != Qt.NativeGestureType.ZoomNativeGesture:
            return False
        self.zoom(max(1.0 + event.value(), 0.1), event.position())
        return True

    def zoom(self, factor: float, place: QPointF) -> None:
        """Make the view larger about a place; over the margin of an axis, that axis alone."""
        geometry = self._canvas.plot_geometry
        across = factor if place.x() >= geometry.plot.left() else 1.0
        up = factor if place.y() <= geometry.plot.bottom() else 1.0
        about = geometry.to_data(place.x(), place.y())
        self._canvas.set_bounds(zoomed(geometry.bounds, across, up, about))

    def pan(self, dx: float, dy: float) -> None:
        """Move what is seen by pixels."""
        across, up = self._canvas.plot_geometry.unit
        self._canvas.set_bounds(panned(self._canvas.bounds, -dx * across, dy * up))

    # -- places --------------------------------------------------------------------------------------------

    def _pointer(self, place: QPointF, modifiers: Qt.KeyboardModifier) -> Pointer:
        """A place in pixels, with what it means in data units."""
        x, y = place.x(), place.y()
        shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
        ctrl = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        return Pointer(x, y, self._canvas.plot_geometry.to_data(x, y), shift, ctrl)

    def _in_plot(self, at: Pointer) -> bool:
        return self._canvas.plot_geometry.plot.contains(at.x, at.y)

    def _kept_in(self, at: Pointer, modifiers: Qt.KeyboardModifier) -> Pointer:
        """The nearest place of the plot: no stroke puts a point where it cannot be seen."""
        plot = self._canvas.plot_geometry.plot
        x = min(max(at.x, plot.left()), plot.right())
        y = min(max(at.y, plot.top()), plot.bottom())
        return self._pointer(QPointF(x, y), modifiers)

    # -- what is in the hand -------------------------------------------------------------------------------

    @property
    def tool(self) -> Tool:
        """The tool of the stroke under way, else the one that a press would use."""
        return self.stroke or (self._canvas.tools["pan"] if self.space else self._canvas.active)

    def cursor(self) -> Qt.CursorShape:
        """The shape of the pointer; outside the plot no tool works."""
        return self.tool.cursor(self.at) if self.at else Qt.CursorShape.ArrowCursor

    def hold_space(self, event: QKeyEvent) -> None:
        """The space bar goes down."""
        if not event.isAutoRepeat():
            self.space, self.space_used = True, False

    def drop_space(self, event: QKeyEvent) -> bool:
        """The space bar goes up; whether it was only tapped."""
        if event.isAutoRepeat() or not self.space:
            return False
        self.space = False
        return not self.space_used

    def renew(self) -> None:
        """What lies under a pointer that rests is another place after the view has moved."""
        if self.at:
            self.at = Pointer(*self.at.place, self._canvas.plot_geometry.to_data(*self.at.place))
