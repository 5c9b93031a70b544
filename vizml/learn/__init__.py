"""What learns: the contract, the parameters, one file for each algorithm."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from vizml.data import Dataset
from vizml.learn.model import CannotLearn, Model, run
from vizml.learn.params import choice, flag, integer, real, text
from vizml.learn.registry import create, find, models, names, register
from vizml.learn.state import Classifier, Clusterer, Density, Regressor, Scale, State
from vizml.learn.task import Task, all_tasks, task_named
from vizml.learn.tasks.classify import CLASSIFY
from vizml.learn.tasks.cluster import CLUSTER
from vizml.learn.tasks.density import DENSITY
from vizml.learn.tasks.regress import REGRESS
from vizml.learn.training_data import TrainingData
from vizml.learn.view import Anchor, CurveView, Focus, LineView, PlaneView, View

Task.CLASSIFY, Task.REGRESS, Task.CLUSTER, Task.DENSITY = CLASSIFY, REGRESS, CLUSTER, DENSITY

__all__ = [
    "CLASSIFY",
    "CLUSTER",
    "DENSITY",
    "REGRESS",
    "Anchor",
    "CannotLearn",
    "Classifier",
    "Clusterer",
    "CurveView",
    "Density",
    "Focus",
    "LineView",
    "Model",
    "PlaneView",
    "Regressor",
    "Scale",
    "State",
    "Task",
    "TrainingData",
    "View",
    "all_tasks",
    "choice",
    "create",
    "dataset_of",
    "find",
    "fit",
    "fit_data",
    "flag",
    "integer",
    "models",
    "names",
    "real",
    "register",
    "run",
    "steps",
    "task_named",
    "text",
]


def steps(model: Model, X: ArrayLike, y: ArrayLike | None = None, seed: int = 0) -> Iterator[State]:
    """What has been learned after each step from points (n, 2), or from x (n,) and y (n,) to regress."""
    return run(model, dataset_of(model.task, X, y), seed)


def fit(model: Model, X: ArrayLike, y: ArrayLike | None = None, seed: int = 0) -> State:
    """What the model has learned at the end."""
    return fit_data(model, dataset_of(model.task, X, y), seed)


def fit_data(model: Model, data: Dataset | TrainingData, seed: int = 0) -> State:
    """What the model has learned from a data set at the end."""
    last: State | None = None
    for state in run(model, data, seed, watched=False):
        last = state
    if last is None:
        raise CannotLearn(f"{model.id} ended without a result")
    return last


def dataset_of(task: Task, X: ArrayLike, y: ArrayLike | None) -> Dataset:
    """Points and labels, or an abscissa and an ordinate, as the data set that a task learns from."""
    if task is REGRESS:
        return Dataset.curve(*_curve(X, y))
    points = np.asarray(X, dtype=np.float64)
    if y is None:
        if task is CLASSIFY:
            raise ValueError("y is missing: a classifier learns from one label for each point")
        y = np.full(len(points), -1)
    return Dataset(points, np.asarray(y))


def _curve(X: ArrayLike, y: ArrayLike | None) -> tuple[ArrayLike, ArrayLike]:
    x = np.asarray(X, dtype=np.float64)
    if x.ndim == 2 and x.shape[1] == 2 and y is None:
        return x[:, 0], x[:, 1]
    if y is None or (x.ndim == 2 and x.shape[1] != 1) or x.size != np.size(y):
        raise ValueError("regression wants x (n,) and as many y (n,)")
    return x.ravel(), y
