"""Brush: add points of the current class within a disc while dragging."""

from __future__ import annotations

import numpy as np

from vizml.data.params import Integer
from vizml.field.arrays import Floats
from vizml.scene import Ink, Rings
from vizml.ui.canvas.tools.tool import NO_POINTS, PREVIEW, Pointer, Preview, StrokeTool

SPACING = 0.75
"""Distance between two dabs as a share of the radius: the discs overlap, and a stroke has no gaps."""
RADIUS = Integer(
    name="radius", default=32, lo=4, hi=240, log=True, unit="px", help="Radius of the brush  [  ]  Ctrl+wheel"
)
DENSITY = Integer(
    name="density", default=5, lo=1, hi=60, log=True, unit="points", help="Points per dab  Shift+wheel"
)


class BrushTool(StrokeTool):
    """Paint a dab at the press and one for every stretch of the drag."""

    name = "brush"
    order = 1
    title = "Brush"
    key = "B"
    tip = "Add many points by dragging"
    hint = "Drag to paint points; [ and ] or Ctrl+wheel set the radius, Shift+wheel the density"
    params = (RADIUS, DENSITY)

    @property
    def radius(self) -> float:
        """Radius in pixels at the current type size."""
        return float(self.values["radius"]) * self.canvas.plot_geometry.type_scale

    def press(self, at: Pointer) -> None:
        super().press(at)
        self._painted = 0
        self._last = at
        self._dab(at.x, at.y)

    def drag(self, at: Pointer) -> None:
        length, spacing = at.distance(self._last), SPACING * self.radius
        dabs = int(length // spacing)
        dx, dy = at.x - self._last.x, at.y - self._last.y
        for share in (k * spacing / length for k in range(1, dabs + 1)):
            self._dab(self._last.x + share * dx, self._last.y + share * dy)
        if dabs:
            self._last = at

    def preview(self, at: Pointer) -> Preview:
        ink: Ink = self.canvas.label if self.canvas.task.point_colours == "class" else "text"
        radius = np.array([self.values["radius"]])
        ring = Rings(layer=PREVIEW, points=at.data[None], radii=radius, ink=ink, width=1.5)
        return Preview(added=NO_POINTS if self.busy else self._sample(at.x, at.y), marks=(ring,))

    def _dab(self, x: float, y: float) -> None:
        points = self._sample(x, y)
        self._painted += len(points)
        self.document.add(points, self.canvas.label, verb="paint", merge="brush", total=self._painted)

    def _sample(self, x: float, y: float) -> Floats:
        """Return the points of the next dab; the preview shows the same ones, as the seed repeats."""
        rng = np.random.default_rng(len(self.document.dataset))
        count = int(self.values["density"])
        angle, radius = 2 * np.pi * rng.random(count), self.radius * np.sqrt(rng.random(count))
        pixels = zip((x + radius * np.cos(angle)).tolist(), (y + radius * np.sin(angle)).tolist())
        return np.array([self.canvas.plot_geometry.to_data(*pixel) for pixel in pixels])
