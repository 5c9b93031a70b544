"""What was taken for what: the confusion matrix and the figures that are read off it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Confusion:
    """Counts (K, K): a row for each true class, a column for each predicted one, in the order of `labels`."""

    counts: Ints
    labels: Ints

    @property
    def rates(self) -> Floats:
        """Each row as shares of its class; a class without points has NaN."""
        return _ratio(self.counts, self.counts.sum(axis=1, keepdims=True))

    @property
    def hits(self) -> Ints:
        """How many of each class are right: true positives, one against the rest."""
        return np.diagonal(self.counts).astype(np.int64)

    @property
    def misses(self) -> Ints:
        """How many of each class were taken for another: false negatives."""
        return np.asarray(self.counts.sum(axis=1) - self.hits)

    @property
    def alarms(self) -> Ints:
        """How many of other classes were taken for each: false positives."""
        return np.asarray(self.counts.sum(axis=0) - self.hits)

    @property
    def rest(self) -> Ints:
        """How many are neither of the class nor taken for it: true negatives."""
        return np.asarray(self.counts.sum() - self.hits - self.misses - self.alarms)


def confusion(y: ArrayLike, predicted: ArrayLike) -> Confusion:
    """The confusion matrix over all classes that occur in either."""
    truth, guess = same_length(y, predicted)
    labels, codes = np.unique(np.concatenate([truth, guess]), return_inverse=True)
    k = len(labels)
    cells = codes[: len(truth)] * k + codes[len(truth) :]
    return Confusion(np.bincount(cells, minlength=k * k).reshape(k, k), labels)


def scores(y: ArrayLike, predicted: ArrayLike) -> dict[str, float]:
    """The figures of a classification: of two classes those of the second, of more the mean over classes.

    A ratio with nothing below its bar is 0 for precision, recall and F1, as scikit-learn has it, and not a
    number for the rates.
    """
    matrix = confusion(y, predicted)
    accuracy = float(matrix.hits.sum() / matrix.counts.sum())
    whole = {"accuracy": accuracy, "error": 1.0 - accuracy, "ber": _balanced_error(matrix)}
    whole |= {"kappa": _kappa(matrix.counts), "mcc": _matthews(matrix.counts)}
    return whole | {name: _summary(values) for name, values in by_class(matrix).items()}


def by_class(matrix: Confusion) -> dict[str, Floats]:
    """The figures of each class against the rest, in the order of its labels."""
    tp, fn, fp, tn = matrix.hits, matrix.misses, matrix.alarms, matrix.rest
    return {
        "precision": _ratio(tp, tp + fp, 0.0),
        "recall": _ratio(tp, tp + fn, 0.0),
        "f1": _ratio(2 * tp, 2 * tp + fp + fn, 0.0),
        "fpr": _ratio(fp, fp + tn),
        "fnr": _ratio(fn, fn + tp),
        "tpr": _ratio(tp, tp + fn),
        "tnr": _ratio(tn, tn + fp),
    }


def mean_of(values: Floats, weights: Ints | None = None) -> float:
    """The mean over classes that have the figure, each alike or as many times as it has points."""
    known = ~np.isnan(values)
    shares = np.ones(len(values)) if weights is None else weights.astype(np.float64)
    total = float(shares[known].sum())
    return float(shares[known] @ values[known]) / total if total else float("nan")


def same_length(y: ArrayLike, predicted: ArrayLike) -> tuple[NDArray[np.generic], NDArray[np.generic]]:
    """Two rows of as many values, or a ValueError that says so."""
    truth, guess = np.asarray(y), np.asarray(predicted)
    if truth.shape != guess.shape or truth.ndim != 1 or not len(truth):
        raise ValueError(f"as many predictions as truths are needed, not {truth.shape} and {guess.shape}")
    return truth, guess


def _summary(values: Floats) -> float:
    if len(values) == 2:
        return float(values[1])
    return mean_of(values)


def _balanced_error(matrix: Confusion) -> float:
    recalls = _ratio(matrix.hits, matrix.hits + matrix.misses)
    return 1.0 - float(np.nanmean(recalls))


def _kappa(counts: Ints) -> float:
    """Cohen's: agreement beyond that of independent guesses with the same margins."""
    total = counts.sum()
    by_chance = float(counts.sum(axis=0) @ counts.sum(axis=1)) / total**2
    if by_chance == 1.0:
        return float("nan")
    return float((np.trace(counts) / total - by_chance) / (1.0 - by_chance))


def _matthews(counts: Ints) -> float:
    """The correlation of truth and prediction, for any number of classes; 0 where one of them is constant."""
    total, right = float(counts.sum()), float(np.trace(counts))
    rows, columns = counts.sum(axis=1).astype(float), counts.sum(axis=0).astype(float)
    spread = (total**2 - columns @ columns) * (total**2 - rows @ rows)
    return float((right * total - rows @ columns) / np.sqrt(spread)) if spread > 0 else 0.0


def _ratio(above: Ints, below: Ints, empty: float = np.nan) -> Floats:
    ratio: Floats = np.full(np.broadcast(above, below).shape, empty)
    np.divide(above, below, out=ratio, where=below != 0)
    return ratio
