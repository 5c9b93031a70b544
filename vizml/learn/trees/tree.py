"""CART: recursive splits x <= t | x > t, pruned to the least R(T) + alpha |leaves|."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.random import Generator

from vizml.learn import CLASSIFY, Model, choice, integer, real, register
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.criteria import CRITERION_LABELS
from vizml.learn.trees.crossval import candidates, fold_errors, folds
from vizml.learn.trees.curve_tree import RegressionTree
from vizml.learn.trees.grower import GrowthLimits, TreeGrower, one_hot
from vizml.learn.trees.pruning import weakest_links
from vizml.learn.trees.pruning_chart import Validation
from vizml.learn.trees.samples import TreeSamples
from vizml.learn.trees.shown import Grown, TreeState
from vizml.learn.trees.telling import collapse_by_collapse, fold_by_fold, growing, split_by_split

LARGE = 20_000
"""So many points take more than a moment to split: the levels are told as they grow."""
__all__ = ["DecisionTree", "RegressionTree"]
FOLDS = 5


@register(
    "tree",
    task=CLASSIFY,
    family="Trees",
    title="Decision tree (CART)",
    about="Cuts the plane into boxes, each time where the classes come apart most, and lets each box vote.",
    formula=(
        r"\mathrm{Gini}(m) = 1 - \sum_{c} p_{mc}^2",
        r"\max_{j,\,t}\;\; n\, I(m) - n_L\, I(m_L) - n_R\, I(m_R)",
        r"R_{\alpha}(T) = R(T) + \alpha\, |T|",
    ),
)
@dataclass(frozen=True)
class DecisionTree(Model):
    criterion: str = choice(
        "gini",
        tuple(CRITERION_LABELS),
        labels=CRITERION_LABELS,
        help="how mixed a box is, which splits are to lower",
        symbol="I",
    )
    max_depth: int = integer(0, 0, 50, help="the most splits on the way to a leaf; 0 is no limit")
    min_leaf: int = integer(1, 1, 1000, log=True, help="the fewest points that a leaf may hold")
    min_split: int = integer(2, 2, 1000, log=True, help="the fewest points that a box must hold to be split")
    prune: str = choice(
        "none",
        ("none", "alpha", "cv"),
        labels={"none": "not at all", "alpha": "by alpha", "cv": "by cross-validation"},
        help="whether splits that gain too little are taken back, and how it is decided",
        title="pruning",
    )
    alpha: float = real(
        0.01,
        0.0,
        1.0,
        log=True,
        help="what a leaf costs: splits that gain less for each leaf are taken back",
        symbol="α",
        when={"prune": ("alpha",)},
    )

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[TreeState]:
        sums = one_hot(data.labels, data.present)
        limits = GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf, min_split=self.min_split)
        grower = TreeGrower(TreeSamples.all(data.points), sums, self.criterion, limits)
        while grower.level():
            if len(data) >= LARGE:
                yield growing(data, grower)
        tree = grower.tree()
        path = weakest_links(tree) if self.prune != "none" else None
        grown = Grown(data, tree, path=path, prune=self.prune)
        fold = folds(len(data), min(FOLDS, len(data)), rng)
        tried = partial(fold_errors, data.points, sums, self.criterion, limits, fold=fold)
        grown.validate = lambda alphas: Validation(alphas, np.sum(list(tried(alphas)), axis=0) / len(data))
        for state in split_by_split(data.present, grown, self.criterion):
            yield state
        if path is None or not len(path.node):
            return
        alpha = self.alpha
        if self.prune == "cv":
            alphas = candidates(path.alpha)
            alpha, grown.validation = yield from fold_by_fold(state, alphas, tried(alphas), len(data))
        yield from collapse_by_collapse(state, path, alpha)
