"""Changed tables: other values in cells of text, as an editor has them, and principal components as axes."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vizml.data.cells import CellColumn, is_number
from vizml.data.columns import MAX_CLASSES, UNLABELLED, Column, Floats, Ints
from vizml.data.dataset import Dataset
from vizml.data.generator import MAX_POINTS
from vizml.data.wording import quoted


def cell_columns(dataset: Dataset) -> tuple[Column, ...]:
    """Return each column once, and the classes last, in place of the column they were merged from."""
    shown = {
        column.name: column
        for column in dataset.columns
        if column.name != dataset.label or column.name in (*dataset.axes, *dataset.inputs)
    }
    return *shown.values(), dataset.class_column


def cell_text(column: Column, row: int, *, exact: bool = True) -> str:
    """Return the text of a cell, empty for a missing value; numbers are exact or have 10 digits."""
    value = column.values[row].item()
    if column.categories:
        return column.categories[value] if value >= 0 else ""
    if math.isnan(value):
        return ""
    return repr(value).removesuffix(".0") if exact else f"{value:.10g}"


def with_columns(dataset: Dataset, columns: Sequence[Column]) -> Dataset:
    """Return the data set with other columns in place of those of their names."""
    new = {column.name: column for column in columns}
    shown = [new.get(column.name, column) for column in dataset.columns[:2]]
    points = dataset.points
    if not new.keys().isdisjoint(dataset.axes):
        points = np.column_stack([column.numbers for column in shown])
    return replace(
        dataset, points=points, axis_categories=(shown[0].categories, shown[1].categories),
        others=tuple(new.get(column.name, column) for column in dataset.others),
        incomplete=bool(np.isnan(points).any()),
    )  # fmt: skip


def with_cells(dataset: Dataset, rows: Ints, first: int, cells: Sequence[Sequence[str]]) -> Dataset:
    """Return the data set with other values in some rows of the columns from `first` on.

    `cells` has the texts of each row; an empty text is a missing value, an unknown word a new category.
    ValueError says in one sentence why a text cannot be a value.
    """
    columns = cell_columns(dataset)
    parts = list(zip(columns[first:], zip(*cells)))
    changed = [_changed(column, rows, texts) for column, texts in parts if column is not columns[-1]]
    dataset = with_columns(dataset, changed)
    return _with_classes(dataset, rows, parts[-1][1]) if parts[-1][0] is columns[-1] else dataset


def pasted(dataset: Dataset, rows: Ints, first: int, text: str) -> Dataset:
    """Return the data set with cells separated by tabs over some rows, and over new ones at the end.

    A first line with the names of the columns is left out.
    """
    try:
        cells = [row or [""] for row in csv.reader(io.StringIO(text), delimiter="\t")]
    except csv.Error as problem:
        raise ValueError(f"the text on the clipboard is not a table: {problem}") from None
    names = [column.name for column in cell_columns(dataset)[first:]]
    if cells and cells[0] == names[: len(cells[0])]:
        cells = cells[1:]
    widths = {len(row) for row in cells}
    if len(widths) != 1 or not 1 <= max(widths) <= len(names):
        raise ValueError(
            f"the text on the clipboard must have rows of 1 to {len(names)} cells, separated by tabs"
        )
    missing = max(len(cells) - len(rows), 0)
    rows = np.concatenate([rows[: len(cells)], np.arange(len(dataset), len(dataset) + missing)])
    return with_cells(lengthened(dataset, missing), rows, first, cells)


def copied(dataset: Dataset, rows: Ints) -> str:
    """Return rows as text with all columns, separated by tabs, below a line with the names of the columns."""
    columns, out = cell_columns(dataset), io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerow([column.name for column in columns])
    writer.writerows([cell_text(column, row) for column in columns] for row in rows.tolist())
    return out.getvalue()


def lengthened(dataset: Dataset, more: int) -> Dataset:
    """Return the data set with rows of missing values at the end; ValueError for too many."""
    if len(dataset) + more > MAX_POINTS:
        raise ValueError(f"a table can have at most {MAX_POINTS:,} rows")
    if not more:
        return dataset
    return replace(dataset, incomplete=True).adding(np.full((more, 2), np.nan), UNLABELLED)


def _changed(column: Column, rows: Ints, texts: Sequence[str]) -> Column:
    """Return a column with other values in some rows, and with a category more for each unknown word."""
    texts, values = [text.strip() for text in texts], column.values.copy()
    if not column.categories:
        values[rows] = _numbers(column.name, texts)
        return replace(column, values=values)
    categories = tuple(dict.fromkeys([*column.categories, *filter(None, texts)]))
    code = {name: k for k, name in enumerate(categories)} | {"": UNLABELLED}
    values[rows] = [code[text] for text in texts]
    return replace(column, values=values, categories=categories)


def _numbers(name: str, texts: Sequence[str]) -> Floats:
    """Return the numbers of texts, NaN where they are empty."""
    if not any(texts):
        return np.full(len(texts), np.nan)
    numbers = CellColumn(name, tuple(texts), decimal_comma=True).numbers
    if numbers is None:
        wrong = next(text for text in texts if text and not is_number(text))
    elif np.isinf(numbers).any():
        wrong = texts[int(np.argmax(np.isinf(numbers)))]
    else:
        return numbers
    raise ValueError(f"{quoted(wrong)} is no finite number: column {quoted(name)} holds numbers")


def _with_classes(dataset: Dataset, rows: Ints, texts: Sequence[str]) -> Dataset:
    """Return the data set with other classes in some rows; unknown words name classes that have no rows."""
    texts, labels = [text.strip() for text in texts], dataset.labels.copy()
    codes = range(max(MAX_CLASSES, len(dataset.class_column.categories)))
    known = {"": UNLABELLED} | {dataset.name(code): code for code in codes}
    taken = {*dataset.present.tolist(), *(known[text] for text in texts if text in known)}
    free = [code for code in codes if code not in taken and not any(dataset.classes[code : code + 1])]
    for text in dict.fromkeys(text for text in texts if text not in known):
        if not free:
            raise ValueError(f"{quoted(text)} cannot be a class: there are {MAX_CLASSES} classes already")
        known[text] = free.pop(0)
        dataset = dataset.renamed(known[text], text)
    labels[rows] = [known[text] for text in texts]
    return replace(dataset, labels=labels)


LEAST = 3
"""Fewest inputs whose principal components are offered: two are shown as they are."""


def has_components(dataset: Dataset, inputs: Sequence[str]) -> bool:
    """Whether inputs have principal components to show: at least two of several are numbers."""
    numbers = sum(not dataset.column(name).categories for name in inputs)
    return len(inputs) >= LEAST and numbers >= 2 and len(dataset) > 0


def with_components(dataset: Dataset, inputs: Sequence[str]) -> Dataset:
    """Return the data set with the plane along the first two principal components of inputs as its axes.

    The plane goes through the mean, and stays where it is while rows are edited. The components are those of
    the covariance in data units: inputs are not standardised. Of categories the most frequent one is held.
    """
    plane = np.zeros((3, len(inputs)))
    categorical = np.array([len(dataset.column(name).categories) > 0 for name in inputs])
    plane[0, categorical] = [dataset.median(name) for name, held in zip(inputs, categorical) if held]
    X = dataset.matrix(inputs)[:, ~categorical]
    X = X[~np.isnan(X).any(axis=1)]
    plane[0, ~categorical], plane[1:, ~categorical] = X.mean(axis=0), principal_directions(X)
    plane.flags.writeable = False
    return replace(dataset, plane=plane)


def principal_directions(X: Floats) -> Floats:
    """Return the two directions (2, d) of largest variance, the largest entry of each positive."""
    directions: Floats = np.linalg.eigh(np.cov(X.T, bias=True))[1].T[:-3:-1]
    largest = np.abs(directions).argmax(axis=1)
    return directions * np.sign(directions[[0, 1], largest])[:, None]
