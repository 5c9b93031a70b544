"""Extremely randomised trees for curves: the mean of regression trees with random thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from numpy.random import Generator

from vizml.data import Dataset
from vizml.learn import REGRESS, Model, choice, integer, register
from vizml.learn.ensembles.extra_trees import everything
from vizml.learn.ensembles.step_curve import LOSSES, CurveForest, StepCurve
from vizml.learn.trees.chance import ExtraGrower
from vizml.learn.trees.grower import Limits


@register(
    "extra_trees",
    task=REGRESS,
    family="Ensembles",
    title="Extra trees",
    about="Averages regression trees whose thresholds are drawn at random.",
    formula=(
        r"t \sim \mathcal{U}( \min_i x_i,\, \max_i x_i )",
        r"\hat y(x) = \frac{1}{B} \sum_{b=1}^{B} \hat y_b(x)",
    ),
)
@dataclass(frozen=True)
class ExtraTreesCurve(Model):
    trees: int = integer(100, 1, 1000, log=True, help="how many trees are averaged", symbol="B")
    max_depth: int = integer(0, 0, 50, help="the most splits on the way to a leaf; 0 is no limit")
    min_leaf: int = integer(1, 1, 1000, log=True, help="the fewest points that a leaf may hold")
    loss: str = choice("squared", tuple(LOSSES), labels=LOSSES, help="what the levels of leaves lower")

    def steps(self, data: Dataset, rng: Generator) -> Iterator[StepCurve]:
        forest = CurveForest(
            trees=self.trees,
            draw=partial(everything, len(data)),
            grower=ExtraGrower,
            limits=Limits(max_depth=self.max_depth, min_leaf=self.min_leaf),
            bagged=False,
            absolute=self.loss == "absolute",
        )
        return forest.steps(data, rng)
