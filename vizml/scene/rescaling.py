"""Conversion of marks and rasters between scaled coordinates and data units, axis by axis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from vizml.field import Raster
from vizml.field.arrays import Floats
from vizml.scene.marks import (
    Band,
    Borders,
    Curves,
    Dots,
    FunctionBand,
    LazyLines,
    Mark,
    Path,
    Profile,
    Rings,
    Segments,
    TextLabels,
)


@dataclass(frozen=True, eq=False)
class Rescaling:
    """Offset and scale (2,) of the two axes."""

    offset: Floats
    scale: Floats

    def inside(self, points: Floats) -> Floats:
        """Return points (..., 2) in data units as scaled ones."""
        return (points - self.offset) / self.scale

    def outside(self, points: Floats) -> Floats:
        """Return scaled points (..., 2) in data units."""
        return points * self.scale + self.offset

    def raster(self, raster: Raster) -> Raster:
        """Return a raster in data units as a scaled one."""
        x, y = ((axis - self.offset[i]) / self.scale[i] for i, axis in enumerate((raster.x, raster.y)))
        whole = self.raster(raster.parent) if raster.parent is not None else None
        return Raster(x, y, whole, raster.first)

    def mark(self, mark: Mark) -> Mark:
        """Return a scaled mark in data units."""
        changes: dict[str, object] = {}
        match mark:
            case Path():
                changes = {"lines": tuple(self.outside(line) for line in mark.lines)}
            case Segments():
                changes = {"ends": self.outside(mark.ends)}
            case Rings() | Dots() | TextLabels():
                changes = {"points": self.outside(mark.points)}
            case Band():
                x = mark.x * self.scale[0] + self.offset[0]
                changes = {"x": x, "low": self._heights(mark.low), "high": self._heights(mark.high)}
            case Profile():
                axis = 0 if mark.axis == "x" else 1
                changes = {"at": mark.at * self.scale[axis] + self.offset[axis]}
            case Borders():
                changes = {"field": lambda raster: mark.field(self.raster(raster))}
            case Curves():
                changes = {"values": partial(self._values, mark.values)}
            case LazyLines():
                changes = {"lines": lambda: (self.outside(line) for line in mark.lines())}
            case FunctionBand():
                changes = {"edges": partial(self._edges, mark.edges)}
        return replace(mark, **changes)  # type: ignore[arg-type]

    def _values(self, values: Callable[[Floats], Floats], x: Floats) -> Floats:
        return self._heights(values((x - self.offset[0]) / self.scale[0]))

    def _edges(self, edges: Callable[[Floats], tuple[Floats, Floats]], x: Floats) -> tuple[Floats, Floats]:
        low, high = edges((x - self.offset[0]) / self.scale[0])
        return self._heights(low), self._heights(high)

    def _heights(self, values: Floats) -> Floats:
        return np.asarray(values * self.scale[1] + self.offset[1])
