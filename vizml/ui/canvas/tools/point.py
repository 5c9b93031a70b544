"""The point tool: a click adds a point of the chosen class."""

from __future__ import annotations

from vizml.data.dataset import Floats
from vizml.ui.canvas.tools.tool import Pointer, Tool


class PointTool(Tool):
    """Adds on the press, so that the point is there before the finger is up; dragging on adds nothing."""

    name = "point"
    title = "Point"
    hint = "Click to add a point; right click removes one"

    def press(self, at: Pointer) -> None:
        self.document.add([at.point], self.surface.label)

    def coming(self, at: Pointer) -> Floats:
        return at.data[None]
