"""Machine learning: tasks, models, states and views, with a folder for each family of algorithms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from vizml.data import UNLABELLED, Column, Dataset
from vizml.data.columns import ClassValue, encoded, value_name
from vizml.learn.fitted_regressor import FittedRegressor
from vizml.learn.line_views import ClassLineView
from vizml.learn.model import Model, run, task_of
from vizml.learn.params import choice, flag, integer, real, text, varied
from vizml.learn.registry import create, find, models, names, register
from vizml.learn.state import Classifier, Clusterer, Density, Regressor, Scale, State
from vizml.learn.task import Task, all_tasks, task_named
from vizml.learn.tasks.classify import CLASSIFY
from vizml.learn.tasks.descend import DESCEND
from vizml.learn.tasks.distribute import DISTRIBUTE
from vizml.learn.tasks.regress import REGRESS
from vizml.learn.tasks.unsupervised import CLUSTER, DENSITY
from vizml.learn.training_data import CannotLearn, InputSpace, TrainingData, numbers
from vizml.learn.view import Anchor, CurveView, Focus, LineView, PlaneView, View

__all__ = [
    "CLASSIFY", "CLUSTER", "DENSITY", "DESCEND", "DISTRIBUTE", "REGRESS", "Anchor", "CannotLearn",
    "ClassLineView", "Classifier", "Clusterer", "CurveView", "Density", "FittedRegressor", "Focus",
    "LineView", "Model", "PlaneView", "Regressor", "Scale", "State", "Task", "TrainingData", "View",
    "all_tasks", "choice", "create", "dataset_of", "find", "fit", "fit_data", "flag", "integer", "models",
    "names", "real", "register", "run", "steps", "task_named", "task_of", "text", "training_data_of",
    "varied",
]  # fmt: skip


def steps(
    model: Model, X: ArrayLike, y: ArrayLike | None = None, seed: int = 0, *, standardise: bool = False,
    unlabelled: object = None,
) -> Iterator[Any]:  # fmt: skip
    """Train on inputs (n, d), or (n,) for a single one, and yield the state after each step."""
    return run(model, dataset_of(task_of(model), X, y, unlabelled), seed, standardise=standardise)


def fit(
    model: Model, X: ArrayLike, y: ArrayLike | None = None, seed: int = 0, *, standardise: bool = False,
    unlabelled: object = None,
) -> Any:  # fmt: skip
    """Train on inputs (n, d), or (n,) for a single one, and return the last state.

    Labels y of a classifier are whole numbers (also negative ones), words or booleans; `predict` gives them
    back. A label is missing where it is None, NaN, empty or equal to `unlabelled`: the classifier does not
    learn from these rows, and counts them in its `unlabelled`.

    The state is of the task, such as a `Classifier` with `scores`. Type checkers take it as `Any`, because
    `create` finds the model by its id.
    """
    return fit_data(model, dataset_of(task_of(model), X, y, unlabelled), seed, standardise=standardise)


def fit_data(model: Model, data: Dataset | TrainingData, seed: int = 0, *, standardise: bool = False) -> Any:
    """Train on the inputs and the target of a data set, and return the last state, as `fit`."""
    last: State | None = None
    for state in run(model, data, seed, watched=False, standardise=standardise):
        last = state
    if last is None:
        raise CannotLearn(f"{model.id} ended without a result")
    return last


def training_data_of(
    task: Task, X: ArrayLike, y: ArrayLike | None = None, unlabelled: object = None
) -> TrainingData:
    """Return inputs and targets, given as arrays, as the training data of a task."""
    return task.training_data(dataset_of(task, X, y, unlabelled))


def dataset_of(
    task: Task, X: ArrayLike, y: ArrayLike | None = None, unlabelled: object = None,
    known: Sequence[ClassValue] = (), space: InputSpace | None = None,
) -> Dataset:  # fmt: skip
    """Return inputs (n, d), or (n,) for a single one, and targets as a data set.

    Labels are any values; those of `known` classes have the first codes. Inputs and target have the names and
    categories of a space, where one is given.
    """
    inputs = numbers(X, "X")
    inputs = inputs[:, None] if inputs.ndim == 1 else inputs
    if inputs.ndim != 2:
        raise ValueError(f"X must have the shape (n, d), not {inputs.shape}")
    if task is REGRESS and inputs.shape[1] == 2 and y is None:
        return Dataset.curve(inputs[:, 0], inputs[:, 1])
    n, d = inputs.shape
    names = space.names if space else ("x", "y")[:d] if d <= 2 else tuple(f"x{i}" for i in range(d))
    kinds = dict(zip(names, space.categories)) if space else {}
    labels, values = np.full(n, UNLABELLED), tuple[ClassValue, ...]()
    columns, target = dict(zip(names, inputs.T)), ""
    if task is REGRESS:
        target = space.target if space else "target" if d == 2 else "y"
        columns[target] = np.ravel(numbers(np.empty(0) if y is None else y, "y"))
        if len(columns[target]) != n:
            raise ValueError(
                f"regression needs a target for each of the {n} rows, not {len(columns[target])}"
            )
    elif y is not None:
        labels, values = encoded(y, unlabelled, known)
    elif task is CLASSIFY:
        raise ValueError("y is missing: a classifier learns from one label for each point")
    x, y, *_ = (*columns, *columns)
    return Dataset.of(
        [Column(name, column, kinds.get(name, ())) for name, column in columns.items()], (x, y),
        labels=labels, classes=tuple(map(value_name, values)), chosen_inputs=names, target=target,
        class_values=values,
    )  # fmt: skip
