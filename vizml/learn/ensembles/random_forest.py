"""Random forest: the mean of trees on bootstrap samples, each split the best of m axes drawn at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from numpy.random import Generator

from vizml.learn import CLASSIFY, register
from vizml.learn.ensembles import settings
from vizml.learn.ensembles.averages import Average, Forest
from vizml.learn.ensembles.bags import bootstrap
from vizml.learn.ensembles.ensemble import Ensemble
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits


@register(
    "random_forest",
    task=CLASSIFY,
    family="Ensembles",
    title="Random forest",
    about="Averages trees that each saw another sample of the points and could choose among few axes.",
    formula=(
        r"\hat p(x) = \frac{1}{B} \sum_{b=1}^{B} \hat p_b(x)",
        r"\mathrm{Var} = \rho\, \sigma^2 + \frac{1 - \rho}{B}\, \sigma^2",
    ),
)
@dataclass(frozen=True)
class RandomForest(Ensemble):
    trees: int = settings.trees("how many trees vote")
    m: int = settings.axes()
    derived: bool = settings.diagonals()
    max_depth: int = settings.depth(0, 0, 50)
    min_leaf: int = settings.leaf("different points")
    criterion: str = settings.impurity()

    def joining(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[Average]:
        forest = Forest(
            trees=self.trees,
            draw=partial(bootstrap, len(data), 1.0, rng=rng),
            limits=GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf),
            m=self.m,
            criterion=self.criterion,
            derived=self.derived,
        )
        return forest.steps(data, rng, every=every)
