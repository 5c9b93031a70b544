"""Covariances with many points, times weights, on many small grids: what mean and variance are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
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
STEPS = 200
REACH = {"rbf": 7.0, "matern52": 13.0, "matern32": 16.0}
"""Lengths after which a covariance is below 1e-10 of the variance."""
HEARD, SHARE = 0.03, 0.003
"""Where its covariance is less than that, and than this share of the variance, a point explains next to none
of it: the square, or less still where nearer points screen it.
"""


@dataclass(frozen=True, eq=False)
class Sums:
    """k(x)' W, W (n, r) the weights of points (n, 2), and |k(x)' W_j|^2 of each block W_j (n, r_j).

    Where the last columns of W have the creases of these squares, the squares are told less them.
    """

    covariance: Covariance
    points: Floats
    weights: Real
    blocks: tuple[Real, ...] = ()
    creased: bool = False

    @property
    def planes(self) -> int:
        """How many sums and squares there are at a place."""
        return int(self.weights.shape[1]) + len(self.blocks)

    def rounded(self) -> Sums:
        """The same in single precision."""
        weights, *blocks = (columns.astype(np.float32) for columns in (self.weights, *self.blocks))
        return replace(self, weights=weights, blocks=tuple(blocks))

    def at(self, places: Floats) -> Real:
        """(planes, m) at places (m, 2)."""
        every = np.arange(len(self.points))
        return self._of(every, len(every), places[:, :1], places[:, 1:])[:, :, 0, 0].T

    def on(self, x: Floats, y: Floats) -> Real:
        """(t, planes, b, a) on the grids of t tiles with x (t, a) and y (t, b)."""
        out = np.zeros((len(x), self.planes, y.shape[1], x.shape[1]), dtype=self.weights.dtype)
        for tiles in self._neighbourhoods(x, y):
            near, heard = (self._reaching(x[tiles], y[tiles], reach) for reach in self._reaches)
            chosen = np.concatenate([np.flatnonzero(heard), np.flatnonzero(near & ~heard)])
            out[tiles] = self._of(chosen, int(heard.sum()), x[tiles], y[tiles])
        return out

    def bumps(self, x: Floats, y: Floats, chosen: Ints, there: Mask) -> Floats:
        """What a few points (t, m), where they are there, add to the sums in each tile (t, planes, b, a)."""
        out = np.zeros((len(x), y.shape[1] * x.shape[1], self.planes))
        step = max(PAIRS // (out.shape[1] * chosen.shape[1]), 1)
        overwrite, linear = OVERWRITING[self.covariance.kind], self.weights.shape[1]
        for start in range(0, len(x), step):
            part = slice(start, start + step)
            places = self.points[chosen[part]]
            across, down = (
                self._squared(grid[part, :, None] - places[:, None, :, axis])
                for axis, grid in enumerate((x, y))
            )
            weights = self.weights[chosen[part]] * (there[part, :, None] * self.covariance.variance)
            near = overwrite(down[:, :, None] + across[:, None]).reshape(len(places), out.shape[1], -1)
            out[part, :, :linear] = near @ weights.astype(self.weights.dtype)
        return np.moveaxis(out.reshape(len(x), y.shape[1], x.shape[1], -1), 3, 1)

    def _neighbourhoods(self, x: Floats, y: Floats) -> Iterator[Ints]:
        """Tiles that lie together."""
        middle = np.column_stack([x.mean(axis=1), y.mean(axis=1)])
        reach = self._reaches[1]
        cell = np.floor((middle - middle.min(axis=0, initial=np.inf)) / reach)
        order = np.lexsort(cell.T)
        edges = np.flatnonzero(np.diff(cell[order], axis=0).any(axis=1)) + 1
        yield from np.split(order, edges) if len(order) else ()

    @cached_property
    def _reaches(self) -> tuple[float, float]:
        """How far points add to the sums, and how far to the squares."""
        kind, length, variance = self.covariance.kind, self.covariance.length, self.covariance.variance
        away = np.linspace(0.0, REACH[kind], STEPS)
        heard = int((Covariance(kind, 1.0, variance).of(away**2) > min(HEARD, SHARE * variance)).sum())
        return REACH[kind] * length, float(away[min(heard, STEPS - 1)]) * length

    def _reaching(self, x: Floats, y: Floats, reach: float) -> Mask:
        """Which points reach any of these tiles."""
        near = np.ones(len(self.points), dtype=bool)
        for places, grid in zip(self.points.T, (x, y)):
            near &= (places >= grid.min() - reach) & (places <= grid.max() + reach)
        return near

    def _of(self, chosen: Ints, heard: int, x: Floats, y: Floats) -> Real:
        """Of some points, wherever the tiles are; the squares are of the first ones."""
        points, n, shape = self.points[chosen], len(chosen), (len(x) * y.shape[1], x.shape[1], self.planes)
        out = np.zeros(shape, dtype=self.weights.dtype)
        if out.size and n:
            across, down = (
                self._squared(grid[:, :, None] - points[:, axis]) for axis, grid in enumerate((x, y))
            )
            down, tile = down.reshape(-1, 1, n), np.repeat(np.arange(len(x)), y.shape[1])
            overwrite, separable = OVERWRITING[self.covariance.kind], self.covariance.kind == "rbf"
            if separable:
                across, down = overwrite(across), overwrite(down)
            blocks = (self._scaled(block[chosen[:heard]]) for block in self.blocks)
            factors = [self._scaled(self.weights[chosen]), *blocks]
            step = max(PAIRS // (x.shape[1] * n), 1)
            for start in range(0, len(out), step):
                go_on()
                part = slice(start, start + step)
                near = across[tile[part]]
                near = np.multiply(near, down[part], out=near) if separable else overwrite(near + down[part])
                self._collect(near.reshape(-1, n), factors, out[part].reshape(-1, self.planes))
        return np.moveaxis(out.reshape(len(x), y.shape[1], x.shape[1], self.planes), 3, 1)

    def _collect(self, near: Real, factors: Sequence[Real], out: Real) -> None:
        weights, *blocks = factors
        linear, count = weights.shape[1], len(blocks)
        np.matmul(near, weights, out=out[:, :linear])
        for k, block in enumerate(blocks):
            each = near[:, : len(block)] @ block
            np.einsum("mr,mr->m", each, each, out=out[:, linear + k])
        if self.creased:
            out[:, linear:] -= out[:, linear - count : linear]

    def _scaled(self, weights: Real) -> Real:
        return weights * weights.dtype.type(self.covariance.variance)

    def _squared(self, apart: Floats) -> Real:
        """The squares of differences in lengths: these are taken in double precision."""
        apart /= self.covariance.length
        return np.square(apart, out=apart).astype(self.weights.dtype, copy=False)
