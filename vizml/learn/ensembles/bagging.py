"""Bagging: the mean of one model's answers on B bootstrap samples, p(x) = 1/B sum_b p_b(x)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.random import Generator

from vizml.learn import CLASSIFY, Classifier, Model, register, text
from vizml.learn.ensembles import settings
from vizml.learn.ensembles.averages import Forest
from vizml.learn.ensembles.bags import Bag, Ballot, bootstrap
from vizml.learn.ensembles.committee import Assembly, Committee
from vizml.learn.ensembles.ensemble import Ensemble
from vizml.learn.ensembles.members import parse_member, shares, training
from vizml.learn.state import Ints
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits
from vizml.learn.trees.tree import DecisionTree


@register(
    "bagging",
    task=CLASSIFY,
    family="Ensembles",
    title="Bagging",
    about="Trains one model on many samples of the points, drawn with replacement, and averages the answers.",
    formula=(
        r"\hat p(x) = \frac{1}{B} \sum_{b=1}^{B} \hat p_b(x)",
        r"\mathrm{Var} = \rho\, \sigma^2 + \frac{1 - \rho}{B}\, \sigma^2",
    ),
)
@dataclass(frozen=True)
class Bagging(Ensemble):
    base: str = text(
        "tree", parse_member, "a classifier, such as tree or knn(k=3)",
        help="the model that is trained again and again, with its parameters in brackets",
    )  # fmt: skip
    members: int = settings.members()
    share: float = settings.share()

    def joining(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[Classifier]:
        base = parse_member(self.base)
        if isinstance(base, DecisionTree) and base.prune == "none":
            return self._forest(base, len(data), rng).steps(data, rng, every=every)
        return self._one_by_one(base, data, rng)

    def _forest(self, base: DecisionTree, n: int, rng: Generator) -> Forest:
        """Trees grow together."""
        return Forest(
            trees=self.members,
            draw=partial(bootstrap, n, self.share, rng=rng),
            limits=GrowthLimits(max_depth=base.max_depth, min_leaf=base.min_leaf, min_split=base.min_split),
            m=2,
            criterion=base.criterion,
            sets="members",
        )

    def _one_by_one(self, base: Model, data: TrainingData, rng: Generator) -> Iterator[Committee]:
        classes = data.present
        assembly = Assembly(data, tuple(f"member {number + 1}" for number in range(self.members)))
        ballot = Ballot(np.searchsorted(classes, data.labels), len(classes))
        for number in range(self.members):
            drawn = bootstrap(len(data), self.share, 1, rng)
            sample = _sample(data, drawn[0])
            member = yield from training(base, sample, rng, assembly.tell)
            bag = ballot.add(drawn == 0, shares(member, data.points, classes)[None])
            assembly.join(member, bag)
            yield assembly.state(_note(number, sample, data, bag))


def _sample(data: TrainingData, drawn: Ints) -> TrainingData:
    """Points as often as they were drawn; they are others than the data's, so their ids are new."""
    rows = np.repeat(np.arange(len(data)), drawn)
    return TrainingData(
        data.points[rows], labels=data.labels[rows], classes=data.classes, columns=data.columns
    )


def _note(number: int, sample: TrainingData, data: TrainingData, bag: Bag) -> str:
    out = int(np.count_nonzero(bag.out))
    note = f"member {number + 1}: {len(sample):,} drawn, {out:,} of {len(data):,} points left out"
    if not bag.voted[0]:
        return note
    return f"{note}; out-of-bag error of the vote {bag.errors[0]:.1%}"
