"""Columns of tables: numbers or categories, their names as people type them, and class labels by codes."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from string import ascii_uppercase
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vizml.data.params import suggestion
from vizml.data.wording import described, listed, quoted

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
    values, which = _distinct_labels(given)
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


def _distinct_labels(given: ArrayLike) -> tuple[list[object], Ints]:
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

    @property
    def has_values(self) -> bool:
        """Whether there is a value in any row."""
        return not self.missing.all()

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
    labels = np.asarray(read_only(raw, np.dtype(np.int64)), dtype=np.int64)
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


ALL = "all"
"""Text that stands for all columns that models can learn from, where no column has this name."""
PRINCIPAL = "PC 1", "PC 2"
"""Names of the axes along the first two principal components."""


def known_name(name: str, known: Collection[str]) -> str | None:
    """Return the name that is meant: an equal one, or the only one with other case, spaces or signs.

    >>> known_name("proline", ("Alcohol", "Proline")), known_name("PC1", ("PC 1", "PC 2"))
    ('Proline', 'PC 1')
    """
    if name in known:
        return name
    near = [other for other in known if _plain(other) == _plain(name)]
    return near[0] if len(near) == 1 else None


def component_axis(name: str, known: Collection[str]) -> int | None:
    """Return 0 or 1 where a name means the first or second principal component and no column."""
    found = known_name(name, PRINCIPAL) if name and known_name(name, known) is None else None
    return None if found is None else PRINCIPAL.index(found)


def unknown_column(name: str, known: Sequence[str], owner: str = "") -> str:
    """Return a sentence that says that there is no such column, with a similar one and the first ones."""
    within = next((other for other in known if len(name) > 2 and _plain(name) in _plain(other)), "")
    guess = suggestion(name, known) or (f"did you mean '{within}'? " if within else "")
    if owner:
        return f"{owner} has no column {quoted(name)}; {guess}it has {listed(known)}"
    return f"there is no column {quoted(name)}; {guess}there are {listed(known)}"


def _plain(name: str) -> str:
    """Return the letters and digits of a name in lower case; the name itself where it has none."""
    return "".join(filter(str.isalnum, name.casefold())) or name
