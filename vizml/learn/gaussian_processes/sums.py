"""Covariances with many points, times weights, on many small grids: what mean and variance are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field.cancellation import check_cancelled
from vizml.learn.gaussian_processes.covariance import OVERWRITING, Covariance
from vizml.learn.state import Floats

Ints: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]
Real: TypeAlias = NDArray[np.floating[Any]]

PAIRS = 1 << 18
"""Pairs of a place and a point at a time: they stay in the cache."""
STEPS = 200
MORE, SPARE = 1.5, 2
"""Tiles are looked at together where one has no more points than this, times and plus, beside another."""
REACH = {"rbf": 7.0, "matern52": 13.0, "matern32": 16.0}
"""Lengths after which a covariance is below 1e-10 of the variance."""
HEARD, SHARE = 0.06, 0.006
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
        """What a few points (t, m), the first so many of which are there, add to the sums (t, planes, b, a).

        Tiles with as many are best beside each other.
        """
        out = np.zeros((len(x), y.shape[1] * x.shape[1], self.planes))
        overwrite, linear = OVERWRITING[self.covariance.kind], self.weights.shape[1]
        counts = there.sum(axis=1)
        for part in alike(counts, max(PAIRS // out.shape[1], 1)):
            most = int(counts[part].max())
            first, true = chosen[part, :most], there[part, :most]
            places = self.points[first]
            across, down = (
                self._squared(grid[part, :, None] - places[:, None, :, axis])
                for axis, grid in enumerate((x, y))
            )
            weights = self.weights[first] * (true[:, :, None] * self.covariance.variance)
            near = overwrite(down[:, :, None] + across[:, None]).reshape(len(places), out.shape[1], most)
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
        away = np.zeros(len(self.points))
        for places, grid in zip(self.points.T, (x, y)):
            away += np.square(np.maximum(np.maximum(grid.min() - places, places - grid.max()), 0.0))
        return away <= reach**2

    def _of(self, chosen: Ints, heard: int, x: Floats, y: Floats) -> Real:
        """Of some points, wherever the tiles are; the squares are of the first ones."""
        points, n, size = self.points[chosen], len(chosen), y.shape[1] * x.shape[1]
        out = np.zeros((len(x), size, self.planes), dtype=self.weights.dtype)
        if out.size and n:
            across, down = (
                self._squared(grid[:, :, None] - points[:, axis]) for axis, grid in enumerate((x, y))
            )
            overwrite, separable = OVERWRITING[self.covariance.kind], self.covariance.kind == "rbf"
            if separable:
                across, down = overwrite(across), overwrite(down)
            weights, every = self._scaled
            weights, every = weights[chosen], every[chosen[:heard]]
            step = max(PAIRS // (size * n), 1)
            for start in range(0, len(out), step):
                check_cancelled()
                part = slice(start, start + step)
                pair = down[part, :, None], across[part, None]
                near = np.multiply(*pair) if separable else overwrite(np.add(*pair))
                self._collect(near.reshape(-1, n), weights, every, out[part].reshape(-1, self.planes))
        return np.moveaxis(out.reshape(len(x), y.shape[1], x.shape[1], self.planes), 3, 1)

    def _collect(self, near: Real, weights: Real, every: Real, out: Real) -> None:
        """The values at places from their covariances with points, and all blocks side by side."""
        linear, count, first = weights.shape[1], len(self.blocks), 0
        np.matmul(near, weights, out=out[:, :linear])
        together = near[:, : len(every)] @ every
        for k, block in enumerate(self.blocks):
            each = together[:, first : first + block.shape[1]]
            np.einsum("mr,mr->m", each, each, out=out[:, linear + k])
            first += block.shape[1]
        if self.creased:
            out[:, linear:] -= out[:, linear - count : linear]

    @cached_property
    def _scaled(self) -> tuple[Real, Real]:
        """Weights, and all blocks side by side, for covariances of variance 1."""
        variance = self.weights.dtype.type(self.covariance.variance)
        return self.weights * variance, np.hstack([self.weights[:, :0], *self.blocks]) * variance

    def _squared(self, apart: Floats) -> Real:
        """The squares of differences in lengths: these are taken in double precision."""
        apart /= self.covariance.length
        return np.square(apart, out=apart).astype(self.weights.dtype, copy=False)


def alike(counts: Ints, most: int) -> Iterator[slice]:
    """Parts of a row of counts that are filled up to their largest with little to spare."""
    start = 0
    for stop in range(1, len(counts) + 1):
        whole = stop == len(counts)
        if whole or counts[stop] > MORE * counts[start] + SPARE or (stop - start + 1) * counts[stop] > most:
            yield slice(start, stop)
            start = stop
