"""Data sets from CSV files and data frames, and the text of CSV files."""

from __future__ import annotations

import csv
import io
import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vizml.data.cells import CellColumn
from vizml.data.columns import LETTERS, Column, codes_by_name, encoded, is_missing, unknown_column, value_name
from vizml.data.dataset import Dataset, Missing
from vizml.data.editing import cell_columns
from vizml.data.files import write_whole
from vizml.data.tables import Roles, changes, mapping_of, read_table, to_dataset
from vizml.data.wording import described, quoted


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


def table(
    frame: Any, *, x: str = "", y: str = "", label: str = "", target: str = "", inputs: Sequence[str] = (),
    missing: Missing = "",
) -> Dataset:  # fmt: skip
    """Return a data set with all columns of a frame, in the roles that name them.

    A frame is one of pandas or polars, a mapping from names to arrays, or a structured array. Columns of
    numbers stay numbers, dates become days since the first one, and other values are categories. `missing`
    says what becomes of rows without a value in an input: '' refuses them, 'drop' leaves them out, 'median'
    fills them.
    """
    arrays = {str(name): _array(str(name), frame[name]) for name in _names(frame)}
    _check_lengths(arrays)
    parts: dict[str, Any] = {}
    if label:
        if label not in arrays:
            raise ValueError(unknown_column(label, [*arrays]))
        labels, values = encoded(arrays.pop(label))
        names = tuple(map(value_name, values))
        parts = {"labels": labels, "classes": names, "class_values": values, "label": label}
    found = Dataset.of([_column(name, values) for name, values in arrays.items()], **parts)
    return Roles(x, y, "", target, tuple(inputs), missing).applied(found)


def _names(frame: Any) -> Iterable[Any]:
    """Return the names of the columns."""
    if isinstance(frame, np.ndarray) and frame.dtype.names:
        return list(frame.dtype.names)
    if isinstance(frame, Mapping):
        return frame
    if hasattr(frame, "columns") and hasattr(frame, "__getitem__"):
        return list(frame.columns)
    expected = "a data frame, a mapping from names to arrays, or a structured array"
    raise ValueError(f"frame must be {expected}, not {described(frame)}")


def _array(name: str, values: Any) -> NDArray[Any]:
    """Return the values of a column; numbers among words stay numbers."""
    raw = np.asarray(values)
    if raw.dtype.kind == "U" and not isinstance(values, np.ndarray):
        raw = np.asarray(values, dtype=object)
    if raw.ndim != 1:
        raise ValueError(f"column {quoted(name)} must have one dimension, not the shape {raw.shape}")
    if isinstance(values, np.ma.MaskedArray):
        raw = raw.astype(object)
        raw[np.ma.getmaskarray(values)] = None
    return raw


def _check_lengths(arrays: Mapping[str, NDArray[Any]]) -> None:
    """Raise ValueError where columns differ in length."""
    first = next(iter(arrays), "")
    for name, values in arrays.items():
        if len(values) != len(arrays[first]):
            counts = f"{len(values)} values where {quoted(first)} has {len(arrays[first])}"
            raise ValueError(f"column {quoted(name)} has {counts}")


def _column(name: str, raw: NDArray[Any]) -> Column:
    """Return numbers, days since the first date, or categories in the order of their first occurrence."""
    if raw.dtype.kind in "iuf":
        return Column(name, raw)
    if raw.dtype.kind == "M":
        raw = raw.astype("datetime64[us]")
        known = raw[~np.isnat(raw)]
        start = np.datetime64(known.min() if len(known) else 0, "D")
        return Column(f"{name} (days since {start})", (raw - start) / np.timedelta64(1, "D"))
    cells = [None if is_missing(value) else value for value in raw.tolist()]
    if all(value is None or (isinstance(value, int | float) and type(value) is not bool) for value in cells):
        return Column(name, np.array([math.nan if value is None else value for value in cells]))
    return CellColumn(name, tuple("" if value is None else str(value) for value in cells)).categories
