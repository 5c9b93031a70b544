"""Data sets: immutable tables with two columns as the axes of the canvas and a class for each row."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vizml.data.columns import (
    MAX_CLASSES,
    UNLABELLED,
    ClassValue,
    Column,
    Floats,
    Ints,
    Mask,
    class_codes,
    class_name,
    classes_of,
    codes_by_name,
    different,
    encoded,
    merge_report,
    read_only,
    unknown_column,
    value_array,
    value_name,
)
from vizml.data.formula import Surface
from vizml.data.wording import quoted

Missing: TypeAlias = Literal["", "drop", "median"]
"""Rows without a value in an input: refused, left out, or filled with the typical value of the column."""
Bounds: TypeAlias = tuple[float, float, float, float]
"""The edges of a rectangle: left, right, bottom, top."""

LONGEST_NAME = 40
"""Most characters in the name of a class that is typed in."""
INT = np.dtype(np.int64)
CLASS = "class"
"""Name of the column of classes where it has none of its own."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows with the coordinates of two axes, other columns, and a class each. Arrays are read-only copies.

    Ids identify rows through edits, so that a selection or a split follows its rows.
    """

    points: Floats
    """Values (n, 2) of the two axes."""
    labels: Ints
    """Class code of each row, -1 where the class is missing; words and booleans are converted to codes."""
    classes: tuple[str, ...] = ()
    """Names of the classes by code; codes without a name are called by a letter."""
    axes: tuple[str, str] = ("x", "y")
    """Names of the columns that the canvas shows."""
    ids: Ints = None  # type: ignore[assignment]
    """Different numbers that identify the rows: 0, 1, 2, ... where none are given."""
    class_values: tuple[ClassValue, ...] = ()
    """Values of the classes by code, as they were given; empty where these are the codes."""
    others: tuple[Column, ...] = ()
    """The columns that are not axes."""
    chosen_inputs: tuple[str, ...] = ()
    """Names of the columns that models learn from; empty for the two axes."""
    target: str = ""
    """Name of the column that regressions predict; empty for the second axis."""
    label: str = CLASS
    """Name of the column of classes, which is not among `columns`."""
    missing: Missing = ""
    """Treatment of rows without a value in an input."""
    axis_categories: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """Names of the categories whose codes an axis shows; empty for numbers."""
    incomplete: bool = False
    """Whether values of the axes may be missing (NaN)."""
    plane: Floats | None = None
    """Origin and two orthonormal directions (3, d) in the space of the inputs that replace the axes."""
    surface: Surface | None = None
    """Surface over the axes, on which the rows are starts of optimisers; none in a table of data."""
    inputs: tuple[str, ...] = field(init=False)
    """Names of the columns that models learn from."""

    def __post_init__(self) -> None:
        points = _points(self.points, self.incomplete, self.axis_categories)
        classes, values = tuple(self.classes), tuple(self.class_values)
        raw, count = np.asarray(self.labels), len(points)
        if raw.dtype.kind in "bOU" and raw.size:
            raw, values = encoded(self.labels, known=values)
            classes = classes or tuple(map(value_name, values))
        labels = class_codes(raw, count)
        given = cast("Ints | None", self.ids)
        ids = np.asarray(read_only(np.arange(count) if given is None else given, INT), dtype=INT)
        if given is not None and (ids.shape != (count,) or len(different(ids)) != count):
            raise ValueError("ids must be one different whole number for each point")
        for name, array in (("points", points), ("labels", labels), ("ids", ids)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        object.__setattr__(self, "classes", classes)
        object.__setattr__(self, "axes", tuple(self.axes))
        object.__setattr__(self, "inputs", self.chosen_inputs or self.axes)
        object.__setattr__(self, "class_values", values)
        if any(len(column.values) != count for column in self.others):
            raise ValueError(f"every column must have {count} values")
        names = [*self.axes, *(column.name for column in self.others)]
        for name in (*self.chosen_inputs, *filter(None, [self.target])):
            _check_name(name, names)

    @classmethod
    def empty(cls, **names: object) -> Dataset:
        """Return a data set without rows."""
        return cls(np.empty((0, 2)), np.empty(0, dtype=np.int64), **names)  # type: ignore[arg-type]

    @classmethod
    def curve(cls, x: ArrayLike, y: ArrayLike) -> Dataset:
        """Return unlabelled rows of an input and a target, as regression uses them."""
        points = np.column_stack([np.ravel(np.asarray(x, float)), np.ravel(np.asarray(y, float))])
        return cls(points, np.full(len(points), UNLABELLED))

    @classmethod
    def of(cls, columns: Sequence[Column], axes: tuple[str, str] | None = None, **parts: Any) -> Dataset:
        """Return a data set of columns with different names, without classes unless `parts` has any.

        The axes are the first two columns of numbers where none are given, or the first two columns. A single
        column is both of them, and the only input.
        """
        by_name = {column.name: column for column in columns}
        if len(by_name) < len(columns) or not columns:
            raise ValueError("a data set needs at least one column, and the names must be different")
        numeric = [column.name for column in columns if not column.categories]
        if len(columns) == 1:
            axes, parts["chosen_inputs"] = (columns[0].name, columns[0].name), (columns[0].name,)
        x, y = axes or [*(numeric if len(numeric) > 1 else by_name)][:2]
        _check_name(x, by_name)
        _check_name(y, by_name)
        shown = by_name[x], by_name[y]
        points = np.column_stack([column.numbers for column in shown])
        parts.setdefault("labels", np.full(len(points), UNLABELLED))
        return cls(
            points, axes=(x, y), axis_categories=(shown[0].categories, shown[1].categories),
            others=tuple(column for column in columns if column.name not in (x, y)),
            incomplete=bool(np.isnan(points).any()), **parts,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.points)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        return (
            np.array_equal(self.points, other.points, equal_nan=self.incomplete)
            and np.array_equal(self.labels, other.labels)
            and self.classes == other.classes
            and self.axes == other.axes
            and self.others == other.others
            and self.axis_categories == other.axis_categories
            and (self.inputs, self.target, self.missing) == (other.inputs, other.target, other.missing)
            and np.array_equal(self.plane, other.plane)  # type: ignore[arg-type]
            and self.surface == other.surface
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def x(self) -> Floats:
        return self.points[:, 0]

    @property
    def y(self) -> Floats:
        return self.points[:, 1]

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """All columns but that of the classes: the axes, then the others."""
        axes = (
            Column(name, np.where(np.isnan(values), UNLABELLED, values) if names else values, names)
            for name, names, values in zip(self.axes, self.axis_categories, self.points.T)
        )
        return (*axes, *self.others)

    @property
    def class_column(self) -> Column:
        """The classes as a column of categories."""
        count = max(int(self.labels.max(initial=0)) + 1, len(self.classes))
        return Column(self.label, self.labels, tuple(map(self.name, range(count))))

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        """The columns by name, the first one of equal names."""
        found: dict[str, Column] = {}
        for column in self.columns:
            found.setdefault(column.name, column)
        return found

    def column(self, name: str) -> Column:
        """Return a column by its name; ValueError lists the columns."""
        _check_name(name, self._by_name)
        return self._by_name[name]

    def with_roles(
        self, *, axes: Sequence[str] | None = None, inputs: Sequence[str] | None = None,
        target: str | None = None, label: str | None = None, missing: Missing | None = None,
    ) -> Dataset:  # fmt: skip
        """Return the data set with other roles of its columns; a role that is not given stays as it is.

        Empty inputs stand for the axes, an empty target for the second axis, an empty label for rows without
        classes. A former class column stays as a column of categories, and can have another role. Other axes,
        inputs and targets replace an oblique plane.
        """
        x, y = self.axes if axes is None else axes
        columns, named = dict(self._by_name), (x, y, *(inputs or ()), target)
        if label is None and self.label in named and self.label not in columns:
            label = ""
        parts: dict[str, Any] = {"missing": self.missing if missing is None else missing}
        if label is not None and (label != self.label or label in columns):
            parts |= self._classes_from(label, columns)
        for name in filter(None, named):
            if label and name == label:
                raise ValueError(f"column {quoted(name)} cannot be the class and have another role as well")
            _check_name(name, columns)
        if (axes, inputs, target) != (None, None, None):
            parts["plane"] = None
        chosen = self.chosen_inputs if inputs is None else inputs
        parts["chosen_inputs"] = tuple(name for name in chosen if name in columns)
        parts["target"] = (self.target if self.target in columns else "") if target is None else target
        if (x, y) == self.axes:
            others = tuple(column for name, column in columns.items() if name not in self.axes)
            return replace(self, others=others, **parts)
        same = "labels", "classes", "class_values", "label", "ids", "surface"
        kept = {name: getattr(self, name) for name in same}
        return Dataset.of([*columns.values()], (x, y), **kept | parts)

    def _classes_from(self, label: str, columns: dict[str, Column]) -> dict[str, Any]:
        """Return the classes of a column, which is replaced by the present classes among the columns.

        It stays if it has so many classes that the rarest are merged.
        """
        found = None
        if (label and label != self.label) or label in columns:
            _check_name(label, columns)
            found = columns[label]
            if not merge_report(found):
                del columns[label]
        own, classes = self._by_name.get(self.label), self.class_column
        kept = own is not None and np.array_equal(codes_by_name(own, classes.categories), self.labels)
        if len(self.present) and not kept:
            name = f"{self.label} before" if self.label in columns else self.label
            columns[name] = replace(classes, name=name)
        if found is None:
            found, label = Column(CLASS, np.full(len(self), np.nan)), CLASS
        return dict(zip(("labels", "classes", "class_values"), classes_of(found))) | {"label": label}

    @cached_property
    def features(self) -> Floats:
        """Values (n, d) of the inputs."""
        if self.inputs == self.axes:
            return self.points
        return self.matrix(self.inputs)

    def matrix(self, names: Sequence[str]) -> Floats:
        """Return the values (n, k) of some columns; categories are given by their codes."""
        return np.column_stack([self.column(name).numbers for name in names])

    @property
    def values(self) -> NDArray[np.generic]:
        """The class of each row as it was given, None where it is missing."""
        return value_array([*self.values_by_code, None])[self.labels]  # the code -1 stands for the last one

    @property
    def values_by_code(self) -> tuple[ClassValue, ...]:
        """Values of the classes by code, up to the highest code: codes, or names where others have values."""
        count = int(self.labels.max(initial=-1)) + 1
        more = range(len(self.class_values), count)
        return (*self.class_values, *(map(self.name, more) if self.class_values else more))

    @cached_property
    def present(self) -> Ints:
        """Codes of the classes that occur, rising."""
        found = different(self.labels)
        return found[found >= 0]

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All arrays of the rows; data sets that differ by an edit share those that it leaves as they are."""
        return self.points, self.labels, self.ids, *(column.values for column in self.others)

    @cached_property
    def bounds(self) -> Bounds | None:
        """The smallest rectangle around the points; None without points."""
        shown = self.points[~np.isnan(self.points).any(axis=1)] if self.incomplete else self.points
        if not len(shown):
            return None
        (left, bottom), (right, top) = shown.min(axis=0), shown.max(axis=0)
        return float(left), float(right), float(bottom), float(top)

    def name(self, label: int) -> str:
        """Return the name of a class."""
        return class_name(self.classes, label)

    def take(self, which: Mask | Ints | slice) -> Dataset:
        """Return the rows of a mask or an index array, with their ids."""
        others = tuple(column.take(which) for column in self.others)
        return replace(
            self, points=self.points[which], labels=self.labels[which], ids=self.ids[which], others=others
        )

    def adding(self, points: ArrayLike, labels: ArrayLike) -> Dataset:
        """Return the data set with more rows at the end; one label may serve for all of them."""
        more = np.atleast_2d(np.asarray(points, float))
        tags = np.broadcast_to(np.asarray(labels, dtype=np.int64), (len(more),))
        start = int(self.ids.max()) + 1 if len(self) else 0
        return replace(
            self,
            points=np.concatenate([self.points, more]),
            labels=np.concatenate([self.labels, tags]),
            ids=np.concatenate([self.ids, np.arange(start, start + len(more))]),
            others=tuple(column.lengthened(len(more)) for column in self.others),
        )

    def moved(self, mask: Mask, points: ArrayLike) -> Dataset:
        """Return the data set with the rows of a mask at new places."""
        places = self.points.copy()
        places[mask] = points
        return replace(self, points=places)

    def with_values(self, name: str, rows: Mask | slice, values: ArrayLike) -> Dataset:
        """Return the data set with other values in some rows of a column."""
        if name in self.axes:
            points = self.points.copy()
            points[rows, self.axes.index(name)] = values
            return replace(self, points=points)
        column = self.column(name)
        changed = column.values.copy()
        changed[rows] = column.nearest(values)
        others = (replace(each, values=changed) if each.name == name else each for each in self.others)
        return replace(self, others=tuple(others))

    def median(self, name: str) -> float:
        """Return the median of a column, of categories the most frequent one; 0 without known values."""
        column = self.column(name)
        return column.typical if column.has_values else 0.0

    def relabelled(self, mask: Mask, label: int) -> Dataset:
        """Return the data set with the rows of a mask in another class."""
        labels = self.labels.copy()
        labels[mask] = label
        return replace(self, labels=labels)

    def renamed(self, label: int, name: str) -> Dataset:
        """Return the data set with another name for a class; without a name, its letter is used.

        ValueError where another class has the name: figures could not distinguish them.
        """
        name = " ".join(name.split())[:LONGEST_NAME]
        names = [*self.classes, *[""] * (label + 1 - len(self.classes))]
        names[label] = "" if name == replace(self, classes=()).name(label) else name
        found = replace(self, classes=tuple(names))
        for other in range(UNLABELLED, max(MAX_CLASSES, len(names))):
            if other != label and found.name(other) == found.name(label):
                whose = (
                    "that of points without a class" if other == UNLABELLED else f"that of class {other + 1}"
                )
                raise ValueError(f"the name '{found.name(label)}' is {whose} already")
        return found

    def unlabelled(self) -> Dataset:
        """Return the data set without classes."""
        return replace(self, labels=np.full(len(self), UNLABELLED))


def _points(given: ArrayLike, incomplete: bool, categories: tuple[tuple[str, ...], ...]) -> Floats:
    points = np.asarray(read_only(given, np.dtype(np.float64)))
    if any(categories):  # places between categories stand for the nearest one
        limits = [len(names) - 1 if names else np.inf for names in categories]
        points = np.where(np.isinf(limits), points, np.clip(np.rint(points), 0, limits))
    if points.size == 0:
        points = points.reshape(0, 2)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"points must have the shape (n, 2), not {points.shape}")
    finite = ~np.isinf(points) if incomplete else np.isfinite(points)
    if not finite.all():
        bad = ~finite.all(axis=1)
        raise ValueError(f"point {int(np.argmax(bad))} is not finite: every coordinate must be a number")
    return points


def _check_name(name: str, names: Collection[str]) -> None:
    if name not in names:
        raise ValueError(unknown_column(name, [*names]))
