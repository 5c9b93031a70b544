"""Select tool: a rectangle or a click selects points; dragging the selection moves it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt

from vizml.field.arrays import Mask
from vizml.scene import Path
from vizml.ui.canvas.selection import Pixel, nearest_point, points_in_box
from vizml.ui.canvas.tools.tool import (
    CLICK_DISTANCE,
    NO_POINTS,
    PREVIEW,
    PointDrag,
    Pointer,
    Preview,
    StrokeTool,
)

REACH = 10.0
"""Distance in pixels within which a press takes a point."""
MARGIN = 10.0
"""Pixels between the selected points and the frame around them."""


class SelectTool(StrokeTool):
    """Shift adds to the selection, Ctrl toggles; the rectangle selects while it is dragged."""

    name = "select"
    order = 4
    title = "Select"
    key = "S"
    tip = "Select points with a rectangle"
    hint = "Drag a rectangle or click a point; Shift adds, Ctrl toggles; drag the selection to move it"

    _point_drag: PointDrag | None = None
    _dragged = False

    def press(self, at: Pointer) -> None:
        super().press(at)
        self._start, self._dragged = at, False
        selection, hit = self.canvas.selection, self._hit(at)
        self._ids = selection.ids
        if at.shift or at.ctrl:
            return
        if hit.any() and not (hit & selection.mask).any():
            selection.set(hit)
        if hit.any() or self._in_frame(at):
            self._point_drag = PointDrag(self.document, selection.mask, at)

    def drag(self, at: Pointer) -> None:
        self._dragged = self._dragged or at.distance(self._start) >= CLICK_DISTANCE
        if not self._dragged:
            return
        if self._point_drag:
            self._point_drag.move(at)
        else:
            dataset = self.document.placed
            self._select(points_in_box(self.canvas.plot_geometry, dataset, self._start.pixel, at.pixel))

    def release(self, at: Pointer) -> None:
        super().release(at)
        if not self._dragged:
            self._select(self._hit(at))
        self._point_drag = None

    def cancel(self) -> None:
        super().cancel()
        self.canvas.selection.set_ids(self._ids)
        self._point_drag = None

    def preview(self, at: Pointer) -> Preview:
        if self.busy and self._dragged and not self._point_drag:
            return Preview(marks=(self._box(self._start.pixel, at.pixel, fill=0.1),))
        corners = self._frame()
        marks = () if corners is None else (self._box(*corners, dash=True),)
        affected = NO_POINTS if self.busy else self.document.placed.points[self._hit(at)]
        return Preview(affected=affected, marks=marks)

    def cursor(self, at: Pointer) -> Qt.CursorShape:
        over = not self.busy and (self._hit(at).any() or self._in_frame(at))
        return Qt.CursorShape.SizeAllCursor if over or self._point_drag else self.shape

    def _hit(self, at: Pointer) -> Mask:
        return nearest_point(self.canvas.plot_geometry, self.document.placed, at.pixel, REACH)

    def _select(self, mask: Mask) -> None:
        """Select points, or add or toggle them as the modifier keys at the press demand."""
        before = np.isin(self.document.dataset.ids, self._ids)
        if self._start.shift:
            mask = before | mask
        elif self._start.ctrl:
            mask = before ^ mask
        self.canvas.selection.set(mask)

    def _frame(self) -> tuple[Pixel, Pixel] | None:
        """Return the corners of the frame around two or more selected points."""
        mask = self.canvas.selection.mask
        if np.count_nonzero(mask) < 2:
            return None
        pixels = self.canvas.plot_geometry.to_pixels(self.document.placed.points[mask])
        (left, top), (right, bottom) = pixels.min(axis=0) - MARGIN, pixels.max(axis=0) + MARGIN
        return (float(left), float(top)), (float(right), float(bottom))

    def _in_frame(self, at: Pointer) -> bool:
        corners = self._frame()
        if corners is None:
            return False
        (left, top), (right, bottom) = corners
        return left <= at.x <= right and top <= at.y <= bottom

    def _box(self, corner: Pixel, opposite: Pixel, fill: float = 0.0, *, dash: bool = False) -> Path:
        (left, top), (right, bottom) = corner, opposite
        pixels = ((left, top), (right, top), (right, bottom), (left, bottom))
        line = np.array([self.canvas.plot_geometry.to_data(*pixel) for pixel in pixels])
        return Path(
            layer=PREVIEW,
            lines=(line,),
            closed=True,
            ink="accent",
            fill=fill,
            stroke="dash" if dash else "solid",
        )
