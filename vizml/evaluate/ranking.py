"""Ranking metrics of scores: ROC and precision-recall curves, calibration, log-loss, the best threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from vizml.evaluate.metrics import multiclass_brier, multiclass_log_loss, same_length
from vizml.field.arrays import Floats, Ints, Mask

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Aim: TypeAlias = Literal["error", "f1", "cost"]


@dataclass(frozen=True, eq=False)
class Roc:
    """True against false positive rates at falling thresholds; at the first one nothing is positive."""

    fpr: Floats
    tpr: Floats
    thresholds: Floats

    @property
    def auc(self) -> float:
        """Area under the curve: probability that a positive outranks a negative; ties count half."""
        return float(np.trapezoid(self.tpr, self.fpr))


@dataclass(frozen=True, eq=False)
class PrecisionRecall:
    """Precision against recall at rising thresholds; the last point has recall 0 and precision 1."""

    precision: Floats
    recall: Floats
    thresholds: Floats

    @property
    def ap(self) -> float:
        """Average precision: the sum of precisions weighted by the gains in recall."""
        return float(-np.sum(np.diff(self.recall) * self.precision[:-1]))


@dataclass(frozen=True, eq=False)
class Calibration:
    """Mean predicted probability, observed frequency and count of each bin."""

    predicted: Floats
    observed: Floats
    counts: Ints


def roc(y: ArrayLike, score: ArrayLike) -> Roc:
    """Return the ROC curve. Rates of a class without rows are NaN.

    Of two labels in y, such as 0 and 1, -1 and 1, or words, the higher one is positive.
    """
    hits, alarms, thresholds = _cumulated(y, score)
    tpr = hits / hits[-1] if hits[-1] else np.full(len(hits), np.nan)
    fpr = alarms / alarms[-1] if alarms[-1] else np.full(len(alarms), np.nan)
    return Roc(np.r_[0.0, fpr], np.r_[0.0, tpr], np.r_[np.inf, thresholds])


def pr(y: ArrayLike, score: ArrayLike) -> PrecisionRecall:
    """Return the precision-recall curve; without positives recall is 1 throughout, as in scikit-learn."""
    hits, alarms, thresholds = _cumulated(y, score)
    precision = hits / (hits + alarms)
    recall = hits / hits[-1] if hits[-1] else np.ones(len(hits))
    return PrecisionRecall(np.r_[precision[::-1], 1.0], np.r_[recall[::-1], 0.0], thresholds[::-1])


def best_threshold(
    y: ArrayLike, score: ArrayLike, aim: Aim = "error", *, miss: float = 1.0, alarm: float = 1.0
) -> float:
    """Return the threshold (score >= it is positive) of lowest error or cost, or highest F1."""
    hits, alarms, thresholds = _cumulated(y, score)
    hits, alarms = np.r_[0.0, hits], np.r_[0.0, alarms]
    missed = hits[-1] - hits
    if aim == "f1":
        loss = -2.0 * hits / np.maximum(2.0 * hits + alarms + missed, 1.0)
    else:
        loss = missed + alarms if aim == "error" else miss * missed + alarm * alarms
    return float(np.r_[np.inf, thresholds][int(np.argmin(loss))])


def calibration(y: ArrayLike, probability: ArrayLike, bins: int = 10) -> Calibration:
    """Return the calibration curve over equally wide bins; empty bins are left out."""
    truth, share = _checked(y, probability)
    if ((share < 0) | (share > 1)).any():
        raise ValueError("calibration needs probabilities: they must be from 0 to 1")
    which = np.minimum((share * bins).astype(int), bins - 1)
    counts = np.bincount(which, minlength=bins)
    filled = counts > 0
    predicted = np.bincount(which, share, bins)[filled] / counts[filled]
    observed = np.bincount(which, truth, bins)[filled] / counts[filled]
    return Calibration(predicted, observed, counts[filled])


def log_loss(y: ArrayLike, probability: ArrayLike) -> float:
    """Return the mean of -log p of the true class; probabilities are clipped."""
    truth, share = _checked(y, probability)
    return multiclass_log_loss(truth, np.column_stack([1.0 - share, share]), (False, True))


def brier(y: ArrayLike, probability: ArrayLike) -> float:
    """Return the mean squared difference of probability and outcome."""
    truth, share = _checked(y, probability)
    return multiclass_brier(truth, np.column_stack([1.0 - share, share]), (False, True))


def _cumulated(y: ArrayLike, score: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return true and false positives at each distinct score, falling, and the scores."""
    truth, value = _checked(y, score)
    order = np.argsort(-value, kind="stable")
    truth, value = truth[order], value[order]
    ends = np.r_[np.flatnonzero(np.diff(value)), len(value) - 1]
    hits = np.cumsum(truth, dtype=np.float64)[ends]
    return hits, 1.0 + ends - hits, value[ends]


def _checked(y: ArrayLike, score: ArrayLike) -> tuple[Mask, Floats]:
    truth, value = same_length(y, score)
    numbers = np.asarray(value, dtype=np.float64)
    if np.isnan(numbers).any():
        which = int(np.argmax(np.isnan(numbers)))
        raise ValueError(f"score {which} is not a number: every row needs a score")
    labels = np.unique(truth)
    positive = truth == labels[1] if len(labels) == 2 else truth.astype(np.float64) > 0
    return np.asarray(positive, dtype=np.bool_), numbers
