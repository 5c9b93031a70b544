"""Covariances with many points, times weights, on many small grids: what mean and variance are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field.patience import go_on
from vizml.learn.kernel.covariance import OVERWRITING, Covariance
from vizml.learn.state import Floats

Ints: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]
Real: TypeAlias = NDArray[np.floating[Any]]

PAIRS = 1 << 17
"""Pairs of a place and a point at a time: they stay in the cache."""
REACH = {"rbf": 7.0, "matern52": 13.0, "matern32": 16.0}
"""Lengths after which a covariance is below 1e-10 of the variance."""
HALF_REACH = {"rbf": 4.8, "matern52": 7.2, "matern32": 8.5}
"""Lengths after which it is below 1e-5 of it, and its square below 1e-10."""


@dataclass(frozen=True, eq=False)
class Sums:
    """k(x)' W, W (n, r) the weights of points (n, 2), in the precision of the weights.

    With blocks of so many columns W_j there is |k(x)' W_j|^2 of each, less one of the columns after them.
    """

    covariance: Covariance
    points: Floats
    weights: Real
    reach: float
    """How far a point is heard of, in lengths."""
    blocks: tuple[int, ...] = ()

    @property
    def planes(self) -> int:
        """How many sums there are at a place."""
        return len(self.blocks) or self.weights.shape[1]

    def rounded(self) -> Sums:
        """The same in single precision."""
        return replace(self, weights=self.weights.astype(np.float32))

    def at(self, places: Floats) -> Real:
        """(planes, m) at places (m, 2)."""
        return self.of_all(places[:, :1], places[:, 1:])[:, :, 0, 0].T

    def on(self, x: Floats, y: Floats) -> Real:
        """(t, planes, b, a) on the grids of t tiles with x (t, a) and y (t, b)."""
        out = self._empty(x, y)
        for tiles, near in self._neighbourhoods(x, y):
            some = replace(self, points=self.points[near], weights=self.weights[near])
            out[tiles] = some.of_all(x[tiles], y[tiles])
        return out

    def _neighbourhoods(self, x: Floats, y: Floats) -> Iterator[tuple[Ints, Mask]]:
        """Tiles that lie together, and which points reach any of them."""
        reach = self.reach * self.covariance.length
        middle = np.column_stack([x.mean(axis=1), y.mean(axis=1)])
        cell = np.floor((middle - middle.min(axis=0, initial=np.inf)) / reach)
        order = np.lexsort(cell.T)
        edges = np.flatnonzero(np.diff(cell[order], axis=0).any(axis=1)) + 1
        for tiles in np.split(order, edges) if len(order) else ():
            near = np.ones(len(self.points), dtype=bool)
            for places, grid in zip(self.points.T, (x[tiles], y[tiles])):
                near &= (places >= grid.min() - reach) & (places <= grid.max() + reach)
            yield tiles, near

    def of_all(self, x: Floats, y: Floats) -> Real:
        """All points, wherever the tiles are."""
        n, shape = len(self.points), (len(x) * y.shape[1], x.shape[1], self.planes)
        out = np.zeros(shape, dtype=self.weights.dtype)
        if out.size and n:
            across, down = self._squares(x, 0), self._squares(y, 1).reshape(-1, 1, n)
            tile = np.repeat(np.arange(len(x)), y.shape[1])
            overwrite, separable = OVERWRITING[self.covariance.kind], self.covariance.kind == "rbf"
            if separable:
                across, down = overwrite(across), overwrite(down)
            weights = self.weights * self.weights.dtype.type(self.covariance.variance)
            step = max(PAIRS // (x.shape[1] * n), 1)
            for start in range(0, len(out), step):
                go_on()
                part = slice(start, start + step)
                near = across[tile[part]]
                near = np.multiply(near, down[part], out=near) if separable else overwrite(near + down[part])
                self._collect(near.reshape(-1, n) @ weights, out[part].reshape(-1, self.planes))
        return np.moveaxis(out.reshape(len(x), y.shape[1], x.shape[1], self.planes), 3, 1)

    def _collect(self, sums: Real, out: Real) -> None:
        if not self.blocks:
            out[:] = sums
            return
        stop, less = 0, sum(self.blocks)
        for k, count in enumerate(self.blocks):
            block = sums[:, stop : stop + count]
            out[:, k] = np.einsum("mr,mr->m", block, block)
            stop += count
        if less < sums.shape[1]:
            out -= sums[:, less:]

    def _empty(self, x: Floats, y: Floats) -> Real:
        return np.zeros((len(x), self.planes, y.shape[1], x.shape[1]), dtype=self.weights.dtype)

    def _squares(self, places: Floats, axis: int) -> Real:
        """Squared differences in lengths (t, m, n), which are taken in double precision."""
        apart = (places[:, :, None] - self.points[:, axis]) / self.covariance.length
        return np.square(apart, out=apart).astype(self.weights.dtype, copy=False)
