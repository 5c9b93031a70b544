"""Gradient boosting for curves: F_m = F_{m-1} + eta h_m from the mean on, h_m fitted to the residuals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from numpy.random import Generator

from vizml.learn import REGRESS, choice, register
from vizml.learn.ensembles import settings
from vizml.learn.ensembles.boosting import Boosting
from vizml.learn.ensembles.ensemble import Ensemble
from vizml.learn.ensembles.step_curve import StepCurve, boosted_curve
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits


@register(
    "gradient_boosting",
    task=REGRESS,
    family="Ensembles",
    title="Gradient boosting",
    about="Starts at the mean and adds small trees, each fitted to the residuals that are left.",
    formula=(
        r"F_0 = \bar y, \quad r_i = y_i - F_{m-1}(x_i)",
        r"F_m(x) = F_{m-1}(x) + \eta\, h_m(x), \quad h_m \approx r",
    ),
)
@dataclass(frozen=True)
class GradientBoostingCurve(Ensemble):
    rounds: int = settings.rounds()
    rate: float = settings.rate(0.1)
    max_depth: int = settings.depth(3)
    min_leaf: int = settings.leaf()
    subsample: float = settings.subsample()
    loss: str = choice(
        "squared",
        ("squared", "absolute"),
        help="what falls: with absolute residuals, trees follow their signs and leaves step to medians",
        symbol="L",
    )
    hold: float = settings.hold()
    patience: int = settings.patience()

    def joining(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[StepCurve]:
        limits = GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf)
        how = Boosting(
            rounds=self.rounds, rate=self.rate, limits=limits, subsample=self.subsample, hold=self.hold,
            patience=self.patience,
        )  # fmt: skip
        return boosted_curve(how, data, rng, absolute=self.loss == "absolute", every=every)
