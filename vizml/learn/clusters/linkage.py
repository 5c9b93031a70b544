"""Agglomeration: the two nearest clusters become one, until one is left; what near means is the linkage.

With n_a, n_b points, the distance of c to the union follows from those to a and b (Lance and Williams):
single min, complete max, average (n_a d_a + n_b d_b) / (n_a + n_b); and for squared distances
centroid  (n_a d_a + n_b d_b) / (n_a + n_b) - n_a n_b d_ab / (n_a + n_b)^2
Ward      ((n_a + n_c) d_a + (n_b + n_c) d_b - n_c d_ab) / (n_a + n_b + n_c).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from vizml.learn.state import Floats, Ints

BLOCK = 1 << 20
"""Distances at a time."""
SQUARED = ("centroid", "ward")


@dataclass(frozen=True)
class Sizes:
    """The points of two clusters that become one, and of all others."""

    a: float
    b: float
    others: Floats


Update = Callable[[Floats, Floats, float, Sizes], Floats]
"""Of the distances to a and to b, of that between them, and of the sizes: the distances to the union."""


def _average(to_a: Floats, to_b: Floats, apart: float, sizes: Sizes) -> Floats:
    del apart
    return (sizes.a * to_a + sizes.b * to_b) / (sizes.a + sizes.b)


def _centroid(to_a: Floats, to_b: Floats, apart: float, sizes: Sizes) -> Floats:
    both = sizes.a + sizes.b
    return (sizes.a * to_a + sizes.b * to_b) / both - sizes.a * sizes.b * apart / (both * both)


def _ward(to_a: Floats, to_b: Floats, apart: float, sizes: Sizes) -> Floats:
    n = sizes.others
    return ((sizes.a + n) * to_a + (sizes.b + n) * to_b - n * apart) / (sizes.a + sizes.b + n)


UPDATES: Mapping[str, Update] = {
    "single": lambda to_a, to_b, _apart, _sizes: np.asarray(np.minimum(to_a, to_b)),
    "complete": lambda to_a, to_b, _apart, _sizes: np.asarray(np.maximum(to_a, to_b)),
    "average": _average,
    "centroid": _centroid,
    "ward": _ward,
}


class Agglomeration:
    """The clusters that are left: a slot each in a matrix of distances, with the nearest of each."""

    def __init__(self, points: Floats, linkage: str) -> None:
        self.points, self.linkage = points, linkage
        self.update = UPDATES[linkage]
        n = len(points)
        self.apart = np.empty((n, n))
        self.nearest, self.near = np.zeros(n, dtype=np.int64), np.empty(n)
        self.names = np.arange(n)
        self.sizes = np.ones(n)
        self.alive = np.ones(n, dtype=bool)
        self.next = n

    def measure(self) -> Iterator[int]:
        """The distances of all points, and the nearest of each, block by block; how many points are done."""
        n = len(self.points)
        step = max(BLOCK // n, 1)
        for start in range(0, n, step):
            rows = self.apart[start : start + step]
            for axis in (0, 1):
                across = np.subtract.outer(self.points[start : start + step, axis], self.points[:, axis])
                across *= across
                rows[:] = across if axis == 0 else rows + across
            if self.linkage not in SQUARED:
                np.sqrt(rows, out=rows)
            own = np.arange(len(rows))
            rows[own, start + own] = np.inf
            found = rows.argmin(axis=1)
            self.nearest[start : start + step], self.near[start : start + step] = found, rows[own, found]
            yield min(start + step, n)

    def merges(self) -> Iterator[tuple[int, int, float]]:
        """The two clusters of each merge, the older first, and their distance; the union is the next."""
        for left in range(len(self.points), 1, -1):
            if 2 * left < len(self.names):
                self._compact()
            a = int(self.near.argmin())
            b, height = int(self.nearest[a]), float(self.near[a])
            names = sorted((int(self.names[a]), int(self.names[b])))
            self._join(a, b, height)
            yield (
                names[0],
                names[1],
                height if self.linkage not in SQUARED else float(np.sqrt(max(height, 0.0))),
            )

    def _join(self, a: int, b: int, apart: float) -> None:
        """b becomes the union, a is dead."""
        sizes = Sizes(float(self.sizes[a]), float(self.sizes[b]), self.sizes)
        row = self.update(self.apart[a], self.apart[b], apart, sizes)
        self.alive[a] = False
        row[~self.alive] = row[b] = np.inf
        self.apart[a], self.apart[:, a] = np.inf, np.inf
        self.apart[b], self.apart[:, b] = row, row
        self.sizes[b] += self.sizes[a]
        self.names[b], self.next = self.next, self.next + 1
        self.near[a] = np.inf
        lost = ((self.nearest == a) | (self.nearest == b)) & self.alive
        lost[b] = True
        closer = (row < self.near) & ~lost
        self.nearest[closer], self.near[closer] = b, row[closer]
        self._find(np.flatnonzero(lost))

    def _find(self, slots: Ints) -> None:
        """The nearest of some slots."""
        for slot in slots.tolist():
            row = self.apart[slot]
            self.nearest[slot] = found = row.argmin()
            self.near[slot] = row[found]

    def _compact(self) -> None:
        """Leave the dead behind."""
        kept = np.flatnonzero(self.alive)
        place = np.full(len(self.names), -1)
        place[kept] = np.arange(len(kept))
        self.apart = self.apart[np.ix_(kept, kept)]
        self.names, self.sizes, self.near = self.names[kept], self.sizes[kept], self.near[kept]
        self.nearest, self.alive = place[self.nearest[kept]], np.ones(len(kept), dtype=bool)
