"""Gradient boosting: F_m = F_{m-1} + eta h_m, where the tree h_m is fitted to r = -dL/dF at each point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from numpy.random import Generator

from vizml.data import Dataset
from vizml.learn import CLASSIFY, Model, choice, integer, real, register
from vizml.learn.ensembles.boosted import Boosted, boost
from vizml.learn.ensembles.boosting import Boosting
from vizml.learn.trees.grower import Limits


@register(
    "gradient_boosting",
    task=CLASSIFY,
    family="Ensembles",
    title="Gradient boosting",
    about="Adds small trees one after the other, each fitted to what the ones before it leave unexplained.",
    formula=(
        r"r_i = -\frac{\partial L(y_i, F(x_i))}{\partial F(x_i)}",
        r"F_m(x) = F_{m-1}(x) + \eta\, h_m(x), \quad h_m \approx r",
    ),
)
@dataclass(frozen=True)
class GradientBoosting(Model):
    rounds: int = integer(100, 1, 1000, log=True, help="how many trees follow each other", symbol="M")
    rate: float = real(
        0.1, 1e-3, 1.0, log=True, symbol="η", title="learning rate", help="what each tree counts: shrinkage"
    )
    max_depth: int = integer(3, 1, 10, help="the most splits on the way to a leaf")
    min_leaf: int = integer(1, 1, 1000, log=True, help="the fewest points that a leaf may hold")
    subsample: float = real(1.0, 0.1, 1.0, help="the share of the points, drawn for each round, that it sees")
    loss: str = choice(
        "log",
        ("log", "exponential"),
        labels={"log": "log-loss", "exponential": "exponential"},
        help="what falls: the exponential loss minds points on the wrong side more",
        symbol="L",
    )
    hold: float = real(
        0.0, 0.0, 0.5, title="hold out", help="the share of the points that do not teach but watch the loss"
    )
    patience: int = integer(
        0, 0, 100, help="stops after so many rounds without a lower held-out loss; 0 is never"
    )

    def steps(self, data: Dataset, rng: Generator) -> Iterator[Boosted]:
        how = Boosting(
            rounds=self.rounds,
            rate=self.rate,
            limits=Limits(max_depth=self.max_depth, min_leaf=self.min_leaf),
            subsample=self.subsample,
            hold=self.hold,
            patience=self.patience if self.hold > 0 else 0,
        )
        return boost(how, data, rng, exponential=self.loss == "exponential")
