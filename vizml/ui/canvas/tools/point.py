"""Point tool: a click adds a point of the current class; a drag that begins on an anchor moves it."""

from __future__ import annotations

from vizml.ui.canvas.tools.anchors import AnchorDrag, AnchorTool
from vizml.ui.canvas.tools.tool import Pointer, Preview


class PointTool(AnchorTool):
    """Add a point at the press, so that it appears at once; on an anchor, wait for the release."""

    name = "point"
    order = 0
    title = "Point"
    key = "P"
    tip = "Add points by clicking"
    hint = "Click to add a point; right click removes one. Centroids can be dragged"

    def press(self, at: Pointer) -> None:
        super().press(at)
        if not self.held:
            self._add(at)

    def release(self, at: Pointer) -> None:
        clicked = isinstance(self.held, AnchorDrag) and not self.held.dragged
        super().release(at)
        if clicked:
            self._add(at)

    def preview(self, at: Pointer) -> Preview:
        return self.drag_preview(at) or Preview(added=at.data[None])

    def _add(self, at: Pointer) -> None:
        self.document.add([at.point], self.canvas.label)
