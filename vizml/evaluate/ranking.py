"""How well scores put positives before negatives: ROC, precision-recall, calibration, the best threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.evaluate.confusion import same_length

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Floats: TypeAlias = NDArray[np.float64]
Aim: TypeAlias = Literal["error", "f1", "cost"]


@dataclass(frozen=True, eq=False)
class Roc:
    """The true against the false positive rate at falling thresholds; at the first nothing is positive."""

    fpr: Floats
    tpr: Floats
    thresholds: Floats

    @property
    def auc(self) -> float:
        """The area below it: the chance that a positive scores higher than a negative, ties counting half."""
        return float(np.trapezoid(self.tpr, self.fpr))


@dataclass(frozen=True, eq=False)
class PrecisionRecall:
    """Precision against recall at rising thresholds; it ends at recall 0 and precision 1."""

    precision: Floats
    recall: Floats
    thresholds: Floats

    @property
    def ap(self) -> float:
        """Average precision: the sum of precisions weighted by the gains in recall."""
        return float(-np.sum(np.diff(self.recall) * self.precision[:-1]))


@dataclass(frozen=True, eq=False)
class Calibration:
    """In each bin of predicted probability: its mean, the share that is positive, how many fell in."""

    predicted: Floats
    observed: Floats
    counts: NDArray[np.int64]


def roc(y: ArrayLike, score: ArrayLike) -> Roc:
    """The ROC curve; y is truthy for positives. A class that is missing has NaN rates."""
    hits, alarms, thresholds = _cumulated(y, score)
    tpr = hits / hits[-1] if hits[-1] else np.full(len(hits), np.nan)
    fpr = alarms / alarms[-1] if alarms[-1] else np.full(len(alarms), np.nan)
    return Roc(np.r_[0.0, fpr], np.r_[0.0, tpr], np.r_[np.inf, thresholds])


def pr(y: ArrayLike, score: ArrayLike) -> PrecisionRecall:
    """The precision-recall curve; without positives recall is 1 throughout, as scikit-learn has it."""
    hits, alarms, thresholds = _cumulated(y, score)
    precision = hits / (hits + alarms)
    recall = hits / hits[-1] if hits[-1] else np.ones(len(hits))
    return PrecisionRecall(np.r_[precision[::-1], 1.0], np.r_[recall[::-1], 0.0], thresholds[::-1])


def best_threshold(
    y: ArrayLike, score: ArrayLike, aim: Aim = "error", *, miss: float = 1.0, alarm: float = 1.0
) -> float:
    """The threshold (score >= it is positive) of least error or cost, or of highest F1."""
    hits, alarms, thresholds = _cumulated(y, score)
    hits, alarms = np.r_[0.0, hits], np.r_[0.0, alarms]
    missed = hits[-1] - hits
    if aim == "f1":
        loss = -2.0 * hits / np.maximum(2.0 * hits + alarms + missed, 1.0)
    else:
        loss = missed + alarms if aim == "error" else miss * missed + alarm * alarms
    return float(np.r_[np.inf, thresholds][int(np.argmin(loss))])


def calibration(y: ArrayLike, probability: ArrayLike, bins: int = 10) -> Calibration:
    """How often a predicted probability comes true, in so many equal bins; empty bins are left out."""
    truth, share = _checked(y, probability)
    if ((share < 0) | (share > 1)).any():
        raise ValueError("calibration is of probabilities: they must lie from 0 to 1")
    which = np.minimum((share * bins).astype(int), bins - 1)
    counts = np.bincount(which, minlength=bins)
    filled = counts > 0
    predicted = np.bincount(which, share, bins)[filled] / counts[filled]
    observed = np.bincount(which, truth, bins)[filled] / counts[filled]
    return Calibration(predicted, observed, counts[filled])


def log_loss(y: ArrayLike, probability: ArrayLike) -> float:
    """The mean of -log p of the class that it was; probabilities are kept an epsilon from 0 and 1."""
    truth, share = _checked(y, probability)
    tiny = np.finfo(np.float64).eps
    kept = np.clip(share, tiny, 1.0 - tiny)
    return float(-np.mean(np.where(truth, np.log(kept), np.log1p(-kept))))


def brier(y: ArrayLike, probability: ArrayLike) -> float:
    """The mean squared distance of the probability from what came."""
    truth, share = _checked(y, probability)
    return float(np.mean((share - truth) ** 2))


def _cumulated(y: ArrayLike, score: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Positives and negatives at or above each distinct score, falling."""
    truth, value = _checked(y, score)
    order = np.argsort(-value, kind="stable")
    truth, value = truth[order], value[order]
    ends = np.r_[np.flatnonzero(np.diff(value)), len(value) - 1]
    hits = np.cumsum(truth, dtype=np.float64)[ends]
    return hits, 1.0 + ends - hits, value[ends]


def _checked(y: ArrayLike, score: ArrayLike) -> tuple[NDArray[np.bool_], Floats]:
    truth, value = same_length(y, score)
    numbers = np.asarray(value, dtype=np.float64)
    if np.isnan(numbers).any():
        which = int(np.argmax(np.isnan(numbers)))
        raise ValueError(f"score {which} is not a number: every point needs a score")
    return truth.astype(np.bool_), numbers
