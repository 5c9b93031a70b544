"""Eraser: remove the points within a disc while dragging."""

from __future__ import annotations

import numpy as np

from vizml.data.params import Integer
from vizml.field.arrays import Mask
from vizml.scene import Rings
from vizml.ui.canvas.selection import points_along
from vizml.ui.canvas.tools.tool import PREVIEW, Pointer, Preview, StrokeTool

RADIUS = Integer(
    name="radius",
    default=18,
    lo=4,
    hi=240,
    log=True,
    unit="px",
    help="Radius of the eraser  [  ]  Ctrl+wheel",
)


class EraseTool(StrokeTool):
    """Remove points along the whole path of the pointer, also between the events of a quick drag."""

    name = "erase"
    order = 3
    title = "Erase"
    key = "E"
    tip = "Remove points by dragging"
    hint = "Drag over points to remove them; [ and ] or Ctrl+wheel set the radius"
    params = (RADIUS,)

    def press(self, at: Pointer) -> None:
        super().press(at)
        self._erased = 0
        self._last = at
        self._remove(self._between(at, at))

    def drag(self, at: Pointer) -> None:
        self._remove(self._between(self._last, at))
        self._last = at

    def preview(self, at: Pointer) -> Preview:
        radius = np.array([float(self.values["radius"])])
        ring = Rings(layer=PREVIEW, points=at.data[None], radii=radius, ink="accent", stroke="dash")
        return Preview(affected=self.document.placed.points[self._between(at, at)], marks=(ring,))

    def _between(self, start: Pointer, end: Pointer) -> Mask:
        radius = float(self.values["radius"])
        return points_along(self.canvas.plot_geometry, self.document.placed, start.pixel, end.pixel, radius)

    def _remove(self, mask: Mask) -> None:
        self._erased += int(mask.sum())
        self.document.erase(mask, merge="erase", total=self._erased)
