"""Random forests (bootstrap samples, m candidate features per split) and extra trees (random thresholds)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from numpy.random import Generator

from vizml.learn import CLASSIFY, REGRESS, choice, flag, integer, register
from vizml.learn.ensembles import common
from vizml.learn.ensembles.forest_solver import ForestOptions
from vizml.learn.ensembles.forest_state import forest_classifier_states, forest_regressor_states
from vizml.learn.state import State
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits
from vizml.learn.trees.tree import CRITERION_LABELS, LOSS_LABELS

MEAN_SHARES = r"\hat p(x) = \frac{1}{B} \sum_{b=1}^{B} \hat p_b(x)"
MEAN_VALUES = r"\hat y(x) = \frac{1}{B} \sum_{b=1}^{B} \hat y_b(x)"


def _trees() -> Any:
    return integer(100, 1, 1000, log=True, symbol="B", help="Number of trees.")


def _options(model: RandomForest | RandomForestRegression, m: int | None = None) -> ForestOptions:
    """Settings of the solver."""
    limits = GrowthLimits(max_depth=model.max_depth, min_leaf=model.min_leaf)
    return ForestOptions(
        trees=model.trees, limits=limits, sample=model.sample, m=m, random_thresholds=model.extra
    )


@register("random_forest", CLASSIFY, "Ensembles", "Random forest")
class RandomForest(common.EnsembleModel):
    """Averages the class shares of decision trees, each trained on a bootstrap sample with a random subset of
    features at each split.
    """

    formula = (MEAN_SHARES, common.VARIANCE_FORMULA)
    extra: ClassVar[bool] = False
    """Whether thresholds are random."""

    trees: int = _trees()
    m: int = integer(1, 1, 4, symbol="m", help="Number of features drawn at random for each split.")
    derived: bool = flag(
        False, title="diagonals", help="Split the sums and differences of the inputs as well (m up to 4)."
    )
    max_depth: int = common.max_depth(0, 0, 50)
    min_leaf: int = common.min_leaf("distinct points")
    criterion: str = choice(
        "gini", tuple(CRITERION_LABELS), labels=CRITERION_LABELS, symbol="I",
        help="Impurity measure that splits minimise.",
    )  # fmt: skip

    @property
    def sample(self) -> float:
        """Size of the bootstrap samples as a share of the points; 0: all points."""
        return 1.0

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[State]:
        return forest_classifier_states(
            _options(self, self.m), data, rng, criterion=self.criterion, diagonals=self.derived, every=every
        )


@register("extra_trees", CLASSIFY, "Ensembles", "Extra trees")
class ExtraTrees(RandomForest):
    """Averages the class shares of decision trees whose thresholds are drawn at random; each split takes the
    best of the candidate features.
    """

    formula = (r"t_j \sim \mathcal{U}( \min_i x_{ij},\, \max_i x_{ij} )", MEAN_SHARES)
    extra: ClassVar[bool] = True
    bootstrap: bool = flag(
        False, help="Train each tree on a bootstrap sample, which gives an out-of-bag error."
    )

    @property
    def sample(self) -> float:
        return float(self.bootstrap)


@register("random_forest", REGRESS, "Ensembles", "Random forest")
class RandomForestRegression(common.EnsembleModel):
    """Averages regression trees, each trained on a bootstrap sample of the points."""

    formula = (MEAN_VALUES, common.VARIANCE_FORMULA)
    extra: ClassVar[bool] = False
    sample: ClassVar[float] = 1.0

    trees: int = _trees()
    max_depth: int = common.max_depth(0, 0, 50)
    min_leaf: int = common.min_leaf("distinct points")
    loss: str = choice(
        "squared", tuple(LOSS_LABELS), labels=LOSS_LABELS,
        help="Loss that the values of leaves minimise: means or medians of their points.",
    )  # fmt: skip

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[State]:
        absolute = self.loss == "absolute"
        return forest_regressor_states(_options(self), data, rng, absolute=absolute, every=every)


@register("extra_trees", REGRESS, "Ensembles", "Extra trees")
class ExtraTreesRegression(RandomForestRegression):
    """Averages regression trees whose thresholds are drawn at random."""

    formula = (r"t \sim \mathcal{U}( \min_i x_i,\, \max_i x_i )", MEAN_VALUES)
    extra: ClassVar[bool] = True
    sample: ClassVar[float] = 0.0
