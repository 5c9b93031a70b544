"""XGBoost for curves: leaves -G / (H + lambda) of the residuals from the mean on.

With absolute residuals G sums up signs, as in the package's exact method; its others step to medians.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from numpy.random import Generator

from vizml.learn import REGRESS, choice, real, register
from vizml.learn.ensembles import settings
from vizml.learn.ensembles.ensemble import Ensemble
from vizml.learn.ensembles.second_order import SecondOrder
from vizml.learn.ensembles.step_curve import StepCurve, boosted_curve
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits


@register(
    "xgboost",
    task=REGRESS,
    family="Ensembles",
    title="XGBoost",
    about="Boosts regression trees with a price on the values of leaves and on their number.",
    formula=(
        r"v = -\frac{G}{H + \lambda}, \quad G = \sum_i ( F(x_i) - y_i ), \quad H = n",
        r"\Delta = \tfrac{1}{2} ( S_L + S_R - S ), \quad S = \frac{G^2}{H + \lambda}",
    ),
)
@dataclass(frozen=True)
class XGBoostCurve(Ensemble):
    rounds: int = settings.rounds()
    eta: float = settings.rate(0.3)
    max_depth: int = settings.depth(6)
    lam: float = settings.penalty()
    gamma: float = real(
        0.0, 0.0, 1e6, symbol="γ",
        help="what a leaf costs, in squares of y: splits at the bottom that gain less are taken back",
    )  # fmt: skip
    min_child_weight: float = settings.weight("the fewest points that a leaf may hold")
    loss: str = choice(
        "squared",
        ("squared", "absolute"),
        help="what falls: with absolute residuals, slopes are their signs",
        symbol="L",
    )
    hold: float = settings.hold()
    patience: int = settings.patience()

    def joining(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[StepCurve]:
        how = SecondOrder(
            rounds=self.rounds,
            rate=self.eta,
            limits=GrowthLimits(max_depth=self.max_depth),
            hold=self.hold,
            patience=self.patience,
            lam=self.lam,
            gamma=self.gamma,
            min_child_weight=self.min_child_weight,
        )
        return boosted_curve(how, data, rng, absolute=self.loss == "absolute", every=every)
