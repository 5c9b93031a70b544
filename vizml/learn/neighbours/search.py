"""Exact search for the k nearest of n points, in any dimension, on a line and in a k-d tree; their averages.

In a k-d tree each node halves its cell at the median point of one axis; the axes take turns (Bentley 1975).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heappush, heapreplace
from typing import NamedTuple

import numpy as np

from vizml.field.arrays import Floats, Ints, Mask
from vizml.field.cancellation import check_cancelled
from vizml.field.distances import METRICS, Metric
from vizml.field.nearest import inverse_distances, lowest
from vizml.learn.learned import PointValues

CHUNK = 1 << 18
"""Distances computed at a time: they stay in the cache."""
GROUP = 64
"""Queries that share one list of candidates."""
MANY = 2000
"""Longer lists of candidates are shortened at each split of the queries."""
BRUTE_FORCE = 400
"""Up to so many points, distances to all of them are faster than a search for candidates."""


LISTED = 10
"""Neighbours that are listed at most."""


NONE = -1
"""Number of a child that a node does not have."""


class Neighbourhood(NamedTuple):
    """Rows of some queries, their common candidates, the distances (m, c) and a mask of the k nearest."""

    queries: Ints
    candidates: Ints
    distances: Floats
    inside: Mask


def nearest(
    X: Floats, points: Floats, k: int, metric: str = "l2", *, leave_one_out: bool = False
) -> Iterator[Neighbourhood]:
    """Find the k nearest points (n, d) of each query (m, d); of equally near points, the first.

    With `leave_one_out` X are the points themselves, and none is its own neighbour.

    >>> (found,) = nearest(np.array([[0.9]]), np.array([[0.0], [1.0], [2.0]]), k=2)
    >>> found.candidates[found.inside[0]]
    array([0, 1])
    """
    measure = METRICS[metric]
    wanted = k + leave_one_out
    if len(points) <= max(BRUTE_FORCE, 4 * wanted):
        everyone, size = np.arange(len(points)), max(CHUNK // max(len(points), 1), 1)
        parts = np.split(np.arange(len(X)), range(size, len(X), size))
        groups: Iterator[tuple[Ints, Ints]] = ((rows, everyone) for rows in parts)
    else:
        groups = _grouped(X, points, wanted, measure)
    for rows, candidates in groups:
        check_cancelled()
        ranks = measure.ranks(X[rows], points[candidates])
        if leave_one_out:
            ranks[rows[:, None] == candidates] = np.inf
        yield Neighbourhood(rows, candidates, measure.length(ranks), lowest(ranks.T, k).T)


def averages(
    X: Floats, points: Floats, values: Floats, k: int, *, metric: str = "l2", weighted: bool = False,
    leave_one_out: bool = False,
) -> Floats:  # fmt: skip
    """Average the values (n, K) of the k nearest points of each query, uniformly or by 1 / distance.

    >>> averages(np.array([[0.9]]), np.array([[0.0], [1.0], [2.0]]), np.array([[3.0], [5.0], [8.0]]), k=2)
    array([[4.]])
    """
    out = np.empty((len(X), values.shape[1]))
    for found in nearest(X, points, k, metric, leave_one_out=leave_one_out):
        weights = found.inside.astype(np.float64)
        if weighted:
            weights = inverse_distances(np.where(found.inside, found.distances, np.inf).T).T
        out[found.queries] = weights @ values[found.candidates] / weights.sum(axis=1, keepdims=True)
    return out


@dataclass(frozen=True, eq=False)
class SortedNeighbours:
    """The k nearest points on a line are consecutive; of equally near points, the left and the first.

    A window that slides over the sorted points answers 2,000 queries among 500 points twenty times as fast as
    `averages`.
    """

    x: Floats
    y: Floats
    order: Ints
    """Rows of the points as they were given."""
    k: int

    @classmethod
    def of(cls, x: Floats, y: Floats, k: int) -> SortedNeighbours:
        """Sort points given in any order."""
        order = np.argsort(x, kind="stable").astype(np.int64)
        return cls(x[order], y[order], order, min(k, len(x)))

    @cached_property
    def turns(self) -> Floats:
        """Positions at which one point leaves the window and the next enters: half-way between them."""
        return np.asarray(self.x[: len(self.x) - self.k] / 2 + self.x[self.k :] / 2)

    def rows(self, x: Floats) -> Ints:
        """Positions (m, k) of the neighbours in the sorted order."""
        start = np.searchsorted(self.turns, x, side="left")
        # Of points with equal x that the window cuts at its left end, the first are taken, not the last.
        edge = self.x[start]
        first, last = (np.searchsorted(self.x, edge, side=side) for side in ("left", "right"))
        rows = start[:, None] + np.arange(self.k)
        return np.where(rows < last[:, None], rows - (start - first)[:, None], rows)

    def averages(self, x: Floats, *, weighted: bool = False) -> Floats:
        """Average the y (m,) of the neighbours of each x, uniformly or by 1 / distance."""
        out, size = np.empty(len(x)), max(CHUNK // self.k, 1)
        for begin in range(0, len(x), size):
            part = slice(begin, begin + size)
            rows = self.rows(x[part])
            if weighted:
                weights = inverse_distances(np.abs(self.x[rows] - x[part, None]).T).T
                out[part] = (weights * self.y[rows]).sum(axis=1) / weights.sum(axis=1)
            else:
                out[part] = self.y[rows].mean(axis=1)
        return out

    def leave_one_out(self, k: int) -> Floats:
        """Average the y of the k nearest other points of each point, in the sorted order; k at most n - 1."""
        place, y = np.arange(len(self.x)), self.y - self.y.mean()
        sums = np.concatenate([[0.0], np.cumsum(y)])
        turns = self.x[: len(self.x) - k - 1] / 2 + self.x[k + 1 :] / 2
        start = np.clip(np.searchsorted(turns, self.x, side="left"), place - k, place)
        return np.asarray(self.y.mean() + (sums[start + k + 1] - sums[start] - y) / k)


def _grouped(X: Floats, points: Floats, k: int, measure: Metric) -> Iterator[tuple[Ints, Ints]]:
    """Split the queries at the median of their widest axis into groups; yield them with their candidates.

    The candidates of a half are among those of the whole.
    """
    reach = max(float(np.abs(each).max(initial=0.0)) for each in (X, points))
    rounding = 16 * np.finfo(float).eps * reach
    waiting = [(np.arange(len(X)), np.arange(len(points)))] if len(X) else []
    while waiting:
        rows, candidates = waiting.pop()
        mine = X[rows]
        if len(rows) <= GROUP or len(candidates) > MANY:
            candidates = candidates[_candidates(mine, points[candidates], k, measure, rounding)]
        if len(rows) <= GROUP:
            yield np.sort(rows), candidates
            continue
        half = len(rows) // 2
        order = np.argpartition(mine[:, int(np.argmax(np.ptp(mine, axis=0)))], half)
        waiting += [(rows[order[:half]], candidates), (rows[order[half:]], candidates)]


def _candidates(X: Floats, points: Floats, k: int, measure: Metric, rounding: float) -> Ints:
    """Points that may be among the k nearest of any row of X: those within d_k + 2 r of the centre of X.

    d_k is the k-th distance from the centre and r the distance of the farthest corner of X.
    """
    low, high = X.min(axis=0), X.max(axis=0)
    centre = (low + high)[None] / 2
    away = measure.length(measure.ranks(centre, points))[0]
    radius = float(measure.length(measure.ranks(centre, high[None]))[0, 0])
    last = float(np.partition(away, k - 1)[k - 1])
    return np.flatnonzero(away <= (last + 2 * radius) * (1 + 1e-9) + rounding)


def neighbour_values(X: Floats, points: Floats, k: int, metric: str = "l2") -> PointValues:
    """Return the numbers of the k nearest points of each query, nearest first, and the largest distance.

    >>> found = neighbour_values(np.array([[0.9]]), np.array([[0.0], [1.0], [2.0]]), k=2)
    >>> found["neighbours"].tolist(), found["distance"].tolist()
    (['2, 1'], [0.9])
    """
    names, farthest = np.empty(len(X), dtype=object), np.zeros(len(X))
    for found in nearest(X, points, k, metric):
        for query, distances, inside in zip(found.queries, found.distances, found.inside):
            order = np.flatnonzero(inside)[np.argsort(distances[inside], kind="stable")]
            numbers = ", ".join(map(str, (found.candidates[order[:LISTED]] + 1).tolist()))
            names[query] = numbers + ", …" * (len(order) > LISTED)
            farthest[query] = distances[order[-1]]
    return {"neighbours": names.astype(str), "distance": farthest}


class Found(NamedTuple):
    """The nearest points of a query, nearest first, and the nodes that the search has visited, in order."""

    rows: Ints
    visited: Ints


@dataclass(frozen=True, eq=False)
class KdTree:
    """Nodes in the order of their depth; the arrays have a row for each node."""

    points: Floats
    """The points (n, d) in the order of the nodes."""
    rows: Ints
    """Their rows among the points as they were given."""
    depth: Ints
    children: Ints
    """Numbers (n, 2) of the nodes below and above the point on the axis of the node."""
    low: Floats
    high: Floats
    """Corners (n, d) of the cell of each node."""

    @classmethod
    def of(cls, points: Floats) -> KdTree:
        """Build the tree of n points (n, d) in O(n log² n)."""
        n, d = points.shape
        rows, depth = np.zeros((2, n), dtype=np.int64)
        children = np.full((n, 2), NONE)
        low, high = np.full((n, d), -np.inf), np.full((n, d), np.inf)
        held = [np.arange(n)] if n else []
        for node in range(n):  # each adds its children to the end
            axis, here = int(depth[node]) % d, held[node]
            here = here[np.argsort(points[here, axis], kind="stable")]
            middle = len(here) // 2
            rows[node] = here[middle]
            for side, part in enumerate((here[:middle], here[middle + 1 :])):
                if len(part):
                    child = children[node, side] = len(held)
                    held.append(part)
                    depth[child] = depth[node] + 1
                    low[child], high[child] = low[node], high[node]
                    (high, low)[side][child, axis] = points[here[middle], axis]
        return cls(points[rows], rows, depth, children, low, high)

    @property
    def height(self) -> int:
        """Number of nodes on the longest path from the root."""
        return int(self.depth.max(initial=-1)) + 1

    def axis(self, node: int) -> int:
        """Return the axis along which a node splits its cell."""
        return int(self.depth[node] % self.points.shape[1])

    def split_line(self, node: int) -> Floats:
        """Return the ends (2, 2) of the line that splits the cell of a node; they may be infinite."""
        axis = self.axis(node)
        ends = np.stack([self.low[node], self.high[node]])
        ends[:, axis] = self.points[node, axis]
        return ends

    def search(self, x: Floats, k: int, metric: str = "l2") -> Found:
        """Find the k nearest points of a query (d,), without cells beyond the k-th distance so far."""
        measure = METRICS[metric]
        ranks = measure.ranks(x[None], self.points)[0]
        best: list[tuple[float, int]] = []
        visited: list[int] = []
        waiting = [(0, 0.0)] if len(self.points) else []
        while waiting:
            node, gap = waiting.pop()
            if len(best) == k and gap > -best[0][0]:
                continue
            visited.append(node)
            entry = -float(ranks[node]), -int(self.rows[node])
            if len(best) < k:
                heappush(best, entry)
            elif entry > best[0]:
                heapreplace(best, entry)
            axis = self.axis(node)
            away = float(x[axis] - self.points[node, axis])
            near, far = self.children[node] if away < 0 else self.children[node][::-1]
            waiting += [
                (int(child), rank)
                for child, rank in ((far, float(measure.part(np.abs(away)))), (near, gap)) if child != NONE
            ]  # fmt: skip
        found = np.array([-row for _, row in sorted(best, reverse=True)], dtype=np.int64)
        return Found(found, np.array(visited, dtype=np.int64))
