"""Minimal cost-complexity pruning, R(T) + alpha |leaves|, and its cross-validation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats, Ints, Mask
from vizml.learn.trees.structure import LEAF, Tree

MAX_ALPHAS = 40
"""Maximum number of candidate alphas of a cross-validation, which limits its run time."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PruningPath:
    """The collapses from the full tree to its root; the weakest link collapses first."""

    node: Ints
    """The node that becomes a leaf."""
    alpha: Floats
    """The alpha at which it does, rising."""
    leaves: Ints
    """The number of leaves after each collapse."""
    cut: Ints
    """The collapse that removes the split of each node of the tree; -1 at a leaf."""

    def until(self, alpha: float) -> int:
        """The number of collapses at an alpha."""
        return int(np.count_nonzero(np.maximum.accumulate(self.alpha) <= alpha))

    def along(self, own: Floats, tree: Tree) -> Floats:
        """The sum of `own` over the leaves of the tree before and after each collapse.

        A node is a leaf from the collapse that removes its split until the one that removes its parent's.
        """
        born = self.cut + 1
        gone = self.cut[tree.parent] + 1
        change: Floats = np.bincount(born, own, minlength=len(self.node) + 2).astype(np.float64)
        change -= np.bincount(gone[1:], own[1:], minlength=len(self.node) + 2)
        sums: Floats = np.cumsum(change)
        return sums[: len(self.node) + 1]


class PruningErrors(NamedTuple):
    """Cross-validated mean errors of trees pruned at candidate alphas."""

    alphas: Floats
    errors: Floats

    @property
    def best(self) -> float:
        """The alpha of the lowest error, the largest of equals: the smallest tree."""
        return float(self.alphas[last_minimum(self.errors)])


def cost_complexity_path(tree: Tree) -> PruningPath:
    """Collapse the weakest link, of least (R(t) - R(T_t)) / (|T_t| - 1), until only the root is left.

    R is the impurity as a share of all points.
    """
    risk = tree.impurity / max(int(tree.count[0]), 1)
    inner, leaves, below = tree.splits.copy(), *_subtree_totals(tree, risk)
    cut = np.full(len(tree), LEAF)
    nodes: list[int] = []
    alphas, left = [], []
    while inner[0]:
        link = np.where(inner, (risk - below) / np.maximum(leaves - 1, 1), np.inf)
        node = int(link.argmin())
        cut[collapse(tree, node, inner)] = len(nodes)
        nodes.append(node)
        alphas.append(float(link[node]))
        fewer, more = leaves[node] - 1, risk[node] - below[node]
        up = node
        while up >= 0:
            leaves[up] -= fewer
            below[up] += more
            up = int(tree.parent[up])
        left.append(int(leaves[0]))
    return PruningPath(
        node=np.array(nodes, dtype=np.int64), alpha=np.array(alphas), leaves=np.array(left, dtype=np.int64),
        cut=cut,
    )  # fmt: skip


def collapse(tree: Tree, top: int, inner: Mask) -> list[int]:
    """Remove the splits of a node and below it from `inner`, and return their nodes."""
    stack, found = [top], []
    while stack:
        node = stack.pop()
        if inner[node]:
            inner[node] = False
            found.append(node)
            stack += tree.children(node)
    return found


def _subtree_totals(tree: Tree, risk: Floats) -> tuple[Ints, Floats]:
    """The number of leaves below each node, and the sum of their risks."""
    leaves = np.where(tree.splits, 0, 1)
    below = np.where(tree.splits, 0.0, risk)
    for depth in range(int(tree.depth.max()), 0, -1):
        at = np.flatnonzero(tree.depth == depth)
        np.add.at(leaves, tree.parent[at], leaves[at])
        np.add.at(below, tree.parent[at], below[at])
    return leaves, below


def candidate_alphas(alphas: Floats) -> Floats:
    """0, the geometric means of neighbouring alphas, and the largest one; at most MAX_ALPHAS."""
    rising = np.unique(np.maximum(alphas, 0.0))
    between = np.sqrt(rising[:-1] * rising[1:])
    candidates = np.unique(np.concatenate([[0.0], between, rising[-1:]]))
    return candidates[np.unique(np.linspace(0, len(candidates) - 1, MAX_ALPHAS).astype(np.int64))]


def random_folds(n: int, k: int, rng: Generator) -> Ints:
    """Assign each of n points to one of k folds of nearly equal size."""
    return rng.permutation(np.arange(n) % k)


def last_minimum(errors: Floats) -> int:
    """The last position of the lowest error."""
    return int(np.flatnonzero(errors == errors.min())[-1])
