"""The eraser: removes the points under a disc while it is dragged."""

from __future__ import annotations

import numpy as np

from vizml.data.dataset import Floats, Mask
from vizml.data.params import Integer
from vizml.scene import Mark, Rings
from vizml.ui.canvas.selection import along, within
from vizml.ui.canvas.tools.tool import GHOST, Pointer, StrokeTool

RADIUS = Integer(
    name="radius", default=18, lo=4, hi=240, log=True, unit="px", help="how wide it reaches  [  ]  Ctrl+wheel"
)


class EraseTool(StrokeTool):
    """Removes along the whole way of the pointer, also where it was too quick for every event to arrive."""

    name = "erase"
    title = "Erase"
    hint = "Drag over points to remove them; [ and ] or Ctrl+wheel for the radius"
    params = (RADIUS,)

    @property
    def radius(self) -> float:
        return float(self.values["radius"])

    def press(self, at: Pointer) -> None:
        super().press(at)
        self._erased = 0
        self._last = at
        self._remove(self._under(at))

    def drag(self, at: Pointer) -> None:
        geometry, dataset = self.surface.plot_geometry, self.document.dataset
        self._remove(along(geometry, dataset, self._last.place, at.place, self.radius))
        self._last = at

    def taken(self, at: Pointer) -> Floats:
        return self.document.dataset.points[self._under(at)]

    def ghost(self, at: Pointer) -> tuple[Mark, ...]:
        radius = np.array([self.radius])
        return (Rings(layer=GHOST, points=at.data[None], radii=radius, ink="accent", stroke="dash"),)

    def _under(self, at: Pointer) -> Mask:
        return within(self.surface.plot_geometry, self.document.dataset, at.place, self.radius)

    def _remove(self, doomed: Mask) -> None:
        self._erased += int(doomed.sum())
        self.document.erase(doomed, merge="erase", total=self._erased)
