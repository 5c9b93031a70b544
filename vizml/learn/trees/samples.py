"""What trees grow on: entries are points, any number of trees have them, and each axis sorts them once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.structure import Mask


@dataclass(frozen=True, eq=False)
class TreeSamples:
    """Points by `rows`, each in the tree `trees`; `order` (features, entries) sorts by tree and value."""

    columns: Floats
    """The place of each entry (features, entries)."""
    rows: Ints
    trees: Ints
    order: Ints

    @classmethod
    def all(cls, points: Floats, order: Ints | None = None) -> TreeSamples:
        """All points (n, features) in one tree."""
        rows = np.arange(len(points))
        order = argsort_features(points) if order is None else order
        return cls(np.ascontiguousarray(points.T), rows, np.zeros_like(rows), order)

    @classmethod
    def of(cls, points: Floats, inside: Mask, rising: Ints) -> TreeSamples:
        """The points that are inside some trees (trees, n); `rising` (features, n) sorts all points."""
        roots, rows = np.nonzero(inside)
        number = np.cumsum(inside.ravel()).reshape(inside.shape) - 1
        order = [number[:, along][inside[:, along]] for along in rising]
        return cls(np.ascontiguousarray(points[rows].T), rows, roots, np.stack(order))

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def counts(self) -> Ints:
        """The number of entries of each tree."""
        return np.bincount(self.trees).astype(np.int64)

    def room(self, name: str, shape: tuple[int, ...]) -> Floats:
        """Where an array can be put that is made anew at every level: fresh memory takes longer to get."""
        view = self._rooms.get((name, shape))
        if view is None:
            size, kept = math.prod(shape), self._rooms.get((name, ()))
            if kept is None or kept.size < size:
                kept = self._rooms[name, ()] = np.empty(size)
            view = self._rooms[name, shape] = kept[:size].reshape(shape)
        return view

    @cached_property
    def _rooms(self) -> dict[tuple[str, tuple[int, ...]], Floats]:
        return {}

    @cached_property
    def starts(self) -> Ints:
        """Where the entries of each tree begin."""
        return np.cumsum(self.counts) - self.counts

    @cached_property
    def distinct(self) -> bool:
        """Whether no two entries of a tree are in one place along an axis."""
        values = np.take_along_axis(self.columns, self.order, axis=1)
        roots = self.trees[self.order[0]]
        return not bool(((values[:, 1:] == values[:, :-1]) & (roots[1:] == roots[:-1])).any())


def argsort_features(points: Floats) -> Ints:
    """The points (n, features) sorted along each feature."""
    return np.stack([np.argsort(column, kind="stable") for column in points.T])
