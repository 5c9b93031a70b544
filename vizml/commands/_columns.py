"""Options that choose columns of the data, and values of the inputs that a picture does not show."""

from __future__ import annotations

import csv
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from vizml.data import Column, Dataset, Roles
from vizml.data.column_names import known_name
from vizml.data.params import suggestion
from vizml.data.principal import has_components, with_components
from vizml.data.wording import quoted
from vizml.learn import Task


def add_column_options(parser: ArgumentParser) -> None:
    """Add the options that choose columns and say what becomes of missing values."""
    columns = (
        ("x", "x", "Column of the horizontal axis, or PC1 for the first principal component of the inputs."),
        ("y", "y", "Column of the vertical axis, or PC2 for the second principal component of the inputs."),
        ("class", "label", "Column of the classes."),
        ("target", "target", "Column that a regression predicts. Default: the vertical axis."),
    )
    for name, role, help in columns:
        parser.add_argument(f"--{name}", dest=role, default="", metavar="COLUMN", help=help)
    inputs = (
        "Columns that the model learns from, such as a,b,d, or all. Default: the axes, x in a regression."
    )
    parser.add_argument("--inputs", default="", metavar="A,B,...", help=inputs)
    at = "Value of an input, such as d=3.1; others have their median. Several with commas, or repeated."
    parser.add_argument("--at", action="append", default=[], metavar="COLUMN=V", help=at)
    missing = "Rows without a value in an input are left out, or filled with the median."
    parser.add_argument("--missing", choices=("drop", "median"), default="", help=missing)


def roles_of(given: Namespace) -> Roles:
    """Return the roles of columns that the options name."""
    return Roles(given.x, given.y, given.label, given.target, parse_names(given.inputs), given.missing)


def parse_names(text: str) -> tuple[str, ...]:
    """Parse names with commas between them, in quotation marks where they contain commas."""
    return tuple(name.strip() for name in next(csv.reader([text], skipinitialspace=True), []) if name.strip())


def parse_pair(text: str) -> tuple[str, str]:
    """Parse two names."""
    names = parse_names(text)
    if len(names) != 2:
        raise ValueError(f"expected two names with a comma between them, not {quoted(text)}")
    return names[0], names[1]


def with_components_on_axes(dataset: Dataset, task: Task, roles: Roles) -> Dataset:
    """Return the data set with principal components of the inputs as axes, where the roles name any."""
    if not (roles.x or roles.y):
        return dataset
    found = roles.components([column.name for column in dataset.columns])
    if found == (None, None):
        return dataset
    inputs = task.inputs(dataset)
    if found not in ((0, 1), (0, None), (None, 1)):
        raise ValueError("principal components are --x PC1 and --y PC2")
    if not has_components(dataset, inputs):
        raise ValueError("principal components need three inputs, two of them numbers: name them by --inputs")
    return with_components(dataset, inputs)


def held_values(texts: Sequence[str], dataset: Dataset, task: Task) -> dict[str, float]:
    """Parse values of inputs such as d=3.1; ValueError lists the inputs."""
    inputs, found = task.inputs(dataset), dict[str, float]()
    for text in (part for given in texts for part in parse_names(given)):
        name, equals, value = (part.strip() for part in text.rpartition("="))
        if not equals:
            raise ValueError(f"--at must be an input and its value, such as d=3.1, not {quoted(text)}")
        known = known_name(name, inputs)
        if known is None:
            guess = suggestion(name, inputs)
            raise ValueError(f"there is no input {quoted(name)}; {guess}there are {', '.join(inputs)}")
        found[known] = _value(dataset.column(known), value)
    return found


def _value(column: Column, text: str) -> float:
    """Return a number, or the code of a category."""
    if text in column.categories:
        return float(column.categories.index(text))
    try:
        if column.categories:
            raise ValueError
        return float(text)
    except ValueError:
        kind = f"one of {', '.join(column.categories)}" if column.categories else "a number"
        raise ValueError(f"{column.name} must be {kind}, not {quoted(text)}") from None
