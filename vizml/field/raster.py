"""The pixels of a canvas as W x-values and H y-values; a field is a value at each of their crossings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field.cancellation import check_cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import ArrayLike

Floats: TypeAlias = NDArray[np.float64]
Field: TypeAlias = NDArray[np.float32]
"""Values (K, H, W), one plane for each class; row 0 lies at y[0]."""

TILE = 1 << 16


@dataclass(frozen=True, eq=False)
class Raster:
    """Every crossing of x (W,) and y (H,), both in data units."""

    x: Floats
    y: Floats
    parent: Raster | None = None
    """What it is a band of."""
    first: int = 0
    """Which row of that is its first."""

    def __post_init__(self) -> None:
        for name, given in (("x", self.x), ("y", self.y)):
            axis = np.array(given, dtype=np.float64)
            if axis.ndim != 1 or not np.isfinite(axis).all():
                raise ValueError(f"the {name}-values of a raster must be a row of finite numbers")
            axis.flags.writeable = False
            object.__setattr__(self, name, axis)

    @classmethod
    def over(cls, bounds: tuple[float, float, float, float], width: int, height: int) -> Raster:
        """The centres of width x height pixels that fill a rectangle (left, right, bottom, top)."""
        left, right, bottom, top = bounds
        x = left + (np.arange(width, dtype=np.float64) + 0.5) * ((right - left) / width)
        y = bottom + (np.arange(height, dtype=np.float64) + 0.5) * ((top - bottom) / height)
        return cls(x, y)

    @property
    def whole(self) -> Raster:
        """What it is a band of, or itself: work that would be done afresh for each band is done for this."""
        return self.parent or self

    @property
    def rows_of_whole(self) -> slice:
        """Which rows of the whole it has."""
        return slice(self.first, self.first + len(self.y))

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.y), len(self.x)

    def rows(self, start: int, stop: int) -> Raster:
        """A band of it."""
        return Raster(self.x, self.y[start:stop], self.whole, self.first + start)

    def points(self) -> Floats:
        """All crossings as (H * W, 2), row by row."""
        return np.column_stack([np.tile(self.x, len(self.y)), np.repeat(self.y, len(self.x))])

    def bands(self, height: int) -> Iterator[tuple[slice, Raster]]:
        """It in bands of so many rows, from row 0, as long as they are wanted."""
        for start in range(0, len(self.y), max(height, 1)):
            check_cancelled()
            stop = min(start + max(height, 1), len(self.y))
            yield slice(start, stop), self.rows(start, stop)


def pointwise(scores: Callable[[Floats], ArrayLike], raster: Raster, planes: int) -> Field:
    """The field of any function of points (n, 2) -> (n, K): exact, with nothing to gain from the plane."""
    height, width = raster.shape
    out = np.empty((planes, height, width), dtype=np.float32)
    for rows, band in raster.bands(TILE // max(width, 1)):
        values = np.asarray(scores(band.points()), dtype=np.float32)
        out[:, rows] = values.reshape(len(band.y), width, planes).transpose(2, 0, 1)
    return out
