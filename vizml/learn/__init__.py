"""Machine learning: tasks, models, states and views, with a folder for each family of algorithms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from vizml.data import Column, Dataset
from vizml.field.arrays import Floats
from vizml.learn.model import CannotLearn, Model, run
from vizml.learn.params import choice, flag, integer, real, text
from vizml.learn.registry import create, find, models, names, register
from vizml.learn.state import Classifier, Clusterer, Density, FittedRegressor, Regressor, Scale, State
from vizml.learn.task import Task, all_tasks, task_named
from vizml.learn.tasks.classify import CLASSIFY
from vizml.learn.tasks.cluster import CLUSTER
from vizml.learn.tasks.density import DENSITY
from vizml.learn.tasks.regress import REGRESS
from vizml.learn.training_data import TrainingData
from vizml.learn.view import Anchor, CurveView, Focus, LineView, PlaneView, View

__all__ = [
    "CLASSIFY", "CLUSTER", "DENSITY", "REGRESS", "Anchor", "CannotLearn", "Classifier", "Clusterer",
    "CurveView", "Density", "FittedRegressor", "Focus", "LineView", "Model", "PlaneView", "Regressor",
    "Scale", "State", "Task", "TrainingData", "View", "all_tasks", "choice", "create", "dataset_of", "find",
    "fit", "fit_data", "flag", "integer", "models", "names", "real", "register", "run", "steps", "task_named",
    "text", "training_data_of",
]  # fmt: skip


def steps(
    model: Model, X: ArrayLike, y: ArrayLike | None = None, seed: int = 0, *, standardise: bool = False
) -> Iterator[State]:
    """Train on inputs (n, d), or (n,) for a single one, and yield the state after each step."""
    return run(model, training_data_of(model.task, X, y), seed, standardise=standardise)


def fit(
    model: Model, X: ArrayLike, y: ArrayLike | None = None, seed: int = 0, *, standardise: bool = False
) -> State:
    """Train on inputs (n, d), or (n,) for a single one, and return the last state."""
    return fit_data(model, training_data_of(model.task, X, y), seed, standardise=standardise)


def fit_data(
    model: Model, data: Dataset | TrainingData, seed: int = 0, *, standardise: bool = False
) -> State:
    """Train on the inputs and the target of a data set, and return the last state."""
    last: State | None = None
    for state in run(model, data, seed, watched=False, standardise=standardise):
        last = state
    if last is None:
        raise CannotLearn(f"{model.id} ended without a result")
    return last


def training_data_of(task: Task, X: ArrayLike, y: ArrayLike | None = None) -> TrainingData:
    """Return inputs and targets, given as arrays, as the training data of a task."""
    return task.training_data(dataset_of(task, X, y))


def dataset_of(task: Task, X: ArrayLike, y: ArrayLike | None = None) -> Dataset:
    """Return inputs (n, d), or (n,) for a single one, and targets as a data set."""
    inputs = np.asarray(X, dtype=np.float64)
    inputs = inputs[:, None] if inputs.ndim == 1 else inputs
    if inputs.ndim != 2:
        raise ValueError(f"X must have the shape (n, d), not {inputs.shape}")
    if task is REGRESS:
        return _regression_data(inputs, y)
    if y is None and task is CLASSIFY:
        raise ValueError("y is missing: a classifier learns from one label for each point")
    labels = np.full(len(inputs), -1) if y is None else np.asarray(y)
    names = _names(inputs)
    if len(names) == 1:
        points = np.column_stack([inputs[:, 0], np.zeros(len(inputs))])
        return Dataset(points, labels, chosen_inputs=names)
    others = _columns(names[2:], inputs[:, 2:])
    chosen = names if others else ()
    return Dataset(inputs[:, :2], labels, axes=(names[0], names[1]), others=others, chosen_inputs=chosen)


def _regression_data(X: Floats, y: ArrayLike | None) -> Dataset:
    if X.shape[1] == 2 and y is None:
        return Dataset.curve(X[:, 0], X[:, 1])
    if y is None or len(X) != np.size(y):
        raise ValueError("regression wants x (n,) or (n, d) and as many y (n,)")
    names, target = _names(X), np.ravel(np.asarray(y, dtype=np.float64))
    axes, others = (names[0], "y" if len(names) != 2 else "target"), _columns(names[1:], X[:, 1:])
    unlabelled = np.full(len(X), -1)
    return Dataset(
        np.column_stack([X[:, 0], target]), unlabelled, axes=axes, others=others, chosen_inputs=names
    )


def _names(X: Floats) -> tuple[str, ...]:
    return ("x", "y")[: X.shape[1]] if X.shape[1] <= 2 else tuple(f"x{i}" for i in range(X.shape[1]))


def _columns(names: Sequence[str], X: Floats) -> tuple[Column, ...]:
    return tuple(Column(name, values) for name, values in zip(names, X.T, strict=True))
