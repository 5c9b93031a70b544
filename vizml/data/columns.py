"""Columns of tables: numbers or categories, with missing values; classes that are made of a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from string import ascii_uppercase
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vizml.data.labels import UNLABELLED, ClassValue, Ints, value_name
from vizml.data.wording import quoted

Floats: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]
N = TypeVar("N", bound=np.number[Any])

MAX_LABEL = 2**53
"""Largest class code."""
MAX_CLASSES = 8
LETTERS = ascii_uppercase
"""Names of classes without a name of their own."""
OTHER = "other"
"""Name of the class that the rarest classes become."""


@dataclass(frozen=True, eq=False)
class Column:
    """A named column of numbers (NaN where missing), or of codes of categories (-1 where missing)."""

    name: str
    values: Floats | Ints
    categories: tuple[str, ...] = ()
    """Names of the categories by code; empty for numbers."""

    def __post_init__(self) -> None:
        kind = np.dtype(np.int64 if self.categories else np.float64)
        object.__setattr__(self, "values", read_only(self.values, kind))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Column):
            return NotImplemented
        same = self.name == other.name and self.categories == other.categories
        return same and np.array_equal(self.values, other.values, equal_nan=not self.categories)

    __hash__ = None  # type: ignore[assignment]

    @property
    def missing(self) -> Mask:
        """The rows without a value."""
        return np.asarray(self.values < 0 if self.categories else np.isnan(self.values))

    @property
    def numbers(self) -> Floats:
        """The numbers, or the codes of the categories; NaN where a value is missing."""
        return np.asarray(np.where(self.values < 0, np.nan, self.values) if self.categories else self.values)

    @cached_property
    def spread(self) -> float:
        """The standard deviation of the numbers; 1 where they are equal or all missing."""
        known = self.numbers[~self.missing]
        return float(known.std() or 1.0) if len(known) else 1.0

    @property
    def typical(self) -> float:
        """The median of the numbers, or the most frequent category; ValueError where all are missing."""
        known = self.values[~self.missing]
        if not len(known):
            raise ValueError(f"column {quoted(self.name)} has no values: choose other inputs")
        return float(np.bincount(known).argmax() if self.categories else np.median(known))

    @property
    def outliers(self) -> int:
        """Number of values more than 1.5 interquartile ranges outside the quartiles, none of categories."""
        known = self.values[~self.missing]
        if self.categories or not len(known):
            return 0
        low, high = np.quantile(known, (0.25, 0.75))
        reach = 1.5 * (high - low)
        return int(((known < low - reach) | (known > high + reach)).sum())

    def nearest(self, values: ArrayLike) -> ArrayLike:
        """Return values that the column can hold: numbers as they are, or the nearest codes of categories."""
        return np.clip(np.rint(values), 0, len(self.categories) - 1) if self.categories else values

    def take(self, rows: Mask | Ints | slice) -> Column:
        """Return some rows."""
        return replace(self, values=self.values[rows])

    def lengthened(self, count: int) -> Column:
        """Return the column with missing values at the end."""
        more = np.full(count, -1 if self.categories else np.nan)
        return replace(self, values=np.concatenate([self.values, more]))

    def filled(self) -> Column:
        """Return the column with the typical value where values are missing."""
        missing = self.missing
        return replace(self, values=np.where(missing, self.typical, self.values)) if missing.any() else self


def read_only(given: ArrayLike, kind: np.dtype[np.generic]) -> NDArray[np.generic]:
    """Return a read-only array: an array that is one already is shared."""
    if isinstance(given, np.ndarray) and given.dtype == kind and not given.flags.writeable:
        return given
    array = np.array(given, dtype=kind)
    array.flags.writeable = False
    return array


def class_name(classes: tuple[str, ...], label: int) -> str:
    """Return the name of a class: its own where it has one, else a letter."""
    if label == UNLABELLED:
        return "unlabelled"
    if label < len(classes) and classes[label]:
        return classes[label]
    return LETTERS[label] if label < len(LETTERS) else f"class {label + 1}"


def class_codes(raw: NDArray[np.generic], count: int) -> Ints:
    """Return class codes as whole numbers, one for each of `count` rows; ValueError where they are none."""
    if raw.size == 0:
        raw = raw.astype(np.int64)
    if raw.shape != (count,):
        raise ValueError(f"labels must be one for each of the {count} points, not of the shape {raw.shape}")
    whole = raw.dtype.kind in "iub" or (raw.dtype.kind == "f" and np.all(raw == np.floor(raw)))
    if not whole or (np.abs(raw.astype(np.float64)) > MAX_LABEL).any():
        raise ValueError("labels must be whole numbers, -1 for unlabelled")
    labels = np.array(raw, dtype=np.int64)
    if (labels < UNLABELLED).any():
        raise ValueError(f"label {int(labels.min())} is out of range: classes count from 0, -1 is unlabelled")
    return labels


def different(values: NDArray[N]) -> NDArray[N]:
    """Return the distinct values, rising: np.unique takes ten times as long as sorting (numpy 2.4)."""
    rising = np.sort(values)
    new = np.ones(len(rising), dtype=np.bool_)
    np.not_equal(rising[1:], rising[:-1], out=new[1:])
    return rising[new]


def class_count(column: Column) -> int:
    """Return the number of different values."""
    known = column.values[~column.missing]
    return len(different(known))


def merge_report(column: Column) -> str:
    """Return how many of the different values become one class as text; nothing where none do."""
    count = class_count(column)
    rest = count - MAX_CLASSES + 1
    return f"the {rest} rarest of {count} classes merged into '{OTHER}'" if count > MAX_CLASSES else ""


def codes_by_name(column: Column, classes: Sequence[str]) -> Ints:
    """Return the code of the class that is named as the value of each row, or of the merged classes."""
    codes, values = _distinct(column)
    known = {name: code for code, name in enumerate(classes)}
    merged = known.get(OTHER, UNLABELLED)
    found = np.array([*(known.get(value_name(value), merged) for value in values), UNLABELLED])
    return np.asarray(found[codes])  # the last one stands for missing values


def classes_of(column: Column) -> tuple[Ints, tuple[str, ...], tuple[ClassValue, ...]]:
    """Return the class of each row by its code, the names of the classes, and their values.

    The rarest of too many classes become one. Letters, as they name classes without a name, keep their codes.
    """
    codes, values = _distinct(column)
    counts = np.bincount(codes[codes >= 0], minlength=len(values))
    kept = np.flatnonzero(counts).tolist()
    if {values[k] for k in kept} <= set(LETTERS[:MAX_CLASSES]):
        code = np.array([LETTERS.find(str(value)) for value in values] + [UNLABELLED])
        count = int(code[kept].max(initial=-1)) + 1
        return code[codes], (), tuple(LETTERS[:count])
    rest = len(kept) > MAX_CLASSES
    if rest:
        kept = sorted(np.argsort(-counts, kind="stable")[: MAX_CLASSES - 1].tolist())
    found = list(dict.fromkeys([values[k] for k in kept] + [OTHER] * rest))
    code = np.full(len(values) + 1, found.index(OTHER) if rest else UNLABELLED, dtype=np.int64)
    code[kept], code[UNLABELLED] = np.arange(len(kept)), UNLABELLED  # the last one stands for missing values
    return code[codes], tuple(map(value_name, found)), tuple(found)


def _distinct(column: Column) -> tuple[Ints, Sequence[ClassValue]]:
    """Return the code of each row, and the values by code."""
    if column.categories:
        return np.asarray(column.values, dtype=np.int64), column.categories
    values, which = np.unique(column.values[~column.missing], return_inverse=True)
    codes = np.full(len(column.values), UNLABELLED)
    codes[~column.missing] = which
    return codes, [int(v) if v.is_integer() and abs(v) < MAX_LABEL else v for v in values.tolist()]
