"""Growth that leaves something to chance: which axes a node may split, and where."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.criteria import Criterion
from vizml.learn.trees.grower import Grower, Limits
from vizml.learn.trees.structure import Mask


@dataclass(frozen=True, eq=False)
class Entries:
    """Which points are in which trees: `rows` and `roots` of each entry, and `order` as Grower wants it."""

    rows: Ints
    roots: Ints
    order: Ints

    @classmethod
    def of(cls, inside: Mask, rising: Ints) -> Entries:
        """Entries of the points (trees, n) that are inside; `rising` (features, n) sorts all points."""
        roots, rows = np.nonzero(inside)
        number = np.cumsum(inside.ravel()).reshape(inside.shape) - 1
        order = [number[:, along][inside[:, along]] for along in rising]
        return cls(rows, roots, np.stack(order))


def rising(points: Floats) -> Ints:
    """The points (n, features) sorted along each feature."""
    return np.stack([np.argsort(column, kind="stable") for column in points.T])


class ForestGrower(Grower):
    """Each node chooses among m axes drawn for it, of those that can split it at all."""

    def __init__(
        self,
        points: Floats,
        sums: Floats,
        criterion: str | Criterion,
        limits: Limits,
        entries: Entries,
        m: int,
        rng: Generator,
    ) -> None:
        super().__init__(points, sums, criterion, limits, entries.rows, entries.roots, entries.order)
        self.m, self.rng = m, rng

    def _offered(self, lowest: Floats) -> Floats:
        if self.m >= len(lowest):
            return lowest
        drawn = self.rng.random(lowest.shape)
        drawn[np.isinf(lowest)] = 1.0
        rank = drawn.argsort(axis=0).argsort(axis=0)
        lowest[rank >= self.m] = np.inf
        return lowest


class ExtraGrower(ForestGrower):
    """Each axis offers one threshold, drawn between the lowest and the highest value of a node."""

    _drawn: Floats

    def _allowed(self, values: Floats, starts: Ints) -> Mask:
        low, high = values[:, starts], values[:, starts + self._counts - 1]
        drawn = low + self.rng.random(low.shape) * (high - low)
        self._drawn = np.where(drawn < high, drawn, low)
        cut = self._drawn.take(self._of, axis=1)
        out = super()._allowed(values, starts)
        out &= values <= cut
        out[:, :-1] &= values[:, 1:] > cut[:, :-1]
        return out

    def _threshold(self, axis: Ints, node: Ints, low: Floats, high: Floats) -> Floats:
        del low, high
        drawn: Floats = self._drawn[axis, node]
        return drawn
