"""The brush: sprays points of the chosen class over a disc while it is dragged."""

from __future__ import annotations

import numpy as np

from vizml.data.dataset import Floats
from vizml.data.params import Integer
from vizml.learn import Task
from vizml.scene import Ink, Mark, Rings
from vizml.ui.canvas.tools.tool import GHOST, NO_POINTS, Pointer, StrokeTool

SPACING = 0.75
"""How far the brush travels between two dabs, in radii."""

RADIUS = Integer(
    name="radius", default=32, lo=4, hi=240, log=True, unit="px", help="how wide it reaches  [  ]  Ctrl+wheel"
)
DENSITY = Integer(
    name="density", default=5, lo=1, hi=60, log=True, unit="points",
    help="how many points a dab has  Shift+wheel",
)  # fmt: skip


class BrushTool(StrokeTool):
    """A dab where it is pressed, and another one for each stretch of way; the whole stroke is one entry."""

    name = "brush"
    title = "Brush"
    hint = "Drag to paint points; [ and ] or Ctrl+wheel for the radius, Shift+wheel for the density"
    params = (RADIUS, DENSITY)

    @property
    def reach(self) -> float:
        """The radius on this screen."""
        return float(self.values["radius"]) * self.surface.plot_geometry.type_scale

    def press(self, at: Pointer) -> None:
        super().press(at)
        self._painted = 0
        self._last = at
        self._dab(at.x, at.y)

    def drag(self, at: Pointer) -> None:
        way, step = at.distance(self._last), SPACING * self.reach
        dabs = int(way // step)
        across, down = at.x - self._last.x, at.y - self._last.y
        for share in (k * step / way for k in range(1, dabs + 1)):
            self._dab(self._last.x + share * across, self._last.y + share * down)
        if dabs:
            self._last = at

    def coming(self, at: Pointer) -> Floats:
        return NO_POINTS if self.busy else self._spray(at.x, at.y)

    def ghost(self, at: Pointer) -> tuple[Mark, ...]:
        ink: Ink = self.surface.label if self.surface.task is Task.CLASSIFY else "text"
        radius = np.array([self.values["radius"]])
        return (Rings(layer=GHOST, points=at.data[None], radii=radius, ink=ink, width=1.5),)

    def _dab(self, x: float, y: float) -> None:
        spray = self._spray(x, y)
        self._painted += len(spray)
        self.document.add(spray, self.surface.label, verb="paint", merge="brush", total=self._painted)

    def _spray(self, x: float, y: float) -> Floats:
        """The points of the next dab: chance that repeats, so that the ghost shows what will be painted."""
        rng = np.random.default_rng(len(self.document.dataset))
        count = int(self.values["density"])
        angle, radius = 2 * np.pi * rng.random(count), self.reach * np.sqrt(rng.random(count))
        places = zip(x + radius * np.cos(angle), y + radius * np.sin(angle))
        geometry = self.surface.plot_geometry
        return np.array([geometry.to_data(float(px), float(py)) for px, py in places])
