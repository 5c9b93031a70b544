"""Class labels as they are given, and the codes that the program computes with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vizml.data.wording import described

Ints: TypeAlias = NDArray[np.int64]
ClassValue: TypeAlias = int | float | str | bool
"""Label of a class: a whole number, a word or a boolean."""

UNLABELLED = -1
"""Code of a missing class."""
_EXPECTED = "labels must be whole numbers, words or booleans"
_MISSING = ("NAType", "NaTType")
"""Types of missing values in pandas."""


def encoded(
    given: ArrayLike, unlabelled: object = None, known: Sequence[ClassValue] = ()
) -> tuple[Ints, tuple[ClassValue, ...]]:
    """Return the code of each label, and the values of the classes by code, none where these are the codes.

    `known` values have the first codes; other numbers and booleans follow in rising order, words in the order
    of their first occurrence. None, NaN, empty text and the value `unlabelled` have no class.
    """
    values, which = _distinct(given)
    without = [is_missing(value) or value == unlabelled for value in values]
    labels = [value for value, missing in zip(values, without) if not missing]
    new = [_checked(value) for value in labels if value not in known]
    if not any(isinstance(value, str) for value in new):
        new = sorted(new)
    code: dict[object, int] = {value: number for number, value in enumerate([*known, *new])}
    codes = [UNLABELLED if missing else code[value] for value, missing in zip(values, without)]
    classes = *known, *new
    same = classes == tuple(range(len(classes))) and bool not in map(type, classes)
    return np.array(codes, dtype=np.int64)[which], () if same else classes


def value_name(value: ClassValue) -> str:
    """Return the name of a class with a certain value."""
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def value_array(values: Sequence[ClassValue | None]) -> NDArray[np.generic]:
    """Return an array whose items are equal to the values: of objects where their types differ."""
    mixed = len(set(map(type, values))) > 1
    return np.array(values, dtype=object if mixed else None)


def _distinct(given: ArrayLike) -> tuple[list[object], Ints]:
    """Return the distinct labels (numbers rise, others as they first occur), and the index of each row's."""
    try:
        raw = np.asarray(given)
    except ValueError:
        raise ValueError(f"{_EXPECTED}, one for each row") from None
    if raw.dtype.kind == "U" and not isinstance(given, np.ndarray):
        raw = np.asarray(given, dtype=object)  # numbers among words stay numbers
    if raw.ndim != 1:
        raise ValueError(f"labels must be one for each row, not of the shape {raw.shape}")
    if raw.dtype.kind in "biuf":
        values, which = np.unique(raw, return_inverse=True)
        return values.tolist(), which.astype(np.int64)
    cells = [value.item() if isinstance(value, np.generic) else value for value in raw.tolist()]
    try:
        number = {value: k for k, value in enumerate(dict.fromkeys(cells))}
    except TypeError:
        raise ValueError(f"{_EXPECTED}, one for each row") from None
    return list(number), np.array([number[value] for value in cells], dtype=np.int64)


def is_missing(value: object) -> bool:
    """Whether a value stands for none: None, NaN, empty text, or a missing value of pandas."""
    empty = isinstance(value, str) and not value.strip()
    nan = isinstance(value, float) and math.isnan(value)
    return empty or nan or value is None or type(value).__name__ in _MISSING


def _checked(value: object) -> ClassValue:
    """Return a label; ValueError where it cannot be one."""
    whole = isinstance(value, float) and value.is_integer()
    if not whole and not isinstance(value, bool | int | str):
        raise ValueError(f"{_EXPECTED}, not {described(value)}")
    return value  # type: ignore[return-value]
