"""Random forest for curves: the mean of regression trees on bootstrap samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from numpy.random import Generator

from vizml.data import Dataset
from vizml.learn import REGRESS, Model, choice, integer, register
from vizml.learn.ensembles.bags import bootstrap
from vizml.learn.ensembles.step_curve import LOSSES, CurveForest, StepCurve
from vizml.learn.trees.chance import ForestGrower
from vizml.learn.trees.grower import Limits


@register(
    "random_forest",
    task=REGRESS,
    family="Ensembles",
    title="Random forest",
    about="Averages regression trees that each saw another sample of the points.",
    formula=(
        r"\hat y(x) = \frac{1}{B} \sum_{b=1}^{B} \hat y_b(x)",
        r"\mathrm{Var} = \rho\, \sigma^2 + \frac{1 - \rho}{B}\, \sigma^2",
    ),
)
@dataclass(frozen=True)
class RandomForestCurve(Model):
    trees: int = integer(100, 1, 1000, log=True, help="how many trees are averaged", symbol="B")
    max_depth: int = integer(0, 0, 50, help="the most splits on the way to a leaf; 0 is no limit")
    min_leaf: int = integer(1, 1, 1000, log=True, help="the fewest different points that a leaf may hold")
    loss: str = choice("squared", tuple(LOSSES), labels=LOSSES, help="what the levels of leaves lower")

    def steps(self, data: Dataset, rng: Generator) -> Iterator[StepCurve]:
        forest = CurveForest(
            trees=self.trees,
            draw=partial(bootstrap, len(data), 1.0, rng=rng),
            grower=ForestGrower,
            limits=Limits(max_depth=self.max_depth, min_leaf=self.min_leaf),
            absolute=self.loss == "absolute",
        )
        return forest.steps(data, rng)
