"""Would it hold: K-fold cross-validation, learning curves, validation curves, one fit at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.data import Dataset
from vizml.data.params import Choice, Flag, Integer, Real, Value
from vizml.evaluate.folds import kfold
from vizml.evaluate.judging import score
from vizml.learn import CLASSIFY, REGRESS, CannotLearn, Model, State, dataset_of, fit_data

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Fold:
    """One fit of a cross-validation: what was learned, from which points, and how good it is."""

    state: State | None
    train: Ints
    test: Ints
    train_score: float
    test_score: float


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """Folds so far. A fold that cannot be learned from has NaN scores and does not count."""

    folds: tuple[Fold, ...]

    @property
    def scores(self) -> Floats:
        """The score of each fold on the points that it was not shown."""
        return np.array([fold.test_score for fold in self.folds])

    @property
    def train_scores(self) -> Floats:
        """The score of each fold on the points that it learned from."""
        return np.array([fold.train_score for fold in self.folds])

    @property
    def mean(self) -> float:
        return _mean(self.scores)

    @property
    def train_mean(self) -> float:
        return _mean(self.train_scores)

    @property
    def deviation(self) -> float:
        """The standard deviation over folds (n - 1)."""
        return _deviation(self.scores)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        known = np.count_nonzero(~np.isnan(self.scores))
        return self.deviation / np.sqrt(known) if known else float("nan")


@dataclass(frozen=True, eq=False)
class Curve:
    """Scores (m, k) at m places and k folds, on points learned from and on others; NaN is not yet known."""

    name: str
    at: tuple[Value, ...]
    train: Floats
    test: Floats

    @property
    def means(self) -> Floats:
        return np.array([_mean(row) for row in self.test])

    @property
    def errors(self) -> Floats:
        """The standard error of each mean."""
        known = np.maximum(np.count_nonzero(~np.isnan(self.test), axis=1), 1)
        spread: Floats = np.array([_deviation(row) for row in self.test])
        spread /= np.sqrt(known)
        return spread

    @property
    def best(self) -> int:
        """Where the mean is highest."""
        return best_of(self.means)

    @property
    def thrifty(self) -> int:
        """The simplest place within one standard error of the best."""
        trains = np.array([_mean(row) for row in self.train])
        return thrifty_of(self.means, self.errors, trains)


def cross_validations(model: Model, data: Dataset, k: int = 10, seed: int = 0) -> Iterator[CrossValidation]:
    """Cross-validation growing by a fold at a time; classes in proportion where there are classes."""
    done: list[Fold] = []
    for train, test in _parts(model, data, k, seed):
        done.append(fold(model, data, train, test, seed))
        yield CrossValidation(tuple(done))


def cross_validate(
    model: Model, X: ArrayLike, y: ArrayLike | None = None, k: int = 10, seed: int = 0
) -> CrossValidation:
    """All folds of it: accuracy of classifiers, R2 of regressions."""
    *_, last = cross_validations(model, dataset_of(model.task, X, y), k, seed)
    return last


def learning_curves(
    model: Model, data: Dataset, sizes: Sequence[int] = (), k: int = 5, seed: int = 0
) -> Iterator[Curve]:
    """The score against the number of points learned from, a fit at a time, small ones first."""
    parts = list(_parts(model, data, k, seed))
    largest = min(len(train) for train, _ in parts)
    at = tuple(sizes) or tuple(sorted({max(2, round(largest * share)) for share in np.linspace(0.1, 1.0, 8)}))
    train, test = np.full((2, len(at), k), np.nan)
    rng = np.random.default_rng(seed)
    shuffled = [rng.permutation(part) for part, _ in parts]
    for i, size in enumerate(at):
        for j, (_, others) in enumerate(parts):
            found = fold(model, data, np.sort(shuffled[j][:size]), others, seed)
            train[i, j], test[i, j] = found.train_score, found.test_score
            yield Curve("points", at, train.copy(), test.copy())


def learning_curve(
    model: Model,
    X: ArrayLike,
    y: ArrayLike | None = None,
    sizes: Sequence[int] = (),
    k: int = 5,
    seed: int = 0,
) -> Curve:
    """The whole learning curve."""
    *_, last = learning_curves(model, dataset_of(model.task, X, y), sizes, k, seed)
    return last


def validation_curves(
    model: Model, data: Dataset, name: str, values: Sequence[Value] = (), k: int = 5, seed: int = 0
) -> Iterator[Curve]:
    """The score against a declared parameter, a fit at a time."""
    at = tuple(values) or values_of(model, name)
    parts = list(_parts(model, data, k, seed))
    train, test = np.full((2, len(at), k), np.nan)
    for i, value in enumerate(at):
        other = model.with_(**{name: value})
        for j, (own, others) in enumerate(parts):
            found = fold(other, data, own, others, seed)
            train[i, j], test[i, j] = found.train_score, found.test_score
            yield Curve(name, at, train.copy(), test.copy())


def validation_curve(
    model: Model,
    X: ArrayLike,
    y: ArrayLike | None = None,
    name: str = "",
    values: Sequence[Value] = (),
    k: int = 5,
    seed: int = 0,
) -> Curve:
    """The whole validation curve."""
    *_, last = validation_curves(model, dataset_of(model.task, X, y), name, values, k, seed)
    return last


def values_of(model: Model, name: str, count: int = 9) -> tuple[Value, ...]:
    """Values of a parameter worth trying: evenly over its range, or its logarithm, or all choices."""
    param = next((param for param in model.parameters() if param.name == name), None)
    if param is None:
        raise ValueError(f"{model.id} has no parameter '{name}' to vary")
    if isinstance(param, Choice):
        return param.options
    if isinstance(param, Flag):
        return (False, True)
    if isinstance(param, Real | Integer):
        low = float(param.lo) if param.lo > 0 or not param.log else float(param.hi) * 1e-6
        spaced = np.geomspace(low, param.hi, count) if param.log else np.linspace(low, param.hi, count)
        whole = isinstance(param, Integer)
        return tuple(dict.fromkeys(round(v) if whole else float(f"{v:.6g}") for v in spaced.tolist()))
    raise ValueError(f"the values of {name} to try must be given: it is text")


def fold(model: Model, data: Dataset, train: Ints, test: Ints, seed: int) -> Fold:
    """Learn from some points and judge by others."""
    own, others = data.take(train), data.take(test)
    try:
        state = fit_data(model, own, seed)
    except CannotLearn:
        return Fold(None, train, test, float("nan"), float("nan"))
    return Fold(state, train, test, _known(score(state, own)), _known(score(state, others)))


def best_of(means: Floats) -> int:
    """The place of the highest mean; 0 while nothing is known."""
    return int(np.nanargmax(means)) if np.isfinite(means).any() else 0


def thrifty_of(means: Floats, errors: Floats, trains: Floats) -> int:
    """The simplest place whose mean is within one standard error of the best.

    Of several it is the one that fits the points it learned from least: which values of a parameter make a
    model simple differs from one to the next. The first of equals.
    """
    top = best_of(means)
    slack = errors[top] if np.isfinite(errors[top]) else 0.0
    as_good = means >= means[top] - slack
    return int(np.nanargmin(np.where(as_good, trains, np.nan))) if as_good.any() else top


def _parts(model: Model, data: Dataset, k: int, seed: int) -> Iterator[tuple[Ints, Ints]]:
    if model.task not in (CLASSIFY, REGRESS):
        raise ValueError(f"cross-validation judges by truth, which {model.task.id} has none of")
    classes = model.task is CLASSIFY
    known = np.flatnonzero(data.labels >= 0) if classes else np.arange(len(data))
    for train, test in kfold(data.labels[known], k, seed, stratified=classes):
        yield known[train], known[test]


def _known(value: float | None) -> float:
    return float("nan") if value is None else value


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def _deviation(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1)) if len(known) > 1 else float("nan")
