"""A decision tree as flat arrays, and the statistics of its nodes."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vizml.field.arrays import Floats, Ints, Mask

LEAF = -1
"""Feature and children of a leaf, and the parent of a root."""
ROUNDING = 1e-9
"""Error of a rank that rounding may cause."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Tree:
    """Nodes in breadth-first order, children after parents; several trees may share one, roots first."""

    feature: Ints
    """The feature that a node splits, -1 at a leaf; x <= threshold goes left."""
    threshold: Floats
    left: Ints
    right: Ints
    """The first and the last child; the others lie between them."""
    parent: Ints
    depth: Ints
    count: Ints
    """The number of samples in each node."""
    sums: Floats
    """The sums (m, C) that the criterion is computed from."""
    impurity: Floats
    """Impurity times weight."""
    features: int
    """The number of features."""

    def __post_init__(self) -> None:
        for column in self.columns.values():
            column.flags.writeable = False

    def __len__(self) -> int:
        return len(self.feature)

    def thresholds(self, feature: int, splits: Mask) -> Floats:
        """Return the rising thresholds of splits on a feature."""
        return np.unique(self.threshold[splits & (self.feature == feature)])

    @property
    def columns(self) -> dict[str, NDArray[Any]]:
        """The arrays of all nodes, by name."""
        return {name: getattr(self, name) for name in COLUMNS}

    @cached_property
    def box(self) -> Floats:
        """The region of each node (m, features, 2), low < x <= high; infinite at the outside."""
        box = np.tile([-np.inf, np.inf], (len(self), self.features, 1))
        for depth in range(1, int(self.depth.max(initial=0)) + 1):
            at = np.flatnonzero(self.depth == depth)
            above = self.parent[at]
            box[at] = box[above]
            side = np.where(self.left[above] == at, 1, 0)
            box[at, self.feature[above], side] = self.threshold[above]
        box.flags.writeable = False
        return box

    @property
    def splits(self) -> Mask:
        """The nodes that are split."""
        splits: Mask = self.feature != LEAF
        return splits

    @property
    def gain(self) -> Floats:
        """The decrease of impurity times weight by each split; 0 at a leaf."""
        return np.where(self.splits, self.impurity - self.below(self.impurity), 0.0)

    def below(self, values: Floats) -> Floats:
        """Sum the values of the children of each node; 0 at a leaf."""
        inner = self.parent >= 0
        return np.asarray(np.bincount(self.parent[inner], values[inner], minlength=len(self)))

    def children(self, node: int) -> range:
        """The children of a split node."""
        return range(int(self.left[node]), int(self.right[node]) + 1)

    def child(self, node: Ints, X: Floats, row: Ints) -> Ints:
        """The child of each split node that a row of X goes to."""
        low = X[row, self.feature[node]] <= self.threshold[node]
        return np.where(low, self.left[node], self.right[node])

    @cached_property
    def proportions(self) -> Floats:
        """The sums of each node as shares."""
        return np.asarray(self.sums / self.sums.sum(axis=1, keepdims=True))

    def above(self, node: int) -> Mask:
        """The nodes on the path from the root to the parent of a node."""
        above = np.zeros(len(self), dtype=np.bool_)
        above[path_to(self, node)[:-1]] = True
        return above

    def rows_in(self, node: int, X: Floats) -> tuple[Ints, Floats]:
        """Return the rows of X (n, features) that pass a node, and their weights in it."""
        rows = np.flatnonzero(descend(self, X, self.above(node)) == node)
        return rows, np.ones(len(rows))

    def rule(self, node: int, columns: Sequence[str]) -> str:
        """The split of a node as text, with the names of the features."""
        return f"{columns[self.feature[node]]} ≤ {self.threshold[node]:.4g}"

    def conditions(self, node: int, columns: Sequence[str]) -> tuple[str, ...]:
        """Return the conditions for a node as texts, one for each feature that is split above it."""
        features = dict.fromkeys(self.feature[path_to(self, node)[:-1]].tolist())
        return tuple(self.condition(node, feature, columns[feature]) for feature in features)

    def condition(self, node: int, feature: int, name: str) -> str:
        """Return the condition on a feature for a node as text."""
        return interval_text(name, *self.box[node, feature].tolist())

    def branch_text(self, node: int) -> str:
        """The text of the link to a node from its parent."""
        del node
        return ""

    def explanation(self, node: int, columns: Sequence[str]) -> str:
        """More about the split of a node for its note: figures of the choice, rows without a value."""
        del node, columns
        return ""


COLUMNS = tuple(each.name for each in fields(Tree) if each.name != "features")
NODE_COLUMNS = ("left", "right", "parent")
"""Columns that hold numbers of nodes."""


def interval_text(name: str, low: float, high: float) -> str:
    """Return low < x <= high as text, without an end that is infinite.

    >>> interval_text("x", 1.0, 2.5), interval_text("x", 1.0, np.inf), interval_text("x", -np.inf, 2.5)
    ('1 < x ≤ 2.5', 'x > 1', 'x ≤ 2.5')
    """
    if np.isinf(high):
        return f"{name} > {low:.4g}"
    return f"{name} ≤ {high:.4g}" if np.isinf(low) else f"{low:.4g} < {name} ≤ {high:.4g}"


def points_text(weight: float) -> str:
    """A number of points as text; weights may make it a fraction.

    >>> points_text(1), points_text(1200), points_text(0.385)
    ('1 point', '1,200 points', '0.385 points')
    """
    return f"{weight:,.7g} point{'' if weight == 1 else 's'}"


def shares(gains: Floats) -> Floats:
    """Return the share of each feature in the gains (..., features) of all; 0 where nothing is gained."""
    gains = np.maximum(gains, 0.0)
    total = gains.sum(axis=-1, keepdims=True)
    found: Floats = np.divide(gains, total, out=np.zeros_like(gains), where=total > 0)
    return found


def descend(tree: Tree, X: Floats, splits: Mask, root: int = 0) -> Ints:
    """The node that each point (n, features) ends in if only some of the splits are made."""
    node = np.full(len(X), root, dtype=np.int64)
    return descend_from(tree, X, splits, node, np.arange(len(X)))


def descend_from(tree: Tree, X: Floats, splits: Mask, node: Ints, row: Ints) -> Ints:
    """The node that each pair of a start node and a row of X ends in; `node` is overwritten."""
    on = np.flatnonzero(splits[node])
    at, row = node[on], row[on]
    while len(on):
        at = tree.child(at, X, row)
        node[on] = at
        goes = np.flatnonzero(splits[at])
        on, at, row = on[goes], at[goes], row[goes]
    return node


def remove_splits(tree: Tree, gone: Mask) -> Tree:
    """The tree without some splits and the nodes below them."""
    splits = tree.splits & ~gone
    stays = tree.depth == 0
    for depth in range(1, int(tree.depth[-1]) + 1):
        at = np.flatnonzero(tree.depth == depth)
        stays[at] = stays[tree.parent[at]] & splits[tree.parent[at]]
    return take_nodes(tree, np.flatnonzero(stays))


def take_nodes(tree: Tree, kept: Ints) -> Tree:
    """Some nodes of a tree, each with its parent; nodes whose children are not among them become leaves."""
    number = np.full(len(tree) + 1, LEAF)
    number[kept] = np.arange(len(kept))
    columns = {name: column[kept] for name, column in tree.columns.items()}
    for name in NODE_COLUMNS:
        columns[name] = number[columns[name]]
    leaf = columns["left"] == LEAF
    columns["feature"] = np.where(leaf, LEAF, columns["feature"])
    columns["threshold"] = np.where(leaf, np.nan, columns["threshold"])
    return Tree(**columns, features=tree.features)


def best_first(tree: Tree) -> Ints:
    """The splits in best-first order: the largest gain among the splits whose parent has been split."""
    gain, splits = tree.gain.tolist(), tree.splits.tolist()
    first, last = tree.left.tolist(), tree.right.tolist()
    queue = [(-gain[0], 0)] if splits[0] else []
    order = []
    while queue:
        _, node = heapq.heappop(queue)
        order.append(node)
        for child in range(first[node], last[node] + 1):
            if splits[child]:
                heapq.heappush(queue, (-gain[child], child))
    return np.array(order, dtype=np.int64)


def path_to(tree: Tree, node: int) -> list[int]:
    """The nodes from the root to a node."""
    path = [node]
    while tree.depth[path[-1]] > 0:
        path.append(int(tree.parent[path[-1]]))
    return path[::-1]


def reachable(tree: Tree, splits: Mask) -> Ints:
    """The root and the children of all split nodes."""
    held = splits[tree.parent]
    held[0] = True
    return np.flatnonzero(held)


def node_values(tree: Tree, X: Floats, y: Floats, *, absolute: bool) -> Floats:
    """The mean, or the median, of the targets of the points (n, features) in each node."""
    nodes, rows = _passed(tree, X)
    if absolute:
        return group_medians(nodes, len(tree), y[rows])
    middle, count = float(y.mean()), np.bincount(nodes, minlength=len(tree))
    sums = np.bincount(nodes, (y - middle)[rows], minlength=len(tree))
    return np.where(count, middle + sums / np.maximum(count, 1), 0.0)


def node_losses(tree: Tree, X: Floats, y: Floats, value: Floats, *, absolute: bool) -> Floats:
    """The sum of squared, or absolute, residuals of the points in each node from its value."""

    def loss(nodes: Ints, rows: Ints) -> Floats:
        residuals = np.abs(y[rows] - value[nodes])
        return residuals if absolute else residuals * residuals

    return node_sums(tree, X, loss)


def node_sums(tree: Tree, X: Floats, term: Callable[[Ints, Ints], NDArray[np.generic]]) -> Floats:
    """Sum `term(nodes, rows)` over the points (n, features) that pass each node."""
    nodes, rows = _passed(tree, X)
    return np.bincount(nodes, term(nodes, rows), minlength=len(tree)).astype(np.float64, copy=False)


def _passed(tree: Tree, X: Floats) -> tuple[Ints, Ints]:
    """The nodes that points pass and the rows of these points, level by level."""
    nodes, rows = np.zeros(len(X), dtype=np.int64), np.arange(len(X))
    levels = [(nodes, rows)]
    while len(rows):
        goes = (tree.feature[nodes] != LEAF).nonzero()[0]
        nodes, rows = nodes[goes], rows[goes]
        nodes = tree.child(nodes, X, rows)
        levels.append((nodes, rows))
    all_nodes, all_rows = map(np.concatenate, zip(*levels))
    return all_nodes, all_rows


def group_medians(groups: Ints, count: int, values: Floats) -> Floats:
    """The median of the values in each of `count` groups; 0 in an empty group."""
    order = np.lexsort((values, groups))
    size = np.bincount(groups, minlength=count)
    first = np.cumsum(size) - size
    some = np.flatnonzero(size)
    low, high = first[some] + (size[some] - 1) // 2, first[some] + size[some] // 2
    out = np.zeros(count)
    out[some] = values[order[low]] / 2 + values[order[high]] / 2
    return out


def group_quantiles(groups: Ints, count: int, values: Floats, quantile: float) -> Floats:
    """The least value with at least this share of the values up to it in each group; 0 in an empty group.

    >>> group_quantiles(np.array([0, 0, 0, 0]), 2, np.array([4.0, 1.0, 3.0, 2.0]), 0.75)
    array([3., 0.])
    """
    order = np.lexsort((values, groups))
    size = np.bincount(groups, minlength=count)
    some = np.flatnonzero(size)
    rank = np.maximum(np.ceil(quantile * size[some] - ROUNDING), 1).astype(np.int64)
    out = np.zeros(count)
    out[some] = values[order[(np.cumsum(size) - size)[some] + rank - 1]]
    return out
