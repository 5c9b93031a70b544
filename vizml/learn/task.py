"""Tasks: kinds of learning problems and how the program presents them; `tasks/` has the instances.

A task places rows on the canvas (`Placement`), and edits in the coordinates of the canvas become rows.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from vizml.data import Dataset
from vizml.data.columns import PRINCIPAL, UNLABELLED, Mask
from vizml.data.dataset import Bounds
from vizml.data.split import completed, hashed
from vizml.data.wording import quoted
from vizml.field.arrays import Floats, Ints
from vizml.field.raster import Section
from vizml.learn.training_data import CannotLearn, TrainingData
from vizml.scene.typesetting import typeset
from vizml.scene.viewport import NUMBERS, PADDING, Categories

JITTER = 0.06
"""Height of the strip in which rows of one class are spread."""
CELL = 0.7
"""Share of the width and height of a cell of categories in which its rows are spread."""
SPREAD = 0.7548776662466927, 0.5698402909980532
"""Steps of the R2 sequence (Roberts, 2018), whose points are spread evenly over a square."""
BELOW = -0.08
"""Height of rows without a class on a line view, below those of the first class."""


@dataclass(frozen=True, eq=False)
class CanvasAxes:
    """Content of the axes of the canvas."""

    names: tuple[str, str]
    """The columns; without a vertical one the canvas shows one input, with heights from 0 to 1."""
    shown: tuple[str, ...]
    """The one or two inputs on the axes."""
    held: tuple[str, ...] = ()
    """Inputs that are held at values because they are not shown."""
    categories: Categories = NUMBERS
    """Names of the categories on each axis; none where it shows numbers."""
    plane: Section | None = None
    """The oblique plane of the inputs that is shown in place of columns."""


class Placement:
    """Part of a task that maps rows to the canvas: two columns, or one input with the classes as heights."""

    def inputs(self, dataset: Dataset) -> tuple[str, ...]:
        """Return the names of the columns that models learn from."""
        return dataset.inputs

    def upright(self, dataset: Dataset) -> str:
        """Return the column on the vertical axis where one input is shown; empty for none."""
        del dataset
        return ""

    def canvas_axes(self, dataset: Dataset) -> CanvasAxes:
        """Return what the axes show: those that are inputs, or the first input; or an oblique plane."""
        inputs, plane = self.inputs(dataset), dataset.plane
        if plane is not None and plane.shape[1] == len(inputs):
            return CanvasAxes(PRINCIPAL, PRINCIPAL, plane=Section(plane[0], plane[1:]))
        among = (name for name in inputs if name in dataset.axes)
        shown = tuple(sorted(among, key=dataset.axes.index)) or inputs[:1]
        held = tuple(name for name in inputs if name not in shown)
        names = shown[0], shown[1] if len(shown) == 2 else self.upright(dataset)
        if names == dataset.axes:
            return CanvasAxes(names, shown, held, dataset.axis_categories)
        x, y = (dataset.column(name).categories if name else () for name in names)
        return CanvasAxes(names, shown, held, (x, y))

    def placed(self, dataset: Dataset) -> Dataset:
        """Return the rows in coordinates of the canvas; the data set itself where these are its axes."""
        axes = self.canvas_axes(dataset)
        if axes.plane is None and axes.names == dataset.axes and not any(axes.categories):
            return dataset
        if axes.plane is not None:
            points = axes.plane.project(dataset.matrix(self.inputs(dataset)))[0]
        else:
            x, column = dataset.matrix(axes.names[:1])[:, 0], axes.names[1]
            y = dataset.matrix((column,))[:, 0] if column else self.heights(dataset)
            points = np.column_stack([x, y])
        for axis in np.flatnonzero([len(names) > 0 for names in axes.categories]).tolist():
            points[:, axis] += cell_jitter(dataset.ids, axis)
        return Dataset(
            points, dataset.labels, dataset.classes, axes=axes.names, ids=dataset.ids,
            class_values=dataset.class_values, incomplete=bool(np.isnan(points).any()),
        )  # fmt: skip

    def bounds(self, dataset: Dataset) -> Bounds | None:
        """Return the rectangle of the canvas that holds all rows, from 0 to 1 on a line view.

        Along categories the rectangle and its padding end at the edges of the cells.
        """
        bounds = self.placed(dataset).bounds
        if bounds is None:
            return None
        edges, axes = np.array(bounds).reshape(2, 2), self.canvas_axes(dataset)
        if not axes.names[1]:
            edges[1] = min(edges[1, 0], 0.0), max(edges[1, 1], 1.0)
        for ends, names in zip(edges, axes.categories):
            if names:
                inset = len(names) * PADDING / (1 + 2 * PADDING)
                ends[:] = inset - 0.5, len(names) - 0.5 - inset
        left, right, bottom, top = edges.ravel().tolist()
        return left, right, bottom, top

    def moved(self, dataset: Dataset, mask: Mask, places: ArrayLike) -> Dataset:
        """Return the data set with the rows of a mask at new places; a line view keeps their heights."""
        if self.canvas_axes(dataset).names == dataset.axes:
            return dataset.moved(mask, places)
        for name, values in self._values_at(dataset, places, mask).items():
            dataset = dataset.with_values(name, mask, values)
        return dataset

    def added(self, dataset: Dataset, places: ArrayLike, labels: ArrayLike) -> Dataset:
        """Return the data set with more rows at places; columns that the canvas does not show get medians."""
        known, count = self._values_at(dataset, places), len(np.atleast_2d(places))
        names = dict.fromkeys((*dataset.axes, *self.inputs(dataset), *known))
        values = {name: known[name] if name in known else dataset.median(name) for name in names}
        points = np.column_stack([np.broadcast_to(values[axis], count) for axis in dataset.axes])
        grown, new = dataset.adding(points, labels), slice(len(dataset), None)
        for name in values.keys() - dataset.axes:
            grown = grown.with_values(name, new, values[name])
        return grown

    def _values_at(self, dataset: Dataset, places: ArrayLike, mask: Mask | None = None) -> dict[str, Floats]:
        """Return the values of columns at places; rows of a mask move along an oblique plane."""
        axes, points = self.canvas_axes(dataset), np.atleast_2d(np.asarray(places, float))
        plane = axes.plane
        if plane is None:
            return {name: values for name, values in zip(axes.names, points.T) if name}
        X, names = plane.lift(points), self.inputs(dataset)
        if mask is not None:
            rows = dataset.matrix(names)[mask]
            X = X + rows - plane.lift(plane.project(rows)[0])
        return dict(zip(names, X.T))

    def landing(self, dataset: Dataset, places: Floats, label: int) -> Floats:
        """Return the places on the canvas of rows of a class that would be added at places (n, 2)."""
        axes = self.canvas_axes(dataset)
        if not axes.names[1]:
            places = np.column_stack([places[:, 0], np.full(len(places), self.levels(dataset, label)[label])])
        limits = [len(names) - 1 if names else np.inf for names in axes.categories]
        return np.where(np.isinf(limits), places, np.clip(np.rint(places), 0, limits))

    def heights(self, rows: Dataset | TrainingData) -> Floats:
        """Return the heights of rows on a line view, with jitter that depends on the id of a row only."""
        ids = np.arange(len(rows)) if rows.ids is None else rows.ids
        labels = rows.labels if len(rows.labels) else np.full(len(ids), UNLABELLED)
        return self.levels(rows)[labels] + JITTER * (hashed(ids, 0) / 2.0**64)

    def levels(self, rows: Dataset | TrainingData, label: int = -1) -> Floats:
        """Return the height of each class on a line view, also of a new one, then that of no class."""
        return np.full(max(int(rows.labels.max(initial=-1)), label) + 2, BELOW)


def cell_jitter(ids: Ints, axis: int) -> Floats:
    """Return how far from the middle of its cell of categories each row lies along an axis."""
    return np.asarray(CELL * ((0.5 + ids * SPREAD[axis]) % 1 - 0.5))


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
    synonyms: ClassVar[tuple[str, ...]] = ()
    """Other names that users may search for."""
    hint: ClassVar[str]
    """Invitation on an empty canvas."""
    score: ClassVar[Score | None] = None
    datasets: ClassVar[str]
    """Kind of data sets that fit: `classify`, `regress`, `descend` or `distribute`."""
    point_colours: ClassVar[Literal["class", "group", "plain"]] = "plain"
    """Colour of the points: their class, the group that a model finds, or none."""
    regions: ClassVar[str]
    """Name of the regions in the View menu."""
    favourite: ClassVar[str]
    """Model that a new data set starts with."""
    contrasts: ClassVar[tuple[str, ...]]
    """Models that are offered for comparison, in this order."""
    standardises: ClassVar[bool] = True
    """Whether models can be trained on standardised inputs."""
    one_column: ClassVar[bool] = False
    """Whether models describe the values of the column on the horizontal axis alone."""
    missing: ClassVar[str] = "point"
    """Kind of points to add where the data are too few to learn from."""
    learns: ClassVar[bool] = True
    """Whether models learn from the points, so that rows can be held out and inputs chosen."""

    def training_data(self, dataset: Dataset, *, incomplete: bool = False) -> TrainingData:
        """Return the inputs, and the targets if the task has any, that models learn from.

        CannotLearn says how many rows have missing values where the data set refuses these. `incomplete`
        keeps them instead, for models that take missing values.
        """
        return TrainingData.of(self.complete(dataset, incomplete=incomplete), self.inputs(dataset))

    def complete(self, dataset: Dataset, *, incomplete: bool = False) -> Dataset:
        """Return the rows that have all values a model needs; CannotLearn where others are refused."""
        known = self.targeted(dataset)
        if incomplete and not dataset.missing:
            return known
        try:
            return completed(known, self.inputs(dataset))
        except ValueError as problem:
            raise CannotLearn(str(problem)) from None

    def targeted(self, dataset: Dataset) -> Dataset:
        """Return the rows with a target, where models predict one."""
        return dataset

    def same_unit(self, dataset: Dataset) -> bool:
        """Whether both axes have one unit: two inputs whose columns have no names of their own."""
        return dataset.axes == ("x", "y") == self.canvas_axes(dataset).shown

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
