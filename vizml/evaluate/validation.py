"""Model selection: K-fold cross-validation, learning and validation curves, grid and random search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from vizml.data import Dataset
from vizml.data.params import Choice, Flag, Integer, Real, Value
from vizml.evaluate.metrics import score
from vizml.evaluate.resampling import kfold
from vizml.field.arrays import Floats, Ints
from vizml.learn import CannotLearn, Model, State, dataset_of, fit_data, task_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Grid: TypeAlias = Mapping[str, Sequence[Value]]
"""Values of each parameter that is searched over."""
SMALLEST_SHARE = 1e-6
"""Lowest value, as a share of the highest, on the logarithmic scale of a parameter that may be 0."""
TRAINING_SHARES = np.linspace(0.1, 1.0, 8)
"""Sizes of a learning curve, as shares of the largest training set."""


@dataclass(frozen=True, eq=False)
class Fold:
    """One fit of a cross-validation, with its scores on the training and the test rows."""

    state: State | None
    train: Ints
    test: Ints
    train_score: float
    test_score: float


class CrossValidation:
    """The folds so far with their scores; a fold that cannot be learned from has NaN and does not count.

    `deviation` is the standard deviation over folds (n - 1), `error` the standard error of the mean,
    `unlabelled` the number of rows that are in no fold because their class is missing.
    """

    def __init__(self, folds: tuple[Fold, ...], unlabelled: int = 0) -> None:
        self.folds, self.unlabelled = folds, unlabelled
        self.scores = np.array([fold.test_score for fold in folds])
        self.train_scores = np.array([fold.train_score for fold in folds])
        self.mean, self.deviation, self.error = map(float, known_statistics(self.scores))


class ScoreTable:
    """Training and test scores (..., k) of k folds for each combination of a grid; NaN if not known yet.

    `means` and `errors` are the means and standard errors of the test scores. The best combination has the
    highest mean; the simplest one is within one standard error of it.
    """

    def __init__(self, grid: dict[str, tuple[Value, ...]], train: Floats, test: Floats) -> None:
        self.grid, self.train, self.test = grid, train, test
        self.means, _, self.errors = known_statistics(test)
        self.train_means, _, _ = known_statistics(train)
        self.best_index = best_index(self.means)
        self.simplest_index = one_standard_error_index(self.means, self.errors, self.train_means)


class ScoreCurve(ScoreTable):
    """The scores over a single parameter, or over the number of training rows."""

    def __init__(self, name: str, at: tuple[Value, ...], train: Floats, test: Floats) -> None:
        super().__init__({name: at}, train, test)
        self.name, self.at = name, at
        self.best, self.simplest = self.best_index, self.simplest_index


class GridScores(ScoreTable):
    """The scores of a grid search."""

    def __init__(self, grid: dict[str, tuple[Value, ...]], train: Floats, test: Floats) -> None:
        super().__init__(grid, train, test)
        rows = _combinations(grid)
        self.best, self.simplest = rows[self.best_index], rows[self.simplest_index]


# -- cross-validation and curves, a fit at a time --


def cross_validations(model: Model, data: Dataset, k: int = 10, seed: int = 0) -> Iterator[CrossValidation]:
    """Yield a cross-validation after each fold; folds are stratified where there are classes."""
    done: list[Fold] = []
    for train, test in _folds(model, data, k, seed):
        done.append(fit_fold(model, data, train, test, seed))
        yield CrossValidation(tuple(done), len(data) - len(train) - len(test))


def learning_curves(
    model: Model, data: Dataset, sizes: Sequence[int] = (), k: int = 5, seed: int = 0
) -> Iterator[ScoreCurve]:
    """Yield the scores against the number of training rows after each fit, small sizes first."""
    folds = list(_folds(model, data, k, seed))
    largest = min(len(train) for train, _ in folds)
    at = tuple(sizes) or tuple(sorted({max(2, round(largest * share)) for share in TRAINING_SHARES}))
    rng = np.random.default_rng(seed)
    shuffled = [rng.permutation(train) for train, _ in folds]
    cells = (
        (model, np.sort(rows[:size]), test)
        for size in at
        for rows, (_, test) in zip(shuffled, folds, strict=True)
    )
    for train, test in _scored((len(at), k), data, seed, cells):
        yield ScoreCurve("points", at, train, test)


def validation_curves(
    model: Model, data: Dataset, name: str, values: Sequence[Value] = (), k: int = 5, seed: int = 0
) -> Iterator[ScoreCurve]:
    """Yield the scores against the values of a parameter after each fit."""
    at = tuple(values) or values_of(model, name)
    folds = list(_folds(model, data, k, seed))
    cells = ((model.with_(**{name: value}), *fold) for value in at for fold in folds)
    for train, test in _scored((len(at), k), data, seed, cells):
        yield ScoreCurve(name, at, train, test)


def _scored(
    shape: tuple[int, ...], data: Dataset, seed: int, cells: Iterator[tuple[Model, Ints, Ints]]
) -> Iterator[tuple[Floats, Floats]]:
    """Fit each cell (model, training rows, test rows); yield the training and the test scores so far."""
    train, test = np.full((2, *shape), np.nan)
    for index, (model, rows, others) in zip(np.ndindex(shape), cells, strict=True):
        found = fit_fold(model, data, rows, others, seed)
        train[index], test[index] = found.train_score, found.test_score
        yield train.copy(), test.copy()


def cross_validate(
    model: Model, X: ArrayLike, y: ArrayLike | None = None, k: int = 10, seed: int = 0, *,
    unlabelled: object = None,
) -> CrossValidation:  # fmt: skip
    """Cross-validate: accuracy of classifiers, R2 of regressions. Labels are those that `learn.fit` takes."""
    *_, last = cross_validations(model, dataset_of(task_of(model), X, y, unlabelled), k, seed)
    return last


def learning_curve(
    model: Model, X: ArrayLike, y: ArrayLike | None = None, sizes: Sequence[int] = (), k: int = 5,
    seed: int = 0, *, unlabelled: object = None,
) -> ScoreCurve:  # fmt: skip
    """Return the complete learning curve."""
    *_, last = learning_curves(model, dataset_of(task_of(model), X, y, unlabelled), sizes, k, seed)
    return last


def validation_curve(
    model: Model, X: ArrayLike, y: ArrayLike | None = None, name: str = "", values: Sequence[Value] = (),
    k: int = 5, seed: int = 0, *, unlabelled: object = None,
) -> ScoreCurve:  # fmt: skip
    """Return the complete validation curve."""
    *_, last = validation_curves(model, dataset_of(task_of(model), X, y, unlabelled), name, values, k, seed)
    return last


# -- search --


def grid_searches(
    model: Model, data: Dataset, grid: Grid | Sequence[str], k: int = 5, seed: int = 0
) -> Iterator[GridScores]:
    """Yield the scores after each combination; names alone take their values from `values_of`."""
    full = _full_grid(model, grid)
    folds = list(_folds(model, data, k, seed))
    cells = ((model.with_(**values), *fold) for values in _combinations(full) for fold in folds)
    shape = *(len(values) for values in full.values()), k
    for number, (train, test) in enumerate(_scored(shape, data, seed, cells), start=1):
        if number % k == 0:
            yield GridScores(full, train, test)


def grid_search(
    model: Model, X: ArrayLike, y: ArrayLike | None = None, axes: Grid | Sequence[str] = (), k: int = 5,
    seed: int = 0, *, unlabelled: object = None,
) -> GridScores:  # fmt: skip
    """Return the scores of the whole grid."""
    *_, last = grid_searches(model, dataset_of(task_of(model), X, y, unlabelled), axes, k, seed)
    return last


def random_searches(
    model: Model, data: Dataset, grid: Grid | Sequence[str], draws: int = 20, k: int = 5, seed: int = 0
) -> Iterator[tuple[dict[str, Value], float]]:
    """Yield combinations drawn from a grid without repetition, with the mean score of each."""
    rows = _combinations(_full_grid(model, grid))
    for i in np.random.default_rng(seed).permutation(len(rows))[:draws]:
        *_, found = cross_validations(model.with_(**rows[i]), data, k, seed)
        yield rows[i], found.mean


def values_of(model: Model, name: str, count: int = 9) -> tuple[Value, ...]:
    """Return values of a parameter to try: evenly over its range, or over its logarithm, or all options."""
    param = next((param for param in model.parameters() if param.name == name), None)
    if param is None:
        raise ValueError(f"{model.id} has no parameter '{name}' to vary")
    if isinstance(param, Choice):
        return param.options
    if isinstance(param, Flag):
        return (False, True)
    if isinstance(param, Real | Integer):
        unlimited = isinstance(param, Integer) and bool(param.zero)  # 0 is no limit, not the least
        lo = max(param.lo, 1) if unlimited else param.lo
        low = float(lo) if lo > 0 or not param.log else float(param.hi) * SMALLEST_SHARE
        log = param.log or unlimited
        spaced = np.geomspace(low, param.hi, count) if log else np.linspace(low, param.hi, count)
        if isinstance(param, Integer):
            return tuple(dict.fromkeys(map(round, spaced.tolist())))
        digits = 2 if param.log else 3  # few enough to be written in full: 0.22, not 0.215443
        rounded = (float(f"{value:.{digits}g}") for value in spaced.tolist())
        return tuple(dict.fromkeys(min(max(value, low), float(param.hi)) for value in rounded))
    raise ValueError(f"the values of {name} must be given: it is text")


def _full_grid(model: Model, grid: Grid | Sequence[str]) -> dict[str, tuple[Value, ...]]:
    named = grid if isinstance(grid, Mapping) else dict.fromkeys(grid, ())
    if not named:
        raise ValueError("name at least one parameter to search over")
    return {name: tuple(values) or values_of(model, name) for name, values in named.items()}


def _combinations(grid: dict[str, tuple[Value, ...]]) -> list[dict[str, Value]]:
    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]


# -- parts --


def fit_fold(model: Model, data: Dataset, train: Ints, test: Ints, seed: int) -> Fold:
    """Train on some rows and compute the scores on these and on others."""
    own, others = data.take(train), data.take(test)
    try:
        state = fit_data(model, own, seed)
    except CannotLearn:
        return Fold(None, train, test, float("nan"), float("nan"))
    return Fold(state, train, test, score_or_nan(state, own), score_or_nan(state, others))


def score_or_nan(state: State, data: Dataset, threshold: float = 0.0) -> float:
    """Return the score of a state; NaN where it has none."""
    value = score(state, data, threshold)
    return float("nan") if value is None else value


def best_index(means: Floats) -> int:
    """Return the index of the highest mean; 0 where nothing is known."""
    return int(np.nanargmax(means)) if np.isfinite(means).any() else 0


def one_standard_error_index(means: Floats, errors: Floats, trains: Floats) -> int:
    """Return the index of the simplest value whose mean is within one standard error of the best.

    The simplest is the one with the lowest training score, because the direction in which a parameter makes
    a model simpler differs from parameter to parameter. The first of equals.
    """
    top = best_index(means)
    as_good = np.isfinite(trains) & (means >= means.flat[top] - np.nan_to_num(errors.flat[top]))
    return int(np.nanargmin(np.where(as_good, trains, np.nan))) if as_good.any() else top


def known_statistics(scores: Floats) -> tuple[Floats, Floats, Floats]:
    """Return mean, standard deviation (n - 1) and standard error over the last axis, without NaN."""
    known = ~np.isnan(scores)
    n = known.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(known, scores, 0.0).sum(axis=-1) / n
        spread = np.hypot.reduce(np.where(known, scores - mean[..., None], 0.0), axis=-1)
        deviation = np.where(n > 1, spread / np.sqrt(n - 1), np.nan)
        return mean, deviation, deviation / np.sqrt(n)


def _folds(model: Model, data: Dataset, k: int, seed: int) -> Iterator[tuple[Ints, Ints]]:
    """Yield the training and the test rows of each fold; unlabelled rows are in none."""
    if model.task.score is None:
        raise ValueError(f"cross-validation needs a target, which the task '{model.task.id}' does not have")
    classes = model.task.point_colours == "class"
    known = np.flatnonzero(data.labels >= 0) if classes else np.arange(len(data))
    for train, test in kfold(data.labels[known], k, seed, stratified=classes):
        yield known[train], known[test]
