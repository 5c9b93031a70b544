"""C4.5's pruning: a leaf with E errors of N may err at the rate p where P(X <= E | N, p) = confidence."""

from __future__ import annotations

import numpy as np

from vizml.learn.state import Floats
from vizml.learn.trees.pruning import PruningPath
from vizml.learn.trees.structure import LEAF, Mask, Tree

PARTS, CUTS = 32, 9
"""The rate is searched in so many parts of an interval at once, so many times: 2^-45."""


def upper_rate(errors: int, points: int, confidence: float) -> float:
    """The error rate above which so few errors are rarer than `confidence`; nothing is rarer than 0."""
    if errors >= points or confidence <= 0:
        return 1.0
    k = np.arange(errors + 1)
    logs = np.concatenate([[0.0], np.cumsum(np.log((points - k[:-1]) / (k[:-1] + 1)))])
    low, high = errors / points, 1.0
    for _ in range(CUTS):
        rates = np.linspace(low, high, PARTS + 1)[1:-1, None]
        chance = np.exp(logs + k * np.log(rates) + (points - k) * np.log1p(-rates)).sum(axis=1)
        above = int(np.count_nonzero(chance > confidence))
        step = (high - low) / PARTS
        low, high = low + above * step, low + (above + 1) * step
    return (low + high) / 2


def expected_errors(tree: Tree, confidence: float) -> Floats:
    """How many points each node would get wrong as a leaf, seen without hope."""
    total, most = np.rint(tree.sums.sum(axis=1)), np.rint(tree.sums.max(axis=1))
    cases = list(zip((total - most).astype(int).tolist(), total.astype(int).tolist()))
    feared = {(errors, n): n * upper_rate(errors, n, confidence) for errors, n in set(cases)}
    return np.array([feared[case] for case in cases])


def pessimistic(tree: Tree, confidence: float) -> tuple[PruningPath, Floats, Floats]:
    """The splits that are no better than a leaf, from the deepest up; errors as leaves, and as they end."""
    alone = expected_errors(tree, confidence)
    below, inner = alone.copy(), tree.splits.copy()
    leaves = np.ones(len(tree), dtype=np.int64)
    nodes: list[int] = []
    fewer: list[int] = []
    cut = np.where(tree.splits, len(tree), LEAF)
    kept = below.copy()
    for node in np.flatnonzero(tree.splits)[::-1].tolist():
        sides = [int(tree.left[node]), int(tree.right[node])]
        below[node] = kept[node] = below[sides].sum()
        leaves[node] = leaves[sides].sum()
        if alone[node] <= below[node]:
            cut[_still_split(tree, node, inner)] = len(nodes)
            nodes.append(node)
            fewer.append(int(leaves[node]) - 1)
            below[node], leaves[node] = alone[node], 1
    total = int(np.count_nonzero(~tree.splits))
    path = PruningPath(
        node=np.array(nodes, dtype=np.int64),
        alpha=np.zeros(len(nodes)),
        leaves=total - np.cumsum(fewer, dtype=np.int64),
        cut=cut,
    )
    return path, alone, kept


def _still_split(tree: Tree, top: int, inner: Mask) -> list[int]:
    """A node and the splits that are left below it, which go with it."""
    stack, found = [top], []
    while stack:
        node = stack.pop()
        if inner[node]:
            inner[node] = False
            found.append(node)
            stack += [int(tree.left[node]), int(tree.right[node])]
    return found
