"""XGBoost: each tree lowers sum_i [g_i f(x_i) + 1/2 h_i f(x_i)^2] + gamma T + 1/2 lambda |v|^2.

For numbers with absolute residuals, G sums up signs, as in the package's exact method; its others step to
medians.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from numpy.random import Generator

from vizml.learn import CLASSIFY, REGRESS, real, register
from vizml.learn.ensembles import common
from vizml.learn.ensembles.boosting_solver import NewtonBoosting
from vizml.learn.ensembles.boosting_state import boosted_classifier_states
from vizml.learn.ensembles.regressor_states import boosted_regressor_states
from vizml.learn.state import State
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits

SOFTMAX_FACTOR = 2.0
"""Factor of the second derivatives for more than two classes, as in the package."""
GAIN_FORMULA = r"\Delta = \tfrac{1}{2} ( S_L + S_R - S ), \quad S = \frac{G^2}{H + \lambda}"
GAMMA_HELP = "Minimum loss reduction of a split. Splits at the bottom of a tree that gain less are removed."


@register("xgboost", CLASSIFY, "Ensembles", "XGBoost")
class XGBoost(common.EnsembleModel):
    """Gradient boosting with second-order leaf values and regularised trees."""

    formula: ClassVar[tuple[str, ...]] = (
        r"v = -\frac{G}{H + \lambda}", r"G = \sum_i g_i, \quad H = \sum_i h_i", GAIN_FORMULA,
        r"2 \Delta \geq \gamma",
    )  # fmt: skip
    rounds: int = common.rounds()
    eta: float = common.rate(0.3)
    max_depth: int = common.max_depth(6)
    lam: float = real(
        1.0, 0.0, 100.0, symbol="λ", title="lambda", help="L2 regularisation strength of the leaf values."
    )
    gamma: float = real(0.0, 0.0, 100.0, symbol="γ", help=GAMMA_HELP)
    min_child_weight: float = real(
        1.0, 0.0, 100.0, symbol="H", help="Minimum sum of second derivatives p (1 − p) in a leaf."
    )
    hold: float = common.hold()
    patience: int = common.patience()

    def boosting(self, second_factor: float = 1.0) -> NewtonBoosting:
        """Settings of the solver."""
        return NewtonBoosting(
            rounds=self.rounds, rate=self.eta, limits=GrowthLimits(max_depth=self.max_depth),
            hold=self.hold, patience=self.patience, lam=self.lam, gamma=self.gamma,
            min_child_weight=self.min_child_weight, second_factor=second_factor,
        )  # fmt: skip

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[State]:
        how = self.boosting(SOFTMAX_FACTOR if len(data.present) > 2 else 1.0)
        return boosted_classifier_states(how, data, rng, every=every)


@register("xgboost", REGRESS, "Ensembles", "XGBoost")
class XGBoostRegression(XGBoost):
    """Gradient boosting with second-order leaf values and regularised trees, from the mean on."""

    formula = (r"v = -\frac{G}{H + \lambda}, \quad G = \sum_i ( F(x_i) - y_i ), \quad H = n", GAIN_FORMULA)
    gamma: float = real(0.0, 0.0, 1e6, symbol="γ", help=f"{GAMMA_HELP} Its unit is that of y².")
    min_child_weight: float = real(
        1.0, 0.0, 100.0, symbol="H", help="Minimum sum of second derivatives (1 for each point) in a leaf."
    )
    loss: str = common.regression_loss()

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[State]:
        absolute = self.loss == "absolute"
        return boosted_regressor_states(self.boosting(), data, rng, absolute=absolute, every=every)
