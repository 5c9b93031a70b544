"""Data sets from tables in memory: data frames, dictionaries of arrays, and structured arrays."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vizml.data.cells import CellColumn
from vizml.data.column_names import unknown_column
from vizml.data.columns import Column
from vizml.data.dataset import Dataset, Missing
from vizml.data.labels import encoded, is_missing, value_name
from vizml.data.tables import Roles
from vizml.data.wording import described, quoted


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
