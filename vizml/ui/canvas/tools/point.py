"""Point tool: a click adds a point of the current class; a drag that begins on an anchor moves it."""

from __future__ import annotations

import numpy as np

from vizml.ui.canvas.tools.anchors import AnchorTool
from vizml.ui.canvas.tools.tool import PointDrag, Pointer, Preview


class PointTool(AnchorTool):
    """Add a point at the press, so that it appears at once; on an anchor, wait for the release."""

    name = "point"
    order = 0
    title = "Point"
    key = "P"
    tip = "Add points by clicking"
    hint = "Click to add a point; right click removes one (in a table: menu). Centroids can be dragged"

    def press(self, at: Pointer) -> None:
        super().press(at)
        if not self.held:
            self.document.add([at.point], self.canvas.label)

    def release(self, at: Pointer) -> None:
        drag = self.held
        if drag:
            super().release(at)
            if not isinstance(drag, PointDrag) and not drag.dragged:
                self.document.add([at.point], self.canvas.label)

    def preview(self, at: Pointer) -> Preview:
        return self.drag_preview(at) or Preview(added=np.array([at.point]))
