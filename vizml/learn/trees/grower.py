"""Greedy growth: each node takes the axis and threshold with the least impurity(left) + impurity(right).

All nodes of a level are split at once, those of many trees as well as of one: inputs are sorted once for
each axis, keep their order within every node, and running sums along it give all candidates.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.criteria import CRITERIA, Criterion
from vizml.learn.trees.structure import LEAF, Mask, Tree

N = TypeVar("N", np.int64, np.float64)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Where growth stops."""

    max_depth: int = 0
    """0: no limit."""
    min_leaf: int = 1
    min_split: int = 2


@dataclass(eq=False)
class Splits:
    """The best split of each open node that has one."""

    node: Ints
    feature: Ints
    threshold: Floats
    left_sums: Floats
    left_count: Ints


class Grower:
    """Trees in the making: `level` splits the deepest nodes, until it says that there is nothing to split."""

    def __init__(
        self,
        points: Floats,
        sums: Floats,
        criterion: str | Criterion,
        limits: Limits,
        rows: Ints | None = None,
        roots: Ints | None = None,
        order: Ints | None = None,
    ) -> None:
        """Entries are points, by `rows`, each in the tree `roots`; `sums` (C, entries) are what they add.

        `order` (features, entries) sorts them by tree and value, where that is known already.
        """
        self.sums, self.limits, self.depth = sums, limits, 0
        self.criterion = CRITERIA[criterion] if isinstance(criterion, str) else criterion
        self.columns = np.ascontiguousarray((points if rows is None else points[rows]).T)
        roots = np.zeros(sums.shape[1], dtype=np.int64) if roots is None else roots
        self._counts: Ints = np.bincount(roots).astype(np.int64)
        self._totals: Floats = np.stack([np.bincount(roots, each) for each in sums])
        mixed = float(self.criterion(self._totals).sum())
        self.pure = self.criterion.pure * mixed if self.criterion.pure >= 0 else -np.inf
        box = np.tile([-np.inf, np.inf], (len(self._counts), len(self.columns), 1))
        self._levels: list[dict[str, NDArray[Any]]] = []
        impurity = self._put(np.full(len(box), LEAF), self._totals, self._counts, box)
        self._open, place = self._opened(impurity, self._counts)
        if order is None:
            order = np.stack([np.lexsort((column, roots)) for column in self.columns])
        whole = len(self._open) == len(place)
        self._order = order if whole else order[place[roots[order]] >= 0].reshape(len(order), -1)
        self._of = place[roots[self._order[0]]]
        self._counts, self._totals = self._counts[self._open], self._totals[:, self._open]

    def level(self) -> bool:
        """Split the nodes of the deepest level; False where none can be."""
        if not len(self._open):
            return False
        found = self._search()
        if not len(found.node):
            return False
        self.depth += 1
        self._branch(found)
        return True

    def tree(self) -> Tree:
        """What has grown so far."""
        names = [each.name for each in fields(Tree)]
        return Tree(**{name: np.concatenate([level[name] for level in self._levels]) for name in names})

    @property
    def size(self) -> int:
        """The number of nodes so far."""
        return sum(len(level["feature"]) for level in self._levels)

    def _search(self) -> Splits:
        """The best split of each open node, where it has one at all."""
        starts = np.cumsum(self._counts) - self._counts
        values = along(self.columns, self._order)
        left = self._left(starts)
        whole = self._totals.take(self._of, axis=1)[:, None]
        score = self.criterion.cost(left, whole - left, whole)
        score[~self._allowed(values, starts)] = np.inf
        lowest = self._offered(np.minimum.reduceat(score, starts, axis=1))
        axis = lowest.argmin(axis=0)
        best = lowest[axis, np.arange(len(starts))]
        best[np.isinf(best)] = np.nan
        hits = score[axis[self._of], np.arange(len(self._of))] == best[self._of]
        at = ends_of(hits, self._of, last=self.criterion.last)
        node = self._of[at]
        axis = axis[node]
        threshold = self._threshold(axis, node, values[axis, at], values[axis, at + 1])
        return Splits(node, axis, threshold, left[:, axis, at], at - starts[node] + 1)

    def _offered(self, lowest: Floats) -> Floats:
        """The least cost (features, nodes) of each axis among which a node chooses."""
        return lowest

    def _threshold(self, axis: Ints, node: Ints, low: Floats, high: Floats) -> Floats:
        """Where nodes are split between two values on an axis."""
        del axis, node
        return between(low, high)

    def _left(self, starts: Ints) -> Floats:
        """The sums (C, features, places) of each entry and those before it in its node."""
        along: Floats = np.cumsum(self.sums.take(self._order, axis=1), axis=2)
        before = along.take(starts - 1, axis=2)
        before[:, :, 0] = 0.0
        along -= before.take(self._of, axis=2)
        return along

    def _allowed(self, values: Floats, starts: Ints) -> Mask:
        """Behind which places (features, places) a node may be split: values differ, both sides are large."""
        before = np.arange(1, len(self._of) + 1) - starts[self._of]
        behind = self._counts[self._of] - before
        large = (before >= self.limits.min_leaf) & (behind >= self.limits.min_leaf)
        out = np.zeros(values.shape, dtype=np.bool_)
        np.logical_and(values[:, :-1] < values[:, 1:], large[:-1], out=out[:, :-1])
        return out

    def _branch(self, found: Splits) -> None:
        """Turn the found splits into children, and go on with those that can be split."""
        level, split = self._levels[-1], self._open[found.node]
        base = self.size
        level["feature"][split], level["threshold"][split] = found.feature, found.threshold
        level["left"][split] = base + 2 * np.arange(len(split))
        level["right"][split] = level["left"][split] + 1
        parent = np.repeat(base - len(level["feature"]) + split, 2)
        totals = _interleaved(found.left_sums, self._totals[:, found.node] - found.left_sums)
        counts = _interleaved(found.left_count, self._counts[found.node] - found.left_count)
        impurity = self._put(parent, totals, counts, _halves(level["box"][split], found))
        if self.depth == self.limits.max_depth:
            self._open = self._open[:0]
            return
        self._open, place = self._opened(impurity, counts)
        self._send(found, place)
        self._counts, self._totals = counts[self._open], totals[:, self._open]

    def _opened(self, impurity: Floats, counts: Ints) -> tuple[Ints, Ints]:
        """The nodes of a level that may be split, and the place of each node among them, -1 for none."""
        enough = max(self.limits.min_split, 2 * self.limits.min_leaf)
        opened = np.flatnonzero((impurity > self.pure) & (counts >= enough))
        place = np.full(len(counts), -1)
        place[opened] = np.arange(len(opened))
        return opened, place

    def _send(self, found: Splits, place: Ints) -> None:
        """Move each entry to its child, in the order it has; those of closed nodes leave."""
        split = np.full(len(self._counts), -1)
        split[found.node] = np.arange(len(found.node))
        entries, split = self._order[0], split[self._of]
        entries, split = entries[split >= 0], split[split >= 0]
        high = self.columns[found.feature[split], entries] > found.threshold[split]
        target = np.full(self.sums.shape[1], -1)
        target[entries] = place[2 * split + high]
        goes, axes = target[self._order], len(self.columns)
        kept, goes = self._order[goes >= 0].reshape(axes, -1), goes[goes >= 0].reshape(axes, -1)
        # sixteen bits are sorted by radix, in linear time
        small = goes.astype(np.uint16) if len(self._open) < 1 << 16 else goes
        self._order = along(kept, small.argsort(axis=1, kind="stable"))
        self._of = np.sort(small[0], kind="stable").astype(np.int64)

    def _put(self, parent: Ints, sums: Floats, counts: Ints, box: Floats) -> Floats:
        """A new level of nodes, leaves as yet; their impurity."""
        none, impurity = np.full(len(parent), LEAF), self.criterion(sums)
        self._levels.append(
            {
                "feature": none,
                "threshold": np.full(len(parent), np.nan),
                "left": none.copy(),
                "right": none.copy(),
                "parent": parent,
                "depth": np.full(len(parent), self.depth),
                "count": counts,
                "sums": sums.T,
                "impurity": impurity,
                "box": box,
            }
        )
        return impurity


def grow(points: Floats, sums: Floats, criterion: str | Criterion, limits: Limits) -> Tree:
    """One tree, to the end."""
    grower = Grower(points, sums, criterion, limits)
    while grower.level():
        pass
    return grower.tree()


def one_hot(labels: Ints, classes: Ints) -> Floats:
    """Sums (C, n) of single points: 1 in the row of the own class."""
    columns: Floats = (labels == classes[:, None]).astype(np.float64)
    return columns


def ends_of(hits: Mask, group: Ints, *, last: bool) -> Ints:
    """The first, or the last, place of each group that is hit."""
    at = np.flatnonzero(hits)
    changes = group[at][1:] != group[at][:-1]
    new = np.ones(len(at), dtype=np.bool_)
    new[slice(0, -1) if last else slice(1, None)] = changes
    ends: Ints = at[new]
    return ends


def along(rows: NDArray[N], order: Ints) -> NDArray[N]:
    """Each row in an order of its own: numpy's take_along_axis, which takes longer to begin than to do it."""
    found: NDArray[N] = rows.take(order + rows.shape[1] * np.arange(len(rows))[:, None])
    return found


def between(low: Floats, high: Floats) -> Floats:
    """Half-way, and low where rounding would carry it to the high side."""
    middle = low / 2 + high / 2
    safe: Floats = np.where((middle >= low) & (middle < high), middle, low)
    return safe


def _interleaved(left: NDArray[N], right: NDArray[N]) -> NDArray[N]:
    """Left and right by turns along the last axis."""
    both: NDArray[N] = np.stack([left, right], axis=-1).reshape(*left.shape[:-1], -1)
    return both


def _halves(box: Floats, found: Splits) -> Floats:
    """The boxes on both sides of each split."""
    halves = np.repeat(box, 2, axis=0)
    at = 2 * np.arange(len(box))
    halves[at, found.feature, 1] = found.threshold
    halves[at + 1, found.feature, 0] = found.threshold
    return halves
