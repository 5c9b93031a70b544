"""Gradient boosting: F_m = F_{m-1} + eta h_m, where the tree h_m is fitted to r = -dL/dF at each point."""

from __future__ import annotations

from collections.abc import Iterator

from numpy.random import Generator

from vizml.learn import CLASSIFY, REGRESS, choice, real, register
from vizml.learn.ensembles import common
from vizml.learn.ensembles.boosting_solver import Boosting
from vizml.learn.ensembles.boosting_state import boosted_classifier_states
from vizml.learn.ensembles.regressor_states import boosted_regressor_states
from vizml.learn.state import State
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits


@register("gradient_boosting", CLASSIFY, "Ensembles", "Gradient boosting")
class GradientBoosting(common.EnsembleModel):
    r"""Adds small regression trees stepwise, each fitted to the negative gradient of the loss.

    .. math::
        r_i = -\frac{\partial L(y_i, F(x_i))}{\partial F(x_i)}
        F_m(x) = F_{m-1}(x) + \eta\, h_m(x), \quad h_m \approx r
    """

    rounds: int = common.rounds()
    rate: float = common.rate(0.1)
    max_depth: int = common.max_depth(3)
    min_leaf: int = common.min_leaf()
    subsample: float = real(
        1.0, 0.1, 1.0,
        help="Subsampling: share of the training points drawn without replacement for each round.",
    )  # fmt: skip
    loss: str = choice(
        "log", ("log", "exponential"), labels={"log": "log-loss", "exponential": "exponential"}, symbol="L",
        help="Loss to minimise. The exponential loss penalises misclassified points more.",
    )  # fmt: skip
    hold: float = common.hold()
    patience: int = common.patience()

    def boosting(self) -> Boosting:
        """Settings of the solver."""
        limits = GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf)
        return Boosting(
            rounds=self.rounds, rate=self.rate, limits=limits, subsample=self.subsample, hold=self.hold,
            patience=self.patience,
        )  # fmt: skip

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[State]:
        exponential = self.loss == "exponential"
        return boosted_classifier_states(self.boosting(), data, rng, exponential=exponential, every=every)


@register("gradient_boosting", REGRESS, "Ensembles", "Gradient boosting")
class GradientBoostingRegression(GradientBoosting):
    r"""Starts at the mean and adds small regression trees, each fitted to the current residuals.

    .. math::
        F_0 = \bar y, \quad r_i = y_i - F_{m-1}(x_i)
        F_m(x) = F_{m-1}(x) + \eta\, h_m(x), \quad h_m \approx r
    """

    loss: str = common.regression_loss()

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[State]:
        absolute = self.loss == "absolute"
        return boosted_regressor_states(self.boosting(), data, rng, absolute=absolute, every=every)
