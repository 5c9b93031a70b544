"""Arrays that a model learns from: inputs, targets and their names; the space of the inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from vizml.data.columns import ClassValue, Column, class_name, different
from vizml.data.dataset import Dataset
from vizml.data.formula import Surface
from vizml.data.wording import described, quoted
from vizml.field.arrays import Floats, Ints, Mask
from vizml.field.raster import Section

LARGEST = 1e18
"""Largest coordinate: views hold squares of distances in single precision."""


@dataclass(frozen=True, eq=False)
class InputSpace:
    """Names of the d inputs, and their values (n, d) in the training data."""

    names: tuple[str, ...]
    X: Floats
    categories: tuple[tuple[str, ...], ...] = ()
    """Names of the categories of each input, whose values are their codes; none of a number."""
    target: str = "y"
    """Name of the target of a regression."""
    takes_missing: bool = False
    """Whether predictions take inputs with missing values (NaN)."""

    @cached_property
    def medians(self) -> Floats:
        """The median (d,) of each input, of categories the most frequent one; 0 without values."""
        if not len(self.X):
            return np.zeros(len(self.names))
        found = np.median(self.X, axis=0)
        for k, names in enumerate(self.categories or ((),) * len(found)):
            if names or np.isnan(found[k]):
                known = self.X[~np.isnan(self.X[:, k]), k]
                found[k] = Column(self.names[k], known, names).typical if len(known) else 0.0
        return found

    def index(self, name: int | str) -> int:
        """Return the position of an input given by its name or its index."""
        if isinstance(name, str):
            if name not in self.names:
                raise ValueError(f"there is no input {quoted(name)}; there are {', '.join(self.names)}")
            return self.names.index(name)
        if not -len(self.names) <= name < len(self.names):
            raise ValueError(f"there is no input {name}: there are {len(self.names)}, counted from 0")
        return name % len(self.names)

    def section(
        self, axes: Sequence[int | str] | None = None, at: Mapping[int | str, float] | None = None
    ) -> Section:
        """Return the section along some axes, with every other input at its value in `at` or its median."""
        if axes is None and not at and len(self.names) <= 2:
            return Section.whole_space(len(self.names))
        shown = [self.index(axis) for axis in (range(min(len(self.names), 2)) if axes is None else axes)]
        if not 1 <= len(shown) <= 2 or len(set(shown)) != len(shown):
            raise ValueError(f"axes must be one or two different inputs, not {axes!r}")
        held = self.medians.copy()
        for name, value in (at or {}).items():
            held[self.index(name)] = value
        return Section.along(shown, held)

    def matrix(self, X: ArrayLike) -> Floats:
        """Return inputs as a matrix (m, d); one row of m values serves where there is a single input."""
        found = numbers(X, "X")
        if found.ndim == 1 and len(self.names) == 1:
            found = found[:, None]
        if found.ndim != 2 or found.shape[1] != len(self.names):
            raise ValueError(f"X must have the shape (n, {len(self.names)}), not {found.shape}")
        if not ((np.abs(found) <= LARGEST) | (np.isnan(found) & self.takes_missing)).all():
            raise ValueError(f"X must hold finite numbers of at most {LARGEST:g}")
        return found


def numbers(given: ArrayLike, name: str) -> Floats:
    """Return numbers as an array, masked ones as NaN; ValueError for anything that is not a real number."""
    try:
        raw = np.asanyarray(given)
        if raw.dtype.kind not in "biufOUS":
            raise TypeError
        found = raw.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be an array of real numbers, not {described(given)}") from None
    return np.ma.filled(found, np.nan) if isinstance(found, np.ma.MaskedArray) else found


class CannotLearn(ValueError):
    """The data do not allow the model to be trained; the message says what would."""


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Inputs X (n, d) with the targets of a task: class codes `labels` (n,) or numbers `y` (n,).

    Targets that a task does not have are empty arrays. All arrays are read-only copies.
    """

    X: Floats
    y: Floats = field(default_factory=lambda: np.empty(0))
    labels: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    columns: tuple[str, ...] = ("x", "y")
    """Names of the inputs."""
    target: str = "y"
    """Name of the target of a regression."""
    classes: tuple[str, ...] = ()
    """Names of the classes by code; codes without a name are called by a letter."""
    ids: Ints | None = None
    """Row ids of the data set."""
    categories: tuple[tuple[str, ...], ...] = ()
    """Names of the categories of each input, whose values are their codes; none of a number."""
    class_values: tuple[ClassValue, ...] = ()
    """Values of the classes by code, as they were given; empty where these are the codes."""
    unlabelled: int = 0
    """Number of rows that were left out because their class is missing."""
    surface: Surface | None = None
    """Surface on which the inputs are starts; none for models that learn from data."""

    def __post_init__(self) -> None:
        for name, kind in (("X", np.float64), ("y", np.float64), ("labels", np.int64)):
            array = np.asarray(getattr(self, name), dtype=kind)
            if array.flags.writeable:  # read-only arrays are shared: states recognise their own points
                array = array.copy()
                array.flags.writeable = False
            object.__setattr__(self, name, array)

    @classmethod
    def of(cls, dataset: Dataset, inputs: tuple[str, ...], **targets: Any) -> Self:
        """Return complete rows of a data set as training data, with further fields."""
        X = dataset.features if inputs == dataset.inputs else dataset.matrix(inputs)
        categories: tuple[tuple[str, ...], ...] = dataset.axis_categories
        if inputs != dataset.axes:
            categories = tuple(dataset.column(name).categories for name in inputs)
        return cls(X, columns=inputs, ids=dataset.ids, categories=categories, **targets)

    def __len__(self) -> int:
        return len(self.X)

    def checked(self) -> Self:
        """Return the rows; CannotLearn where a number is too large to compute with."""
        for values in (self.X, self.y):
            if np.fmax.reduce(np.abs(values), axis=None, initial=0.0) > LARGEST:
                raise CannotLearn(
                    f"coordinates beyond {LARGEST:g} cannot be computed with: choose another unit"
                )
        return self

    @property
    def row_ids(self) -> Ints:
        """Ids of the rows; their numbers where there are none."""
        return np.arange(len(self)) if self.ids is None else self.ids

    @cached_property
    def present(self) -> Ints:
        """Codes of the classes that occur, rising."""
        return different(self.labels[self.labels >= 0])

    @cached_property
    def space(self) -> InputSpace:
        """The inputs by name, with their values."""
        return InputSpace(self.columns, self.X, self.categories, self.target)

    def name(self, code: int) -> str:
        """Return the name of a class."""
        return class_name(self.classes, code)

    @cached_property
    def incomplete(self) -> bool:
        """Whether inputs have missing values."""
        return bool(np.isnan(self.X).any())

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes that occur, in the order of `present`."""
        return tuple(class_name(self.classes, code) for code in self.present.tolist())

    @property
    def class_indices(self) -> Ints:
        """Position of the class of each row in `present`."""
        return np.searchsorted(self.present, self.labels)

    def take(self, rows: Mask | Ints | slice) -> TrainingData:
        """Return the rows of a mask or an index array."""
        parts = {name: part[rows] for name in ("X", "y", "labels") if len(part := getattr(self, name))}
        return replace(self, **parts, ids=None if self.ids is None else self.ids[rows])
