"""Tasks: kinds of learning problems and how the program presents them; `tasks/` has the instances."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal

from vizml.data import Dataset
from vizml.data.wording import quoted
from vizml.field.section import Section
from vizml.learn.placement import Placement
from vizml.learn.training_data import InputSpace, TrainingData, complete_rows
from vizml.scene.typesetting import typeset


@dataclass(frozen=True)
class Score:
    """The score of a task on points with known targets."""

    key: str
    """Name in reports for programs: `accuracy`, `r2`."""
    name: str
    percent: bool
    labelled: bool
    """Whether a figure needs the name beside it to be understood."""

    def figure(self, value: float) -> str:
        """Return a value as text."""
        return f"{100 * value:.1f} %" if self.percent else typeset(f"{value:.3f}")

    def text(self, value: float) -> str:
        """Return a value as text that is understood without a heading."""
        return f"{self.name} {self.figure(value)}" if self.labelled else self.figure(value)


class Task(Placement):
    """A kind of learning problem. Its instances are constants: compare them by identity."""

    order: ClassVar[int]
    """Position in menus and lists."""
    id: ClassVar[str]
    about: ClassVar[str]
    """The problem in a few words that complete 'Models that ...'."""
    hint: ClassVar[str]
    """Invitation on an empty canvas."""
    score: ClassVar[Score | None]
    datasets: ClassVar[str]
    """Kind of data sets that fit: `classify` or `regress`."""
    point_colours: ClassVar[Literal["class", "group", "plain"]]
    """Colour of the points: their class, the group that a model finds, or none."""
    regions: ClassVar[str]
    """Name of the regions in the View menu."""
    favourite: ClassVar[str]
    """Model that a new data set starts with."""
    contrasts: ClassVar[tuple[str, ...]]
    """Models that are offered for comparison, in this order."""
    missing: ClassVar[str]
    """Kind of points to add where the data are too few to learn from."""

    def training_data(self, dataset: Dataset) -> TrainingData:
        """Return the inputs, and the targets if the task has any, that models learn from.

        CannotLearn says how many rows have missing values where the data set refuses these.
        """
        return TrainingData.of(complete_rows(dataset, dataset.inputs), dataset.inputs)

    def inputs(self, dataset: Dataset) -> tuple[str, ...]:
        """Return the names of the columns that models learn from."""
        return dataset.inputs

    def shown(self, dataset: Dataset) -> tuple[str, ...]:
        """Return the inputs that the canvas shows: the axes that are inputs, or the first input for none."""
        inputs = self.inputs(dataset)
        shown = (name for name in inputs if name in dataset.axes)
        return tuple(sorted(shown, key=dataset.axes.index)) or inputs[:1]

    def section(self, dataset: Dataset, space: InputSpace, held: Mapping[str, float]) -> Section | None:
        """Return the section along the inputs that are shown; None for the whole space.

        Every other input is held at its value, or its median in the training data.
        """
        shown = self.shown(dataset)
        if shown == space.names:
            return None
        return space.section(shown, {name: value for name, value in held.items() if name in space.names})

    def same_unit(self, dataset: Dataset) -> bool:
        """Whether both axes have one unit: two inputs whose columns have no names of their own."""
        return len(self.shown(dataset)) == 2 and dataset.axes == ("x", "y")

    def __repr__(self) -> str:
        return f"<task {self.id}>"


@cache
def all_tasks() -> tuple[Task, ...]:
    """Return all tasks in the order of menus."""
    package = importlib.import_module("vizml.learn.tasks")
    names = [f"{package.__name__}.{module.name}" for module in pkgutil.iter_modules(package.__path__)]
    modules = map(importlib.import_module, names)
    found = [value for module in modules for value in vars(module).values() if isinstance(value, Task)]
    return tuple(sorted(dict.fromkeys(found), key=lambda task: task.order))


def task_named(name: Task | str) -> Task:
    """Return a task by its id; ValueError lists the tasks."""
    for task in all_tasks():
        if name in (task, task.id):
            return task
    known = ", ".join(task.id for task in all_tasks())
    raise ValueError(f"there is no task {quoted(name)}; there are {known}")
