"""Trees that were grown together, each leaf with values of its own: what ensembles are sums of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.structure import COLUMNS, LEAF, Mask, Tree, descend_from

WALKS = 1 << 20
"""So many points are sent through trees at once."""
OFFSET = ("left", "right", "parent")


@dataclass(frozen=True, eq=False, kw_only=True)
class Stand:
    """Any number of trees in the order of their growth, with values (nodes, V) that their leaves add."""

    tree: Tree
    roots: Ints
    owner: Ints
    """Which of the trees each node is in."""
    values: Floats
    points: Floats
    """The points (n, features) that they were grown on."""

    def __len__(self) -> int:
        return len(self.roots)

    @property
    def features(self) -> int:
        """How many axes its trees may split."""
        return self.tree.features

    @cached_property
    def splits(self) -> Mask:
        """Which nodes split."""
        return self.tree.splits

    @cached_property
    def leaves(self) -> Ints:
        """All leaves, tree by tree, so that the leaves of the first trees come first."""
        found = np.flatnonzero(~self.splits)
        return found[np.argsort(self.owner[found], kind="stable")]

    @cached_property
    def ends(self) -> Ints:
        """Where the leaves of each tree end in `leaves`."""
        return np.cumsum(np.bincount(self.owner[self.leaves], minlength=len(self)))

    def leaves_of(self, start: int, stop: int) -> Ints:
        """The leaves of some trees in a row."""
        first = int(self.ends[start - 1]) if start else 0
        return self.leaves[first : int(self.ends[stop - 1]) if stop else 0]

    def splits_of(self, tree: int) -> Ints:
        """The nodes of a tree that split, from its root down."""
        return np.flatnonzero((self.owner == tree) & self.splits)

    def depth(self, tree: int) -> int:
        """The most splits on the way to a leaf of a tree."""
        return int(self.tree.depth[self.leaves_of(tree, tree + 1)].max())

    def boxes(self, start: int, stop: int) -> tuple[Floats, Floats]:
        """The boxes (m, 2 features) and values (m, V) of the leaves of some trees in a row."""
        leaves = self.leaves_of(start, stop)
        return self.tree.box[leaves].reshape(len(leaves), 2 * self.features), self.values[leaves]

    def ends_of(self, X: Floats, trees: Ints, rows: Ints) -> Ints:
        """The leaf of each pair of a tree and a row of X (n, features)."""
        return descend_from(self.tree, X, self.splits, self.roots[trees], rows)

    @cached_property
    def borders(self) -> dict[int, Floats]:
        """Where the class changes in trees, for those that somebody has looked at."""
        return {}

    @cached_property
    def leaf_of(self) -> NDArray[np.int32]:
        """The leaf of each point of their growth in each tree (T, n)."""
        n = len(self.points)
        out = np.empty((len(self), n), dtype=np.int32)
        for trees in _chunks(0, len(self), max(WALKS // max(n, 1), 1)):
            ends = self.ends_of(self.points, trees.repeat(n), np.tile(np.arange(n), len(trees)))
            out[trees] = ends.reshape(len(trees), n)
        return out

    @cached_property
    def on_points(self) -> Floats:
        """The sum of the values (T, n, V) of the first trees and each more, at the points of their growth."""
        values = self.values[self.leaf_of]
        return np.cumsum(values, axis=0, out=values)

    def sums(self, X: Floats, start: int, stop: int) -> Floats:
        """The sum of the values (n, V) of some trees in a row, at points (n, features)."""
        out = np.zeros((len(X), self.values.shape[1]))
        for trees in _chunks(start, stop, max(WALKS // max(len(X), 1), 1)):
            each, rows = np.repeat(trees, len(X)), np.tile(np.arange(len(X)), len(trees))
            values = self.values[self.ends_of(X, each, rows)]
            out += values.reshape(len(trees), len(X), out.shape[1]).sum(axis=0)
        return out


def owners(tree: Tree) -> Ints:
    """The tree of each node, by its root; nodes are in the order of their depth."""
    ends = np.searchsorted(tree.depth, np.arange(int(tree.depth[-1]) + 1), side="right")
    if ends[0] == 1:
        return np.zeros(len(tree), dtype=np.int64)
    out = np.arange(len(tree))
    for start, end in pairwise(ends):
        out[start:end] = out[tree.parent[start:end]]
    return out


def stand(tree: Tree, values: Floats, points: Floats) -> Stand:
    """Trees that one grower grew on some points (n, features)."""
    roots = np.flatnonzero(tree.depth == 0)
    return Stand(tree=tree, roots=roots, owner=owners(tree), values=values, points=points)


def joined(stands: Sequence[Stand]) -> Stand:
    """Several stands as one, in their order."""
    nodes = np.cumsum([0] + [len(each.tree) for each in stands])
    trees = np.cumsum([0] + [len(each) for each in stands])
    columns = {}
    for name in COLUMNS:
        parts = [getattr(each.tree, name) for each in stands]
        if name in OFFSET:
            parts = [np.where(part == LEAF, LEAF, part + first) for part, first in zip(parts, nodes)]
        columns[name] = np.concatenate(parts)
    return Stand(
        tree=Tree(**columns, features=stands[0].features),
        roots=np.concatenate([each.roots + first for each, first in zip(stands, nodes)]),
        owner=np.concatenate([each.owner + first for each, first in zip(stands, trees)]),
        values=np.concatenate([each.values for each in stands]),
        points=stands[0].points,
    )


def prefix(stands: Sequence[Stand], trees: int) -> Iterator[tuple[Stand, int]]:
    """The stands that hold the first trees, and how many of each."""
    for each in stands:
        if trees <= 0:
            return
        yield each, min(trees, len(each))
        trees -= len(each)


def _chunks(start: int, stop: int, size: int) -> Iterator[Ints]:
    for first in range(start, stop, size):
        yield np.arange(first, min(first + size, stop))
