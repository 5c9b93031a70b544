"""Pointer input: mouse, wheel and gestures as strokes of the tool, and marks of the model for the pointer."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from PySide6.QtCore import QObject, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent

from vizml.field.arrays import Mask
from vizml.run.errors import guarded
from vizml.run.runner import POINTER, BackgroundQuery
from vizml.scene import Mark
from vizml.ui.canvas.document_view import AnyView
from vizml.ui.canvas.selection import nearest_point
from vizml.ui.canvas.tools import Pointer, Tool

if TYPE_CHECKING:
    from vizml.ui.canvas.canvas import Canvas

REACH = 10.0
"""Distance in pixels within which a right click finds a point."""
NOTCH = 120.0
"""Wheel angle of one notch in Qt's eighths of a degree."""
ZOOM = 1.2
"""Magnification per notch."""
PAN_STEP = 60.0
"""Pixels that a notch with Shift moves the view."""
OPTION_FACTOR = 1.15
"""Factor of radius or density per notch or key press."""
Held = Qt.KeyboardModifier
LEFT, MIDDLE, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton


class PointerInput:
    """Position of the pointer, and the stroke in progress."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self.at: Pointer | None = None
        """Position while hovering or dragging; None outside the plot."""
        self.stroke: Tool | None = None
        """Tool whose stroke is in progress."""
        self.space = False
        """Whether the space bar is held: a drag pans with any tool."""
        self._space_used = False

    @property
    def tool(self) -> Tool:
        """Tool of the stroke in progress, else the tool that a press would use."""
        return self.stroke or (self._canvas.tools["pan"] if self.space else self._canvas.active)

    # -- strokes -------------------------------------------------------------------------------------------

    def press(self, event: QMouseEvent, *, double: bool = False) -> None:
        """Begin a stroke; remove a point, or ask for its menu; a second button during a stroke is ignored."""
        at, canvas = self._pointer(event.position(), event.modifiers()), self._canvas
        if self.stroke or not canvas.plot_geometry.plot.contains(event.position()):
            return
        self.at = at
        if event.button() == RIGHT and (at.shift or canvas.document.dataset.others):
            self.request_menu()
        elif event.button() == RIGHT:
            canvas.document.erase(self.under())
        elif event.button() in (LEFT, MIDDLE):
            self._begin(canvas.tools["pan"] if event.button() == MIDDLE else self.tool, at, double=double)

    def under(self) -> Mask:
        """Return the mask of the point under the pointer, where there is one."""
        canvas = self._canvas
        placed = canvas.document.placed
        if self.at is None:
            return np.zeros(len(placed), dtype=bool)
        return nearest_point(canvas.plot_geometry, placed, self.at.pixel, REACH)

    def request_menu(self) -> None:
        """Ask for the menu of the point under the pointer, where there is one."""
        under = self.under()
        if self.at and under.any():
            self._canvas.menu_requested.emit(int(self._canvas.document.dataset.ids[under][0]))

    def move(self, event: QMouseEvent) -> None:
        """Hover, or continue the stroke."""
        if self.stroke and not event.buttons():
            self.end()  # a dialog or another program received the release
        clamp = self.stroke is not None and self.stroke.name != "pan"
        at = self._pointer(event.position(), event.modifiers(), clamp=clamp)
        inside = self._canvas.plot_geometry.plot.contains(event.position())
        self.at = at if self.stroke or inside else None
        if self.stroke:
            self.stroke.drag(at)

    def hover(self, x: float, y: float) -> None:
        """Put the pointer at a position in pixels, or at the nearest one in the plot."""
        self.at = self._pointer(QPointF(x, y), Held.NoModifier, clamp=True)

    def end(self) -> None:
        """End the stroke, where there is one."""
        if self.stroke and self.at:
            self.stroke.release(self.at)
        self.stroke = None

    def cancel(self) -> None:
        """Cancel the stroke, where there is one."""
        if self.stroke:
            self.stroke.cancel()
        self.stroke = None

    def leave(self) -> None:
        """Forget the position when the pointer leaves the canvas."""
        if not self.stroke:
            self.at = None

    def click(self) -> None:
        """Press and release the tool at the current position."""
        if self.at and not self.stroke:
            self._begin(self._canvas.active, self.at)
            self.end()

    def _begin(self, tool: Tool, at: Pointer, *, double: bool = False) -> None:
        self.stroke = tool
        self._space_used = self.space
        if double:
            tool.double(at)
        else:
            tool.press(at)

    def press_space(self, event: QKeyEvent) -> None:
        """Pan with any tool until the space bar is released."""
        if not event.isAutoRepeat():
            self.space, self._space_used = True, False

    def release_space(self, event: QKeyEvent) -> bool:
        """Return to the tool; whether the space bar was released without a drag."""
        if event.isAutoRepeat() or not self.space:
            return False
        self.space = False
        return not self._space_used

    # -- wheel and gestures --------------------------------------------------------------------------------

    def wheel(self, event: QWheelEvent) -> None:
        """Zoom about the pointer; Ctrl and Shift set options of the tool; two fingers on a touch pad pan."""
        angle = event.angleDelta()
        notches = (angle.y() or angle.x()) / NOTCH
        ctrl = event.modifiers() & Held.ControlModifier
        shift = event.modifiers() & Held.ShiftModifier
        if ctrl and self._canvas.scale_option("radius", OPTION_FACTOR**notches):
            return
        if shift and self._canvas.scale_option("density", OPTION_FACTOR**notches):
            return
        if shift:
            self._canvas.pan(PAN_STEP * notches, 0.0)
        elif event.phase() != Qt.ScrollPhase.NoScrollPhase and not event.pixelDelta().isNull():
            self._canvas.pan(event.pixelDelta().x(), event.pixelDelta().y())
        else:
            self.zoom(ZOOM**notches, event.position())

    def gesture(self, event: QNativeGestureEvent) -> bool:
        """Zoom about the centre of a pinch."""
        if event.gestureType() != Qt.NativeGestureType.ZoomNativeGesture:
            return False
        self.zoom(max(1.0 + event.value(), 0.1), event.position())
        return True

    def zoom(self, factor: float, position: QPointF) -> None:
        """Magnify the view about a position; over the margin of an axis, only along that axis."""
        geometry = self._canvas.plot_geometry
        x_factor = factor if position.x() >= geometry.plot.left() else 1.0
        y_factor = factor if position.y() <= geometry.plot.bottom() else 1.0
        self._canvas.magnify(x_factor, y_factor, position.x(), position.y())

    # -- positions -----------------------------------------------------------------------------------------

    def _pointer(self, position: QPointF, modifiers: Held, *, clamp: bool = False) -> Pointer:
        """Return a position with its data units, where asked the nearest one in the plot.

        Strokes are clamped, so that none adds points outside the view.
        """
        x, y, geometry = position.x(), position.y(), self._canvas.plot_geometry
        if clamp:
            plot = geometry.plot
            x = min(max(x, plot.left()), plot.right())
            y = min(max(y, plot.top()), plot.bottom())
        shift, ctrl = bool(modifiers & Held.ShiftModifier), bool(modifiers & Held.ControlModifier)
        return Pointer(x, y, geometry.to_data(x, y), shift, ctrl)

    def update_position(self) -> None:
        """Compute the data units of the pointer anew after the view has moved."""
        if self.at:
            self.at = replace(self.at, point=self._canvas.plot_geometry.to_data(*self.at.pixel))


BUDGET = 0.008
"""Seconds, half a frame of the display, that marks may take in the window's thread."""
Answer: TypeAlias = tuple[tuple[float, float], object, tuple[Mark, ...], float]
"""A point, the cost of the view, its marks for the point, and the seconds that they took."""


class PointerProbe(QObject):
    """Marks for the pointer: at once where the last ones were quick and cost as much, else from a thread."""

    found = Signal()
    """There are other marks than the last time."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view: AnyView | None = None
        self._point = (0.0, 0.0)
        self._marks: tuple[Mark, ...] = ()
        self._quick: object = None
        """Cost of the last answer, where it was quick."""
        self._query = BackgroundQuery(self, POINTER)
        self._query.answered.connect(self._on_answer)

    def close_down(self) -> None:
        """End the thread."""
        self._query.close()

    def marks(self, view: AnyView | None, point: tuple[float, float], cost: object) -> tuple[Mark, ...]:
        """Return the marks of a view for a point, those of the last view until they are found.

        `cost` is equal for views that take equally long.
        """
        view = view if view is not None and view.has_probe else None
        if view is None or point != self._point:
            self._marks = ()
        if view is not self._view or point != self._point:
            self._view, self._point = view, point
            quick = cost == self._quick
            if self._query.waiting and (view is None or quick):
                self._query.cancel()
            if view is not None and quick:
                self._take(_answer(view, point, cost))
            elif view is not None:
                self._query.follow(object(), partial(_answer, view, point, cost))
        return self._marks

    def _take(self, answer: Answer) -> None:
        point, cost, marks, seconds = answer
        self._quick = cost if seconds <= BUDGET else None
        if point == self._point and self._view is not None:
            self._marks = marks

    @Slot(object)
    def _on_answer(self, answer: Answer) -> None:
        self._take(answer)
        self.found.emit()


def _answer(view: AnyView, point: tuple[float, float], cost: object) -> Answer:
    """Find the marks of a view for a point, and measure how long that takes."""
    started = time.perf_counter()
    marks = guarded(view.state, "probe", lambda: view.probe(np.array(point)), ())
    return point, cost, marks, time.perf_counter() - started
