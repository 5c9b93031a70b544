"""The select tool: a rubber box or a click chooses points; a drag of what is chosen moves it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt

from vizml.data.dataset import Floats, Mask
from vizml.scene import Mark, Path
from vizml.scene.marks import Stroke as LineStroke
from vizml.ui.canvas.selection import Place, boxed, ids_of, nearest
from vizml.ui.canvas.tools.tool import GHOST, NO_POINTS, PointDrag, Pointer, StrokeTool

REACH = 10.0
SLOP = 3.0
"""A press that moves less than this is a click."""
AIR = 10.0


class SelectTool(StrokeTool):
    """Shift adds to what is selected, Ctrl toggles; the box selects while it is drawn."""

    name = "select"
    title = "Select"
    hint = "Drag a box or click a point; Shift adds, Ctrl toggles; drag the selection to move it"

    _grab: PointDrag | None = None
    _dragged = False

    def press(self, at: Pointer) -> None:
        super().press(at)
        self._start, self._dragged = at, False
        self._ids = self.surface.selection.ids
        hit = self._hit(at)
        if at.shift or at.ctrl:
            return
        if hit.any() and not (hit & self.surface.selection.mask).any():
            self.surface.selection.set(hit)
        if hit.any() or self._in_frame(at):
            self._grab = PointDrag(self.document, self.surface.selection.mask, at)

    def drag(self, at: Pointer) -> None:
        self._dragged = self._dragged or at.distance(self._start) >= SLOP
        if not self._dragged:
            return
        if self._grab:
            self._grab.carry(at)
        else:
            dataset = self.document.dataset
            self._choose(boxed(self.surface.plot_geometry, dataset, self._start.place, at.place))

    def release(self, at: Pointer) -> None:
        super().release(at)
        if not self._dragged:
            self._choose(self._hit(at))
        self._grab = None

    def cancel(self) -> None:
        super().cancel()
        self.surface.selection.set_ids(self._ids)
        self._grab = None

    def taken(self, at: Pointer) -> Floats:
        return NO_POINTS if self.busy else self.document.dataset.points[self._hit(at)]

    def ghost(self, at: Pointer) -> tuple[Mark, ...]:
        if self.busy and self._dragged and not self._grab:
            return (self._box(self._start.place, at.place, fill=0.1),)
        return self._frame()

    def cursor(self, at: Pointer | None) -> Qt.CursorShape:
        if at is not None and not self.busy and (self._hit(at).any() or self._in_frame(at)):
            return Qt.CursorShape.SizeAllCursor
        return Qt.CursorShape.SizeAllCursor if self._grab else Qt.CursorShape.CrossCursor

    # -- choosing ------------------------------------------------------------------------------------------

    def _hit(self, at: Pointer) -> Mask:
        return nearest(self.surface.plot_geometry, self.document.dataset, at.place, REACH)

    def _choose(self, mask: Mask) -> None:
        """Select points in the way that the keys held at the press ask for."""
        before = np.isin(ids_of(self.document.dataset), self._ids)
        if self._start.shift:
            mask = before | mask
        elif self._start.ctrl:
            mask = before ^ mask
        self.surface.selection.set(mask)

    # -- the frame around what is selected -----------------------------------------------------------------

    def _corners(self) -> tuple[Floats, Floats] | None:
        mask = self.surface.selection.mask
        if np.count_nonzero(mask) < 2:
            return None
        places = self.surface.plot_geometry.to_pixels(self.document.dataset.points[mask])
        return places.min(axis=0) - AIR, places.max(axis=0) + AIR

    def _in_frame(self, at: Pointer) -> bool:
        corners = self._corners()
        return corners is not None and bool(((at.place >= corners[0]) & (at.place <= corners[1])).all())

    def _frame(self) -> tuple[Mark, ...]:
        corners = self._corners()
        if corners is None:
            return ()
        (left, top), (right, bottom) = corners
        return (self._box((left, top), (right, bottom), dash=True),)

    def _box(self, corner: Place, opposite: Place, fill: float = 0.0, dash: bool = False) -> Path:
        (left, top), (right, bottom) = corner, opposite
        stroke: LineStroke = "dash" if dash else "solid"
        geometry = self.surface.plot_geometry
        places = ((left, top), (right, top), (right, bottom), (left, bottom))
        line = np.array([geometry.to_data(float(x), float(y)) for x, y in places])
        return Path(layer=GHOST, lines=(line,), closed=True, ink="accent", fill=fill, stroke=stroke)
