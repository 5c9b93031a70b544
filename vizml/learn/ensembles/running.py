"""Sums of trees whose cells take long to paint: the next moment adds or takes away the trees between."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from threading import Lock

import numpy as np

from vizml.field import Field, Raster
from vizml.learn.state import Floats, Ints

MOST = 1 << 23
"""So many sums are kept: 64 MB."""
Paint = Callable[[int, int, Raster], Floats]
"""The sum (V, H, W) of the trees from one to another at each pixel."""


class Running:
    """The sums at each pixel of the latest raster, at the moment that was last looked at; a run has one."""

    def __init__(self, planes: int) -> None:
        self._planes, self._lock = planes, Lock()
        self._raster = Raster(np.empty(0), np.empty(0))
        self._sums: Floats = np.empty((planes, 0, 0))
        self._trees: Ints = np.empty(0, dtype=np.int64)

    def field(self, raster: Raster, trees: int, paint: Paint) -> Field:
        """The sum of the first trees at each pixel (V, H, W)."""
        with self._lock:
            start = self._place(raster)
            if start is None:
                return paint(0, trees, raster).astype(np.float32)
            for rows in _alike(self._trees[start : start + len(raster.y)]):
                self._bring(slice(start + rows.start, start + rows.stop), trees, paint)
            return self._sums[:, start : start + len(raster.y)].astype(np.float32)

    def _place(self, raster: Raster) -> int | None:
        """The row of the sheet that a raster begins with, on a fresh sheet if need be; None without one."""
        whole = raster.whole
        if not (np.array_equal(whole.x, self._raster.x) and np.array_equal(whole.y, self._raster.y)):
            height, width = whole.shape
            if self._planes * height * width > MOST:
                return None
            self._raster, self._sums = whole, np.zeros((self._planes, height, width))
            self._trees = np.zeros(height, dtype=np.int64)
        first = np.flatnonzero(whole.y == raster.y[0]) if len(raster.y) else np.zeros(1, dtype=np.int64)
        start = int(first[0])
        return start if np.array_equal(whole.y[start : start + len(raster.y)], raster.y) else None

    def _bring(self, rows: slice, trees: int, paint: Paint) -> None:
        """Bring rows of the sheet to a number of trees, from the one that they have or from none."""
        now, band = int(self._trees[rows.start]), Raster(self._raster.x, self._raster.y[rows])
        if now == trees:
            return
        if abs(trees - now) >= trees:
            self._sums[:, rows] = paint(0, trees, band)
        elif now < trees:
            self._sums[:, rows] += paint(now, trees, band)
        else:
            self._sums[:, rows] -= paint(trees, now, band)
        self._trees[rows] = trees


def _alike(values: Ints) -> list[slice]:
    """Stretches of equal values."""
    edges = [0, *(np.flatnonzero(values[1:] != values[:-1]) + 1).tolist(), len(values)]
    return [slice(start, stop) for start, stop in pairwise(edges) if stop > start]
