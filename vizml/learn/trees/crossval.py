"""The alpha of pruning by K-fold cross-validation: the trees of the best one err least on unseen points."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.random import Generator

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.grower import GrowthLimits, grow_tree
from vizml.learn.trees.pruning import weakest_links
from vizml.learn.trees.pruning_chart import on_path
from vizml.learn.trees.structure import Mask, node_sums

CANDIDATES = 40


def candidates(alphas: Floats) -> Floats:
    """Alphas to try: 0, and one between each two of the path, at most so many."""
    rising = np.unique(np.maximum(alphas, 0.0))
    between = np.sqrt(rising[:-1] * rising[1:])
    tried = np.unique(np.concatenate([[0.0], between, rising[-1:]]))
    return tried[np.unique(np.linspace(0, len(tried) - 1, CANDIDATES).astype(np.int64))]


def folds(n: int, k: int, rng: Generator) -> Ints:
    """The fold of each point, all of nearly one size."""
    return rng.permutation(np.arange(n) % k)


def fold_errors(
    points: Floats, sums: Floats, criterion: str, limits: GrowthLimits, alphas: Floats, fold: Ints
) -> Iterator[Ints]:
    """For each fold, how many of its points the pruned trees of the others get wrong, at each alpha."""
    truth = sums.argmax(axis=0)
    for held in range(int(fold.max()) + 1):
        out = fold == held
        tree = grow_tree(points[~out], sums[:, ~out], criterion, limits)
        path = weakest_links(tree)
        vote, unseen = tree.sums.argmax(axis=1), truth[out]
        wrong = node_sums(tree, points[out], partial(_differ, vote, unseen))
        along = on_path(path, tree, wrong)
        yield np.rint(along[[path.until(float(alpha)) for alpha in alphas]]).astype(np.int64)


def _differ(vote: Ints, truth: Ints, nodes: Ints, rows: Ints) -> Mask:
    """Which points the votes of their nodes get wrong."""
    differ: Mask = vote[nodes] != truth[rows]
    return differ


def best_alpha(errors: Ints | Floats) -> int:
    """The place of the alpha with the fewest errors, the largest of equals: the smallest tree."""
    return int(np.flatnonzero(errors == errors.min())[-1])
