"""Metrics of predictions: accuracy, R2, the confusion matrix with its rates, log-loss, Brier score."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field.arrays import Floats, Ints, Mask
from vizml.field.cancellation import check_cancelled
from vizml.learn import Classifier, Scale, State, TrainingData
from vizml.learn.state import softmax
from vizml.scene.typesetting import typeset

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from vizml.data import Dataset

Predictions: TypeAlias = NDArray[Any]
BATCH = 16_384
"""Rows that are predicted at once: between two batches a superseded request can end."""
EPSILON = float(np.finfo(np.float64).eps)
"""Distance that the log-loss keeps from probabilities of 0, as scikit-learn does."""
ROUNDING = 1e-9
"""Tolerance for probabilities beyond 0 and 1."""


# -- single scores --


def accuracy(y: ArrayLike, predicted: ArrayLike) -> float:
    """Return the share of correct predictions."""
    truth, guess = same_length(y, predicted)
    return float(np.mean(truth == guess))


def r2(y: ArrayLike, predicted: ArrayLike) -> float:
    """Return 1 - RSS / TSS, the share of explained variance; NaN for a constant y."""
    truth, guess = same_length(y, predicted)
    values, fitted = truth.astype(np.float64), guess.astype(np.float64)
    # roots of the sums, as squares of large differences overflow
    residual, total = (float(np.hypot.reduce(values - centre)) for centre in (fitted, values.mean()))
    if total == 0.0:
        return 1.0 if residual == 0.0 else float("nan")
    return 1.0 - (residual / total) * (residual / total)


METRICS: dict[str, Callable[[ArrayLike, ArrayLike], float]] = {"accuracy": accuracy, "r2": r2}
"""The metric of a task by the key of its score."""


def score(state: State, data: Dataset, threshold: float = 0.0) -> float | None:
    """Return the score of the state's task on the rows with a known target; None where there is none."""
    return known_score(state, state.training_data(data), threshold) if len(data) else None


def known_score(state: State, known: TrainingData, threshold: float = 0.0) -> float | None:
    """Return the score on rows with known targets; None where there is none."""
    task = state.task
    if task.score is None or not len(known):
        return None
    truth = known.labels if len(known.labels) else known.y
    predict: Callable[[Floats], Predictions] = state.coded
    if threshold and isinstance(state, Classifier):
        predict = partial(codes_with_threshold, state, threshold=threshold)
    # a single batch is the array itself: a state may recognise its training data
    predicted = predict(known.X) if len(known) <= BATCH else _in_batches(predict, known.X)
    value = METRICS[task.score.key](truth, predicted)
    return value if np.isfinite(value) else None


def _in_batches(predict: Callable[[Floats], Predictions], X: Floats) -> Predictions:
    """Predict in batches of neighbouring rows: those share the same few training points."""
    order = X[:, 0].argsort(kind="stable")
    parts = []
    for start in range(0, len(X), BATCH):
        check_cancelled()
        parts.append(predict(X[order[start : start + BATCH]]))
    found = np.concatenate(parts)
    found[order] = found.copy()
    return found


def binary_classifier(state: State | None) -> Classifier | None:
    """Return a state whose threshold can be chosen: a classifier of two classes; None for others."""
    return state if isinstance(state, Classifier) and len(state.classes) == 2 else None


def codes_with_threshold(state: Classifier, X: ArrayLike, threshold: float = 0.0) -> Ints:
    """Return the codes of predicted classes: the second of two where its score leads by a threshold."""
    if threshold == 0.0 or len(state.classes) != 2:
        return state.coded(X)
    scores = state.scores(X)
    labels: Ints = state.classes[(scores[:, 1] - scores[:, 0] >= threshold).astype(np.int64)]
    return labels


def threshold_at(state: Classifier, lead: float) -> float:
    """Return the threshold of a lead of the second class: its probability, or the decision value.

    A decision value f(x) is half of the lead: the scores of two classes are -f and f.
    """
    if not state.has_proba:
        return lead / 2
    share = (1.0 + lead) / 2 if state.scale is Scale.SHARE else softmax(np.array([0.0, lead]))[1]
    return float(np.clip(share, 0.0, 1.0))


def lead_at(state: Classifier, threshold: float) -> float:
    """Return the lead of the second class at a threshold; the inverse of `threshold_at`."""
    if not state.has_proba:
        return 2 * threshold
    if not 0.0 < threshold < 1.0:
        raise ValueError(f"the threshold of a probability must be between 0 and 1, not {threshold:g}")
    return 2 * threshold - 1 if state.scale is Scale.SHARE else math.log(threshold / (1 - threshold))


def threshold_text(state: Classifier, lead: float, name: str) -> str:
    """Return the threshold of a lead as the probability of a class, called `name`, or as a decision value."""
    quantity = f"P({name})" if state.has_proba else "f(x)"
    return typeset(f"{quantity} = {threshold_at(state, lead):.3g}")


def one_vs_rest_scores(state: Classifier, X: Floats) -> Iterator[tuple[int, Floats]]:
    """Yield the positive class and its lead over the best other class: the second of two, else each class."""
    scores = state.scores(X)
    if len(state.classes) == 2:
        yield int(state.classes[1]), scores[:, 1] - scores[:, 0]
        return
    for k, label in enumerate(state.classes):
        yield int(label), scores[:, k] - np.delete(scores, k, axis=1).max(axis=1)


def decision_margins(state: Classifier, data: TrainingData) -> Floats:
    """Return y f(x) of each row with y = 1 or -1; of more classes the lead of the true class in units of f.

    f is the log-odds of the second class where the scores are probabilities.
    """
    scores = state.scores(data.X)
    if state.scale is Scale.SHARE:
        scores = np.log(np.clip(scores, EPSILON, 1.0))
    rows, own = np.arange(len(data)), np.searchsorted(state.classes, data.labels)
    true = scores[rows, own]
    scores = scores.copy()
    scores[rows, own] = -np.inf
    margins: Floats = (true - scores.max(axis=1)) * state.lead_unit
    return margins


def same_length(y: ArrayLike, predicted: ArrayLike) -> tuple[NDArray[np.generic], NDArray[np.generic]]:
    """Return two arrays of the same length, or raise a ValueError."""
    truth, guess = np.asarray(y), np.asarray(predicted)
    if truth.shape != guess.shape or truth.ndim != 1 or not len(truth):
        raise ValueError(
            f"as many predictions as true values are needed, not {truth.shape} and {guess.shape}"
        )
    return truth, guess


# -- figures beside a score: the majority-class baseline, or MSE, RMSE, r and TSS of a regression --


def part_figures(state: State, held: Dataset | None = None) -> dict[str, float]:
    """Return the figures of the training rows, and of held-out rows with known targets.

    The baseline is the accuracy of predicting the most frequent class of the training rows everywhere.
    """
    parts = {"train": state.trained_on}
    if held is not None and len(held):
        parts["held out"] = state.training_data(held)
    return {
        f"{figure}, {name}": value
        for name, data in parts.items()
        for figure, value in target_figures(state, data).items()
        if math.isfinite(value)
    }


def target_figures(state: State, data: TrainingData) -> dict[str, float]:
    """Return the figures of rows: the baseline of classes; of numbers mean squared errors, r and TSS."""
    if not len(data):
        return {}
    if len(data.labels):
        majority = np.bincount(state.trained_on.labels).argmax()
        return {"baseline": float(np.mean(data.labels == majority))}
    if not len(data.y):
        return {}
    predicted, y = np.asarray(state.coded(data.X), dtype=np.float64), data.y
    mse = float(np.mean((y - predicted) ** 2))
    varies = np.ptp(y) > 0 and np.ptp(predicted) > 0
    r = float(np.corrcoef(y, predicted)[0, 1]) if varies else math.nan
    return {"MSE": mse, "RMSE": math.sqrt(mse), "r": r, "TSS": float(((y - y.mean()) ** 2).sum())}


# -- the confusion matrix --


@dataclass(frozen=True, eq=False)
class Confusion:
    """Counts (K, K): a row for each true class, a column for each predicted one, in the order of `labels`."""

    counts: Ints
    labels: Ints

    @property
    def rates(self) -> Floats:
        """Each row as shares of its class; NaN for a class without rows."""
        return _ratio(self.counts, self.counts.sum(axis=1, keepdims=True))


def confusion(y: ArrayLike, predicted: ArrayLike) -> Confusion:
    """Return the confusion matrix over all classes that occur in either array."""
    truth, guess = same_length(y, predicted)
    labels, codes = np.unique(np.concatenate([truth, guess]), return_inverse=True)
    k = len(labels)
    cells = codes[: len(truth)] * k + codes[len(truth) :]
    return Confusion(np.bincount(cells, minlength=k * k).reshape(k, k), labels)


def scores(y: ArrayLike, predicted: ArrayLike) -> dict[str, float]:
    """Return the metrics of a classification: of two classes those of the second, else macro averages.

    Precision, recall and F1 are 0 where their denominator is 0, as in scikit-learn; the rates are NaN.
    """
    return matrix_scores(confusion(y, predicted))


def matrix_scores(matrix: Confusion) -> dict[str, float]:
    """Return the metrics of a confusion matrix, as `scores` does."""
    share = float(np.trace(matrix.counts) / matrix.counts.sum())
    recalls = np.diagonal(matrix.rates)
    whole = {"accuracy": share, "error": 1.0 - share, "ber": 1.0 - float(np.nanmean(recalls))}
    whole |= {"kappa": _kappa(matrix.counts), "mcc": _matthews(matrix.counts)}
    each = scores_by_class(matrix).items()
    return whole | {name: float(v[1]) if len(v) == 2 else class_mean(v) for name, v in each}


def scores_by_class(matrix: Confusion) -> dict[str, Floats]:
    """Return the metrics of each class against the rest, in the order of the labels."""
    counts, tp = matrix.counts, np.diagonal(matrix.counts)
    fn, fp = counts.sum(axis=1) - tp, counts.sum(axis=0) - tp
    tn = counts.sum() - tp - fn - fp
    return {
        "precision": _ratio(tp, tp + fp, 0.0),
        "recall": _ratio(tp, tp + fn, 0.0),
        "f1": _ratio(2 * tp, 2 * tp + fp + fn, 0.0),
        "fpr": _ratio(fp, fp + tn),
        "fnr": _ratio(fn, fn + tp),
        "tpr": _ratio(tp, tp + fn),
        "tnr": _ratio(tn, tn + fp),
    }


def class_mean(values: Floats, sizes: Ints | None = None) -> float:
    """Return the mean over classes that have the metric, macro or weighted by the sizes of the classes."""
    known = ~np.isnan(values)
    weights = np.ones(len(values)) if sizes is None else sizes.astype(np.float64)
    total = float(weights[known].sum())
    return float(weights[known] @ values[known]) / total if total else float("nan")


def _kappa(counts: Ints) -> float:
    """Return Cohen's kappa: agreement beyond that of independent predictions with the same margins."""
    total = counts.sum()
    by_chance = float(counts.sum(axis=0) @ counts.sum(axis=1)) / total**2
    if by_chance == 1.0:
        return float("nan")
    return float((np.trace(counts) / total - by_chance) / (1.0 - by_chance))


def _matthews(counts: Ints) -> float:
    """Return Matthews' correlation coefficient; 0 where truth or prediction is constant."""
    total, right = float(counts.sum()), float(np.trace(counts))
    rows, columns = counts.sum(axis=1).astype(float), counts.sum(axis=0).astype(float)
    spread = (total**2 - columns @ columns) * (total**2 - rows @ rows)
    return float((right * total - rows @ columns) / np.sqrt(spread)) if spread > 0 else 0.0


def _ratio(above: Ints, below: Ints, empty: float = np.nan) -> Floats:
    ratio: Floats = np.full(np.broadcast(above, below).shape, empty)
    np.divide(above, below, out=ratio, where=below != 0)
    return ratio


# -- probabilities of any number of classes --


def multiclass_log_loss(y: ArrayLike, proba: ArrayLike, classes: ArrayLike) -> float:
    """Return the mean of -log p of the true class; a class without a probability has EPSILON."""
    hot, given = _checked_proba(y, proba, classes)
    own = np.where(hot, given, 0.0).sum(axis=1)
    return float(-np.mean(np.log(np.clip(own, EPSILON, 1.0))))


def multiclass_brier(y: ArrayLike, proba: ArrayLike, classes: ArrayLike) -> float:
    """Return the mean squared distance from the one-hot truth, 0 to 2; half of it for two classes."""
    hot, given = _checked_proba(y, proba, classes)
    unknown = 1.0 - hot.sum(axis=1)  # a class without a column has the probability 0
    found = float(np.mean(((given - hot) ** 2).sum(axis=1) + unknown))
    return found / 2 if hot.shape[1] == 2 else found


def _checked_proba(y: ArrayLike, proba: ArrayLike, classes: ArrayLike) -> tuple[Mask, Floats]:
    """Return the one-hot truth and the probabilities."""
    truth, known, given = np.asarray(y), np.asarray(classes), np.asarray(proba, dtype=np.float64)
    if given.shape != (len(truth), len(known)) or not len(truth):
        wanted = f"{len(truth)} points and {len(known)} classes"
        raise ValueError(f"{wanted} need as many probabilities, not {given.shape}")
    if not ((given >= -ROUNDING) & (given <= 1 + ROUNDING)).all():
        raise ValueError("probabilities must be from 0 to 1")
    return truth[:, None] == known[None, :], np.clip(given, 0.0, 1.0)
