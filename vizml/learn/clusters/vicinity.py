"""Which points lie within a radius: cells of that size, of which only the nine around a point matter."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.random import Generator

from vizml.learn.state import Floats, Ints

PAIRS = 1 << 19
"""Candidates at a time."""
CELLS = 1 << 20
"""Along an axis at the most, so that their numbers fit."""


class Vicinity:
    """Points sorted into cells."""

    def __init__(self, points: Floats, radius: float) -> None:
        self.points = points
        self.square = radius * radius
        low = points.min(axis=0)
        extent = float((points.max(axis=0) - low).max())
        # a little wider than the radius: a quotient that rounds up must not skip a cell
        size = max(radius * (1 + 1e-9), extent / CELLS)
        self.cells = ((points - low) / size).astype(np.int64) + 1
        self.height = int(self.cells[:, 1].max()) + 2
        keys = self.cells[:, 0] * self.height + self.cells[:, 1]
        self.order = np.argsort(keys, kind="stable")
        self.keys = keys[self.order]

    def pairs(self, rows: Ints) -> Iterator[tuple[Ints, Ints]]:
        """Chunk by chunk: rows, and the points that are within the radius of each, itself among them."""
        columns = self.cells[rows, :1] + np.array([-1, 0, 1])
        lowest = columns * self.height + self.cells[rows, 1:] - 1
        starts = np.searchsorted(self.keys, lowest, side="left")
        lengths = np.searchsorted(self.keys, lowest + 2, side="right") - starts
        total = np.cumsum(lengths.sum(axis=1))
        edges = np.searchsorted(total, np.arange(PAIRS, int(total[-1]) if len(rows) else 0, PAIRS))
        for part in np.split(np.arange(len(rows)), np.unique(edges)):
            if len(part):
                yield self._close(rows[part], starts[part].ravel(), lengths[part])

    def _close(self, rows: Ints, starts: Ints, lengths: Ints) -> tuple[Ints, Ints]:
        each = lengths.ravel()
        before = np.cumsum(each) - each
        found = np.repeat(starts - before, each) + np.arange(int(each.sum()))
        others, own = self.order[found], np.repeat(rows, lengths.sum(axis=1))
        apart = self.points[others] - self.points[own]
        near = (apart * apart).sum(axis=1) <= self.square
        return own[near], others[near]


def sampled(n: int, rng: Generator) -> Ints:
    """So many of n points, at least 100, that their distances to all are found in a moment."""
    chosen: Ints = np.sort(rng.permutation(n)[: max(2 * PAIRS // n, 100)])
    return chosen


def kth_distances(points: Floats, k: int, rows: Ints) -> Floats:
    """The distance from some points to the k-th nearest, itself the first."""
    k = min(k, len(points))
    step = max(PAIRS // len(points), 1)
    found = [
        np.partition(((points[rows[i : i + step], None] - points) ** 2).sum(axis=2), k - 1, axis=1)[:, k - 1]
        for i in range(0, len(rows), step)
    ]
    return np.asarray(np.sqrt(np.concatenate(found)))
