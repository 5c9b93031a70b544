"""Gradient boosting: F_m = F_{m-1} + eta h_m, where the tree h_m is fitted to r = -dL/dF at each point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from numpy.random import Generator

from vizml.learn import CLASSIFY, choice, register
from vizml.learn.ensembles import settings
from vizml.learn.ensembles.boosted import Boosted, boost
from vizml.learn.ensembles.boosting import Boosting
from vizml.learn.ensembles.ensemble import Ensemble
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits


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
class GradientBoosting(Ensemble):
    rounds: int = settings.rounds()
    rate: float = settings.rate(0.1)
    max_depth: int = settings.depth(3)
    min_leaf: int = settings.leaf()
    subsample: float = settings.subsample()
    loss: str = choice(
        "log",
        ("log", "exponential"),
        labels={"log": "log-loss", "exponential": "exponential"},
        help="what falls: the exponential loss minds points on the wrong side more",
        symbol="L",
    )
    hold: float = settings.hold()
    patience: int = settings.patience()

    def joining(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[Boosted]:
        limits = GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf)
        how = Boosting(
            rounds=self.rounds, rate=self.rate, limits=limits, subsample=self.subsample, hold=self.hold,
            patience=self.patience,
        )  # fmt: skip
        return boost(how, data, rng, exponential=self.loss == "exponential", every=every)
