"""Sums of trees whose cells take long to paint: the next moment adds or takes away the trees between."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from threading import Lock

import numpy as np

from vizml.field import Field, Raster
from vizml.learn.state import Floats, Ints

MOST = 1 << 22
"""A sheet has no more sums: 32 MB."""
KEPT = 2
"""Sheets: the exact picture's, and that of the coarse one before it."""
Paint = Callable[[int, int, Raster], Floats]
"""The sum (V, H, W) of the trees from one to another at each pixel."""


class Running:
    """The sums at each pixel of the latest rasters, at the moments last looked at; a run has one."""

    def __init__(self, planes: int) -> None:
        self._planes, self._lock = planes, Lock()
        self._sheets: list[Sheet] = []

    def field(self, raster: Raster, trees: int, paint: Paint) -> Field:
        """The sum of the first trees at each pixel (V, H, W)."""
        with self._lock:
            sheet = self._sheet(raster.whole)
            start = sheet.row(raster) if sheet is not None else None
            if sheet is None or start is None:
                return paint(0, trees, raster).astype(np.float32)
            stop = start + len(raster.y)
            for rows in _alike(sheet.trees[start:stop]):
                sheet.bring(slice(start + rows.start, start + rows.stop), trees, paint)
            return sheet.sums[:, start:stop].astype(np.float32)

    def _sheet(self, whole: Raster) -> Sheet | None:
        """What is kept of a raster, a fresh sheet if need be; None for one that is too large."""
        for sheet in self._sheets:
            if np.array_equal(whole.x, sheet.raster.x) and np.array_equal(whole.y, sheet.raster.y):
                return sheet
        height, width = whole.shape
        if self._planes * height * width > MOST:
            return None
        self._sheets = [Sheet(whole, self._planes), *self._sheets[: KEPT - 1]]
        return self._sheets[0]


class Sheet:
    """The sums (V, H, W) of a raster, and how many trees each row has."""

    def __init__(self, raster: Raster, planes: int) -> None:
        self.raster = raster
        self.sums: Floats = np.zeros((planes, *raster.shape))
        self.trees: Ints = np.zeros(len(raster.y), dtype=np.int64)

    def row(self, band: Raster) -> int | None:
        """The row that a band begins with."""
        first = np.flatnonzero(self.raster.y == band.y[0]) if len(band.y) else np.zeros(1, dtype=np.int64)
        start = int(first[0])
        return start if np.array_equal(self.raster.y[start : start + len(band.y)], band.y) else None

    def bring(self, rows: slice, trees: int, paint: Paint) -> None:
        """Bring rows to a number of trees, from the one that they have or from none."""
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


def _alike(values: Ints) -> list[slice]:
    """Stretches of equal values."""
    edges = [0, *(np.flatnonzero(values[1:] != values[:-1]) + 1).tolist(), len(values)]
    return [slice(start, stop) for start, stop in pairwise(edges) if stop > start]
