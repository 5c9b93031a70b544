"""The contract: a model is a frozen set of hyperparameters; its `steps` yields what it has learned."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from vizml.data import Dataset
from vizml.field.cancellation import check_cancelled
from vizml.learn.params import Declared
from vizml.learn.state import State
from vizml.learn.training_data import TrainingData


class Task(Enum):
    """What there is to learn; the value is its id."""

    CLASSIFY = "classify"
    REGRESS = "regress"
    CLUSTER = "cluster"
    DENSITY = "density"


FARTHEST = 1e100
"""A distance may be squared, and squares may be multiplied: beyond this that ends in infinity."""


class CannotLearn(ValueError):
    """There is nothing to learn from these data; the message says what would be."""


@dataclass(frozen=True)
class Model(Declared, ABC):
    """Hyperparameters with their ranges checked; subclasses declare them as fields by `real`, `choice`..."""

    task: ClassVar[Task]
    family: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    """One sentence: what it does."""
    formula: ClassVar[tuple[str, ...]]
    """The formula card: lines of TeX."""

    @abstractmethod
    def steps(self, data: TrainingData, rng: Generator) -> Iterator[State]:
        """What has been learned after each step; the last one is the result.

        The data hold what the task needs and no more: classify, rows of at least two classes, all
        labelled; regress, at least one row with its target; cluster and density, at least one row.
        Between two yields lies at most about 20 ms of work. CannotLearn ends a run with its sentence.
        """

    def strides(self, data: TrainingData, rng: Generator) -> Iterator[State]:
        """The way to the same result where nobody watches: without steps that take their time to be told.

        The last state answers as that of `steps` does; its note may differ.
        """
        return self.steps(data, rng)


def training_data(task: Task, data: Dataset | TrainingData) -> TrainingData:
    """Return the inputs and the target of a data set that a task learns from."""
    if isinstance(data, TrainingData):
        return data
    if task is Task.REGRESS:
        return TrainingData(data.x[:, None], data.y, columns=data.axes[:1], target=data.axes[1], ids=data.ids)
    if task is not Task.CLASSIFY:
        return TrainingData(data.points, columns=data.axes, ids=data.ids)
    labelled = data if (data.labels >= 0).all() else data.take(data.labels >= 0)
    return TrainingData(
        labelled.points,
        labels=labelled.labels,
        columns=labelled.axes,
        classes=labelled.classes,
        ids=labelled.ids,
    )


def prepared(task: Task, data: Dataset | TrainingData) -> TrainingData:
    """Return training data that a model can learn from; CannotLearn where there are none."""
    shown = training_data(task, data)
    if not len(shown):
        kind = "labelled point" if task is Task.CLASSIFY else "point"
        raise CannotLearn(f"there is nothing to learn from: add at least one {kind}")
    if max(np.abs(part).max(initial=0.0) for part in (shown.X, shown.y)) > FARTHEST:
        raise CannotLearn(f"coordinates beyond {FARTHEST:g} cannot be reckoned with: choose another unit")
    return shown


def run(
    model: Model, data: Dataset | TrainingData, seed: int = 0, *, watched: bool = True
) -> Iterator[State]:
    """The steps of a model on any data: one class alone needs no model, no points no run.

    Unwatched, only the last one matters.
    """
    from vizml.learn.constant import OneClass

    shown = prepared(model.task, data)
    if model.task is Task.CLASSIFY and len(shown.present) == 1:
        yield OneClass.of(shown)
        return
    with np.errstate(all="ignore"):
        for state in (model.steps if watched else model.strides)(shown, np.random.default_rng(seed)):
            check_cancelled()
            yield state
