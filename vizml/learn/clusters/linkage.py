"""Agglomerative clustering: merge the two nearest clusters until one is left.

After a merge of clusters a and b with n_a and n_b points, the distance of any cluster c to the union follows
from those to a and b (Lance and Williams): single min, complete max, average
(n_a d_a + n_b d_b) / (n_a + n_b); and, for squared distances,
centroid  (n_a d_a + n_b d_b) / (n_a + n_b) - n_a n_b d_ab / (n_a + n_b)^2
Ward      ((n_a + n_c) d_a + (n_b + n_c) d_b - n_c d_ab) / (n_a + n_b + n_c).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.field.distances import expanded_distances
from vizml.field.metrics import METRICS

BLOCK = 1 << 20
"""Distances computed between two steps: about 5 ms of work."""
GONE = -1
"""Nearest cluster of one that was merged."""
SQUARED = ("centroid", "ward")
"""Linkages whose update holds for squared distances."""


class ClusterSizes(NamedTuple):
    """Numbers of points of the two clusters that are merged, and of all clusters."""

    a: float
    b: float
    others: Floats


def updated_distances(linkage: str, to_a: Floats, to_b: Floats, between: float, size: ClusterSizes) -> Floats:
    """Distances to the union of a and b, from those to a and to b and the distance between them."""
    if linkage == "single":
        return np.minimum(to_a, to_b)
    if linkage == "complete":
        return np.maximum(to_a, to_b)
    if linkage == "ward":
        a, b = size.a + size.others, size.b + size.others
        total = a * to_a
        total += np.multiply(b, to_b, out=b)
        total -= size.others * between
        a += size.b
        return np.divide(total, a, out=total)
    union = size.a + size.b
    mean = (size.a * to_a + size.b * to_b) / union
    return mean if linkage == "average" else mean - size.a * size.b * between / (union * union)


class Agglomeration:
    """Matrix of the distances between clusters, with the nearest cluster of each.

    >>> task = Agglomeration(np.array([[0.0], [1.0], [5.0]]), "single")
    >>> list(task.compute_distances()), list(task.merges())
    ([3], [(0, 1, 1.0), (2, 3, 4.0)])
    """

    def __init__(self, X: Floats, linkage: str, metric: str = "l2") -> None:
        """`metric` is "l2", or "l1" with a linkage that is not defined by means."""
        self.X, self.linkage, self.metric = X, linkage, metric
        n = len(X)
        self.distances = np.empty((n, n))
        self.nearest, self.nearest_distance = np.zeros(n, dtype=np.int64), np.empty(n)
        self.nodes = np.arange(n)
        self.sizes = np.ones(n)
        self.active = np.ones(n, dtype=bool)
        self.next_node = n

    def compute_distances(self) -> Iterator[int]:
        """Fill the matrix block by block; yield the number of points that are done."""
        n = len(self.X)
        step = max(BLOCK // n, 1)
        for start in range(0, n, step):
            rows = self._rows(self.X[start : start + step])
            own = np.arange(len(rows))
            rows[own, start + own] = np.inf
            nearest = rows.argmin(axis=1)
            self.distances[start : start + step] = rows
            self.nearest[start : start + step] = nearest
            self.nearest_distance[start : start + step] = rows[own, nearest]
            yield min(start + step, n)

    def _rows(self, X: Floats) -> Floats:
        """Return the distances of some points from all, squared for some linkages."""
        if self.metric == "l1":
            return METRICS["l1"].ranks(X, self.X)
        block = expanded_distances(X, self.X)
        return block if self.linkage in SQUARED else np.asarray(np.sqrt(block))

    def merges(self) -> Iterator[tuple[int, int, float]]:
        """Merge until one cluster is left; yield the two nodes of each merge, older first, and its height."""
        for left in range(len(self.X), 1, -1):
            if 2 * left < len(self.nodes):
                self._compact()
            a = int(self.nearest_distance.argmin())
            b, distance = int(self.nearest[a]), float(self.nearest_distance[a])
            first, second = sorted((int(self.nodes[a]), int(self.nodes[b])))
            self._merge(a, b, distance)
            height = distance if self.linkage not in SQUARED else math.sqrt(max(distance, 0.0))
            yield first, second, height

    def _merge(self, a: int, b: int, between: float) -> None:
        """Replace cluster b by the union and deactivate a, whose distances become infinite."""
        sizes = ClusterSizes(self.sizes.item(a), self.sizes.item(b), self.sizes)
        row = updated_distances(self.linkage, self.distances[a], self.distances[b], between, sizes)
        self.active[a] = False
        row[a] = row[b] = np.inf
        self.distances[a] = self.distances[:, a] = np.inf
        self.distances[b] = self.distances[:, b] = row
        self.sizes[b] += sizes.a
        self.nodes[b], self.next_node = self.next_node, self.next_node + 1
        stale = ((self.nearest == a) | (self.nearest == b)).nonzero()[0].tolist()
        (closer,) = (row < self.nearest_distance).nonzero()
        self.nearest[closer], self.nearest_distance[closer] = b, row[closer]
        for slot in {*stale, b} - {a}:
            self.nearest[slot] = found = self.distances[slot].argmin()
            self.nearest_distance[slot] = self.distances[slot, found]
        self.nearest[a], self.nearest_distance[a] = GONE, np.inf

    def _compact(self) -> None:
        """Drop merged clusters from the distance matrix."""
        kept = np.flatnonzero(self.active)
        position = np.full(len(self.nodes), -1)
        position[kept] = np.arange(len(kept))
        self.distances = self.distances[np.ix_(kept, kept)]
        self.nodes, self.sizes = self.nodes[kept], self.sizes[kept]
        self.nearest, self.nearest_distance = position[self.nearest[kept]], self.nearest_distance[kept]
        self.active = np.ones(len(kept), dtype=bool)


@dataclass(frozen=True, eq=False, kw_only=True)
class Dendrogram:
    """Tree of merges so far: nodes 0 ... n - 1 are points, n + m is the union made by merge m."""

    n: int
    pairs: Ints
    """The two nodes of each merge (m, 2)."""
    heights: Floats
    peaks: Floats
    """Greatest height at or below each merge: heights of centroid linkage may fall (inversions)."""
    sizes: Ints
    """Number of points of each union."""

    def __len__(self) -> int:
        return len(self.pairs)

    def roots(self, merges: Ints) -> Ints:
        """Topmost node (n,) of each point if only the given merges were made."""
        parent = np.arange(self.n + len(self))
        parent[self.pairs[merges]] = (self.n + merges)[:, None]
        while True:
            above = parent[parent]
            if np.array_equal(above, parent):
                return above[: self.n]
            parent = above

    def below(self, tau: float) -> Ints:
        """Merges whose subtree has no height above a threshold."""
        return np.flatnonzero(self.peaks <= tau)

    def members(self, node: int) -> Ints:
        """Points below a node."""
        if node < self.n:
            return np.array([node])
        return np.flatnonzero(self.roots(np.arange(node - self.n + 1)) == node)

    def ancestors(self, point: int) -> list[int]:
        """A point and the nodes above it, upwards."""
        path = [point]
        for merge, pair in enumerate(self.pairs.tolist()):
            if path[-1] in pair:
                path.append(self.n + merge)
        return path

    def size(self, node: int) -> int:
        """Number of points below a node."""
        return 1 if node < self.n else int(self.sizes[node - self.n])

    def height(self, node: int) -> float:
        """Distance between the two clusters that a node merged."""
        return 0.0 if node < self.n else float(self.heights[node - self.n])

    def children(self, node: int) -> tuple[int, int]:
        """The two nodes that were merged."""
        first, second = self.pairs[node - self.n].tolist()
        return first, second
