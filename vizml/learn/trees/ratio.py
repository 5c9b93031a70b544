"""C4.5's choice of a split: the threshold of most gain on each axis, and the axis of the highest ratio."""

from __future__ import annotations

import numpy as np

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.criteria import entropy
from vizml.learn.trees.grower import Splits, TreeGrower, group_ends

SLACK = 1e-12
"""A gain so small is rounding."""


class GainRatioGrower(TreeGrower):
    """Grows by gain ratio: bits gained for bits told, among axes that gain as much as the average."""

    def _search(self) -> Splits:
        starts = self._starts
        left = self._left(self._order, starts)
        cost = self._costs(self._order, None, left, starts)
        lowest = np.minimum.reduceat(cost, starts, axis=1)
        at = np.stack([self._firsts(row, low) for row, low in zip(cost, lowest)])
        gains = (entropy(self._totals) - lowest) / self._counts
        ratio = gain_ratio(gains, at - starts + 1, self._counts)
        node = np.flatnonzero(ratio.max(axis=0) > 0)
        axis = ratio.argmax(axis=0)[node]
        place = at[axis, node]
        threshold = self._threshold(axis, self._order[axis, place], self._order[axis, place + 1])
        return Splits(node, axis, threshold, place, left[:, axis, place])

    def _firsts(self, cost: Floats, lowest: Floats) -> Ints:
        """The first place of each node with its least cost on an axis; 0 where there is none."""
        hits = np.isfinite(cost) & (cost == lowest.repeat(self._counts))
        found = group_ends(hits, self._of, last=False)
        out = np.zeros(len(lowest), dtype=np.int64)
        out[self._of[found]] = found
        return out


def gain_ratio(gains: Floats, left: Ints, counts: Ints) -> Floats:
    """Gain over split information (features, nodes); 0 where the gain is nothing or below the average."""
    useful = gains > SLACK
    mean = np.where(useful, gains, 0.0).sum(axis=0) / np.maximum(useful.sum(axis=0), 1)
    told = entropy(np.stack([left, counts - left]).astype(np.float64)) / counts
    fair = useful & (gains >= mean * (1 - SLACK)) & (told > 0)
    return np.where(fair, gains / np.where(told > 0, told, 1.0), 0.0)
