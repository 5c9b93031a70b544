"""CSV files of data sets: reading with the columns in chosen roles, and writing all columns."""

from __future__ import annotations

import csv
import io
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vizml.data.columns import LETTERS, Column, codes_by_name
from vizml.data.dataset import Dataset, Missing
from vizml.data.editing import cell_columns
from vizml.data.files import write_whole
from vizml.data.tables import Roles, changes, mapping_of, read_table, to_dataset
from vizml.data.wording import described


def read_csv(
    path: Path | str, missing: Missing = "", *, x: str = "", y: str = "", label: str = "", target: str = "",
    inputs: Sequence[str] = (),
) -> Dataset:  # fmt: skip
    """Read a data set with all columns of a CSV file; TableError where the choice of the axes is ambiguous.

    Columns have the roles that name them: the axes x and y, the class (label), the target of a regression,
    and the inputs. `missing` says what becomes of rows without a value in x, y or an input: 'drop' leaves
    them out, 'median' fills their cells. A warning says what was left out, filled or merged.
    """
    if missing not in ("", "drop", "median"):
        raise ValueError(f"missing must be 'drop' or 'median', not {described(missing)}")
    table = read_table(path)
    mapping = mapping_of(table, Roles(x, y, label, target, tuple(inputs), missing))
    dataset, changed = to_dataset(table, mapping), changes(table, mapping)
    if changed:
        warnings.warn(f"{table.name}: {', '.join(changed)}", stacklevel=2)
    return dataset


def write_csv(dataset: Dataset, path: Path | str) -> None:
    """Write a header and a line for each row with all columns, the class last, exact to the last bit.

    Readers number classes by their first occurrence: where that would change the order of the classes, one
    row of each class is written first.
    """
    write_whole(path, format_csv(dataset).encode("utf-8"))


def format_csv(dataset: Dataset) -> str:
    """Return the text that `write_csv` writes."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    dataset = _in_class_order(dataset)
    columns = cell_columns(dataset) if len(dataset.present) else dataset.columns
    cells = list(map(_cells, columns))
    if len(dataset.present):
        cells[-1] = _class_cells(dataset)
    writer.writerow([column.name for column in columns])
    writer.writerows(zip(*cells))
    return out.getvalue()


def _class_cells(dataset: Dataset) -> list[str]:
    """Return the classes as texts; of rows that were merged into one class, their own values."""
    classes, cells = dataset.class_column, _cells(dataset.class_column)
    merged = next((column for column in dataset.others if column.name == dataset.label), None)
    if merged is None:
        return cells
    same = codes_by_name(merged, classes.categories) == dataset.labels
    return [own if alike else cell for own, cell, alike in zip(_cells(merged), cells, same.tolist())]


def _cells(column: Column) -> list[str]:
    """Return the values of a column as texts, empty where they are missing."""
    if column.categories:
        names = [*column.categories, ""]  # the code -1 stands for the last one
        return [names[code] for code in column.values.tolist()]
    return ["" if value != value else repr(value) for value in column.values.tolist()]  # noqa: PLR0124


def _in_class_order(dataset: Dataset) -> Dataset:
    """Move one point of each class to the front where the first ones are not in the order of the classes."""
    first = [int(np.argmax(dataset.labels == label)) for label in dataset.present]
    named = not all(name in LETTERS for name in map(dataset.name, dataset.present.tolist()))
    if first == sorted(first) or not named:
        return dataset
    return dataset.take(np.array([*first, *np.delete(np.arange(len(dataset)), first)]))
