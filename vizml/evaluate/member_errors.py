"""Errors of members and of their average: for a squared error E_ens <= E_mean (Jensen's inequality)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn import Classifier, State, TrainingData
from vizml.learn.coded import CodedState
from vizml.learn.ensembles.common import MeanState
from vizml.learn.ensembles.members import class_shares


class MemberErrors(NamedTuple):
    """Errors of the first 1, 2, ..., B members."""

    each: Floats
    """Error of each member."""
    mean: Floats
    """Mean of the errors of the first members, with their weights."""
    ensemble: Floats
    """Error of the average of the first members."""


def member_errors(values: Floats, weights: Floats, truth: Floats, *, decided: bool = False) -> MemberErrors:
    """Return the errors of predictions (B, n, K) of a truth (n, K).

    The error is squared; of class shares it is halved, so that for two classes it is (p - y)^2, the Brier
    score. With `decided` it is the error rate of the classes with the largest share.
    """
    totals = weights.cumsum()
    totals[totals == 0] = 1.0
    averages = (values * weights[:, None, None]).cumsum(axis=0) / totals[:, None, None]

    def errors(predictions: Floats) -> Floats:
        if decided:
            return np.asarray((predictions.argmax(axis=2) != truth.argmax(axis=1)).mean(axis=1))
        return np.asarray(((predictions - truth) ** 2).sum(axis=2).mean(axis=1) / min(truth.shape[1], 2))

    each = errors(values)
    return MemberErrors(each, (weights * each).cumsum() / totals, errors(averages))


def averaged_predictions(state: State | None, X: Floats) -> tuple[Floats, Floats] | None:
    """Return predictions (B, n, K) and weights (B,) of members that are averaged; None without any."""
    if isinstance(state, CodedState):
        return averaged_predictions(state.inner, state.coding.transform(X))
    return state.averaged(X) if isinstance(state, MeanState) and state.size else None


def predictions(state: State, like: State, X: Floats) -> Floats:
    """Return the predictions (n, K) of a state: numbers, or shares of the classes of another state."""
    if isinstance(state, Classifier) and isinstance(like, Classifier):
        return np.asarray(class_shares(state, state.scores(X).T, like.classes).T)
    return np.asarray(state.predict(X), dtype=np.float64)[:, None]


def true_values(state: State, data: TrainingData) -> Floats:
    """Return the targets (n, 1), or 1 for the class of each row and 0 for the others (n, K)."""
    if isinstance(state, Classifier):
        return np.asarray(data.labels[:, None] == state.classes, dtype=np.float64)
    return data.y[:, None]
