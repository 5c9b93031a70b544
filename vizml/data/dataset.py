"""Labelled points on a plane: the one thing that people draw and everything else reads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]
Bounds: TypeAlias = tuple[float, float, float, float]
"""The edges of a rectangle: left, right, bottom, top."""

UNLABELLED = -1
MAX_CLASSES = 8
LONGEST_NAME = 40
"""Characters that the name of a class may have where a hand writes it."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """Points (n, 2) with a class index each; -1 is unlabelled. Arrays are read-only copies.

    `ids` tell points apart through edits, so that a selection or a split follows its points.
    """

    points: Floats
    labels: Ints
    classes: tuple[str, ...] = ()
    axes: tuple[str, str] = ("x", "y")
    ids: Ints | None = None

    def __post_init__(self) -> None:
        points = _points(self.points)
        labels = _labels(self.labels, len(points))
        ids = np.arange(len(points)) if self.ids is None else _own_ids(self.ids, len(points))
        for name, array in (("points", points), ("labels", labels), ("ids", ids)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        object.__setattr__(self, "classes", tuple(self.classes))
        object.__setattr__(self, "axes", tuple(self.axes))

    @classmethod
    def empty(cls, **names: object) -> Dataset:
        """No points yet."""
        return cls(np.empty((0, 2)), np.empty(0, dtype=np.int64), **names)  # type: ignore[arg-type]

    @classmethod
    def curve(cls, x: ArrayLike, y: ArrayLike) -> Dataset:
        """Unlabelled points from an abscissa and an ordinate, as regression wants them."""
        points = np.column_stack([np.ravel(np.asarray(x, float)), np.ravel(np.asarray(y, float))])
        return cls(points, np.full(len(points), UNLABELLED))

    def __len__(self) -> int:
        return len(self.points)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        return (
            np.array_equal(self.points, other.points)
            and np.array_equal(self.labels, other.labels)
            and self.classes == other.classes
            and self.axes == other.axes
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def x(self) -> Floats:
        return self.points[:, 0]

    @property
    def y(self) -> Floats:
        return self.points[:, 1]

    @property
    def features(self) -> Floats:
        """The inputs (n, d) of a model."""
        return self.points

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs."""
        return self.axes

    @cached_property
    def present(self) -> Ints:
        """The classes that have a point, rising."""
        found = _different(self.labels)
        return found[found >= 0]

    @property
    def nbytes(self) -> int:
        return self.points.nbytes + 2 * self.labels.nbytes

    @cached_property
    def bounds(self) -> Bounds | None:
        """The smallest rectangle around the points, None without points."""
        if not len(self):
            return None
        (left, bottom), (right, top) = self.points.min(axis=0), self.points.max(axis=0)
        return float(left), float(right), float(bottom), float(top)

    def name(self, label: int) -> str:
        """The name of a class: its own where it has one, else a letter."""
        return class_name(self.classes, label)

    def take(self, which: Mask | Ints | slice) -> Dataset:
        """The points of a mask or an index array, with their ids."""
        return replace(self, points=self.points[which], labels=self.labels[which], ids=self._ids[which])

    def without(self, mask: Mask) -> Dataset:
        """All points but those of a mask."""
        return self.take(~mask)

    def adding(self, points: ArrayLike, labels: ArrayLike) -> Dataset:
        """More points at the end; one label may serve for all of them."""
        more = np.atleast_2d(np.asarray(points, float))
        tags = np.broadcast_to(np.asarray(labels, dtype=np.int64), (len(more),))
        start = int(self._ids.max()) + 1 if len(self) else 0
        return replace(
            self,
            points=np.concatenate([self.points, more]),
            labels=np.concatenate([self.labels, tags]),
            ids=np.concatenate([self._ids, np.arange(start, start + len(more))]),
        )

    def moved(self, mask: Mask, points: ArrayLike) -> Dataset:
        """The same points, those of the mask at new places."""
        places = self.points.copy()
        places[mask] = points
        return replace(self, points=places)

    def relabelled(self, mask: Mask, label: int) -> Dataset:
        """The same points, those of the mask in another class."""
        labels = self.labels.copy()
        labels[mask] = label
        return replace(self, labels=labels)

    def renamed(self, label: int, name: str) -> Dataset:
        """The same points, a class by another name; without one it is called by its letter again.

        ValueError where another class has the name: nobody who reads a picture could tell the two apart.
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
        """The same points with their labels hidden."""
        return replace(self, labels=np.full(len(self), UNLABELLED))

    @property
    def _ids(self) -> Ints:
        if self.ids is None:  # only before __post_init__
            raise AttributeError("ids")
        return self.ids


def class_name(classes: tuple[str, ...], label: int) -> str:
    """Return the name of a class: its own where it has one, else a letter."""
    if label == UNLABELLED:
        return "unlabelled"
    if label < len(classes) and classes[label]:
        return classes[label]
    return chr(ord("A") + label) if label < 26 else f"class {label + 1}"


def _different(values: Ints) -> Ints:
    """Each value once, rising: by sorting, as numpy's hash table takes ten times as long (numpy 2.4)."""
    rising = np.sort(values)
    new = np.ones(len(rising), dtype=np.bool_)
    np.not_equal(rising[1:], rising[:-1], out=new[1:])
    found: Ints = rising[new]
    return found


def _own_ids(given: ArrayLike, count: int) -> Ints:
    ids = np.array(given, dtype=np.int64)
    if ids.shape != (count,) or len(_different(ids)) != count:
        raise ValueError("ids must be one different whole number for each point")
    return ids


def _points(given: ArrayLike) -> Floats:
    points = np.array(given, dtype=np.float64)
    if points.size == 0:
        points = points.reshape(0, 2)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"points must have the shape (n, 2), not {points.shape}")
    finite = np.isfinite(points)
    if not finite.all():
        bad = ~finite.all(axis=1)
        raise ValueError(f"point {int(np.argmax(bad))} is not finite: every coordinate must be a number")
    return points


def _labels(given: ArrayLike, count: int) -> Ints:
    raw = np.asarray(given)
    if raw.size == 0:
        raw = raw.astype(np.int64)
    if raw.shape != (count,):
        raise ValueError(f"labels must be one for each of the {count} points, not of the shape {raw.shape}")
    if raw.dtype.kind not in "iub" and not (raw.dtype.kind == "f" and np.all(raw == np.floor(raw))):
        raise ValueError("labels must be whole numbers, -1 for unlabelled")
    labels = np.array(raw, dtype=np.int64)
    if (labels < UNLABELLED).any():
        raise ValueError(f"label {int(labels.min())} is out of range: classes count from 0, -1 is unlabelled")
    return labels
