"""Extremely randomised trees: on all points, each split the best of m axes with one random threshold each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.random import Generator

from vizml.learn import CLASSIFY, flag, register
from vizml.learn.ensembles import settings
from vizml.learn.ensembles.averages import Average, Forest
from vizml.learn.ensembles.bags import Counts, bootstrap
from vizml.learn.ensembles.ensemble import Ensemble
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits
from vizml.learn.trees.random_growth import ExtraTreesGrower


@register(
    "extra_trees",
    task=CLASSIFY,
    family="Ensembles",
    title="Extra trees",
    about="Averages trees whose thresholds are drawn at random, the best of a few being taken.",
    formula=(
        r"t_j \sim \mathcal{U}( \min_i x_{ij},\, \max_i x_{ij} )",
        r"\hat p(x) = \frac{1}{B} \sum_{b=1}^{B} \hat p_b(x)",
    ),
)
@dataclass(frozen=True)
class ExtraTrees(Ensemble):
    trees: int = settings.trees("how many trees vote")
    m: int = settings.axes()
    derived: bool = settings.diagonals()
    max_depth: int = settings.depth(0, 0, 50)
    min_leaf: int = settings.leaf("different points")
    criterion: str = settings.impurity()
    bootstrap: bool = flag(
        False, help="each tree sees a sample with replacement, so that there is an out-of-bag error"
    )

    def joining(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[Average]:
        drawn = partial(bootstrap, len(data), 1.0, rng=rng)
        forest = Forest(
            trees=self.trees,
            draw=drawn if self.bootstrap else partial(everything, len(data)),
            grower=ExtraTreesGrower,
            limits=GrowthLimits(max_depth=self.max_depth, min_leaf=self.min_leaf),
            m=self.m,
            criterion=self.criterion,
            derived=self.derived,
            bagged=self.bootstrap,
        )
        return forest.steps(data, rng, every=every)


def everything(n: int, members: int) -> Counts:
    """Every point once for each of so many trees."""
    return np.ones((members, n), dtype=np.int64)
