"""Randomised tree growth: random candidate features (random forest) and random thresholds (extra trees)."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats, Ints, Mask
from vizml.learn.trees.criteria import Criterion
from vizml.learn.trees.grower import GrowthLimits, NodeSplits, TreeGrower, take_along_rows
from vizml.learn.trees.samples import TreeSamples


class RandomForestGrower(TreeGrower):
    """Draws m candidate features for each node, among those that can split it."""

    def __init__(
        self,
        samples: TreeSamples,
        sums: Floats,
        criterion: str | Criterion,
        limits: GrowthLimits,
        m: int,
        rng: Generator,
    ) -> None:
        super().__init__(samples, sums, criterion, limits)
        self.m, self.rng = m, rng

    def _candidates(self, starts: Ints) -> Ints | None:
        features = len(self._order)
        if self.m >= features:
            return None
        drawn = self.rng.random((features, len(starts)))
        drawn[~self._can_split(starts)] = 1.0
        chosen = drawn.argsort(axis=0)[: self.m]
        chosen.sort(axis=0)
        return chosen

    def _can_split(self, starts: Ints) -> Mask:
        """Whether a feature (features, nodes) can split a node within the limits."""
        least = self.limits.min_leaf
        low, high = self._order[:, starts + least - 1], self._order[:, starts + self._counts - least]
        return take_along_rows(self.samples.columns, low) < take_along_rows(self.samples.columns, high)


class ExtraTreesGrower(RandomForestGrower):
    """Draws one threshold for each candidate feature, uniformly between the extremes of the node."""

    def _search(self) -> NodeSplits:
        starts = self._starts
        features = self._candidates(starts)
        order = self._order if features is None else self._orders_of(features)
        values = self._values(order, features)
        low, high = values[:, starts], values[:, starts + self._counts - 1]
        drawn = low + self.rng.random(low.shape) * (high - low)
        drawn = np.where(drawn < high, drawn, low)
        under = values <= drawn.repeat(self._counts, axis=1)
        before = np.add.reduceat(under, starts, axis=1, dtype=np.int64)
        last = starts + before - 1
        left = self._left_sums(order, starts)[:, np.arange(len(order))[:, None], last]
        cost = self.criterion.children(left, self._totals[:, None] - left)
        fits = (low < high) & (np.minimum(before, self._counts - before) >= self.limits.min_leaf)
        cost[~fits | np.isnan(cost)] = np.inf
        which = cost.argmin(axis=0)
        node = np.flatnonzero(cost.min(axis=0) < np.inf)
        which = which[node]
        feature = which if features is None else features[which, node]
        return NodeSplits(node, feature, drawn[which, node], last[which, node], left[:, which, node])
