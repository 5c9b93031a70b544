"""The k nearest of points on a line are neighbours in their order: a window that slides with x."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vizml.learn.state import Floats, Ints

CHUNK = 1 << 18


@dataclass(frozen=True, eq=False)
class Window:
    """Points in the order of x, and how many of them are asked; of equally near ones the left, the first."""

    x: Floats
    y: Floats
    order: Ints
    """The rows of the points as they were given."""
    k: int

    @classmethod
    def over(cls, x: Floats, y: Floats, k: int) -> Window:
        """Of points in any order."""
        order = np.argsort(x, kind="stable").astype(np.int64)
        return cls(x[order], y[order], order, min(k, len(x)))

    @cached_property
    def turns(self) -> Floats:
        """Where one point leaves the window and the next enters: half-way between them."""
        return np.asarray(self.x[: len(self.x) - self.k] / 2 + self.x[self.k :] / 2)

    @cached_property
    def sums(self) -> Floats:
        """The running sums of y - mean, from 0."""
        return np.concatenate([[0.0], np.cumsum(self.y - self.y.mean())])

    def starts(self, x: Floats) -> Ints:
        """Where the window over each x begins."""
        return np.searchsorted(self.turns, x, side="left").astype(np.int64)

    def mean(self, x: Floats) -> Floats:
        """The mean y of the k nearest of each x."""
        start = self.starts(x)
        first, last = self._level(start)
        cut = np.minimum(last, start + self.k)
        # Of points on one x that the window cuts at its left end, the first are asked, not the last.
        total = self.sums[start + self.k] - self.sums[cut] + self.sums[first + cut - start] - self.sums[first]
        return np.asarray(self.y.mean() + total / self.k)

    def nearer_more(self, x: Floats) -> Floats:
        """The mean of the k nearest with weights 1 / distance; points at x itself have it alone."""
        out, size = np.empty(len(x)), max(CHUNK // self.k, 1)
        for begin in range(0, len(x), size):
            part = slice(begin, begin + size)
            rows = self.rows(x[part])
            away = np.abs(self.x[rows] - x[part, None])
            nearest = away.min(axis=1, keepdims=True)
            weight = np.where(nearest > 0, nearest / np.where(away > 0, away, 1.0), away == 0)
            out[part] = (weight * self.y[rows]).sum(axis=1) / weight.sum(axis=1)
        return out

    def rows(self, x: Floats) -> Ints:
        """The places (n, k), in the order of x, of the points that are asked."""
        start = self.starts(x)
        first, last = self._level(start)
        rows = start[:, None] + np.arange(self.k)
        return np.asarray(np.where(rows < last[:, None], rows - (start - first)[:, None], rows))

    def left_out(self) -> Floats:
        """The mean of the k nearest others of each point, in the order of x; k at most n - 1."""
        place = np.arange(len(self.x))
        wide = Window(self.x, self.y, self.order, self.k + 1)
        start = np.clip(wide.starts(self.x), place - self.k, place)
        total = self.sums[start + self.k + 1] - self.sums[start]
        return np.asarray(self.y.mean() + (total - (self.y - self.y.mean())) / self.k)

    def _level(self, start: Ints) -> tuple[Ints, Ints]:
        """The first and the end of the points on the same x as the first of each window."""
        edge = self.x[start]
        return np.searchsorted(self.x, edge, side="left"), np.searchsorted(self.x, edge, side="right")
