"""Point tool: a click adds a point of the current class; a drag that begins on an anchor moves it."""

from __future__ import annotations

from PySide6.QtCore import Qt

from vizml.field.arrays import Floats
from vizml.ui.canvas.tools.anchors import AnchorTool
from vizml.ui.canvas.tools.tool import NO_POINTS, Pointer


class PointTool(AnchorTool):
    """Add a point at the press, so that it appears at once; on an anchor, wait for the release."""

    name = "point"
    order = 0
    title = "Point"
    key = "P"
    tip = "Add points by clicking"
    hint = "Click to add a point; right click removes one. Centroids can be dragged"

    def press(self, at: Pointer) -> None:
        if not self.take_anchor(at):
            self._add(at)

    def drag(self, at: Pointer) -> None:
        if self.anchor_drag:
            self.anchor_drag.move(at)

    def release(self, at: Pointer) -> None:
        if self.anchor_drag and not self.drop_anchor(at):
            self._add(at)

    def added(self, at: Pointer) -> Floats:
        return NO_POINTS if len(self.anchor_position(at)) else at.data[None]

    def affected(self, at: Pointer) -> Floats:
        return self.anchor_position(at)

    def cursor(self, at: Pointer | None) -> Qt.CursorShape:
        return self.anchor_cursor(at) or super().cursor(at)

    def _add(self, at: Pointer) -> None:
        self.document.add([at.point], self.canvas.label)
