"""The level of every node of a tree over its points: their mean, or their median."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.structure import LEAF, Tree

LOSSES = {"squared": "squared: means", "absolute": "absolute: medians"}
"""What levels may lower, and what they are then."""


def levels(tree: Tree, X: Floats, y: Floats, *, absolute: bool) -> Floats:
    """The mean or median of the points (n, features) in each node."""
    out = np.zeros(len(tree))
    for nodes, rows in _by_depth(tree, X):
        if absolute:
            out += medians(nodes, len(tree), y[rows])
            continue
        middle = float(y[rows].mean())
        sums = np.bincount(nodes, y[rows] - middle, minlength=len(tree))
        count = np.bincount(nodes, minlength=len(tree))
        out += np.where(count, middle + sums / np.maximum(count, 1), 0.0)
    return out


def costs(tree: Tree, X: Floats, y: Floats, level: Floats, *, absolute: bool) -> Floats:
    """The sum of squared, or absolute, residuals of the points in each node from its level."""

    def cost(nodes: Ints, rows: Ints) -> Floats:
        apart = np.abs(y[rows] - level[nodes])
        return apart if absolute else apart * apart

    return passing(tree, X, cost)


def passing(tree: Tree, X: Floats, cost: Callable[[Ints, Ints], NDArray[np.generic]]) -> Floats:
    """What the points (n, features) that pass each node cost there, summed; `cost` of nodes and rows."""
    out = np.zeros(len(tree))
    for nodes, rows in _by_depth(tree, X):
        out += np.bincount(nodes, cost(nodes, rows), minlength=len(tree))
    return out


def _by_depth(tree: Tree, X: Floats) -> Iterator[tuple[Ints, Ints]]:
    """The nodes of each depth in turn that points are in, and which points."""
    nodes, rows = np.zeros(len(X), dtype=np.int64), np.arange(len(X))
    while len(rows):
        yield nodes, rows
        goes = tree.feature[nodes] != LEAF
        nodes, rows = nodes[goes], rows[goes]
        low = X[rows, tree.feature[nodes]] <= tree.threshold[nodes]
        nodes = np.where(low, tree.left[nodes], tree.right[nodes])


def medians(nodes: Ints, count: int, values: Floats) -> Floats:
    """The median of the values in each of `count` nodes; 0 in an empty one."""
    order = np.lexsort((values, nodes))
    size = np.bincount(nodes, minlength=count)
    first = np.cumsum(size) - size
    some = np.flatnonzero(size)
    low, high = first[some] + (size[some] - 1) // 2, first[some] + size[some] // 2
    out = np.zeros(count)
    out[some] = values[order[low]] / 2 + values[order[high]] / 2
    return out
