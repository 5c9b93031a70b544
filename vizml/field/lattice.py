"""The plane in units of a pixel, so that views that are moved have their tiles in common."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field.raster import Floats, Raster

Ints: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]
ASIDE = 0.01
"""How far pixels may be from where even steps lead, in pixels."""


@dataclass(frozen=True)
class Window:
    """Pixels of a view: the first lies so far beyond a column and a row of a lattice."""

    left: int
    bottom: int
    width: int
    height: int
    beyond: tuple[float, float] = (0.0, 0.0)

    def meets(self, size: int, across: Ints, down: Ints) -> Mask:
        """Which tiles of a size, by their numbers, have a pixel of it."""
        columns, rows = self.tiles(size)
        return np.asarray(
            (across >= columns.start) & (across < columns.stop) & (down >= rows.start) & (down < rows.stop)
        )

    def tiles(self, size: int) -> tuple[range, range]:
        """The numbers of its tiles of a size, across and down."""
        return (
            range(self.left // size, (self.left + self.width - 1) // size + 1),
            range(self.bottom // size, (self.bottom + self.height - 1) // size + 1),
        )

    def rows(self, rows: slice) -> Window:
        """Some rows of it."""
        return Window(self.left, self.bottom + rows.start, self.width, rows.stop - rows.start, self.beyond)


@dataclass(frozen=True)
class Lattice:
    """Where its origin is, and how far apart its columns and rows are."""

    x: float
    y: float
    across: float
    down: float

    @classmethod
    def of(cls, raster: Raster) -> Lattice | None:
        """With the first pixel of a raster as its origin; None where the pixels are not evenly apart."""
        across, down = (_pitch(axis) for axis in (raster.x, raster.y))
        found = cls(float(raster.x[0]), float(raster.y[0]), across or down or 1.0, down or across or 1.0)
        return found if found.window(raster) else None

    def window(self, raster: Raster) -> Window | None:
        """The pixels of a raster; None where they are otherwise apart."""
        left, bottom = _first(raster.x, self.x, self.across), _first(raster.y, self.y, self.down)
        if left is None or bottom is None:
            return None
        column, row = floor(left), floor(bottom)
        return Window(column, row, len(raster.x), len(raster.y), (left - column, bottom - row))

    def ends(self, size: int, across: Ints, down: Ints) -> tuple[Floats, Floats]:
        """Between what x (t, 2) and what y tiles lie."""
        edges = np.array([0, size])
        x = self.x + (across[:, None] * size + edges) * self.across
        y = self.y + (down[:, None] * size + edges) * self.down
        return x, y


def _pitch(axis: Floats) -> float:
    return float(axis[-1] - axis[0]) / (len(axis) - 1) if len(axis) > 1 else 0.0


def _first(axis: Floats, origin: float, pitch: float) -> float | None:
    """How many steps the first place of an axis is from the origin, if the others follow one by one."""
    steps = (axis - origin) / pitch
    rounding = 8.0 * np.finfo(float).eps * float(np.abs(axis).max()) / abs(pitch)
    aside = np.abs(steps - steps[0] - np.arange(len(axis))).max()
    return float(steps[0]) if aside <= ASIDE + rounding else None
