"""Cost-complexity pruning by R(T) + alpha |T|; the weakest link has least (R(t) - R(T_t)) / (|T_t| - 1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.structure import LEAF, Mask, Tree

NEVER = np.inf


@dataclass(frozen=True, eq=False, kw_only=True)
class PruningPath:
    """The nodes that collapse one after the other, until only the root is left."""

    node: Ints
    alpha: Floats
    """The alpha at which each collapses; rising."""
    leaves: Ints
    """The leaves that are left after each."""
    cut: Ints
    """For each node of the tree, the collapse that takes its split away; -1 at a leaf."""

    def until(self, alpha: float) -> int:
        """How many collapse at an alpha."""
        return int(np.count_nonzero(np.maximum.accumulate(self.alpha) <= alpha))


def weakest_links(tree: Tree) -> PruningPath:
    """The path from the tree to its root, impurities as shares of all points."""
    risk = tree.impurity / max(int(tree.count[0]), 1)
    inner, leaves, below = tree.splits.copy(), *_totals(tree, risk)
    cut = np.full(len(tree), LEAF)
    nodes, alphas, left = [], [], []
    while inner[0]:
        link = np.where(inner, (risk - below) / np.maximum(leaves - 1, 1), NEVER)
        node = int(link.argmin())
        nodes.append(node)
        alphas.append(float(link[node]))
        _collapse(tree, node, inner, cut, len(nodes) - 1)
        fewer, more = leaves[node] - 1, risk[node] - below[node]
        up = node
        while up >= 0:
            leaves[up] -= fewer
            below[up] += more
            up = int(tree.parent[up])
        left.append(int(leaves[0]))
    return PruningPath(
        node=np.array(nodes, dtype=np.int64),
        alpha=np.array(alphas),
        leaves=np.array(left, dtype=np.int64),
        cut=cut,
    )


def _totals(tree: Tree, risk: Floats) -> tuple[Ints, Floats]:
    """The leaves below each node and the sum of their risks."""
    leaves = np.where(tree.splits, 0, 1)
    below = np.where(tree.splits, 0.0, risk)
    for depth in range(int(tree.depth.max()), 0, -1):
        at = np.flatnonzero(tree.depth == depth)
        np.add.at(leaves, tree.parent[at], leaves[at])
        np.add.at(below, tree.parent[at], below[at])
    return leaves, below


def _collapse(tree: Tree, top: int, inner: Mask, cut: Ints, when: int) -> None:
    """Take away the splits of a node and of all that are still below it."""
    stack = [top]
    while stack:
        node = stack.pop()
        if inner[node]:
            inner[node], cut[node] = False, when
            stack += [int(tree.left[node]), int(tree.right[node])]
