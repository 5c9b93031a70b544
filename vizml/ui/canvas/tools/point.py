"""The point tool: a click adds a point of the chosen class; a drag that begins on an anchor moves it."""

from __future__ import annotations

from PySide6.QtCore import Qt

from vizml.data.dataset import Floats
from vizml.ui.canvas.tools.anchors import AnchorTool
from vizml.ui.canvas.tools.tool import NO_POINTS, Pointer


class PointTool(AnchorTool):
    """Adds on the press, so that the point is there before the finger is up; dragging on adds nothing.

    Only on an anchor it waits, to see whether that is to be dragged.
    """

    name = "point"
    title = "Point"
    hint = "Click to add a point; right click removes one. Centroids can be dragged"

    def press(self, at: Pointer) -> None:
        if not self.grasp(at):
            self._add(at)

    def drag(self, at: Pointer) -> None:
        if self.grip:
            self.grip.carry(at)

    def release(self, at: Pointer) -> None:
        if self.grip and not self.let_go(at):
            self._add(at)

    def cancel(self) -> None:
        if self.grip:
            self.put_back()

    def coming(self, at: Pointer) -> Floats:
        return NO_POINTS if len(self.held(at)) else at.data[None]

    def taken(self, at: Pointer) -> Floats:
        return self.held(at)

    def cursor(self, at: Pointer | None) -> Qt.CursorShape:
        return self.hand_over(at) or super().cursor(at)

    def _add(self, at: Pointer) -> None:
        self.document.add([at.point], self.surface.label)
