"""Greedy tree growth on a single feature, the special case of `grower` for squared criteria.

Nodes are runs of the sorted samples, so one cumulative sum serves all levels. The trees equal those of
`TreeGrower`: growing one on 500 points takes 0.5 ms instead of 2 ms, 100 trees at once 5 ms instead of 50 ms
(with random thresholds 14 ms instead of 55 ms).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats, Ints, Mask
from vizml.learn.trees.criteria import CRITERIA, Criterion
from vizml.learn.trees.grower import (
    GrowthLimits,
    TreeGrower,
    TreeLevel,
    assemble,
    group_ends,
    interleave,
    midpoints,
)
from vizml.learn.trees.structure import Tree

TREE_BORDER = -1
"""The level of an edge between two trees."""
UNSPLIT = np.iinfo(np.int64).max
"""The level of an edge at which nothing is split."""
FEW = 512
"""Below this number of samples, skipping those of closed nodes takes longer than searching them."""
SPARSE = 0.75
"""Samples of closed nodes are dropped if at most this share remains."""


class TreeSamples1D:
    """Samples of a batch of trees on one feature, sorted by tree and value; growers may share them."""

    def __init__(self, x: Floats, borders: Ints | None = None) -> None:
        """`borders` holds the first sample of each tree, and the end of the last one."""
        self.x = x
        self.borders = np.array([0, len(x)]) if borders is None else borders
        self.order: Ints = np.arange(0)
        """The points of `all` in the order of the samples."""
        inner = self.borders[1:-1]
        self.thresholds = np.full(len(x) + 1, np.inf)
        """The threshold of a split before each sample; infinite at the borders."""
        self.thresholds[1:-1] = midpoints(x[:-1], x[1:])
        self.thresholds[inner] = np.inf
        tied = np.append(False, x[:-1] == x[1:])
        tied[inner] = False
        self.tied = tied if tied.any() else None
        """The samples that equal their predecessor, so that no split can precede them."""
        self.level = np.full(len(x) + 1, UNSPLIT)
        """The level of each edge before growth."""
        self.level[self.borders] = TREE_BORDER

    @classmethod
    def all(cls, x: Floats) -> TreeSamples1D:
        """All points, in any order, in one tree."""
        order = np.argsort(x, kind="stable")
        samples = cls(x[order])
        samples.order = order
        return samples

    def __len__(self) -> int:
        return len(self.x)


@dataclass(frozen=True, eq=False)
class Splits1D:
    """The first sample of each node, rising, and the end, with the level of the split that made each edge."""

    edges: Ints
    level: Ints


class TreeGrower1D:
    """Grows a batch of trees on one feature: each call of `level` splits the deepest nodes.

    >>> samples, y = TreeSamples1D(np.array([0.0, 1.0, 3.0])), np.array([0.0, 0.0, 6.0])
    >>> grower = TreeGrower1D(samples, np.stack([np.ones(3), y, y * y]), "variance", GrowthLimits())
    >>> grower.grow().edges
    array([0, 2, 3])
    >>> grower.thresholds[2]
    np.float64(2.0)
    """

    large = TreeGrower.large

    def __init__(
        self, samples: TreeSamples1D, sums: Floats, criterion: str | Criterion, limits: GrowthLimits
    ) -> None:
        """`sums` of single samples are (w, w y, w y^2) for the variance and (H, G) for the second order."""
        self.samples, self.limits, self.depth = samples, limits, 0
        self.criterion = CRITERIA[criterion] if isinstance(criterion, str) else criterion
        self.prefix_sums = np.zeros((len(sums), len(samples) + 1))
        """The sums over all samples before each."""
        np.add.accumulate(sums, axis=1, out=self.prefix_sums[:, 1:])
        self.root_gains: Floats = np.zeros(len(samples.borders) - 1)
        """The gain of the first split of each tree."""
        self.thresholds = samples.thresholds
        self._level = samples.level.copy()
        self._enough = max(limits.min_split, 2 * limits.min_leaf)
        least = self.criterion.gain
        if self.criterion.pure >= 0:
            least = self.criterion.pure * float(self.prefix_sums[2, -1])
        self._least_gain = -least / self.criterion.factor
        """A decrease of the cost above which a node is certainly not pure."""
        self._heavy = self.criterion.weight <= 0 or sums[0].min() >= self.criterion.weight
        self._kept: Ints | None = None
        """The samples of nodes that may still be split; None for all."""
        self._tied = samples.tied
        self._ends = self.prefix_sums[:2]
        self._sums = self._ends[:, :-1]
        self._children = np.empty((2, 2, len(samples)))
        self._edge = self._level == TREE_BORDER
        self._edges = samples.borders

    def level(self) -> bool:
        """Split the nodes of the deepest level; False if none can be split."""
        if self.depth == self.limits.max_depth > 0 or len(self._edges) < 2:
            return False
        found = self._search()
        if not len(found):
            return False
        self._level[found if self._kept is None else self._kept[found]] = self.depth
        self.depth += 1
        self._edge[found] = True
        self._edges = self._edge.nonzero()[0]
        self._drop_closed(found)
        return True

    def grow(self) -> Splits1D:
        """Grow all remaining levels."""
        while self.level():
            pass
        return self.splits()

    def splits(self) -> Splits1D:
        """The splits made so far."""
        edges = self._edges if self._kept is None else np.flatnonzero(self._level < UNSPLIT)
        return Splits1D(edges, self._level[edges])

    def _search(self) -> Ints:
        """The samples, among those kept, before which nodes are split."""
        starts, stops = self._edges[:-1], self._edges[1:]
        sizes = stops - starts
        cost = self._costs(starts, stops, sizes)
        whole = cost[starts]
        cost[starts] = np.inf
        if self._tied is not None:
            cost[self._tied] = np.inf
        if self.limits.min_leaf > 1:
            cost[self._small(sizes)] = np.inf
        best = np.minimum.reduceat(cost, starts)
        hits = cost == best.repeat(sizes)
        positions: Ints = hits.nonzero()[0]
        if len(positions) > len(best):
            positions = group_ends(hits, np.arange(len(best)).repeat(sizes), last=self.criterion.last)
        gains = whole - best
        splits = self._worthwhile(gains, sizes)
        if not self.depth:
            self.root_gains = np.where(splits, -self.criterion.factor * gains, 0.0)
        return positions[splits]

    def _worthwhile(self, gains: Floats, sizes: Ints) -> Mask:
        """The nodes to split, given the gain of the best split of each (-inf without a split)."""
        splits: Mask = gains > self._least_gain
        if self.criterion.pure >= 0:
            possible: Mask = gains > -np.inf
            if np.count_nonzero(possible) > np.count_nonzero(splits):
                # an impure node is split even if no split gains anything
                splits |= possible & self._impure()
        if self._enough > 2:
            splits &= sizes >= self._enough
        return splits

    def _impure(self) -> Mask:
        """The nodes that are not pure."""
        low, high = self._sums_at(self.prefix_sums, self._edges[:-1], self._edges[1:])
        impure: Mask = self.criterion(high - low) > self._pure
        return impure

    def _sums_at(self, prefix_sums: Floats, starts: Ints, stops: Ints) -> tuple[Floats, Floats]:
        """The sums before each node, and up to its end."""
        if self._kept is None:
            ends = prefix_sums.take(self._edges, axis=1)
            return ends[:, :-1], ends[:, 1:]
        starts, last = self._kept[starts], self._kept[stops - 1]
        return prefix_sums.take(starts, axis=1), prefix_sums.take(last + 1, axis=1)

    def _costs(self, starts: Ints, stops: Ints, sizes: Ints) -> Floats:
        """The negative sum of (sum w y)^2 / (sum w + lam) over both children of a split before each sample.

        At the first sample of a node there is no split, and the sum is that of the node.
        """
        low, high = self._sums_at(self._ends, starts, stops)
        weight, first = self._children
        np.subtract(self._sums, low.repeat(sizes, axis=1), self._children[:, 0])
        np.subtract(high.repeat(sizes, axis=1), self._sums, self._children[:, 1])
        light = weight.min(axis=0) < self.criterion.weight if not self._heavy else None
        np.multiply(first, first, first)
        np.subtract(-self.criterion.lam, weight, weight)
        np.divide(first, weight, first)
        each = self.criterion.rounded(first)
        both: Floats = np.add(each[0], each[1], each[0])
        if light is not None:
            light[starts] = False
            both[light] = np.inf
        return both

    def _small(self, sizes: Ints) -> Mask:
        """The splits that would leave a child with too few samples."""
        ends = np.cumsum(sizes)
        left = np.arange(ends[-1]) - (ends - sizes).repeat(sizes)
        right = sizes.repeat(sizes) - left
        small: Mask = np.minimum(left, right) < self.limits.min_leaf
        return small

    def _drop_closed(self, found: Ints) -> None:
        """Drop the samples of nodes that are too small to be split, if there are many."""
        del found
        samples, most = len(self._edge) - 1, (len(self._edges) - 1) * (self._enough - 1)
        if samples < FEW or most < (1 - SPARSE) * samples:
            return
        sizes = self._edges[1:] - self._edges[:-1]
        stays = sizes >= self._enough
        if sizes[stays].sum() <= SPARSE * samples:
            self._keep(stays, sizes)

    def _keep(self, stays: Mask, sizes: Ints) -> None:
        """Keep the samples of some nodes only."""
        kept = stays.repeat(sizes).nonzero()[0]
        self._kept = kept if self._kept is None else self._kept[kept]
        self._sums = self._sums.take(kept, axis=1)
        self._children = self._children.ravel()[: 4 * len(kept)].reshape(2, 2, -1)
        if self._tied is not None:
            self._tied = self._tied[kept]
        self._edges = np.append(0, np.cumsum(sizes[stays]))
        self._edge = np.zeros(len(kept) + 1, dtype=np.bool_)
        self._edge[self._edges] = True

    @cached_property
    def _pure(self) -> float:
        """The impurity up to which a node counts as pure."""
        ends = self.prefix_sums.take(self.samples.borders, axis=1)
        return self.criterion.pure * float(self.criterion(ends[:, 1:] - ends[:, :-1]).sum())


class ExtraTreesGrower1D(TreeGrower1D):
    """Draws one threshold for each node, uniformly between its extremes."""

    def __init__(
        self, samples: TreeSamples1D, sums: Floats, criterion: str | Criterion, limits: GrowthLimits,
        rng: Generator,
    ) -> None:  # fmt: skip
        super().__init__(samples, sums, criterion, limits)
        self.rng = rng
        self.thresholds = samples.thresholds.copy()
        self._drop_closed(self._edges)

    def _search(self) -> Ints:
        starts, last = self._edges[:-1], self._edges[1:] - 1
        sizes = last - starts + 1
        x = self.samples.x if self._kept is None else self.samples.x[self._kept]
        low, high = x[starts], x[last]
        drawn = low + self.rng.random(len(low)) * (high - low)
        drawn = np.where(drawn < high, drawn, low)
        left = np.add.reduceat(x <= drawn.repeat(sizes), starts, dtype=np.int64)
        fits = (low < high) & (np.minimum(left, sizes - left) >= self.limits.min_leaf)
        found: Ints = (starts + left)[fits]
        self.thresholds[found if self._kept is None else self._kept[found]] = drawn[fits]
        return found

    def _drop_closed(self, found: Ints) -> None:
        """Keep new, impure and large enough nodes only: a threshold is drawn once for each."""
        sizes = np.diff(self._edges)
        new = np.zeros(len(self._edge), dtype=np.bool_)
        new[found] = True
        new = new[self._edges]
        stays = (new[:-1] | new[1:]) & self._impure() & (sizes >= self._enough)
        if not stays.all():
            self._keep(stays, sizes)


def tree_from_splits(grower: TreeGrower1D, splits: Splits1D) -> Tree:
    """The trees of a grower after some splits."""
    edges = splits.edges
    sums = grower.prefix_sums.take(edges, axis=1)
    return trees_from_edges(splits.level, grower.thresholds[edges], edges, sums, grower.criterion)[0]


def trees_from_edges(
    level: Ints, thresholds: Floats, ranks: Ints, prefix_sums: Floats, criterion: Criterion
) -> tuple[Tree, Ints]:
    """Trees from the edges of their leaves, left to right, and the node of each leaf.

    For each edge: the level that split there (TREE_BORDER between trees), the threshold, and the number
    and the sums (C, edges) of all samples before it.
    """
    borders = np.flatnonzero(level == TREE_BORDER)
    start, stop, size = borders[:-1], borders[1:], 0
    leaves = np.empty(len(level) - 1, dtype=np.int64)
    levels: list[TreeLevel] = []
    while not levels or len(levels[-1].split):
        leaves[start] = size + np.arange(len(start))
        size += len(start)
        edge = np.flatnonzero(level == len(levels))
        node = np.searchsorted(start, edge, side="right") - 1
        sums = prefix_sums.take(stop, axis=1) - prefix_sums.take(start, axis=1)
        count, feature = ranks[stop] - ranks[start], np.zeros_like(node)
        levels.append(TreeLevel(count, sums, criterion(sums), node, feature, thresholds[edge]))
        start, stop = interleave(start[node], edge), interleave(edge, stop[node])
    return assemble(levels, 1), leaves
