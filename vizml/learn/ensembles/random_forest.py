"""Random forests (bootstrap samples, m candidate features per split) and extra trees (random thresholds)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.random import Generator

from vizml.learn import CLASSIFY, REGRESS, choice, flag, integer, register
from vizml.learn.ensembles import common
from vizml.learn.ensembles.forest_solver import ForestOptions
from vizml.learn.ensembles.forest_state import forest_states
from vizml.learn.ensembles.regressor_states import forest_regressor_states
from vizml.learn.state import State
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits
from vizml.learn.trees.tree import CRITERION_LABELS, LOSS_LABELS

MEAN_SHARES = r"\hat p(x) = \frac{1}{B} \sum_{b=1}^{B} \hat p_b(x)"
MEAN_VALUES = r"\hat y(x) = \frac{1}{B} \sum_{b=1}^{B} \hat y_b(x)"


def _trees() -> Any:
    return integer(100, 1, 1000, log=True, symbol="B", help="Number of trees.")


@dataclass(frozen=True)
class ForestModel(common.EnsembleModel):
    """Settings of the solver that follow from the parameters of any forest."""

    random_thresholds: ClassVar[bool] = False
    trees: int = 100
    max_depth: int = 0
    min_leaf: int = 1

    @property
    def sample(self) -> float:
        """Size of the bootstrap samples as a share of the points; 0: all points."""
        return 0.0 if self.random_thresholds else 1.0

    def options(self, m: int | None = None) -> ForestOptions:
        """Settings of the solver."""
        return ForestOptions(
            trees=self.trees,
            limits=GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf),
            sample=self.sample,
            m=m,
            random_thresholds=self.random_thresholds,
        )


@register(
    "random_forest",
    task=CLASSIFY,
    family="Ensembles",
    title="Random forest",
    about="Averages the class shares of decision trees, each trained on a bootstrap sample with a random "
    "subset of features at each split.",
    formula=(MEAN_SHARES, common.VARIANCE_FORMULA),
)
@dataclass(frozen=True)
class RandomForest(ForestModel):
    """Random forest for classes."""

    trees: int = _trees()
    m: int = integer(1, 1, 4, symbol="m", help="Number of features drawn at random for each split.")
    derived: bool = flag(
        False,
        title="diagonals",
        help="Also split on the sums and differences of the inputs, so that m may be up to 4.",
    )
    max_depth: int = common.max_depth(0, 0, 50)
    min_leaf: int = common.min_leaf("distinct points")
    criterion: str = choice(
        "gini",
        tuple(CRITERION_LABELS),
        labels=CRITERION_LABELS,
        symbol="I",
        help="Impurity measure that splits minimise.",
    )

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[State]:
        return forest_states(
            self.options(self.m), data, rng, criterion=self.criterion, diagonals=self.derived, every=every
        )


@register(
    "extra_trees",
    task=CLASSIFY,
    family="Ensembles",
    title="Extra trees",
    about="Averages the class shares of decision trees whose thresholds are drawn at random; each split "
    "takes the best of the candidate features.",
    formula=(r"t_j \sim \mathcal{U}( \min_i x_{ij},\, \max_i x_{ij} )", MEAN_SHARES),
)
@dataclass(frozen=True)
class ExtraTrees(RandomForest):
    """Extremely randomised trees for classes."""

    random_thresholds: ClassVar[bool] = True
    bootstrap: bool = flag(
        False, help="Train each tree on a bootstrap sample, which gives an out-of-bag error."
    )

    @property
    def sample(self) -> float:
        return float(self.bootstrap)


@register(
    "random_forest",
    task=REGRESS,
    family="Ensembles",
    title="Random forest",
    about="Averages regression trees, each trained on a bootstrap sample of the points.",
    formula=(MEAN_VALUES, common.VARIANCE_FORMULA),
)
@dataclass(frozen=True)
class RandomForestRegression(ForestModel):
    """Random forest for numbers, with all features as candidates."""

    trees: int = _trees()
    max_depth: int = common.max_depth(0, 0, 50)
    min_leaf: int = common.min_leaf("distinct points")
    loss: str = choice(
        "squared",
        tuple(LOSS_LABELS),
        labels=LOSS_LABELS,
        help="Loss that the values of leaves minimise: means or medians of their points.",
    )

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[State]:
        absolute = self.loss == "absolute"
        return forest_regressor_states(self.options(), data, rng, absolute=absolute, every=every)


@register(
    "extra_trees",
    task=REGRESS,
    family="Ensembles",
    title="Extra trees",
    about="Averages regression trees whose thresholds are drawn at random.",
    formula=(r"t \sim \mathcal{U}( \min_i x_i,\, \max_i x_i )", MEAN_VALUES),
)
@dataclass(frozen=True)
class ExtraTreesRegression(RandomForestRegression):
    """Extremely randomised trees for numbers, on all points."""

    random_thresholds: ClassVar[bool] = True
