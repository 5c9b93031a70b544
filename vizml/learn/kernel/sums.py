"""Covariances with many points, times weights, on many small grids: what mean and variance are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field.mosaic import Ints, Mask
from vizml.field.patience import go_on
from vizml.learn.kernel.covariance import OVERWRITING, Covariance
from vizml.learn.state import Floats

Real: TypeAlias = NDArray[np.floating[Any]]

PAIRS = 1 << 17
"""Pairs of a place and a point at a time: they stay in the cache."""
REACH = {"rbf": 7.0, "matern52": 13.0, "matern32": 16.0}
"""Lengths after which a covariance is below 1e-10 of the variance."""


@dataclass(frozen=True, eq=False)
class Sums:
    """k(x)' W, W (n, r) the weights of points (n, 2), in the precision of the weights."""

    covariance: Covariance
    points: Floats
    weights: Real

    def rounded(self) -> Sums:
        """The same in single precision."""
        return Sums(self.covariance, self.points, self.weights.astype(np.float32))

    def at(self, places: Floats) -> Real:
        """(m, r) at places (m, 2)."""
        return self._of_all(places[:, :1], places[:, 1:])[:, 0, 0]

    def on(self, x: Floats, y: Floats) -> Real:
        """(t, b, a, r) on the grids of t tiles with x (t, a) and y (t, b)."""
        out = self._empty(x, y)
        for tiles, near in self._neighbourhoods(x, y):
            some = Sums(self.covariance, self.points[near], self.weights[near])
            out[tiles] = some._of_all(x[tiles], y[tiles])
        return out

    def _neighbourhoods(self, x: Floats, y: Floats) -> Iterator[tuple[Ints, Mask]]:
        """Tiles that lie together, and which points reach any of them."""
        reach = REACH[self.covariance.kind] * self.covariance.length
        middle = np.column_stack([x.mean(axis=1), y.mean(axis=1)])
        cell = np.floor((middle - middle.min(axis=0, initial=np.inf)) / reach)
        order = np.lexsort(cell.T)
        edges = np.flatnonzero(np.diff(cell[order], axis=0).any(axis=1)) + 1
        for tiles in np.split(order, edges) if len(order) else ():
            near = np.ones(len(self.points), dtype=bool)
            for places, grid in zip(self.points.T, (x[tiles], y[tiles])):
                near &= (places >= grid.min() - reach) & (places <= grid.max() + reach)
            yield tiles, near

    def _of_all(self, x: Floats, y: Floats) -> Real:
        out, n = self._empty(x, y), len(self.points)
        if not out.size or not n:
            return out
        across, down = self._squares(x, 0), self._squares(y, 1).reshape(-1, 1, n)
        rows, tile = out.reshape(-1, *out.shape[2:]), np.repeat(np.arange(len(x)), y.shape[1])
        overwrite, separable = OVERWRITING[self.covariance.kind], self.covariance.kind == "rbf"
        if separable:
            across, down = overwrite(across), overwrite(down)
        weights = self.weights * self.weights.dtype.type(self.covariance.variance)
        step = max(PAIRS // (x.shape[1] * n), 1)
        for start in range(0, len(rows), step):
            go_on()
            part = slice(start, start + step)
            near = across[tile[part]]
            near = np.multiply(near, down[part], out=near) if separable else overwrite(near + down[part])
            np.matmul(near.reshape(-1, n), weights, out=rows[part].reshape(-1, weights.shape[1]))
        return out

    def _empty(self, x: Floats, y: Floats) -> Real:
        return np.zeros((*y.shape, x.shape[1], self.weights.shape[1]), dtype=self.weights.dtype)

    def _squares(self, places: Floats, axis: int) -> Real:
        """Squared differences in lengths (t, m, n), which are taken in double precision."""
        apart = (places[:, :, None] - self.points[:, axis]) / self.covariance.length
        return np.square(apart, out=apart).astype(self.weights.dtype, copy=False)
