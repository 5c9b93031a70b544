"""Growth that leaves something to chance: which axes a node may split, and where."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.criteria import Criterion
from vizml.learn.trees.grower import GrowthLimits, Splits, TreeGrower, take_along_rows
from vizml.learn.trees.samples import TreeSamples
from vizml.learn.trees.structure import Mask


class RandomForestGrower(TreeGrower):
    """Each node chooses among m axes drawn for it, of those that can split it at all."""

    def __init__(
        self,
        entries: TreeSamples,
        sums: Floats,
        criterion: str | Criterion,
        limits: GrowthLimits,
        m: int,
        rng: Generator,
    ) -> None:
        super().__init__(entries, sums, criterion, limits)
        self.m, self.rng = m, rng

    def _offered(self, starts: Ints) -> Ints | None:
        axes = len(self._order)
        if self.m >= axes:
            return None
        drawn = self.rng.random((axes, len(starts)))
        drawn[~self._can_split(starts)] = 1.0
        chosen = drawn.argsort(axis=0)[: self.m]
        chosen.sort(axis=0)
        return chosen

    def _can_split(self, starts: Ints) -> Mask:
        """Whether an axis (features, nodes) has room for a split of a node."""
        least = self.limits.min_leaf
        low, high = self._order[:, starts + least - 1], self._order[:, starts + self._counts - least]
        return take_along_rows(self.entries.columns, low) < take_along_rows(self.entries.columns, high)


class ExtraTreesGrower(RandomForestGrower):
    """Each axis offers one threshold, drawn between the lowest and the highest value of a node."""

    def _search(self) -> Splits:
        starts = self._starts
        axes = self._offered(starts)
        order = self._order if axes is None else self._along(axes)
        values = self._values(order, axes)
        low, high = values[:, starts], values[:, starts + self._counts - 1]
        drawn = low + self.rng.random(low.shape) * (high - low)
        drawn = np.where(drawn < high, drawn, low)
        under = values <= drawn.repeat(self._counts, axis=1)
        before = np.add.reduceat(under, starts, axis=1, dtype=np.int64)
        left = self._under(order, starts, before)
        whole = self._totals[:, None]
        cost = self.criterion.cost(left, whole - left, whole)
        fits = (low < high) & (np.minimum(before, self._counts - before) >= self.limits.min_leaf)
        cost[~fits | np.isnan(cost)] = np.inf
        which = cost.argmin(axis=0)
        node = np.flatnonzero(cost.min(axis=0) < np.inf)
        which = which[node]
        axis = which if axes is None else axes[which, node]
        at = starts[node] + before[which, node] - 1
        return Splits(node, axis, drawn[which, node], at, left[:, which, node])

    def _under(self, order: Ints, starts: Ints, before: Ints) -> Floats:
        """The sums (C, axes, nodes) of the first entries of each node, so many as `before` says."""
        along: Floats = np.cumsum(self.sums.take(order, axis=1), axis=2)
        base = along.take(starts - 1, axis=2)
        base[:, :, 0] = 0.0
        ends: Floats = along[:, np.arange(len(order))[:, None], starts + before - 1]
        return ends - base
