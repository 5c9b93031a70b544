"""Fits to bootstrap samples, and what can be told of each: coefficients, its curve, its scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.data import Dataset
from vizml.evaluate.folds import bootstraps
from vizml.evaluate.judging import against_rest, score
from vizml.evaluate.ranking import roc
from vizml.learn import CannotLearn, Classifier, Model, Scale, State, fit_data

Floats: TypeAlias = NDArray[np.float64]
Coefficients: TypeAlias = tuple[tuple[str, ...], Floats]
INSIDE = 1.0 - np.exp(-1.0)
"""The share of the points that a large sample holds: 63.2 %."""
PLANE = ("intercept", "x", "y")
EXACT = 1e-6
"""A classifier is a plane where its lead is one, but for this share of it."""


@dataclass(frozen=True, eq=False)
class Refit:
    """What was learned from a sample with replacement, and the points that it left out."""

    state: State
    sample: Dataset
    left: Dataset


def refits(model: Model, data: Dataset, draws: int, seed: int, fit_seed: int) -> Iterator[Refit]:
    """One for each sample that can be learned from."""
    for rows in bootstraps(len(data), draws, seed):
        outside = np.ones(len(data), dtype=bool)
        outside[rows] = False
        sample = Dataset(data.points[rows], data.labels[rows], data.classes, data.axes)
        try:
            yield Refit(fit_data(model, sample, fit_seed), sample, data.take(outside))
        except CannotLearn:
            continue


def coefficients(state: State, points: Floats) -> Coefficients:
    """The coefficients of a state with their names: those that it tells, or those of its plane."""
    if hasattr(state, "coefficients"):
        return _told(state, np.ravel(state.coefficients))
    if isinstance(state, Classifier) and len(state.classes) == 2:
        return _plane(state, points)
    return (), np.empty(0)


def figures(refit: Refit) -> dict[str, float]:
    """Its score on its own sample and on the points that it left out, and there its area below the ROC."""
    found = {
        "train": _known(score(refit.state, refit.sample)),
        "left out": _known(score(refit.state, refit.left)),
    }
    if isinstance(refit.state, Classifier):
        found["AUC"] = auc(refit.state, refit.left)
    return found


def auc(state: Classifier, data: Dataset) -> float:
    """The area below the ROC curve; of more classes the mean of each against the rest."""
    if len(state.classes) < 2 or not len(data):
        return float("nan")
    areas = [roc(data.labels == label, lead).auc for label, lead in against_rest(state, data.points)]
    return float(np.mean(areas))


def estimates(whole: State, data: Dataset, rows: list[dict[str, float]]) -> dict[str, tuple[float, Floats]]:
    """For each figure what is estimated, and its values over refits; .632 weighs the first two."""
    values = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    own = _known(score(whole, data))
    mixed = (1.0 - INSIDE) * own + INSIDE * values["left out"]
    found = {"train": (own, values["train"]), "left out": (_mean(values["left out"]), values["left out"])}
    found[".632"] = (_mean(mixed), mixed)
    if "AUC" in values:
        found["AUC"] = (_mean(values["AUC"]), values["AUC"])
    return {name: pair for name, pair in found.items() if np.isfinite(pair[1]).any()}


def _told(state: State, known: Floats) -> Coefficients:
    """What the figures of a state say of its coefficients."""
    rounded = {round(float(value), 12) for value in known}
    told = {
        name: value
        for name, value in state.metrics().items()
        if name == "intercept" or round(float(value), 12) in rounded
    }
    return tuple(told), np.array(list(told.values()), dtype=np.float64)


def _plane(state: Classifier, points: Floats) -> Coefficients:
    """The plane whose sign parts two classes, where there is one; a margin is 1 from the boundary."""
    scores = state.scores(points)
    lead = scores[:, 1] - scores[:, 0]
    design = np.column_stack([np.ones(len(points)), points])
    weights, *_ = np.linalg.lstsq(design, lead, rcond=None)
    if np.abs(design @ weights - lead).max() > EXACT * max(float(np.ptp(lead)), 1e-300):
        return (), np.empty(0)
    share = 0.5 if state.scale is Scale.MARGIN else 1.0
    return PLANE, np.asarray(share * weights, dtype=np.float64)


def _known(value: float | None) -> float:
    return float("nan") if value is None else value


def _mean(values: Floats) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else float("nan")
