"""The move tool: drags a point, or the whole selection when the point is one of it, or an anchor."""

from __future__ import annotations

from PySide6.QtCore import Qt

from vizml.data.dataset import Floats, Mask
from vizml.ui.canvas.selection import nearest
from vizml.ui.canvas.tools.anchors import AnchorTool
from vizml.ui.canvas.tools.tool import PointDrag, Pointer

REACH = 14.0


class MoveTool(AnchorTool):
    """Each event of the drag edits the document, so that training follows the pointer."""

    name = "move"
    title = "Move"
    hint = "Drag a point to move it; one of the selection takes the others with it. Centroids can be dragged"

    _grab: PointDrag | None = None

    def press(self, at: Pointer) -> None:
        if self.grasp(at):
            return
        mask = self._reached(at)
        if mask.any():
            super().press(at)
            self._grab = PointDrag(self.document, mask, at)

    def drag(self, at: Pointer) -> None:
        held = self.grip or self._grab
        if held:
            held.carry(at)

    def release(self, at: Pointer) -> None:
        if self.grip:
            self.let_go(at)
        elif self._grab:
            super().release(at)
            self._grab = None

    def cancel(self) -> None:
        if self.grip:
            self.put_back()
        elif self._grab:
            super().cancel()
            self._grab = None

    def taken(self, at: Pointer) -> Floats:
        held = self.held(at)
        return held if len(held) else self.document.dataset.points[self._reached(at)]

    def cursor(self, at: Pointer | None) -> Qt.CursorShape:
        if self._grab:
            return Qt.CursorShape.ClosedHandCursor
        over = at is not None and self._reached(at).any()
        return self.hand_over(at) or (Qt.CursorShape.OpenHandCursor if over else Qt.CursorShape.ArrowCursor)

    def _reached(self, at: Pointer) -> Mask:
        """The point that a press would take, with its companions of the selection."""
        found = nearest(self.surface.plot_geometry, self.document.dataset, at.place, REACH)
        selected = self.surface.selection.mask
        return selected if (found & selected).any() else found
