"""Trees on a line as step functions: each leaf is a step, up to an edge, with a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.grower_1d import TREE_BORDER, Splits1D, TreeGrower1D


@dataclass(frozen=True, eq=False, kw_only=True)
class Stairs:
    """Any number of trees in the order of their growth, their leaves from left to right."""

    ends: Ints
    """Where the leaves of each tree end."""
    high: Floats
    """The highest x of each leaf, infinite for the last of a tree; each begins where the one before ends."""
    values: Floats
    depths: Ints
    """The most splits on the way to a leaf of each tree."""

    @classmethod
    def of(cls, grower: TreeGrower1D, cuts: Splits1D, values: Floats) -> Stairs:
        """The trees of a grower, with a value for each leaf."""
        borders = np.flatnonzero(cuts.level == TREE_BORDER)
        depths = np.maximum.reduceat(cuts.level, borders[:-1]) + 1
        return cls(ends=borders[1:], high=grower.thresholds[cuts.edges[1:]], values=values, depths=depths)

    def __len__(self) -> int:
        return len(self.ends)

    def leaves_of(self, tree: int) -> slice:
        """The leaves of a tree."""
        return slice(int(self.ends[tree - 1]) if tree else 0, int(self.ends[tree]))

    def change(self, rising: Floats, trees: int) -> Floats:
        """By how much the sum of the first trees rises before each of some x (n,), and after the last."""
        stop = int(self.ends[trees - 1]) if trees else 0
        values = self.values[:stop]
        before = np.append(0.0, values[:-1])
        first = np.append(0, self.ends[: trees - 1]) if trees else self.ends[:0]
        before[first] = 0.0
        at = np.append(0, np.searchsorted(rising, self.high[: stop - 1], side="right")) if stop else first
        at[first] = 0
        change: Floats = np.bincount(at, values - before, minlength=len(rising) + 1).astype(np.float64)
        return change

    def said(self, rising: Floats) -> Floats:
        """What each tree says of each of some x (T, n), exactly."""
        at = np.searchsorted(rising, self.high, side="right")
        start = np.append(0, at[:-1])
        start[np.append(0, self.ends[:-1])] = 0
        return self.values.repeat(at - start).reshape(len(self), len(rising))

    def curve(self, tree: int, x: Floats) -> Floats:
        """What one tree says of each x."""
        own = self.leaves_of(tree)
        return self.values[own][np.searchsorted(self.high[own], x)]

    def steps(self, tree: int, low: float, high: float) -> Floats:
        """The steps of a tree between two x, as the corners of a line (m, 2)."""
        own = self.leaves_of(tree)
        right = np.clip(self.high[own], low, high)
        left = np.append(low, right[:-1])
        heights = self.values[own]
        return np.stack([np.stack([left, right], 1), np.stack([heights, heights], 1)], 2).reshape(-1, 2)


def shares(rising: Floats, high: Floats) -> Ints:
    """How many of some x are in each leaf of a tree."""
    at: Ints = np.searchsorted(rising, high, side="right")
    at[1:] -= at[:-1].copy()
    return at


def total(stairs: Sequence[Stairs], trees: int, x: Floats) -> Floats:
    """The sum of the first trees at each x (n,): their steps up and down, added in rising order."""
    order = np.argsort(x, kind="stable")
    rising = x[order]
    change: NDArray[np.float64] = np.zeros(len(x) + 1)
    for each in stairs:
        change += each.change(rising, min(max(trees, 0), len(each)))
        trees -= len(each)
    out = np.empty(len(x))
    out[order] = np.cumsum(change[:-1])
    return out
