"""The level of every node of a tree over its points: their mean, or their median."""

from __future__ import annotations

import numpy as np

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.structure import Tree, descend


def levels(tree: Tree, X: Floats, y: Floats, *, absolute: bool) -> Floats:
    """The mean or median of the points (n, features) in each node."""
    out = np.zeros(len(tree))
    for depth in range(int(tree.depth.max()) + 1):
        nodes = descend(tree, X, tree.splits & (tree.depth < depth))
        here = tree.depth[nodes] == depth
        own, values = nodes[here], y[here]
        if absolute:
            out += medians(own, len(tree), values)
        else:
            middle = float(values.mean())
            sums = np.bincount(own, values - middle, minlength=len(tree))
            count = np.bincount(own, minlength=len(tree))
            out += np.where(count, middle + sums / np.maximum(count, 1), 0.0)
    return out


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
