"""Extremely randomised trees for curves: the mean of regression trees with random thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from numpy.random import Generator

from vizml.learn import REGRESS, register
from vizml.learn.ensembles import settings
from vizml.learn.ensembles.ensemble import Ensemble
from vizml.learn.ensembles.extra_trees import everything
from vizml.learn.ensembles.step_curve import CurveForest, StepCurve
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits


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
class ExtraTreesCurve(Ensemble):
    trees: int = settings.trees("how many trees are averaged")
    max_depth: int = settings.depth(0, 0, 50)
    min_leaf: int = settings.leaf()
    loss: str = settings.levels()

    def joining(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[StepCurve]:
        forest = CurveForest(
            trees=self.trees,
            draw=partial(everything, len(data)),
            chance=True,
            limits=GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf),
            bagged=False,
            absolute=self.loss == "absolute",
        )
        return forest.steps(data, rng, every=every)
