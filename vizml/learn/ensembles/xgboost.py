"""XGBoost: each tree lowers sum_i [g_i f(x_i) + 1/2 h_i f(x_i)^2] + gamma T + 1/2 lambda |v|^2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from numpy.random import Generator

from vizml.learn import CLASSIFY, real, register
from vizml.learn.ensembles import settings
from vizml.learn.ensembles.boosted import Boosted, boost
from vizml.learn.ensembles.ensemble import Ensemble
from vizml.learn.ensembles.second_order import SecondOrder
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits

SOFTMAX = 2.0
"""For more than two classes the package doubles the second derivatives."""


@register(
    "xgboost",
    task=CLASSIFY,
    family="Ensembles",
    title="XGBoost",
    about="Boosts trees whose splits and leaves go by slope and curvature of the loss, with a price on both.",
    formula=(
        r"v = -\frac{G}{H + \lambda}",
        r"G = \sum_i g_i, \quad H = \sum_i h_i",
        r"\Delta = \tfrac{1}{2} ( S_L + S_R - S ), \quad S = \frac{G^2}{H + \lambda}",
        r"2 \Delta \geq \gamma",
    ),
)
@dataclass(frozen=True)
class XGBoost(Ensemble):
    rounds: int = settings.rounds()
    eta: float = settings.rate(0.3)
    max_depth: int = settings.depth(6)
    lam: float = settings.penalty()
    gamma: float = real(
        0.0,
        0.0,
        100.0,
        symbol="γ",
        help="what a leaf costs: splits at the bottom that gain less are taken back",
    )
    min_child_weight: float = settings.weight(
        "the least sum of second derivatives in a leaf: p (1 − p) for each point"
    )
    hold: float = settings.hold()
    patience: int = settings.patience()

    def joining(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[Boosted]:
        how = SecondOrder(
            rounds=self.rounds,
            rate=self.eta,
            limits=GrowthLimits(max_depth=self.max_depth),
            hold=self.hold,
            patience=self.patience,
            lam=self.lam,
            gamma=self.gamma,
            min_child_weight=self.min_child_weight,
            bends=SOFTMAX if len(data.present) > 2 else 1.0,
        )
        return boost(how, data, rng, every=every)
