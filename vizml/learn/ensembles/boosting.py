"""Gradient boosting: F_m = F_{m-1} + eta h_m, where the tree h_m is fitted to r = -dL/dF at each point.

XGBoost: each tree lowers sum_i [g_i f(x_i) + 1/2 h_i f(x_i)^2] + gamma T + 1/2 lambda |v|^2. For numbers with
absolute residuals, G sums up signs, as in the package's exact method; its others step to medians.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar

from numpy.random import Generator

from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, REGRESS, choice, integer, real, register, varied
from vizml.learn.ensembles import common
from vizml.learn.ensembles.boosting_solver import Boosting, NewtonBoosting
from vizml.learn.ensembles.boosting_state import boosted_classifier_states, boosted_regressor_states
from vizml.learn.ensembles.losses import QUANTILE_LOSSES, SCALAR_LOSSES, ScalarLoss
from vizml.learn.state import State
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits

SOFTMAX_FACTOR = 2.0
"""Factor of XGBoost's second derivatives for more than two classes, as in the package."""
GAIN_FORMULA = r"\Delta = \tfrac{1}{2} ( S_L + S_R - S ), \quad S = \frac{G^2}{H + \lambda}"
LAMBDA_CONVENTION = (
    "Convention: the penalty is λ/2 Σ v² over the leaves, as in note 000 and in XGBoost's reg_lambda."
)
GAMMA_CONVENTION = (
    "Convention: a split is kept if 2Δ ≥ γ, as in XGBoost. Note 000 subtracts γ from Δ, which counts fully: "
    "its γ is half of this one."
)
GAMMA_HELP = "Minimum loss reduction of a split. Splits at the bottom of a tree that gain less are removed."
WEIGHT_HELP = "Minimum sum of second derivatives{} in a leaf."


class BoostingModel(common.EnsembleModel):
    """Model that adds trees of the settings `boosting` to lower a loss."""

    depends_on_scale = False
    loss: str = "log"

    @abstractmethod
    def boosting(self, data: TrainingData) -> Boosting:
        """Settings of the solver."""

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[State]:
        how = self.boosting(data)
        if self.task is REGRESS:
            return boosted_regressor_states(how, data, rng, loss=self.scalar_loss, every=every)
        return boosted_classifier_states(how, data, rng, loss=self.loss, every=every)

    def scalar_loss(self, y: Floats) -> ScalarLoss:
        """The loss of a regression with targets y."""
        return SCALAR_LOSSES[self.loss](y)


RATE: Any = real(
    0.1, 1e-3, 1.0, log=True, symbol="η", title="learning rate",
    help="Learning rate (shrinkage): factor of each tree's contribution.",
)  # fmt: skip
HOLD: Any = real(
    0.0, 0.0, 0.5, title="held-out share",
    help="Share of the points held out to monitor the loss for early stopping.",
)  # fmt: skip
PATIENCE: Any = integer(
    0, 0, 100, zero="no limit",
    help="Early stopping: number of rounds without a lower held-out loss before training stops and returns "
    "to the best round. 0 disables it.",
)  # fmt: skip
REGRESSION_LOSS: Any = choice(
    "squared", ("squared", "absolute"), symbol="L",
    help="Loss to minimise. For the absolute loss, trees are fitted to the signs of the residuals.",
)  # fmt: skip


@register(
    "gradient_boosting", CLASSIFY, "Ensembles", "Gradient boosting",
    symbols={
        "r": ("Pseudo-residual of a point: the negative gradient of its loss.",),
        "F": ("Sum of the trees so far.",), "h": ("Tree of a round, fitted to the pseudo-residuals.",),
    },
    synonyms=("GBDT", "GBM", "gradient boosted trees"),
)  # fmt: skip
class GradientBoosting(BoostingModel):
    r"""Adds small regression trees stepwise, each fitted to the negative gradient of the loss.

    .. math::
        r_i = -\frac{\partial L(y_i, F(x_i))}{\partial F(x_i)}
        F_m(x) = F_{m-1}(x) + \eta\, h_m(x), \quad h_m \approx r
    """

    rounds: int = common.ROUNDS
    rate: float = RATE
    max_depth: int = common.MAX_DEPTH
    min_leaf: int = common.MIN_LEAF
    subsample: float = real(
        1.0, 0.1, 1.0,
        help="Subsampling: share of the training points drawn without replacement for each round.",
    )  # fmt: skip
    loss: str = choice(
        "log", ("log", "exponential"), labels={"log": "log-loss", "exponential": "exponential"}, symbol="L",
        help="Loss to minimise. The exponential loss penalises misclassified points more.",
    )  # fmt: skip
    hold: float = HOLD
    patience: int = PATIENCE

    def boosting(self, data: TrainingData) -> Boosting:
        limits = GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf)
        return Boosting(
            rounds=self.rounds, rate=self.rate, limits=limits, subsample=self.subsample, hold=self.hold,
            patience=self.patience,
        )  # fmt: skip


@register(
    "gradient_boosting", REGRESS, "Ensembles", "Gradient boosting",
    symbols={"r": ("Residual of a point.", "Residuals")},
    synonyms=("GBDT", "GBM", "pseudo-residuals"),
)  # fmt: skip
class GradientBoostingRegression(GradientBoosting):
    r"""Starts at the mean and adds small regression trees, each fitted to the current residuals. Other losses
    start at the median or at a quantile, and fit trees to their negative gradient.

    .. math::
        F_0 = \bar y, \quad r_i = y_i - F_{m-1}(x_i)
        F_m(x) = F_{m-1}(x) + \eta\, h_m(x), \quad h_m \approx r
    """

    loss: str = varied(
        REGRESSION_LOSS, options=("squared", "absolute", *QUANTILE_LOSSES), labels={"huber": "Huber"},
        help="Loss to minimise. Absolute and Huber loss limit the influence of outliers; the quantile loss "
        "predicts a quantile in place of the mean.",
    )  # fmt: skip
    quantile: float = real(
        0.9, 0.01, 0.99, symbol="q", when={"loss": tuple(QUANTILE_LOSSES)},
        help="Quantile that is predicted, or from which on the Huber loss is linear: that of the absolute "
        "residuals. scikit-learn's alpha.",
    )  # fmt: skip

    def scalar_loss(self, y: Floats) -> ScalarLoss:
        quantile_loss = QUANTILE_LOSSES.get(self.loss)
        return super().scalar_loss(y) if quantile_loss is None else quantile_loss(y, self.quantile)


@register(
    "xgboost", CLASSIFY, "Ensembles", "XGBoost",
    symbols={
        "v": ("Value of a leaf.",), "g": ("Gradient of the loss of a point.",),
        "h": ("Second derivative of the loss of a point.",), "G": ("Sum of the gradients in a node.",),
        "S": ("Score of a node.",), "Δ": ("Gain of a split.",),
    },
    remarks=(LAMBDA_CONVENTION, GAMMA_CONVENTION),
    synonyms=("XGB", "extreme gradient boosting"),
)  # fmt: skip
class XGBoost(BoostingModel):
    """Gradient boosting with second-order leaf values and regularised trees."""

    formula: ClassVar[tuple[str, ...]] = (
        r"v = -\frac{G}{H + \lambda}", r"G = \sum_i g_i, \quad H = \sum_i h_i", GAIN_FORMULA,
        r"2 \Delta \geq \gamma",
    )  # fmt: skip
    rounds: int = common.ROUNDS
    eta: float = varied(RATE, default=0.3)
    max_depth: int = varied(common.MAX_DEPTH, default=6)
    lam: float = real(
        1.0, 0.0, 100.0, symbol="λ", title="lambda", help="L2 regularisation strength of the leaf values."
    )
    gamma: float = real(0.0, 0.0, 100.0, symbol="γ", help=GAMMA_HELP)
    min_child_weight: float = real(1.0, 0.0, 100.0, symbol="H", help=WEIGHT_HELP.format(" p (1 − p)"))
    hold: float = HOLD
    patience: int = PATIENCE

    def boosting(self, data: TrainingData) -> Boosting:
        return NewtonBoosting(
            rounds=self.rounds, rate=self.eta, limits=GrowthLimits(max_depth=self.max_depth),
            hold=self.hold, patience=self.patience, lam=self.lam, gamma=self.gamma,
            min_child_weight=self.min_child_weight,
            second_factor=SOFTMAX_FACTOR if len(data.present) > 2 else 1.0,
        )  # fmt: skip


@register(
    "xgboost", REGRESS, "Ensembles", "XGBoost",
    symbols={
        "v": ("Value of a leaf.",), "F": ("Sum of the trees so far.",),
        "G": ("Sum of the gradients in a node.",), "S": ("Score of a node.",), "Δ": ("Gain of a split.",),
    },
    remarks=(LAMBDA_CONVENTION, GAMMA_CONVENTION),
    synonyms=("XGB", "extreme gradient boosting"),
)  # fmt: skip
class XGBoostRegression(XGBoost):
    """Gradient boosting with second-order leaf values and regularised trees, from the mean on."""

    formula = (r"v = -\frac{G}{H + \lambda}, \quad G = \sum_i ( F(x_i) - y_i ), \quad H = n", GAIN_FORMULA)
    gamma: float = real(0.0, 0.0, 1e6, symbol="γ", help=f"{GAMMA_HELP} Its unit is that of y².")
    min_child_weight: float = real(
        1.0, 0.0, 100.0, symbol="H", help=WEIGHT_HELP.format(" (1 for each point)")
    )
    loss: str = REGRESSION_LOSS
