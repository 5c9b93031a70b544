"""Random forest for curves: the mean of regression trees on bootstrap samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from numpy.random import Generator

from vizml.learn import REGRESS, register
from vizml.learn.ensembles import settings
from vizml.learn.ensembles.bags import bootstrap
from vizml.learn.ensembles.ensemble import Ensemble
from vizml.learn.ensembles.step_curve import CurveForest, StepCurve
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits


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
class RandomForestCurve(Ensemble):
    trees: int = settings.trees("how many trees are averaged")
    max_depth: int = settings.depth(0, 0, 50)
    min_leaf: int = settings.leaf("different points")
    loss: str = settings.levels()

    def joining(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[StepCurve]:
        forest = CurveForest(
            trees=self.trees,
            draw=partial(bootstrap, len(data), 1.0, rng=rng),
            limits=GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf),
            absolute=self.loss == "absolute",
        )
        return forest.steps(data, rng, every=every)
