"""Greedy tree growth: each node takes the split that minimises impurity(left) + impurity(right).

All nodes of a level, and of all trees of a batch, are split at once: samples are sorted once along each
feature and keep that order within every node, so cumulative sums evaluate all candidate thresholds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vizml.field.arrays import Floats, Ints, Mask
from vizml.learn.trees.criteria import CRITERIA, Criterion, running_sums
from vizml.learn.trees.structure import LEAF, Tree

N = TypeVar("N", np.int64, np.float64)
TIED = 1e-10
"""Costs that differ by a smaller share are equal but for rounding where one of their features is drawn."""


@dataclass(frozen=True, kw_only=True)
class GrowthLimits:
    """Stopping criteria."""

    max_depth: int = 0
    """0: no limit."""
    min_leaf: int = 1
    min_split: int = 2
    features: int = 0
    """Number of features that are drawn for each split, among those that can split the node; 0: all."""


@dataclass(frozen=True, eq=False)
class TreeSamples:
    """The samples of any number of trees: each is one training point in one tree."""

    columns: Floats
    """The features of each sample (features, samples)."""
    rows: Ints
    """The training point of each sample."""
    trees: Ints
    """The tree of each sample, rising."""
    order: Ints
    """The samples (features, samples) sorted by tree and feature value."""

    @classmethod
    def all(cls, X: Floats) -> TreeSamples:
        """All points (n, features) in one tree."""
        rows = np.arange(len(X))
        return cls(np.ascontiguousarray(X.T), rows, np.zeros_like(rows), argsort_features(X))

    @classmethod
    def of(cls, X: Floats, inside: Mask, order: Ints) -> TreeSamples:
        """The points `inside` (trees, n) each tree; `order` (features, n) sorts all points."""
        trees, rows = np.nonzero(inside)
        number = np.cumsum(inside.ravel()).reshape(inside.shape) - 1
        sorted_samples = [number[:, column][inside[:, column]] for column in order]
        return cls(np.ascontiguousarray(X[rows].T), rows, trees, np.stack(sorted_samples))

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def counts(self) -> Ints:
        """The number of samples of each tree."""
        return np.bincount(self.trees).astype(np.int64)

    @cached_property
    def distinct(self) -> bool:
        """Whether no two samples of a tree share a feature value."""
        values = np.take_along_axis(self.columns, self.order, axis=1)
        trees = self.trees[self.order[0]]
        return not bool(((values[:, 1:] == values[:, :-1]) & (trees[1:] == trees[:-1])).any())


def argsort_features(X: Floats) -> Ints:
    """The points (n, features) sorted along each feature (features, n)."""
    return np.stack([np.argsort(column, kind="stable") for column in X.T])


@dataclass(eq=False)
class NodeSplits:
    """The best split of each open node that has one."""

    node: Ints
    feature: Ints
    threshold: Floats
    samples: Ints
    """The samples of all open nodes, node by node."""
    right: Mask
    """Which of the samples go right."""
    left_sums: Floats | None
    """The sums of the left children, where all of them were compared."""


@dataclass(eq=False)
class TreeLevel:
    """The nodes of one depth, and the split ones among them: the next level holds their children in order."""

    count: Ints
    sums: Floats
    impurity: Floats
    split: Ints
    feature: Ints
    threshold: Floats

    def __len__(self) -> int:
        return len(self.count)


class TreeGrower:
    """Grows a batch of trees: each call of `level` splits the deepest nodes.

    >>> X, y = np.array([[0.0], [1.0], [3.0], [4.0]]), np.array([0, 0, 1, 1])
    >>> grower = TreeGrower(TreeSamples.all(X), one_hot(y, np.array([0, 1])), "gini", GrowthLimits())
    >>> grower.grow().threshold
    array([ 2., nan, nan])
    """

    large: ClassVar[int] = 20_000
    """Number of points from which growth takes so long that its levels are shown."""
    _open: Ints
    """The nodes of the deepest level that may be split."""

    def __init__(
        self, samples: TreeSamples, sums: Floats, criterion: str | Criterion, limits: GrowthLimits,
        rng: Generator | None = None,
    ) -> None:  # fmt: skip
        """`sums` (C, samples) are the contributions of single samples to the sums of their node."""
        self.samples, self.sums, self.limits, self.rng, self.depth = samples, sums, limits, rng, 0
        self.criterion = CRITERIA[criterion] if isinstance(criterion, str) else criterion
        self._unit_weights = bool(self.criterion.factor and (sums[0] == 1).all())
        self._compared = slice(int(self._unit_weights), 2 if self.criterion.factor else None)
        """The sums that splits are compared by: of unit weights there are as many as samples."""
        self._levels: list[TreeLevel] = []
        self._size = 0
        """The number of nodes of all levels."""
        starts = np.cumsum(samples.counts) - samples.counts
        totals: Floats = np.add.reduceat(sums, starts, axis=1)
        impurity = self._add_level(totals, samples.counts)
        self.pure = self.criterion.pure * float(impurity.sum()) if self.criterion.pure >= 0 else -np.inf
        self.sample_nodes = samples.trees.copy()
        """The node that each sample is in."""
        self._order = samples.order
        place = self._open_nodes(impurity, samples.counts, totals)
        if len(self._open) < len(totals.T):
            self._sort_samples(place[samples.trees])

    def level(self) -> bool:
        """Split the nodes of the deepest level; False if none can be split."""
        if not len(self._open):
            return False
        found = self._search()
        if not len(found.node):
            return False
        self.depth += 1
        self._branch(found)
        return True

    def grow(self) -> Tree:
        """Grow all remaining levels."""
        while self.level():
            pass
        return self.tree()

    def tree(self) -> Tree:
        """The trees grown so far."""
        return assemble(self._levels, len(self.samples.columns))

    def _search(self) -> NodeSplits:
        """The best split of each open node that has one."""
        features = self._candidates()
        order = self._order if features is None else self._orders_of(features)
        cost, left = self._costs(order, features)
        lowest = np.minimum.reduceat(cost, self._starts, axis=1)
        best = np.minimum.reduce(lowest, axis=0)
        which = self._lowest(lowest, best)
        best = lowest[which, np.arange(len(best))]
        splits: Mask = best < np.inf
        if self.criterion.gain > -np.inf:
            splits = self._levels[-1].impurity[self._open] - best > self.criterion.gain
        positions = self._flat_positions(which)
        hits = cost.ravel().take(positions) == best.repeat(self._counts)
        at, node = hits.nonzero()[0], splits.nonzero()[0]
        if len(at) == len(best):
            at = at[splits]
        else:
            hits &= splits.repeat(self._counts)
            at = group_ends(hits, self._node_of_position, last=self.criterion.last)
        which = which[node]
        feature = which if features is None else features[which, node]
        sums = left[:, which, at] if len(left) == len(self.sums) else None
        return self._splits_behind(at, node, feature, order.ravel().take(positions), sums)

    def _lowest(self, cost: Floats, best: Floats) -> Ints:
        """The feature of each open node with the best of the costs (m, nodes): the first, or a random one."""
        rank = cost
        if self.rng is not None and len(cost) > 1:
            rank = np.where(cost <= best + TIED * np.abs(best), -self._uniform(cost.shape), 1.0)
        return np.asarray(rank.argmin(axis=0))

    def _splits_behind(
        self, at: Ints, node: Ints, feature: Ints, samples: Ints, left_sums: Floats | None
    ) -> NodeSplits:
        """The splits of some open nodes behind a position each; samples are sorted by the features."""
        columns, last = self.samples.columns, np.full(len(self._counts), len(samples))
        low, high = columns[feature, samples.take(at)], columns[feature, samples.take(at + 1)]
        last[node] = at
        right = np.arange(len(samples)) > last.repeat(self._counts)
        return NodeSplits(node, feature, midpoints(low, high), samples, right, left_sums)

    def _candidates(self) -> Ints | None:
        """The candidate features (m, nodes) of each open node, rising; None for all features."""
        features, starts, least = len(self._order), self._starts, self.limits.min_leaf
        if not 0 < self.limits.features < features:
            return None
        low, high = self._order[:, starts + least - 1], self._order[:, starts + self._counts - least]
        can_split = take_along_rows(self.samples.columns, low) < take_along_rows(self.samples.columns, high)
        return self._drawn_features(can_split)

    def _drawn_features(self, can_split: Mask) -> Ints:
        """Draw features (m, nodes) of each node among those that can split it, rising."""
        drawn = self._uniform(can_split.shape)
        drawn[~can_split] = 1.0
        chosen = drawn.argsort(axis=0)[: self.limits.features]
        chosen.sort(axis=0)
        return chosen

    def _uniform(self, shape: tuple[int, ...]) -> Floats:
        """Draw numbers between 0 and 1."""
        if self.rng is None:
            raise ValueError("random growth needs a generator")
        return self.rng.random(shape)

    @property
    def _node_of_position(self) -> Ints:
        """The open node at each position of the order."""
        return np.arange(len(self._counts)).repeat(self._counts)

    def _flat_positions(self, feature: Ints) -> Ints:
        """The positions of each open node along one feature each, as indices into the raveled order."""
        width = self._order.shape[1]
        positions: Ints = (width * feature).repeat(self._counts)
        positions += np.arange(width)
        return positions

    def _orders_of(self, features: Ints) -> Ints:
        """The samples at each position, where each open node is sorted by features (m, nodes) of its own."""
        flat = self._order.ravel()
        return np.stack([flat.take(self._flat_positions(feature)) for feature in features])

    def _values(self, order: Ints, features: Ints | None) -> Floats:
        """The feature values of the samples at each position."""
        columns = self.samples.columns
        if features is None:
            return take_along_rows(columns, order)
        at = order + columns.shape[1] * features.repeat(self._counts, axis=1)
        values: Floats = columns.ravel().take(at)
        return values

    def _costs(self, order: Ints, features: Ints | None) -> tuple[Floats, Floats]:
        """The cost of a split after each position (features, positions), and the sums that are compared.

        Costs are infinite where no split is possible; the sums are those of the left children.
        """
        sums, totals = self.sums[self._compared], self._totals[self._compared]
        left = running_sums(sums, order, self._counts)
        right = totals.repeat(self._counts, axis=1)[:, None] - left
        before = np.arange(1, order.shape[1] + 1) - self._starts.repeat(self._counts)
        behind = self._counts.repeat(self._counts) - before
        if self._unit_weights:
            cost = self.criterion.weighted_children((before, left[0]), (behind, right[0]))
        else:
            cost = self.criterion.children(left, right)
        cost[:, self._starts + self._counts - 1] = np.inf
        if not self.samples.distinct:
            values = self._values(order, features)
            cost[:, :-1][values[:, :-1] == values[:, 1:]] = np.inf
        if self.limits.min_leaf > 1:
            cost[:, np.minimum(before, behind) < self.limits.min_leaf] = np.inf
        return cost, left

    def _branch(self, found: NodeSplits) -> None:
        """Add the children of the found splits, and open those that may be split themselves."""
        level, first, size = self._levels[-1], self._size, 2 * len(found.node)
        level.split, level.feature, level.threshold = self._open[found.node], found.feature, found.threshold
        child = np.full(len(self._open), size)
        child[found.node] = np.arange(0, size, 2)
        samples, ends = found.samples, child.repeat(self._counts)
        ends += found.right
        self.sample_nodes[samples] = np.where(ends < size, ends + first, self.sample_nodes[samples])
        if found.left_sums is None:
            totals = np.array([np.bincount(ends, each.take(samples), size)[:size] for each in self.sums])
        else:
            totals = interleave(found.left_sums, self._totals[:, found.node] - found.left_sums)
        counts = np.bincount(ends, minlength=size)[:size]
        impurity = self._add_level(totals, counts)
        if self.depth == self.limits.max_depth:
            self._open = self._open[:0]
            return
        place = self._open_nodes(impurity, counts, totals)
        group = np.full(len(self.samples), len(self._open))
        group[samples] = place[ends]
        self._sort_samples(group)

    def _open_nodes(self, impurity: Floats, counts: Ints, totals: Floats) -> Ints:
        """Open the nodes of a level that may be split; return the rank of each, and after them, of no node.

        Closed nodes have the rank behind those of all open ones.
        """
        enough = max(self.limits.min_split, 2 * self.limits.min_leaf)
        weight = 2 * self.criterion.weight or -np.inf  # sums of class weights are negative by rounding
        self._open = ((impurity > self.pure) & (counts >= enough) & (totals[0] >= weight)).nonzero()[0]
        self._counts: Ints = counts[self._open]
        self._totals: Floats = totals.take(self._open, axis=1)
        self._starts: Ints = np.add.accumulate(self._counts) - self._counts
        place = np.full(len(counts) + 1, len(self._open))
        place[self._open] = np.arange(len(self._open))
        return place

    def _sort_samples(self, group: Ints) -> None:
        """Sort samples by the rank of their open node in a stable way, and drop those of closed nodes."""
        # numpy sorts 16-bit integers by radix, in linear time
        small = group.astype(np.uint16) if len(self._open) < 1 << 16 else group
        order = small.take(self._order).argsort(axis=1, kind="stable")
        self._order = take_along_rows(self._order, order[:, : int(self._counts.sum())])

    def _add_level(self, sums: Floats, counts: Ints) -> Floats:
        """Add a level of leaves and return their impurity."""
        none, impurity = counts[:0], self.criterion(sums)
        self._levels.append(TreeLevel(counts, sums, impurity, none, none, impurity[:0]))
        self._size += len(counts)
        return impurity


def one_hot(labels: Ints, classes: Ints) -> Floats:
    """The class counts (C, n) of single points."""
    return np.asarray(labels == classes[:, None], dtype=np.float64)


def group_ends(hits: Mask, group: Ints, *, last: bool) -> Ints:
    """The first, or the last, hit of each group that has one."""
    at = np.flatnonzero(hits)
    changes = group[at][1:] != group[at][:-1]
    new = np.ones(len(at), dtype=np.bool_)
    new[slice(0, -1) if last else slice(1, None)] = changes
    return np.asarray(at[new])


def take_along_rows(rows: NDArray[N], order: Ints) -> NDArray[N]:
    """np.take_along_axis(rows, order, axis=1), without its overhead on small arrays."""
    found: NDArray[N] = rows.take(order + rows.shape[1] * np.arange(len(rows))[:, None])
    return found


def midpoints(low: Floats, high: Floats) -> Floats:
    """The midpoint of each pair, or `low` where rounding would reach the high side."""
    middle = low / 2 + high / 2
    return np.asarray(np.where((middle >= low) & (middle < high), middle, low))


def assemble(levels: Sequence[TreeLevel], features: int) -> Tree:
    """The trees whose roots are the first level."""
    sizes = [len(level) for level in levels]
    starts = np.cumsum([0, *sizes])
    size, roots = int(starts[-1]), sizes[0]
    split = np.concatenate([level.split + start for level, start in zip(levels, starts)])
    feature, left, right = (np.full(size, LEAF) for _ in range(3))
    threshold, parent = np.full(size, np.nan), np.full(size, LEAF)
    feature[split] = _joined(levels, "feature")
    threshold[split] = _joined(levels, "threshold")
    left[split] = np.arange(roots, size, 2)
    right[split] = np.arange(roots + 1, size, 2)
    parent[roots:] = split.repeat(2)
    return Tree(
        feature=feature, threshold=threshold, left=left, right=right, parent=parent,
        depth=np.arange(len(levels)).repeat(sizes), count=_joined(levels, "count"),
        sums=_joined(levels, "sums").T, impurity=_joined(levels, "impurity"), features=features,
    )  # fmt: skip


def interleave(left: NDArray[N], right: NDArray[N]) -> NDArray[N]:
    """Alternate left and right along the last axis."""
    both = np.empty((*left.shape, 2), dtype=left.dtype)
    both[..., 0], both[..., 1] = left, right
    return both.reshape(*left.shape[:-1], -1)


def _joined(levels: Sequence[TreeLevel], column: str) -> NDArray[Any]:
    """A column of all levels."""
    return np.concatenate([getattr(level, column) for level in levels], axis=-1)
