"""Batches of trees, each leaf with values (V,): f(x) sums the values of the leaf of x over the trees."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np

from vizml.field.arrays import Floats, Ints, Mask
from vizml.learn.trees.grower_1d import TREE_BORDER
from vizml.learn.trees.structure import COLUMNS, LEAF, NODE_COLUMNS, Tree, descend_from, take_nodes

MAX_WALKS = 1 << 20
"""Pairs of a point and a tree that are sent to their leaves at once: bounds the memory to about 32 MB."""
B = TypeVar("B", bound="Batch")


class TreeSummary(NamedTuple):
    """Size of a tree and the split of its root."""

    leaves: int
    depth: int
    feature: int = LEAF
    threshold: float = np.nan
    gain: float = 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Batch(ABC):
    """Trees in the order of their growth, whose leaves have values."""

    X: Floats
    """The training points (n, features)."""

    @abstractmethod
    def leaf_values(self, count: int) -> dict[str, Floats | Ints]:
        """Return tree and value of each leaf of the first trees."""

    @abstractmethod
    def __len__(self) -> int:
        """Number of trees."""

    @abstractmethod
    def summary(self, tree: int) -> TreeSummary:
        """Describe a tree."""

    @abstractmethod
    def sums(self, X: Floats, start: int, stop: int) -> Floats:
        """Sum of the values (n, V) of the trees from start to stop at X (n, features)."""

    @property
    @abstractmethod
    def training_values(self) -> Floats:
        """Values (T, n, V) of each tree at the training points."""

    @cached_property
    def training_sums(self) -> Floats:
        """Sums (T, n, V) over the first tree, the first two, and so on, at the training points."""
        values = self.training_values
        return np.cumsum(values, axis=0, out=values)


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeBatch(Batch):
    """Trees on any number of features, in one array of nodes."""

    tree: Tree
    roots: Ints
    owner: Ints
    """The tree of each node."""
    values: Floats
    """The values (nodes, V) that each leaf adds to the sum."""

    @classmethod
    def of(cls, tree: Tree, values: Floats, X: Floats) -> TreeBatch:
        """Trees that one grower has grown on X (n, features)."""
        roots = np.flatnonzero(tree.depth == 0)
        return cls(tree=tree, roots=roots, owner=_owners(tree), values=values, X=X)

    def __len__(self) -> int:
        return len(self.roots)

    @cached_property
    def splits(self) -> Mask:
        """Nodes that are split."""
        return self.tree.splits

    @cached_property
    def leaves(self) -> Ints:
        """All leaves, tree by tree."""
        found = np.flatnonzero(~self.splits)
        return found[np.argsort(self.owner[found], kind="stable")]

    @cached_property
    def leaf_ends(self) -> Ints:
        """End of the leaves of each tree in `leaves`."""
        return np.cumsum(np.bincount(self.owner[self.leaves], minlength=len(self)))

    def leaves_of(self, start: int, stop: int) -> Ints:
        """Leaves of the trees from start to stop."""
        first = int(self.leaf_ends[start - 1]) if start else 0
        return self.leaves[first : int(self.leaf_ends[stop - 1]) if stop else 0]

    def splits_of(self, tree: int) -> Ints:
        """Split nodes of a tree, from its root down."""
        return np.flatnonzero((self.owner == tree) & self.splits)

    @cached_property
    def gains(self) -> Floats:
        """Decrease of impurity (T, features) by the splits of each tree."""
        out = np.zeros((len(self), self.tree.features))
        nodes = np.flatnonzero(self.splits)
        np.add.at(out, (self.owner[nodes], self.tree.feature[nodes]), self.tree.gain[nodes])
        return out

    def summary(self, tree: int) -> TreeSummary:
        nodes, root, leaves = self.tree, int(self.roots[tree]), self.leaves_of(tree, tree + 1)
        size = len(leaves), int(nodes.depth[leaves].max())
        if nodes.feature[root] == LEAF:
            return TreeSummary(*size)
        gain = nodes.impurity[root] - nodes.impurity[nodes.left[root]] - nodes.impurity[nodes.right[root]]
        return TreeSummary(*size, int(nodes.feature[root]), float(nodes.threshold[root]), float(gain))

    def leaf_values(self, count: int) -> dict[str, Floats | Ints]:
        leaves = self.leaves_of(0, count)
        values = self.values[leaves]
        return {"tree": self.owner[leaves], "value": values[:, 0] if values.shape[1] == 1 else values}

    def boxes(self, start: int, stop: int) -> tuple[Floats, Floats]:
        """Boxes (m, features, 2) and values (m, V) of the leaves of the trees from start to stop."""
        leaves = self.leaves_of(start, stop)
        return self.tree.box[leaves], self.values[leaves]

    def sums(self, X: Floats, start: int, stop: int) -> Floats:
        out, size = np.zeros((len(X), self.values.shape[1])), max(MAX_WALKS // max(len(X), 1), 1)
        for first in range(start, stop, size):
            out += self.values[self.walk(X, first, min(first + size, stop))].sum(axis=0)
        return out

    @property
    def training_values(self) -> Floats:
        return self.values[self.walk(self.X, 0, len(self))]

    def walk(self, X: Floats, start: int, stop: int) -> Ints:
        """Leaf of each point in the trees from start to stop (T, n)."""
        roots, rows = self.roots[start:stop].repeat(len(X)), np.tile(np.arange(len(X)), stop - start)
        return descend_from(self.tree, X, self.splits, roots, rows).reshape(stop - start, -1)


@dataclass(frozen=True, eq=False, kw_only=True)
class StepBatch(Batch):
    """Trees on one feature as step functions: an ensemble is fitted in half to a fifth of the time."""

    ends: Ints
    """End of the leaves of each tree, which go from left to right."""
    upper: Floats
    """Upper edge of each leaf, infinite for the last of a tree."""
    values: Floats
    """Value of each leaf (leaves,)."""
    depths: Ints
    """Depth of each tree."""
    root_thresholds: Floats
    """Threshold of each tree's first split; NaN where there is none."""
    root_gains: Floats

    @classmethod
    def of(cls, levels: Ints, thresholds: Floats, root_gains: Floats, values: Floats, X: Floats) -> StepBatch:
        """Trees from the edges of their leaves.

        `levels` are the levels of the splits at the edges, TREE_BORDER between trees and at both ends.
        """
        borders, first = np.flatnonzero(levels == TREE_BORDER), np.flatnonzero(levels == 0)
        root_thresholds = np.full(len(borders) - 1, np.nan)
        root_thresholds[np.searchsorted(borders, first) - 1] = thresholds[first]
        return cls(
            X=X, ends=borders[1:], upper=thresholds[1:], values=values,
            depths=np.maximum.reduceat(levels, borders[:-1]) + 1,
            root_thresholds=root_thresholds, root_gains=root_gains,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.ends)

    def leaf_values(self, count: int) -> dict[str, Floats | Ints]:
        sizes = np.diff(self.ends[:count], prepend=0)
        return {"tree": np.repeat(np.arange(count), sizes), "value": self.values[self.span(0, count)]}

    def span(self, start: int, stop: int) -> slice:
        """Leaves of the trees from start to stop."""
        return slice(int(self.ends[start - 1]) if start else 0, int(self.ends[stop - 1]) if stop else 0)

    def summary(self, tree: int) -> TreeSummary:
        own, depth, threshold = self.span(tree, tree + 1), int(self.depths[tree]), self.root_thresholds[tree]
        size = int(own.stop - own.start), depth
        if not depth:
            return TreeSummary(*size)
        return TreeSummary(*size, 0, float(threshold), float(self.root_gains[tree]))

    def sums(self, X: Floats, start: int, stop: int) -> Floats:
        """Sum of the trees from start to stop: the steps up and down, added from left to right."""
        order, leaves = np.argsort(X[:, 0], kind="stable"), self.span(start, stop)
        out, values = np.zeros((len(X), 1)), self.values[leaves]
        if start == stop:
            return out
        firsts = np.append(0, self.ends[start : stop - 1] - leaves.start)
        before = np.append(0.0, values[:-1])
        before[firsts] = 0.0
        at = np.append(0, np.searchsorted(X[order, 0], self.upper[leaves][:-1], side="right"))
        at[firsts] = 0
        change = np.bincount(at, values - before, minlength=len(X) + 1)
        out[order, 0] = np.cumsum(change[:-1])
        return out

    @property
    def training_values(self) -> Floats:
        order = np.argsort(self.X[:, 0], kind="stable")
        stops = np.searchsorted(self.X[order, 0], self.upper, side="right")
        starts = np.append(0, stops[:-1])
        starts[np.append(0, self.ends[:-1])] = 0
        out = np.empty((len(self), len(order), 1))
        out[:, order, 0] = self.values.repeat(stops - starts).reshape(len(self), -1)
        return out


def join_batches(batches: Sequence[TreeBatch]) -> TreeBatch:
    """Several batches as one, in their order."""
    nodes = np.cumsum([0] + [len(each.tree) for each in batches])
    trees = np.cumsum([0] + [len(each) for each in batches])
    columns = {}
    for name in COLUMNS:
        parts = [getattr(each.tree, name) for each in batches]
        if name in NODE_COLUMNS:
            parts = [np.where(part == LEAF, LEAF, part + first) for part, first in zip(parts, nodes)]
        columns[name] = np.concatenate(parts)
    return TreeBatch(
        tree=Tree(**columns, features=batches[0].tree.features),
        roots=np.concatenate([each.roots + first for each, first in zip(batches, nodes)]),
        owner=np.concatenate([each.owner + first for each, first in zip(batches, trees)]),
        values=np.concatenate([each.values for each in batches]),
        X=batches[0].X,
    )


def single_tree(batch: TreeBatch, number: int) -> tuple[Tree, Ints]:
    """One tree of a batch by itself, and its nodes in the batch."""
    nodes = np.flatnonzero(batch.owner == number)
    return take_nodes(batch.tree, nodes), nodes


def first_trees(batches: Sequence[B], trees: int) -> Iterator[tuple[B, int]]:
    """Batches that hold the first trees, and how many of each."""
    for each in batches:
        if trees <= 0:
            return
        yield each, min(trees, len(each))
        trees -= len(each)


def locate_tree(batches: Sequence[B], number: int) -> tuple[B, int]:
    """Batch of a tree and the tree's place in it."""
    for each in batches:
        if number < len(each):
            return each, number
        number -= len(each)
    raise IndexError(number)


def _owners(tree: Tree) -> Ints:
    """Tree of each node; nodes are in the order of their depth."""
    ends = np.searchsorted(tree.depth, np.arange(int(tree.depth[-1]) + 1), side="right")
    if ends[0] == 1:
        return np.zeros(len(tree), dtype=np.int64)
    out = np.arange(len(tree))
    for start, end in pairwise(ends):
        out[start:end] = out[tree.parent[start:end]]
    return out
