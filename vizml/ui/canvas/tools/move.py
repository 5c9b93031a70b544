"""Move tool: drag a point, the selection that it belongs to, or an anchor."""

from __future__ import annotations

from PySide6.QtCore import Qt

from vizml.field.arrays import Floats, Mask
from vizml.ui.canvas.selection import nearest_point
from vizml.ui.canvas.tools.anchors import AnchorTool
from vizml.ui.canvas.tools.tool import PointDrag, Pointer, StrokeTool

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

    _point_drag: PointDrag | None = None

    def press(self, at: Pointer) -> None:
        if self.take_anchor(at):
            return
        mask = self._affected(at)
        if mask.any():
            super().press(at)
            self._point_drag = PointDrag(self.document, mask, at)

    def drag(self, at: Pointer) -> None:
        drag = self.anchor_drag or self._point_drag
        if drag:
            drag.move(at)

    def release(self, at: Pointer) -> None:
        if self.anchor_drag:
            self.drop_anchor(at)
        elif self._point_drag:
            super().release(at)
            self._point_drag = None

    def cancel(self) -> None:
        if self._point_drag:
            StrokeTool.cancel(self)
            self._point_drag = None
        else:
            super().cancel()

    def affected(self, at: Pointer) -> Floats:
        anchor = self.anchor_position(at)
        return anchor if len(anchor) else self.document.dataset.points[self._affected(at)]

    def cursor(self, at: Pointer | None) -> Qt.CursorShape:
        if self._point_drag:
            return Qt.CursorShape.ClosedHandCursor
        over = at is not None and self._affected(at).any()
        free = Qt.CursorShape.OpenHandCursor if over else Qt.CursorShape.ArrowCursor
        return self.anchor_cursor(at) or free

    def _affected(self, at: Pointer) -> Mask:
        """Return the point that a press would take, with the selection that it belongs to."""
        found = nearest_point(self.canvas.plot_geometry, self.document.dataset, at.pixel, REACH)
        selected = self.canvas.selection.mask
        return selected if (found & selected).any() else found
