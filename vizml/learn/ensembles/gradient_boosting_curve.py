"""Gradient boosting for curves: F_m = F_{m-1} + eta h_m from the mean on, h_m fitted to the residuals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from numpy.random import Generator

from vizml.data import Dataset
from vizml.learn import REGRESS, Model, choice, integer, real, register
from vizml.learn.ensembles.boosting import Boosting
from vizml.learn.ensembles.step_curve import StepCurve, boosted_curve
from vizml.learn.trees.grower import Limits


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
class GradientBoostingCurve(Model):
    rounds: int = integer(100, 1, 1000, log=True, help="how many trees follow each other", symbol="M")
    rate: float = real(
        0.1, 1e-3, 1.0, log=True, symbol="η", title="learning rate", help="what each tree counts: shrinkage"
    )
    max_depth: int = integer(3, 1, 10, help="the most splits on the way to a leaf")
    min_leaf: int = integer(1, 1, 1000, log=True, help="the fewest points that a leaf may hold")
    subsample: float = real(1.0, 0.1, 1.0, help="the share of the points, drawn for each round, that it sees")
    loss: str = choice(
        "squared",
        ("squared", "absolute"),
        help="what falls: with absolute residuals, trees follow their signs and leaves step to medians",
        symbol="L",
    )
    hold: float = real(
        0.0, 0.0, 0.5, title="hold out", help="the share of the points that do not teach but watch the loss"
    )
    patience: int = integer(
        0, 0, 100, help="stops after so many rounds without a lower held-out loss; 0 is never"
    )

    def steps(self, data: Dataset, rng: Generator) -> Iterator[StepCurve]:
        how = Boosting(
            rounds=self.rounds,
            rate=self.rate,
            limits=Limits(max_depth=self.max_depth, min_leaf=self.min_leaf),
            subsample=self.subsample,
            hold=self.hold,
            patience=self.patience if self.hold > 0 else 0,
        )
        return boosted_curve(how, data, rng, absolute=self.loss == "absolute")
