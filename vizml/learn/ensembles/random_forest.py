"""Random forests (bootstrap samples, m candidate features per split) and extra trees (random thresholds)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from numpy.random import Generator

from vizml.learn import CLASSIFY, REGRESS, flag, register
from vizml.learn.ensembles import common
from vizml.learn.ensembles.forest_solver import ForestOptions
from vizml.learn.ensembles.forest_state import ForestState, forest_states
from vizml.learn.ensembles.regressor_states import ForestRegressor, forest_regressor_states
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits

DISTINCT = "distinct points"
"""Samples of a forest hold points several times; those count once in the size of leaves."""


@register(
    "random_forest",
    task=CLASSIFY,
    family="Ensembles",
    title="Random forest",
    about="Averages the class shares of decision trees, each trained on a bootstrap sample with a random "
    "subset of features at each split.",
    formula=(r"\hat p(x) = \frac{1}{B} \sum_{b=1}^{B} \hat p_b(x)", common.VARIANCE_FORMULA),
)
@dataclass(frozen=True)
class RandomForest(common.EnsembleModel):
    """Random forest for classes."""

    trees: int = common.trees()
    m: int = common.candidate_features()
    derived: bool = common.diagonals()
    max_depth: int = common.max_depth(0, 0, 50)
    min_leaf: int = common.min_leaf(DISTINCT)
    criterion: str = common.criterion()

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[ForestState]:
        limits = GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf)
        options = ForestOptions(trees=self.trees, limits=limits, m=self.m)
        return forest_states(
            options, data, rng, criterion=self.criterion, diagonals=self.derived, every=every
        )


@register(
    "extra_trees",
    task=CLASSIFY,
    family="Ensembles",
    title="Extra trees",
    about="Averages the class shares of decision trees whose thresholds are drawn at random; each split "
    "takes the best of the candidate features.",
    formula=(
        r"t_j \sim \mathcal{U}( \min_i x_{ij},\, \max_i x_{ij} )",
        r"\hat p(x) = \frac{1}{B} \sum_{b=1}^{B} \hat p_b(x)",
    ),
)
@dataclass(frozen=True)
class ExtraTrees(common.EnsembleModel):
    """Extremely randomised trees for classes."""

    trees: int = common.trees()
    m: int = common.candidate_features()
    derived: bool = common.diagonals()
    max_depth: int = common.max_depth(0, 0, 50)
    min_leaf: int = common.min_leaf(DISTINCT)
    criterion: str = common.criterion()
    bootstrap: bool = flag(
        False, help="Train each tree on a bootstrap sample, which gives an out-of-bag error."
    )

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[ForestState]:
        options = ForestOptions(
            trees=self.trees,
            limits=GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf),
            m=self.m,
            sample=float(self.bootstrap),
            random_thresholds=True,
        )
        return forest_states(
            options, data, rng, criterion=self.criterion, diagonals=self.derived, every=every
        )


@register(
    "random_forest",
    task=REGRESS,
    family="Ensembles",
    title="Random forest",
    about="Averages regression trees, each trained on a bootstrap sample of the points.",
    formula=(r"\hat y(x) = \frac{1}{B} \sum_{b=1}^{B} \hat y_b(x)", common.VARIANCE_FORMULA),
)
@dataclass(frozen=True)
class RandomForestRegression(common.EnsembleModel):
    """Random forest for numbers, with all features as candidates."""

    trees: int = common.trees()
    max_depth: int = common.max_depth(0, 0, 50)
    min_leaf: int = common.min_leaf(DISTINCT)
    loss: str = common.leaf_loss()

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[ForestRegressor]:
        limits = GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf)
        options = ForestOptions(trees=self.trees, limits=limits)
        return forest_regressor_states(options, data, rng, absolute=self.loss == "absolute", every=every)


@register(
    "extra_trees",
    task=REGRESS,
    family="Ensembles",
    title="Extra trees",
    about="Averages regression trees whose thresholds are drawn at random.",
    formula=(
        r"t \sim \mathcal{U}( \min_i x_i,\, \max_i x_i )",
        r"\hat y(x) = \frac{1}{B} \sum_{b=1}^{B} \hat y_b(x)",
    ),
)
@dataclass(frozen=True)
class ExtraTreesRegression(common.EnsembleModel):
    """Extremely randomised trees for numbers, on all points."""

    trees: int = common.trees()
    max_depth: int = common.max_depth(0, 0, 50)
    min_leaf: int = common.min_leaf()
    loss: str = common.leaf_loss()

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[ForestRegressor]:
        limits = GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf)
        options = ForestOptions(trees=self.trees, limits=limits, sample=0.0, random_thresholds=True)
        return forest_regressor_states(options, data, rng, absolute=self.loss == "absolute", every=every)
