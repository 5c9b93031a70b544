"""Voting: the most weighted votes of different models on the same points, or the mean of their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator

from vizml.data.params import Items, Real
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, REGRESS, CannotLearn, Classifier, Regressor, choice, register, text
from vizml.learn.ensembles.common import REGRESSORS, CombinedRegressor, EnsembleModel, no_regressors
from vizml.learn.ensembles.members import (
    MemberMean,
    member_items,
    no_members,
    parse_members,
    parse_weights,
    train_member,
)
from vizml.learn.training_data import TrainingData
from vizml.scene.typesetting import without_rounding

ERROR_SAMPLE = 500
"""Largest number of training points for the error rates in notes: some members are slow to predict."""


WEIGHTS: Any = text(
    "", parse_weights, "non-negative numbers separated by commas, such as 2,1,1, or nothing",
    items=Items(Real(default=1.0, lo=0.0, hi=10.0, help="Weight of a member."), least=0),
    help="Weight of each member's vote. By default all members have the same weight.",
)  # fmt: skip


@register(
    "voting", CLASSIFY, "Ensembles", "Voting",
    symbols={"h": ("Class that a member predicts.", "Members")},
    synonyms=("majority vote", "ensemble of different models"),
)  # fmt: skip
class Voting(EnsembleModel):
    r"""Trains different classifiers on the same points and combines their predictions by a majority vote or
    by the mean of their probabilities.

    .. math::
        \hat y(x) = \arg\max_k \sum_m w_m\, [ h_m(x) = k ] \quad \mathrm{(hard)}
        \hat y(x) = \arg\max_k \sum_m w_m\, \hat p_m(k \mid x) \quad \mathrm{(soft)}
    """

    members: str = text(
        "logistic,knn,tree", parse_members, "classifiers separated by commas, such as svm(C=10),knn,tree",
        items=member_items(),
        help="Classifiers that vote, each with its parameters in brackets.",
    )  # fmt: skip
    vote: str = choice(
        "soft", ("hard", "soft"),
        labels={"hard": "hard: majority of predictions", "soft": "soft: mean of probabilities"},
        help="Hard voting by predicted classes, or soft voting by probabilities. Margins count as certain "
        "from a lead of 2 on.",
    )  # fmt: skip
    weights: str = WEIGHTS

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[MemberMean]:
        models = parse_members(self.members)
        weights = _weights(self.weights, len(models))
        mean = no_members(data, tuple(model.title for model in models), weights, hard=self.vote == "hard")
        for model in models:
            mean = mean.add((yield from train_member(model, data, rng, mean.report, every=every)))
            yield mean.later(note=partial(_note, data))


@register(
    "voting", REGRESS, "Ensembles", "Voting",
    symbols={"f": ("Prediction of a member.", "Members"), "w": ("Weight of a member.",)},
    synonyms=("weighted average", "ensemble of different models", "heterogeneous ensemble"),
)  # fmt: skip
class VotingRegression(EnsembleModel):
    r"""Fits different regression models to the same points and predicts the weighted average of their
    predictions.

    .. math::
        \hat y(x) = \sum_m w_m f_m(x) \, / \, \sum_m w_m
    """

    members: str = text(
        "linear,knn,tree", partial(parse_members, task=REGRESS), REGRESSORS, items=member_items(REGRESS),
        help="Regression models that are averaged, each with its parameters in brackets.",
    )  # fmt: skip
    weights: str = WEIGHTS

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[CombinedRegressor]:
        models = parse_members(self.members, REGRESS)
        titles = tuple(model.title for model in models)
        average = no_regressors(data, titles, _weights(self.weights, len(models)))
        for model in models:
            average = average.add((yield from train_member(model, data, rng, average.report, every=every)))
            note = f"{model.title}: {_squared_error(average.members[-1], data)}"
            if average.size > 1:
                note += f"; average of {average.size} members {_squared_error(average, data)}"
            yield replace(average, note=note)


def _squared_error(state: Regressor, data: TrainingData) -> str:
    residuals = without_rounding(data.y - state.expected(data.X), data.y)
    return f"mean squared error {np.mean(residuals**2):.4g}"


def _weights(text: str, members: int) -> Floats:
    """Weights of the members, 1 for each where the text is empty."""
    weights = parse_weights(text)
    if weights and len(weights) != members:
        raise CannotLearn(f"weights holds {len(weights)} numbers for {members} members: give one for each")
    return np.array(weights) if weights else np.ones(members)


def _note(data: TrainingData, mean: MemberMean) -> str:
    error, sample = _error_rate(mean.members[-1], data), min(len(data), ERROR_SAMPLE)
    note = f"{mean.titles[-1]}: error rate {error:.1%} on {sample:,} training points"
    if mean.size > 1:
        note += f"; vote of {mean.size} members {_error_rate(mean, data):.1%}"
    return note


def _error_rate(state: Classifier, data: TrainingData) -> float:
    """Error rate on evenly spaced training points."""
    rows = np.linspace(0, len(data) - 1, min(len(data), ERROR_SAMPLE)).astype(np.int64)
    return float((state.coded(data.X[rows]) != data.labels[rows]).mean())
