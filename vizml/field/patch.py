"""A smooth function kept as a Chebyshev series over a rectangle, for every band and closer view in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from vizml.field.chebyshev import coefficients, evaluate, evaluate_at, expand, nodes, tail
from vizml.field.raster import Field, Floats, Raster

OnGrid = Callable[[Raster], Floats]
"""Values (K, H, W) on a raster."""


@dataclass(frozen=True, eq=False)
class Patch:
    """A series (K, my, mx) over the extent of a raster."""

    over: Raster
    series: Floats

    @classmethod
    def through(cls, values: OnGrid, over: Raster, across: int, down: int) -> Self:
        """The polynomial through the values at so many nodes an axis."""
        grid = Raster(nodes(over.x, across), nodes(over.y, down))
        return cls(Raster(over.x[[0, -1]], over.y[[0, -1]]), coefficients(values(grid)))

    @property
    def tail(self) -> float:
        """The largest of its last coefficients."""
        return tail(self.series)

    def values(self, raster: Raster) -> Floats:
        """On a raster within it, in double precision."""
        return evaluate(raster, self.series, self.over)

    def field(self, raster: Raster) -> Field:
        """On a raster within it."""
        return expand(raster, self.series, self.over)

    def at(self, points: Floats) -> Floats:
        """The values (K, n) at points (n, 2) within it, in double precision."""
        return evaluate_at(points, self.series, self.over)
