"""k-d tree: each node halves its cell at the median point of one axis; the axes take turns (Bentley 1975)."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappush, heapreplace
from typing import NamedTuple

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.field.metrics import METRICS

NONE = -1
"""Number of a child that a node does not have."""


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
