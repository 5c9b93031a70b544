"""Changes of the roles of columns that keep the roles consistent: axes, inputs, target, class."""

from __future__ import annotations

from collections.abc import Sequence

from vizml.data import Dataset
from vizml.data.columns import PRINCIPAL
from vizml.data.editing import has_components, with_components
from vizml.learn import Task


def column_names(dataset: Dataset) -> tuple[str, ...]:
    """Return the names of all columns but that of the classes."""
    return tuple(dict.fromkeys(column.name for column in dataset.columns))


def axis_options(task: Task, dataset: Dataset, axis: int) -> tuple[str, ...]:
    """Return the columns that x (0) or y (1) can show: any, or only the chosen inputs and the target.

    After them comes the principal component, where there is one.
    """
    if not dataset.chosen_inputs:
        return column_names(dataset)
    target, inputs = [task.upright(dataset)] if axis else [], task.inputs(dataset)
    component = [PRINCIPAL[axis]] if has_components(dataset, inputs) else []
    return tuple(dict.fromkeys(filter(None, (*inputs, *target, dataset.axes[axis], *component))))


def input_options(task: Task, dataset: Dataset) -> tuple[str, ...]:
    """Return the columns that models can learn from."""
    others = task.upright(dataset), "" if dataset.label in dataset.inputs else dataset.label
    return tuple(name for name in column_names(dataset) if name not in others)


def target_options(dataset: Dataset) -> tuple[str, ...]:
    """Return the columns that a regression can predict: numbers."""
    return tuple(name for name in column_names(dataset) if not dataset.column(name).categories)


def class_options(dataset: Dataset) -> tuple[str, ...]:
    """Return the columns that can be the classes: those without another role."""
    others = *dataset.axes, *dataset.inputs, dataset.label
    return tuple(name for name in column_names(dataset) if name not in others)


def with_axis(task: Task, dataset: Dataset, axis: int, name: str) -> Dataset:
    """Return the data set with another column on an axis; the axes are exchanged where the other one has it.

    Where the inputs of a regression are not chosen, the vertical axis is the target. A principal component on
    one axis brings another one onto the other.
    """
    if name == PRINCIPAL[axis] and name not in column_names(dataset):
        return with_components(dataset, task.inputs(dataset))
    if not dataset.chosen_inputs and dataset.target and task.upright(dataset):
        dataset = dataset.with_roles(axes=(dataset.axes[0], dataset.target), target="")
    x, y = dataset.axes
    if name == (y, x)[axis]:
        return dataset.with_roles(axes=(y, x))
    return dataset.with_roles(axes=(x, name) if axis else (name, y))


def with_inputs(task: Task, dataset: Dataset, names: Sequence[str]) -> Dataset:
    """Return the data set with other inputs, none for the two axes.

    An axis that is neither an input nor the target gives way to the first input that is not shown.
    """
    target = task.upright(dataset)
    if target and not names:
        return with_target(task, dataset.with_roles(inputs=()), target)
    found = dataset.with_roles(inputs=names, target=target or None)
    inputs = task.inputs(found)
    hidden = [name for name in inputs if name not in found.axes]
    axes = [name if name in (*inputs, target) or not hidden else hidden.pop(0) for name in found.axes]
    return found.with_roles(axes=axes)


def with_target(task: Task, dataset: Dataset, name: str) -> Dataset:
    """Return the data set with another target of regressions, which is no input any more."""
    rest = tuple(other for other in dataset.chosen_inputs if other != name)
    if not rest:
        return with_axis(task, dataset.with_roles(inputs=(), target=""), 1, name)
    return with_inputs(task, dataset.with_roles(target=name), rest)
