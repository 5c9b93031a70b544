"""Move tool: drag a point, the selection that it belongs to, or an anchor."""

from __future__ import annotations

from PySide6.QtCore import Qt

from vizml.field.arrays import Mask
from vizml.ui.canvas.selection import nearest_point
from vizml.ui.canvas.tools.anchors import AnchorTool
from vizml.ui.canvas.tools.tool import PointDrag, Pointer, Preview

REACH = 14.0
"""Distance in pixels within which a press takes a point."""


class MoveTool(AnchorTool):
    """Each event of the drag edits the document, so that training follows the pointer."""

    name = "move"
    order = 2
    title = "Move"
    key = "M"
    tip = "Move points by dragging"
    hint = "Drag a point to move it; a selected point moves the whole selection. Centroids can be dragged"
    shape = Qt.CursorShape.ArrowCursor

    def press(self, at: Pointer) -> None:
        super().press(at)
        mask = self._affected(at)
        if not self.held and mask.any():
            self.hold(PointDrag(self.document, mask, at), at)

    def preview(self, at: Pointer) -> Preview:
        return self.drag_preview(at) or Preview(affected=self.document.placed.points[self._affected(at)])

    def cursor(self, at: Pointer) -> Qt.CursorShape:
        over = not self.held and self._affected(at).any()
        return Qt.CursorShape.OpenHandCursor if over else super().cursor(at)

    def _affected(self, at: Pointer) -> Mask:
        """Return the point that a press would take, with the selection that it belongs to."""
        found = nearest_point(self.canvas.plot_geometry, self.document.placed, at.pixel, REACH)
        selected = self.canvas.selection.mask
        return selected if (found & selected).any() else found
