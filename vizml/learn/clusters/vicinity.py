"""Which points lie within a radius: columns of that width, sorted upwards, of which only three matter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vizml.learn.state import Floats, Ints

PAIRS = 1 << 19
"""Candidates at a time."""
TOGETHER = 64
"""Neighbours on a column that are compared with the same candidates."""
MOST = 1 << 23
"""Neighbours that are kept."""
COLUMNS = 1 << 40
"""At the most, so that their numbers fit."""


@dataclass(frozen=True, eq=False)
class Near:
    """Some points, how many are within the radius of each, and these, one after the other."""

    own: Ints
    counts: Ints
    others: NDArray[np.integer[Any]]


class Vicinity:
    """Points sorted into columns."""

    def __init__(self, points: Floats, radius: float) -> None:
        low = points.min(axis=0)
        extent = float((points.max(axis=0) - low).max())
        # a little more than the radius: a quotient or a sum that rounds must not skip a point
        self.reach = max(radius * (1 + 1e-9), extent / COLUMNS) + 4 * np.finfo(float).eps * extent
        self.square = radius * radius
        columns = ((points[:, 0] - low[0]) / self.reach).astype(np.int64)
        self.order = np.lexsort((points[:, 1], columns))
        self.rank = np.empty_like(self.order)
        self.rank[self.order] = np.arange(len(points))
        self.columns = columns[self.order]
        self.x, self.y = points[self.order].T.copy()

    def near(self, rows: Ints) -> Iterator[Near]:
        """Who is within the radius of some points, each itself among them; some points at a time."""
        ranks = np.sort(self.rank[rows])
        columns = self.columns[ranks]
        edges = [0, *(np.flatnonzero(np.diff(columns)) + 1).tolist(), len(ranks)]
        for first, last in pairwise(edges):
            spans = [self._span(columns[first] + step) for step in (-1, 0, 1)] if last > first else []
            for start in range(first, last, TOGETHER):
                yield from self._compared(ranks[start : min(start + TOGETHER, last)], spans)

    def _span(self, column: int) -> tuple[int, int]:
        first, last = self.columns.searchsorted((column, column + 1))
        return int(first), int(last)

    def _compared(self, ranks: Ints, spans: list[tuple[int, int]]) -> Iterator[Near]:
        """Points of one column with those of the columns around that are neither too low nor too high."""
        bounds = self.y[ranks[0]] - self.reach, self.y[ranks[-1]] + self.reach
        parts = [np.arange(*(first + self.y[first:last].searchsorted(bounds))) for first, last in spans]
        others = np.concatenate(parts)
        x, y, step = self.x[others], self.y[others], max(PAIRS // len(others), 1)
        for start in range(0, len(ranks), step):
            own = ranks[start : start + step]
            across, up = self.x[own, None] - x, self.y[own, None] - y
            across *= across
            up *= up
            across += up
            inside = across <= self.square
            counts = np.count_nonzero(inside, axis=1)
            found = np.broadcast_to(self.order[others], inside.shape)[inside]
            yield Near(self.order[own], counts, found)


class Kept:
    """The neighbours of all points as they were found, as long as they are not too many."""

    def __init__(self, n: int) -> None:
        self.counts = np.zeros(n, dtype=np.int64)
        self._starts = np.zeros(n, dtype=np.int64)
        self._parts: list[NDArray[np.int32]] = []
        self._total = 0

    def add(self, near: Near) -> None:
        """Keep some more."""
        self.counts[near.own] = near.counts
        self._starts[near.own] = self._total + np.cumsum(near.counts) - near.counts
        self._total += len(near.others)
        if self.whole:
            self._parts.append(near.others.astype(np.int32))
        else:
            self._parts.clear()

    @property
    def whole(self) -> bool:
        """Whether all are here."""
        return self._total <= MOST

    @cached_property
    def _others(self) -> NDArray[np.int32]:
        return np.concatenate(self._parts)

    def near(self, rows: Ints) -> Iterator[Near]:
        """Who is near some points, as a `Vicinity` says it."""
        counts = self.counts[rows]
        before = np.cumsum(counts) - counts
        places = np.repeat(self._starts[rows] - before, counts) + np.arange(int(counts.sum()))
        yield Near(rows, counts, self._others[places])


def sampled(n: int, rng: Generator) -> Ints:
    """So many of n points, at least 100, that their distances to all are found in a moment."""
    chosen: Ints = np.sort(rng.permutation(n)[: max(2 * PAIRS // n, 100)])
    return chosen


def kth_distances(points: Floats, k: int, rows: Ints) -> Floats:
    """The distance from some points to the k-th nearest, itself the first."""
    k = min(k, len(points))
    step = max(PAIRS // len(points), 1)
    x, y = points.T.copy()
    found = []
    for start in range(0, len(rows), step):
        some = rows[start : start + step, None]
        squares = (x[some] - x) ** 2 + (y[some] - y) ** 2
        squares.partition(k - 1, axis=1)
        found.append(squares[:, k - 1])
    return np.asarray(np.sqrt(np.concatenate(found)))
