"""Agglomerative clustering: merge the two nearest clusters until one is left.

Most linkages are reducible: no union is nearer to a third cluster than the nearer of its two parts. Clusters
that are nearest to each other are then merged at some time whatever happens first, so all such pairs are
merged at once, and the merges are sorted by their heights in the end (Murtagh 1983).

After a merge of clusters a and b with n_a and n_b points, the distance of any cluster c to the union follows
from those to a and b (Lance and Williams): single min, complete max, average
(n_a d_a + n_b d_b) / (n_a + n_b); and, for squared distances,
centroid  (n_a d_a + n_b d_b) / (n_a + n_b) - n_a n_b d_ab / (n_a + n_b)^2
Ward      ((n_a + n_c) d_a + (n_b + n_c) d_b - n_c d_ab) / (n_a + n_b + n_c).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.field.distances import METRICS, expanded_distances
from vizml.learn.clusters.dendrogram import Dendrogram

BLOCK = 1 << 20
"""Distances computed between two steps: about 5 ms of work."""
GONE = -1
"""Nearest cluster of one that was merged."""
REDUCIBLE = ("single", "complete", "average", "ward")
SQUARED = ("centroid", "ward")
"""Linkages whose update holds for squared distances."""


class ClusterSizes(NamedTuple):
    """Numbers of points of the two clusters that are merged, and of all clusters."""

    a: float | Floats
    b: float | Floats
    others: Floats


def updated_distances(
    linkage: str, to_a: Floats, to_b: Floats, between: float | Floats, size: ClusterSizes
) -> Floats:
    """Distances to the union of a and b, from those to a and to b and the distance between them.

    Arguments broadcast, for several unions at once.
    """
    if linkage == "single":
        return np.minimum(to_a, to_b)
    if linkage == "complete":
        return np.maximum(to_a, to_b)
    if linkage == "ward":
        mean = (size.a + size.others) * to_a + (size.b + size.others) * to_b - size.others * between
        return np.asarray(mean / (size.a + size.b + size.others))
    union = size.a + size.b
    mean = (size.a * to_a + size.b * to_b) / union
    return mean if linkage == "average" else mean - size.a * size.b * between / (union * union)


class Agglomeration:
    """Matrix of the distances between clusters, with the nearest cluster of each.

    >>> task = Agglomeration(np.array([[0.0], [1.0], [5.0]]), "single")
    >>> list(task.compute_distances()), list(task.merge())
    ([3], [])
    >>> task.dendrogram().pairs.tolist(), task.dendrogram().heights.tolist()
    ([[0, 1], [2, 3]], [1.0, 4.0])
    """

    def __init__(self, X: Floats, linkage: str, metric: str = "l2") -> None:
        """`metric` is "l2", or "l1" with a linkage that is not defined by means."""
        self.X, self.linkage, self.metric = X, linkage, metric
        n = len(X)
        self.distances = np.empty((n, n))
        self.nearest, self.nearest_distance = np.zeros(n, dtype=np.int64), np.empty(n)
        self.nodes = np.arange(n)
        self.sizes, self.peaks = np.ones(n), np.zeros(n)
        self.active = np.ones(n, dtype=bool)
        self._merged = [np.empty((5, 0))]
        """Both nodes, height, greatest height below and size of each union, in the order of the merges."""

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

    def merge(self) -> Iterator[int]:
        """Merge until one cluster is left; yield the number of merges after each block of work."""
        made, work, last = 0, 0, len(self.X) - 1
        while made < last:
            if 2 * (len(self.X) - made) < len(self.nodes):
                self._compact()
            pairs = self._nearest_pairs()
            self._merge(pairs, self.nearest[pairs], len(self.X) + made)
            made, work = made + len(pairs), work + len(pairs) * len(self.nodes)
            if work > BLOCK and made < last:
                yield made
                work = 0

    def dendrogram(self) -> Dendrogram:
        """Tree of all merges, in the order of their heights where the linkage is reducible."""
        n, (a, b, heights, peaks, sizes) = len(self.X), np.concatenate(self._merged, axis=1)
        order = heights.argsort(kind="stable") if self.linkage in REDUCIBLE else np.arange(n - 1)
        number = np.arange(2 * n - 1)
        number[n + order] = np.arange(n, 2 * n - 1)
        pairs = np.sort(number[np.stack([a, b], axis=1).astype(np.int64)], axis=1)
        if self.linkage in SQUARED:
            heights, peaks = np.sqrt(np.maximum(heights, 0.0)), np.sqrt(np.maximum(peaks, 0.0))
        return Dendrogram(
            n=n, pairs=pairs[order], heights=heights[order], peaks=peaks[order],
            sizes=sizes[order].astype(np.int64),
        )  # fmt: skip

    def _nearest_pairs(self) -> Ints:
        """The first cluster of each pair that is merged now with the nearest one of the first."""
        if self.linkage in REDUCIBLE:
            (mutual,) = (self.nearest[self.nearest] == np.arange(len(self.nearest))).nonzero()
            pairs: Ints = mutual[mutual < self.nearest[mutual]]
            if len(pairs):
                return pairs[: max(BLOCK // (4 * len(self.nodes)), 1)]
        return np.array([int(self.nearest_distance.argmin())])

    def _merge(self, a: Ints, b: Ints, node: int) -> None:
        """Replace clusters b by the unions, nodes from `node` on, and deactivate a."""
        between, size_a, size_b = self.nearest_distance[a], self.sizes[a], self.sizes[b]
        peaks = np.maximum(np.maximum(self.peaks[a], self.peaks[b]), between)
        heights = peaks if self.linkage in REDUCIBLE else between  # lower ones are rounding
        self._merged.append(np.array([self.nodes[a], self.nodes[b], heights, peaks, size_a + size_b]))
        self._replace(a, b, self._union_distances(a, b))
        self.sizes[b], self.peaks[b] = size_a + size_b, peaks
        self.nodes[b] = np.arange(node, node + len(b))

    def _union_distances(self, a: Ints, b: Ints) -> Floats:
        """Distances (pairs, clusters) of the unions of a and b; infinite to themselves and to a."""
        between, size_a, size_b = self.nearest_distance[a], self.sizes[a], self.sizes[b]
        sizes = ClusterSizes(size_a[:, None], size_b[:, None], self.sizes)
        rows = updated_distances(self.linkage, self.distances[a], self.distances[b], between[:, None], sizes)
        if len(a) > 1:
            sizes = ClusterSizes(size_a, size_b, (size_a + size_b)[:, None])
            rows[:, b] = updated_distances(self.linkage, rows[:, a], rows[:, b], between, sizes)
        rows[:, a] = rows[np.arange(len(b)), b] = np.inf
        return rows

    def _replace(self, a: Ints, b: Ints, rows: Floats) -> None:
        """Replace the distances of b, drop those of a, and update the nearest cluster of each."""
        self.distances[:, a] = np.inf
        self.distances[b] = rows
        self.distances[:, b] = rows.T
        self.active[a] = False
        changed = np.zeros(len(self.nodes), dtype=bool)
        changed[a] = changed[b] = True
        stale = changed[self.nearest] | changed | (rows.min(axis=0) < self.nearest_distance)
        self.nearest[a], self.nearest_distance[a] = GONE, np.inf
        (at,) = (stale & self.active).nonzero()
        searched = self.distances[at]
        self.nearest[at] = found = searched.argmin(axis=1)
        self.nearest_distance[at] = searched[np.arange(len(at)), found]

    def _compact(self) -> None:
        """Drop merged clusters from the distance matrix."""
        kept = np.flatnonzero(self.active)
        position = np.full(len(self.nodes), -1)
        position[kept] = np.arange(len(kept))
        self.distances = self.distances[np.ix_(kept, kept)]
        self.nodes, self.sizes, self.peaks = self.nodes[kept], self.sizes[kept], self.peaks[kept]
        self.nearest, self.nearest_distance = position[self.nearest[kept]], self.nearest_distance[kept]
        self.active = np.ones(len(kept), dtype=bool)
