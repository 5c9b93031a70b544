"""Options that choose columns of the data, and values of the inputs that a picture does not show."""

from __future__ import annotations

import csv
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from vizml.data import Column, Dataset, Roles
from vizml.data.wording import quoted
from vizml.learn import Task


def add_column_options(parser: ArgumentParser) -> None:
    """Add the options that choose columns and say what becomes of missing values."""
    columns = (
        ("x", "x", "Column of the horizontal axis."),
        ("y", "y", "Column of the vertical axis."),
        ("class", "label", "Column of the classes."),
        ("target", "target", "Column that a regression predicts. Default: the vertical axis."),
    )
    for name, role, help in columns:
        parser.add_argument(f"--{name}", dest=role, default="", metavar="COLUMN", help=help)
    inputs = "Columns that the model learns from, such as a,b,d. Default: both axes, or x in a regression."
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


def held_values(texts: Sequence[str], dataset: Dataset, task: Task) -> dict[str, float]:
    """Parse values of inputs such as d=3.1; ValueError lists the inputs."""
    inputs, found = task.inputs(dataset), dict[str, float]()
    for text in (part for given in texts for part in parse_names(given)):
        name, equals, value = (part.strip() for part in text.rpartition("="))
        if not equals:
            raise ValueError(f"--at must be an input and its value, such as d=3.1, not {quoted(text)}")
        if name not in inputs:
            raise ValueError(f"there is no input {quoted(name)}; there are {', '.join(inputs)}")
        found[name] = _value(dataset.column(name), value)
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
