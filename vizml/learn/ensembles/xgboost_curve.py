"""XGBoost for curves: leaves -G / (H + lambda) of the residuals from the mean on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from numpy.random import Generator

from vizml.data import Dataset
from vizml.learn import REGRESS, Model, choice, integer, real, register
from vizml.learn.ensembles.second_order import SecondOrder
from vizml.learn.ensembles.step_curve import StepCurve, boosted_curve
from vizml.learn.trees.grower import Limits


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
class XGBoostCurve(Model):
    rounds: int = integer(100, 1, 1000, log=True, help="how many trees follow each other", symbol="M")
    eta: float = real(
        0.3, 1e-3, 1.0, log=True, symbol="η", title="learning rate", help="what each tree counts"
    )
    max_depth: int = integer(6, 1, 10, help="the most splits on the way to a leaf")
    lam: float = real(
        1.0, 0.0, 100.0, symbol="λ", title="lambda", help="pulls the values of leaves towards 0"
    )
    gamma: float = real(
        0.0, 0.0, 1e6, symbol="γ",
        help="what a leaf costs, in squares of y: splits at the bottom that gain less are taken back",
    )  # fmt: skip
    min_child_weight: float = real(
        1.0, 0.0, 100.0, title="least weight", symbol="H", help="the fewest points that a leaf may hold"
    )
    loss: str = choice(
        "squared",
        ("squared", "absolute"),
        help="what falls: with absolute residuals, slopes are their signs",
        symbol="L",
    )
    hold: float = real(
        0.0, 0.0, 0.5, title="hold out", help="the share of the points that do not teach but watch the loss"
    )
    patience: int = integer(
        0, 0, 100, help="stops after so many rounds without a lower held-out loss; 0 is never"
    )

    def steps(self, data: Dataset, rng: Generator) -> Iterator[StepCurve]:
        how = SecondOrder(
            rounds=self.rounds,
            rate=self.eta,
            limits=Limits(max_depth=self.max_depth),
            hold=self.hold,
            patience=self.patience if self.hold > 0 else 0,
            lam=self.lam,
            gamma=self.gamma,
            min_child_weight=self.min_child_weight,
        )
        return boosted_curve(how, data, rng, absolute=self.loss == "absolute")
