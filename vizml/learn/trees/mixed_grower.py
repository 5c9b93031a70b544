"""Growth of trees on numbers and categories with missing values: C4.5 and CART, node by node.

A split is judged by the rows whose value is known. C4.5 (Quinlan 1993) sends the others down all branches
with weights; CART (Breiman et al. 1984) sends them where surrogate splits do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vizml.field.arrays import Floats, Ints, Mask
from vizml.field.cancellation import check_cancelled
from vizml.learn.trees.criteria import CRITERIA, Criterion
from vizml.learn.trees.grower import GrowthLimits, midpoints
from vizml.learn.trees.mixed_tree import Branching, MixedTree, NodeTest, Surrogate
from vizml.learn.trees.structure import LEAF

ROUNDING = 1e-9
"""Share of a point below which a weight is rounding."""
EXHAUSTIVE = 10
"""Largest number of categories whose subsets are all tried where there are more than two classes."""
MOST_SURROGATES = 5
"""Number of surrogate splits of a node, the default of rpart."""


@dataclass(eq=False)
class GrowingNode:
    """A node with its rows, their weights, and the sums over them."""

    rows: Ints
    weights: Floats
    sums: Floats
    impurity: float
    parent: int
    depth: int
    test: NodeTest | None = None
    children: range = range(LEAF, LEAF)

    @property
    def weight(self) -> float:
        """Sum of the weights."""
        return float(self.weights.sum())


@dataclass(frozen=True, eq=False, kw_only=True)
class Candidate:
    """The best split of a node on one feature."""

    branching: Branching
    weights: Floats
    """Weight in each branch of the rows whose value is known."""
    gain: float
    """Decrease of impurity times weight among these rows."""


@dataclass(frozen=True, eq=False)
class KnownRows:
    """The rows of a node whose value of a feature is known: values, contributions to the sums, weights."""

    feature: int
    x: Floats
    sums: Floats
    weights: Floats

    def by_category(self, count: int) -> tuple[Floats, Floats]:
        """Return the sums (C, count) and the weights (count,) of each category."""
        codes = self.x.astype(np.int64)
        sums = [np.bincount(codes, each, count) for each in self.sums]
        return np.array(sums), np.asarray(np.bincount(codes, self.weights, count), dtype=np.float64)


class MixedGrower(ABC):
    """Grows one tree; each call of `level` splits the deepest nodes."""

    large = 1_000

    def __init__(
        self, X: Floats, categories: Sequence[tuple[str, ...]], sums: Floats, criterion: str,
        limits: GrowthLimits,
    ) -> None:  # fmt: skip
        """`sums` (C, n) are the contributions of single points to the sums of their node."""
        self.X, self.sums, self.limits, self.depth = X, sums, limits, 0
        self.categories = tuple(categories) or ((),) * X.shape[1]
        self.criterion: Criterion = CRITERIA[criterion]
        self._nodes: list[GrowingNode] = []
        self._open: list[int] = []
        self._pure = 0.0
        self._add(np.arange(len(X)), np.ones(len(X)), LEAF, 0)
        self._pure = self.criterion.pure * self._nodes[0].impurity

    def level(self) -> bool:
        """Split the nodes of the deepest level; False if none can be split."""
        opened, self._open = self._open, []
        for number in opened:
            check_cancelled()
            test = self._test(self._nodes[number])
            if test is not None:
                self._branch(number, test)
        self.depth = self._nodes[-1].depth
        return bool(opened) and self._nodes[-1].parent >= opened[0]

    def grow(self) -> MixedTree:
        """Grow all remaining levels."""
        while self.level():
            pass
        return self.tree()

    def tree(self) -> MixedTree:
        """Return the tree grown so far."""
        nodes = self._nodes
        tests = [node.test for node in nodes]
        branchings = [None if test is None else test.branching for test in tests]
        weights = np.array([node.weight for node in nodes])
        whole = (np.abs(weights - np.rint(weights)) < ROUNDING).all()
        return MixedTree(
            feature=np.array([LEAF if each is None else each.feature for each in branchings]),
            threshold=np.array([np.nan if each is None else each.threshold for each in branchings]),
            left=np.array([node.children.start for node in nodes]),
            right=np.array([node.children.stop - 1 if node.test else LEAF for node in nodes]),
            parent=np.array([node.parent for node in nodes]),
            depth=np.array([node.depth for node in nodes]),
            count=np.rint(weights).astype(np.int64) if whole else weights.round(3),
            sums=np.array([node.sums for node in nodes]),
            impurity=np.array([node.impurity for node in nodes]),
            features=self.X.shape[1], tests=tuple(tests), categories=self.categories,
        )  # fmt: skip

    @abstractmethod
    def _test(self, node: GrowingNode) -> NodeTest | None:
        """Return the best split of a node."""

    @abstractmethod
    def _categories(self, known: KnownRows, count: int) -> Candidate | None:
        """Return the best split on the categories of a feature."""

    def _candidates(self, node: GrowingNode) -> list[Candidate]:
        """Return the best split on each feature that has one."""
        found = []
        for feature, names in enumerate(self.categories):
            known = self._known(node, feature)
            best = self._categories(known, len(names)) if names else self._threshold(known)
            if best is not None:
                found.append(best)
        return found

    def _known(self, node: GrowingNode, feature: int) -> KnownRows:
        x = self.X[node.rows, feature]
        at = np.flatnonzero(~np.isnan(x))
        weights = node.weights[at]
        return KnownRows(feature, x[at], self.sums[:, node.rows[at]] * weights, weights)

    def _threshold(self, known: KnownRows) -> Candidate | None:
        """Return the split between neighbouring values of a number."""
        if len(known.x) < 2:
            return None
        order = np.argsort(known.x, kind="stable")
        x, sums, weight = known.x[order], known.sums[:, order].cumsum(axis=1), known.weights[order].cumsum()
        sides = np.stack([weight[:-1], weight[-1] - weight[:-1]])
        cost = self.criterion.children(sums[:, :-1], sums[:, -1:] - sums[:, :-1])
        cost[(x[:-1] == x[1:]) | self._small(sides)] = np.inf
        at = int(cost.argmin())
        if cost[at] == np.inf:
            return None
        threshold = float(midpoints(x[at : at + 1], x[at + 1 : at + 2])[0])
        gain = float(self.criterion.relative(sums[:, -1]) - cost[at])
        return Candidate(
            branching=Branching(feature=known.feature, threshold=threshold), weights=sides[:, at], gain=gain
        )

    def _small(self, sides: Floats) -> Mask:
        """Whether a side of two has too few points."""
        small: Mask = sides.min(axis=0) < self.limits.min_leaf - ROUNDING
        return small

    def _branch(self, number: int, test: NodeTest) -> None:
        """Add the children of a node."""
        node = self._nodes[number]
        rows, branches, shares = test.spread(self.X[node.rows])
        first = len(self._nodes)
        for branch in range(len(test.shares)):
            at = np.flatnonzero(branches == branch)
            self._add(node.rows[rows[at]], node.weights[rows[at]] * shares[at], number, node.depth + 1)
        node.test, node.children = test, range(first, len(self._nodes))

    def _add(self, rows: Ints, weights: Floats, parent: int, depth: int) -> None:
        """Add a node, and open it if it may be split."""
        sums = self.sums[:, rows] @ weights
        node = GrowingNode(rows, weights, sums, float(self.criterion(sums)), parent, depth)
        enough = max(self.limits.min_split, 2 * self.limits.min_leaf) - ROUNDING
        if node.impurity > self._pure and node.weight >= enough and depth != (self.limits.max_depth or -1):
            self._open.append(len(self._nodes))
        self._nodes.append(node)


class CartGrower(MixedGrower):
    """Binary splits of the largest decrease of impurity, with surrogate splits."""

    def _test(self, node: GrowingNode) -> NodeTest | None:
        found = self._candidates(node)
        if not found:
            return None
        best = max(found, key=lambda candidate: candidate.gain)
        shares = best.weights / best.weights.sum()
        branches = best.branching(self.X[node.rows])
        surrogates = [
            surrogate_split(self.X[node.rows, feature], branches, feature, len(names))
            for feature, names in enumerate(self.categories)
            if feature != best.branching.feature
        ]
        useful = [each for each in surrogates if each is not None]
        useful.sort(key=lambda each: -each.agreement)
        return NodeTest(
            branching=best.branching, shares=shares, unknown=float(np.count_nonzero(branches < 0)),
            surrogates=tuple(useful[:MOST_SURROGATES]),
        )  # fmt: skip

    def _categories(self, known: KnownRows, count: int) -> Candidate | None:
        """Return the split of the categories into two subsets."""
        sums, weights = known.by_category(count)
        seen = np.flatnonzero(weights)
        if len(seen) < 2:
            return None
        first = category_subsets(sums[:, seen], self.criterion)
        whole, left, light = sums.sum(axis=1), sums[:, seen] @ first.T, weights[seen] @ first.T
        sides = np.stack([light, weights.sum() - light])
        cost = self.criterion.children(left, whole[:, None] - left)
        cost[self._small(sides)] = np.inf
        at = int(cost.argmin())
        if cost[at] == np.inf:
            return None
        table = np.full(count, -1)
        table[seen] = np.where(first[at], 0, 1)
        gain = float(self.criterion.relative(whole) - cost[at])
        return Candidate(
            branching=Branching(feature=known.feature, table=table), weights=sides[:, at], gain=gain
        )


def category_subsets(sums: Floats, criterion: Criterion) -> Mask:
    """Return the subsets (m, k) of k categories with sums (C, k) that may be the first of two branches."""
    if criterion.factor:  # sums of (1, y, y^2): the mean orders the categories
        return _beginnings(np.argsort(sums[1] / sums[0], kind="stable"))
    return class_subsets(sums)


def class_subsets(counts: Floats) -> Mask:
    """Return the subsets (m, k) of k categories with class counts (C, k) among which the best split lies.

    With two classes, the categories are ordered by the proportion of the second one (Breiman et al., theorem
    4.5). With more, all subsets are tried; many categories are ordered along the first principal component of
    their class proportions (Coppersmith et al. 1999).

    >>> class_subsets(np.array([[1.0, 3.0, 2.0], [3.0, 1.0, 2.0]])).astype(int)
    array([[0, 1, 0],
           [0, 1, 1]])
    """
    k = counts.shape[1]
    if np.count_nonzero(counts.sum(axis=1)) > 2 and k <= EXHAUSTIVE:
        return np.asarray((2 * np.arange(2 ** (k - 1) - 1)[:, None] + 1) >> np.arange(k) & 1, dtype=np.bool_)
    weights = counts.sum(axis=0)
    shares = counts / weights
    spread = (shares - counts.sum(axis=1, keepdims=True) / weights.sum()) * np.sqrt(weights)
    axis = np.linalg.svd(spread)[0][:, 0]
    last = axis[np.flatnonzero(counts.sum(axis=1))[-1]]
    return _beginnings(np.argsort((axis * (np.sign(last) or 1.0)) @ shares, kind="stable"))


def _beginnings(order: Ints) -> Mask:
    """Return the subsets of the first one, two, ... all but one of ordered categories."""
    rank = np.argsort(order)
    return np.asarray(rank < np.arange(1, len(order))[:, None])


def surrogate_split(x: Floats, branches: Ints, feature: int, categories: int) -> Surrogate | None:
    """Return the split of x that imitates two branches best; None if the larger branch does as well.

    The agreement is the share of correct rows among those whose branch is known, as rpart counts it.

    >>> found = surrogate_split(np.array([1.0, 2, 3, 4, 5]), np.array([1, 1, 0, 0, 1]), 0, 0)
    >>> found.branching.threshold, found.branching.reverse, found.agreement
    (2.5, True, 0.8)
    """
    total = int(np.count_nonzero(branches >= 0))
    majority = int(np.bincount(branches[branches >= 0], minlength=2).max())
    known = np.flatnonzero((branches >= 0) & ~np.isnan(x))
    imitate = _imitating_categories if categories else _imitating_threshold
    found, correct = imitate(x[known], branches[known], Branching(feature=feature), categories)
    if found is None or correct <= majority:
        return None
    return Surrogate(branching=found, agreement=correct / total)


def _imitating_threshold(x: Floats, side: Ints, blank: Branching, _: int) -> tuple[Branching | None, int]:
    """Return the threshold that agrees with most sides, and the number of rows on which it does."""
    order = np.argsort(x, kind="stable")
    x, side = x[order], side[order]
    places = np.flatnonzero(x[1:] > x[:-1])
    if not len(places):
        return None, 0
    # rows up to the place are correct in branch 0, rows above it in branch 1; reversed, all the others are
    right = (np.cumsum(1 - side) + side.sum() - np.cumsum(side))[places]
    both = np.stack([right, len(x) - right])
    reverse, which = np.unravel_index(both.argmax(), both.shape)
    at = int(places[which])
    threshold = float(midpoints(x[at : at + 1], x[at + 1 : at + 2])[0])
    return replace(blank, threshold=threshold, reverse=bool(reverse)), int(both.max())


def _imitating_categories(
    x: Floats, side: Ints, blank: Branching, count: int
) -> tuple[Branching | None, int]:
    """Return the branch of most rows of each category, and the number of rows on which it agrees."""
    codes = x.astype(np.int64)
    sides = np.stack([np.bincount(codes[side == each], minlength=count) for each in (0, 1)])
    table = np.where(sides.any(axis=0), sides.argmax(axis=0), -1)
    return replace(blank, table=table), int(sides.max(axis=0).sum())
