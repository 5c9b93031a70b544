"""A k-d tree: boxes halved at the median of their longer side, so that one place asks about few points."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vizml.field.metrics import METRICS, Metric
from vizml.learn.state import Floats, Ints

LEAF = 16
"""Points that are looked at together."""


@dataclass(frozen=True, eq=False)
class Box:
    """The smallest rectangle around some of the points."""

    points: Floats
    rows: Ints

    @cached_property
    def sides(self) -> tuple[Floats, Floats]:
        """Its lower and its upper corner."""
        mine = self.points[self.rows]
        return mine.min(axis=0), mine.max(axis=0)

    @cached_property
    def halves(self) -> tuple[Box, ...]:
        """Made when a place first asks for them: most places ask about few boxes. A leaf has none."""
        low, high = self.sides
        if len(self.rows) <= LEAF or np.array_equal(low, high):
            return ()
        half = len(self.rows) // 2
        order = np.argpartition(self.points[self.rows, int(np.argmax(high - low))], half)
        return tuple(Box(self.points, self.rows[part]) for part in (order[:half], order[half:]))

    def nearest(self, place: Floats) -> Floats:
        """The place of the box that is nearest to a place."""
        return np.clip(place, *self.sides)


class KdTree:
    """Points (n, 2) in nested boxes. Answers are those of looking at all points, of equals the first."""

    def __init__(self, points: Floats, metric: str = "l2") -> None:
        self.points = points
        self.metric: Metric = METRICS[metric]
        self.root = Box(points, np.arange(len(points)))

    def nearest(self, place: Floats, k: int) -> Ints:
        """The rows of the k points nearest to a place (2,), from the nearest on."""
        found: list[tuple[float, int]] = []
        waiting: list[tuple[float, int, Box]] = [(self._bound(self.root, place), 0, self.root)]
        asked = 0
        while waiting:
            bound, _, box = heapq.heappop(waiting)
            if len(found) == k and bound > found[-1][0]:
                break
            for half in box.halves:
                asked += 1
                heapq.heappush(waiting, (self._bound(half, place), asked, half))
            if not box.halves:
                found = sorted([*found, *self._ranked(box.rows, place)])[:k]
        return np.array([row for _, row in found], dtype=np.int64)

    def _bound(self, box: Box, place: Floats) -> float:
        """No point of the box has a lower rank: rounding keeps the order of differences."""
        return float(self.metric.ranks(place[None], box.nearest(place)[None])[0, 0])

    def _ranked(self, rows: Ints, place: Floats) -> list[tuple[float, int]]:
        ranks = self.metric.ranks(place[None], self.points[rows])[0]
        return list(zip(ranks.tolist(), rows.tolist()))
