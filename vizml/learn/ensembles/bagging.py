"""Bagging: the mean of one model's predictions from B bootstrap samples, p(x) = 1/B sum_b p_b(x)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.random import Generator

from vizml.data.wording import plural
from vizml.field.arrays import Ints
from vizml.learn import CLASSIFY, REGRESS, Model, integer, real, register, text
from vizml.learn.ensembles import common
from vizml.learn.ensembles.common import no_regressors
from vizml.learn.ensembles.forest_solver import ForestOptions
from vizml.learn.ensembles.forest_state import forest_states
from vizml.learn.ensembles.members import class_shares, member_items, no_members, parse_member, train_member
from vizml.learn.ensembles.out_of_bag import OutOfBag, OutOfBagMeans, OutOfBagVotes, bootstrap_counts
from vizml.learn.state import State
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.tree import DecisionTree, RegressionTree

DOUBLE_COUNT = (
    "Note 001 writes 2/B² Σ ε(j) ε(k) over j ≠ k, which counts each pair twice; correct is 2/B² over j < k."
)
BASE_HELP = "Base model that is trained on each bootstrap sample, with its parameters in brackets."


@register(
    "bagging", CLASSIFY, "Ensembles", "Bagging",
    symbols={
        "p": ("Class probabilities of a member and their mean.", "Members"),
        "ρ": ("Correlation between members.",), "σ": ("Standard deviation of a member.",),
    },
    remarks=(DOUBLE_COUNT,),
    synonyms=("bootstrap aggregating", "bagged trees", "out-of-bag error", "OOB"),
)  # fmt: skip
class Bagging(common.EnsembleModel):
    """Trains a classifier on bootstrap samples of the points (drawn with replacement) and averages the
    predictions.
    """

    formula = (r"\hat p(x) = \frac{1}{B} \sum_{b=1}^{B} \hat p_b(x)", common.VARIANCE_FORMULA)
    base: str = text(
        "tree", parse_member, "a classifier, such as tree or knn(k=3)",
        help=BASE_HELP, items=member_items(most=1),
    )  # fmt: skip
    members: int = integer(25, 1, 200, log=True, symbol="B", help="Number of bootstrap samples and members.")
    share: float = real(
        1.0, 0.1, 1.0, title="sample size", help="Size of each bootstrap sample as a share of all points."
    )

    @property
    def single(self) -> Model:
        return parse_member(self.base, self.task)

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[State]:
        base = self.single
        if isinstance(base, DecisionTree | RegressionTree) and base.prune == "none":
            # a forest grows many trees together
            rule = base.criterion if isinstance(base, DecisionTree) else base.loss
            options = ForestOptions(
                trees=self.members, limits=base.limits, sample=self.share, rule=rule, sets="members"
            )
            return forest_states(options, data, rng, every=every)
        return self._one_by_one(base, data, rng)

    def _one_by_one(self, base: Model, data: TrainingData, rng: Generator) -> Iterator[State]:
        classes = data.present
        mean = no_members(data, tuple(f"member {number + 1}" for number in range(self.members)))
        votes = OutOfBagVotes(np.searchsorted(classes, data.labels), len(classes))
        for number in range(self.members):
            drawn = bootstrap_counts(len(data), self.share, 1, rng)
            member = yield from train_member(base, _sample(data, drawn[0]), rng, mean.report, every=False)
            shares = class_shares(member, member.scores(data.X).T, classes).T
            bag = votes.add(drawn == 0, shares[None])
            mean = replace(mean.add(member, bag), note=_note(number + 1, bag, f"{bag.errors[0]:.1%}"))
            yield mean


@register(
    "bagging", REGRESS, "Ensembles", "Bagging",
    symbols={
        "y": ("Prediction of a member and their mean.", "Members"), "ρ": ("Correlation between members.",),
        "σ": ("Standard deviation of a member.",),
    },
    remarks=(DOUBLE_COUNT,),
    synonyms=("bootstrap aggregating",),
)  # fmt: skip
class BaggingRegression(Bagging):
    """Fits a regression model to bootstrap samples of the points (drawn with replacement) and averages the
    predictions.
    """

    formula = (r"\hat y(x) = \frac{1}{B} \sum_{b=1}^{B} \hat y_b(x)", common.VARIANCE_FORMULA)
    base: str = text(
        "tree",
        partial(parse_member, task=REGRESS),
        "a regression model, such as tree or linear(degree=5)",
        help=BASE_HELP,
        items=member_items(REGRESS, most=1),
    )

    def _one_by_one(self, base: Model, data: TrainingData, rng: Generator) -> Iterator[State]:
        state = no_regressors(data, tuple(f"member {number + 1}" for number in range(self.members)))
        means = OutOfBagMeans(data.y)
        for number in range(1, self.members + 1):
            drawn = bootstrap_counts(len(data), self.share, 1, rng)
            last = yield from train_member(base, _sample(data, drawn[0]), rng, state.report, every=False)
            bag = means.add(drawn == 0, last.expected(data.X)[None])
            state = replace(state.add(last, bag), note=_note(number, bag, f"{bag.errors[0]:.4g}"))
            yield state


def _sample(data: TrainingData, drawn: Ints) -> TrainingData:
    """Rows as often as they were drawn."""
    return replace(data.take(np.repeat(np.arange(len(data)), drawn)), ids=None)


def _note(number: int, bag: OutOfBag, error: str) -> str:
    out, n = int(np.count_nonzero(bag.mask)), bag.mask.shape[1]
    note = f"member {number}: {out:,} of {plural(n, 'point')} out of bag"
    return f"{note}; out-of-bag error of the mean {error}" if bag.voted[0] else note
