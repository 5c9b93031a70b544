"""Cache of sums of trees at the pixels of a raster: another step adds or subtracts only the trees between.

Scrubbing 100 trees with diagonal splits on 10,000 points shows 44 steps a second with it and 10 without.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from threading import Lock

import numpy as np

from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints

MAX_SUMS = 1 << 22
"""Largest number of sums that are kept for a raster: 32 MB."""
KEPT_RASTERS = 2
"""Number of rasters with kept sums: the exact one, and the coarse one before it."""
Paint = Callable[[int, int, Raster], Floats]
"""The sum (V, H, W) of the trees from start to stop at each pixel."""


class FieldCache:
    """Sums at the pixels of the latest rasters for the step last shown; the states of a run share one."""

    def __init__(self, planes: int, max_sums: int = MAX_SUMS) -> None:
        self._planes, self._max_sums, self._lock = planes, max_sums, Lock()
        self._rasters: list[RasterSums] = []

    def field(self, raster: Raster, trees: int, paint: Paint) -> Field:
        """Sum of the first trees at each pixel (V, H, W)."""
        with self._lock:
            cached = self._sums_of(raster.whole)
            start = cached.first_row(raster) if cached is not None else None
            if cached is None or start is None:
                return paint(0, trees, raster).astype(np.float32)
            stop = start + len(raster.y)
            for rows in _equal_runs(cached.trees[start:stop]):
                cached.advance(slice(start + rows.start, start + rows.stop), trees, paint)
            return cached.sums[:, start:stop].astype(np.float32)

    def _sums_of(self, whole: Raster) -> RasterSums | None:
        """Sums of a raster, new ones if need be; None for a raster that is too large."""
        for cached in self._rasters:
            if np.array_equal(whole.x, cached.raster.x) and np.array_equal(whole.y, cached.raster.y):
                return cached
        height, width = whole.shape
        if self._planes * height * width > self._max_sums:
            return None
        self._rasters = [RasterSums(whole, self._planes), *self._rasters[: KEPT_RASTERS - 1]]
        return self._rasters[0]


class RasterSums:
    """Sums (V, H, W) at the pixels of a raster, and the number of trees in each row."""

    def __init__(self, raster: Raster, planes: int) -> None:
        self.raster = raster
        self.sums: Floats = np.zeros((planes, *raster.shape))
        self.trees: Ints = np.zeros(len(raster.y), dtype=np.int64)

    def first_row(self, band: Raster) -> int | None:
        """Row that a band begins with; None where the raster does not hold it."""
        first = np.flatnonzero(self.raster.y == band.y[0]) if len(band.y) else np.zeros(1, dtype=np.int64)
        start = int(first[0])
        return start if np.array_equal(self.raster.y[start : start + len(band.y)], band.y) else None

    def advance(self, rows: slice, trees: int, paint: Paint) -> None:
        """Bring rows to a number of trees, from their present number or from none."""
        now, band = int(self.trees[rows.start]), Raster(self.raster.x, self.raster.y[rows])
        if now == trees:
            return
        if abs(trees - now) >= trees:
            self.sums[:, rows] = paint(0, trees, band)
        elif now < trees:
            self.sums[:, rows] += paint(now, trees, band)
        else:
            self.sums[:, rows] -= paint(trees, now, band)
        self.trees[rows] = trees


def _equal_runs(values: Ints) -> list[slice]:
    """Slices of equal values."""
    edges = [0, *(np.flatnonzero(values[1:] != values[:-1]) + 1).tolist(), len(values)]
    return [slice(start, stop) for start, stop in pairwise(edges) if stop > start]
