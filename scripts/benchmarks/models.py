"""Fit and field of 1000 x 800 pixels of each model, against the fit and prediction of scikit-learn.

Regressions are evaluated at 2,000 values of x, as many as a wide picture has columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from benchmarks.curves import CURVES
from benchmarks.references import REFERENCES, Reference
from benchmarks.timing import best, one_exp
from vizml import data, learn
from vizml.data import Dataset
from vizml.field import Field, Raster
from vizml.learn import DESCEND, REGRESS, CannotLearn, Model, State, Task

SIZES = (100, 500, 2000, 10_000)
WIDTH, HEIGHT = 1000, 800
ACROSS = 2000
GOALS = {
    ("classify", "svm"): 50.0,
    ("classify", "knn"): 10.0,
    ("classify", "logistic"): 4.0,
    ("classify", "perceptron"): 2.0,
    ("classify", "least_squares"): 2.0,
    ("classify", "linear_svm"): 2.0,
    ("classify", "lda"): 2.0,
    ("classify", "qda"): 2.0,
    ("classify", "gaussian_nb"): 10.0,
    ("classify", "categorical_nb"): 2.0,
    ("classify", "parzen"): 50.0,
    ("classify", "tree"): 1.5,
    ("classify", "random_forest"): 4.0,
    ("classify", "extra_trees"): 1.5,
    ("classify", "adaboost"): 10.0,
    ("classify", "gradient_boosting"): 4.0,
    ("classify", "xgboost"): 1.5,
    ("classify", "bagging"): 1.5,
    ("classify", "voting"): 1.5,
    ("classify", "stacking"): 1.5,
    ("classify", "gp"): 50.0,
    ("classify", "mlp"): 2.0,
    ("regress", "gp"): 1.0,
    ("regress", "mlp"): 2.0,
    ("regress", "tree"): 1.0,
    ("regress", "random_forest"): 1.0,
    ("regress", "extra_trees"): 1.0,
    ("regress", "bagging"): 1.0,
    ("regress", "gradient_boosting"): 1.0,
    ("regress", "xgboost"): 1.0,
    ("regress", "linear"): 1.0,
    ("regress", "ridge"): 1.0,
    ("regress", "lasso"): 1.0,
    ("regress", "elastic_net"): 1.0,
    ("regress", "bayes_linear"): 1.0,
    ("regress", "subset"): 1.0,
    ("regress", "kernel_smoother"): 1.0,
    ("regress", "knn"): 1.0,
    ("regress", "svr"): 1.0,
    ("cluster", "kmeans"): 2.0,
    ("cluster", "gmm"): 10.0,
    ("cluster", "dbscan"): 2.0,
    ("cluster", "agglomerative"): 2.0,
    ("density", "gmm"): 10.0,
    ("density", "kde"): 10.0,
    ("density", "gaussian"): 2.0,
    ("cluster", "mean_shift"): 2.0,
    ("cluster", "pca"): 2.0,
}
"""Ratios to reach at n = 500."""
GOAL_SIZE = 500
FIRST = (
    ("classify", "logistic"), ("classify", "svm"), ("classify", "tree"), ("classify", "knn"),
    ("cluster", "kmeans"), ("regress", "linear"),
)  # fmt: skip
MEANS = {"classify": 12.0, "regress": 3.0, "cluster": None, "density": None}
LAB_MEAN = 8.0
"""Geometric means to reach: of the first six models, and of each task."""


@dataclass(frozen=True)
class Row:
    """Times of a model at one size, in milliseconds."""

    task: str
    model: str
    n: int
    fit: float
    field: float
    exps: float
    """Time of the field as a multiple of one numpy.exp of as many float32."""
    their_fit: float | None = None
    their_field: float | None = None
    difference: float | None = None

    @property
    def ratio(self) -> float | None:
        """Time of the reference divided by ours, fit and field together."""
        if self.their_fit is None or self.their_field is None:
            return None
        return (self.their_fit + self.their_field) / (self.fit + self.field)


def measure(sizes: Sequence[int] = SIZES, wanted: Sequence[str] = ()) -> Iterator[Row]:
    """Measure each model at each size, in the order of menus."""
    unit = one_exp()
    for model in learn.models():
        if not wanted or model.id in wanted:
            for n in sizes[:1] if model.task is DESCEND else sizes:
                with suppress(CannotLearn):  # some models refuse so many points
                    yield _row(model, n, unit)


def _row(kind: type[Model], n: int, unit: float) -> Row:
    reference = (REFERENCES | CURVES).get((kind.task.id, kind.id))
    model = kind().with_(**(reference.settings if reference else {}))
    points = _data(kind.task, n)
    left, right, bottom, top = kind.task.bounds(points) or (0.0, 1.0, 0.0, 1.0)
    size = (ACROSS, 1) if kind.task is REGRESS else (WIDTH, HEIGHT)
    raster = Raster.over((left - 0.5, right + 0.5, bottom - 0.5, top + 0.5), *size)
    fit, state = best(lambda: _fit(model, points))
    field, values = field_seconds(state, raster)
    own = Row(kind.task.id, kind.id, n, fit * 1e3, field * 1e3, field / unit)
    if reference is None or (reference.most is not None and n > reference.most):
        return own
    their_fit, their_field, difference = _their(reference, model.task, points, raster, values)
    return replace(own, their_fit=their_fit * 1e3, their_field=their_field * 1e3, difference=difference)


def field_seconds(state: State, raster: Raster) -> tuple[float, Field]:
    """Time the field of a raster: for a copy of the state and a slightly larger raster nothing is cached."""
    rasters = (Raster(scale * raster.x, scale * raster.y) for scale in count(1.0, 1e-3))
    return best(lambda: replace(state).field(next(rasters)))[0], state.field(raster)


def _data(task: Task, n: int) -> Dataset:
    if task is REGRESS:
        return data.generate("sine", n=n, seed=0)
    if task is DESCEND:
        return data.generate("rosenbrock")
    return data.generate("moons", n=n, noise=0.25, seed=0)


def _fit(model: Model, points: Dataset) -> State:
    state: State
    if model.task is REGRESS:
        state = learn.fit(model, points.x, points.y)
    elif model.task is DESCEND:
        state = learn.fit_data(model, points)
    else:
        state = learn.fit(model, points.points, points.labels)
    return state


def _their(
    reference: Reference, task: Task, points: Dataset, raster: Raster, field: np.ndarray
) -> tuple[float, float, float]:
    curve = task is REGRESS
    X = points.x[:, None] if curve else points.points
    y = points.y if curve else points.labels
    reference.make()  # imports the module before the fit is timed
    fit, estimator = best(lambda: reference.make().fit(X, y))
    pixels = raster.points()
    took, values = best(lambda: reference.values(estimator, pixels))
    return fit, took, _difference(reference, field, values)


def _difference(reference: Reference, field: np.ndarray, values: np.ndarray) -> float:
    ours = reference.ours(field)
    theirs = values.reshape(ours.shape)
    if ours.dtype.kind == "i":
        return _renamed(ours, theirs)
    return float(np.max(np.abs(ours - theirs)))


def _renamed(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Return the share of pixels in another cluster, ours matched with the most frequent of theirs."""
    k = int(max(ours.max(), theirs.max())) + 1
    counts = np.bincount((ours * k + theirs).ravel(), minlength=k * k).reshape(k, k)
    return float(1.0 - counts.max(axis=1).sum() / ours.size)


@dataclass(frozen=True)
class Mean:
    """Geometric mean of some ratios at the size of the goals, and the lowest of them."""

    of: str
    mean: float
    goal: float | None
    worst: Row


def means(rows: Sequence[Row]) -> list[Mean]:
    """Return the means of the first six models, of each task, and of all models."""
    compared = [row for row in rows if row.n == GOAL_SIZE and row.ratio is not None]
    six = [row for row in compared if (row.task, row.model) in FIRST]
    groups: list[tuple[str, float | None, list[Row]]] = [("first six", LAB_MEAN, six)]
    for task, goal in MEANS.items():
        groups.append((task, goal, [row for row in compared if row.task == task]))
    groups.append(("all", None, compared))
    return [_mean(of, goal, some) for of, goal, some in groups if some]


def _mean(of: str, goal: float | None, rows: list[Row]) -> Mean:
    ratios = np.array([row.ratio for row in rows], dtype=float)
    return Mean(of, float(np.exp(np.log(ratios).mean())), goal, rows[int(ratios.argmin())])


HEADER = (
    f"{'task':9}{'model':12}{'n':>7}{'fit':>10}{'field':>9}{'their fit':>11}{'their field':>13}"
    f"{'ratio':>9}{'goal':>7}{'difference':>12}{'x exp':>8}"
)


def line(row: Row) -> str:
    """Format a row; times in milliseconds."""
    cells = (
        _cell(row.their_fit, 11, ".2f"),
        _cell(row.their_field, 13, ".1f"),
        _cell(row.ratio, 8, ".1f", "x"),
        _cell(_goal(row), 6, "g", "x"),
        _cell(row.difference, 12, ".1e"),
    )
    return (
        f"{row.task:9}{row.model:12}{row.n:7}{row.fit:10.2f}{row.field:9.2f}{''.join(cells)}{row.exps:8.1f}"
    )


def _goal(row: Row) -> float | None:
    return GOALS.get((row.task, row.model)) if row.n == GOAL_SIZE else None


def _cell(value: float | None, width: int, form: str, unit: str = "") -> str:
    text = "-" if value is None else f"{value:{form}}{unit}"
    return f"{text:>{width + len(unit)}}"
