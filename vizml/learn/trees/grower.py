"""Greedy growth: each node takes the axis and threshold with the least impurity(left) + impurity(right).

All nodes of a level are split at once, those of many trees as well as of one: inputs are sorted once for
each axis, keep their order within every node, and running sums along it give all candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.criteria import CRITERIA, Criterion
from vizml.learn.trees.samples import TreeSamples
from vizml.learn.trees.structure import LEAF, Mask, Tree

N = TypeVar("N", np.int64, np.float64)


@dataclass(frozen=True, kw_only=True)
class GrowthLimits:
    """Where growth stops."""

    max_depth: int = 0
    """0: no limit."""
    min_leaf: int = 1
    min_split: int = 2


class TreeGrower:
    """Trees in the making: `level` splits the deepest nodes, until it says that there is nothing to split."""

    def __init__(
        self, entries: TreeSamples, sums: Floats, criterion: str | Criterion, limits: GrowthLimits
    ) -> None:
        """`sums` (C, entries) are what entries add."""
        self.entries, self.sums, self.limits, self.depth = entries, sums, limits, 0
        self.criterion = CRITERIA[criterion] if isinstance(criterion, str) else criterion
        self._levels: list[Level] = []
        self._counts: Ints = entries.counts
        self._totals: Floats = np.add.reduceat(sums, entries.starts, axis=1)
        impurity = self._put(self._totals, self._counts)
        self.pure = self.criterion.pure * float(impurity.sum()) if self.criterion.pure >= 0 else -np.inf
        self.sample_nodes = entries.trees.copy()
        """The node that each entry is in by now."""
        self._order = entries.order
        self._open, place = self._opened(impurity, self._counts)
        if len(self._open) < len(place):
            self._order = self._order[place[entries.trees[self._order]] >= 0].reshape(len(self._order), -1)
        self._narrow(self._counts, self._totals)

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

    def grow(self) -> Tree:
        """All levels that are left, and what has grown."""
        while self.level():
            pass
        return self.tree()

    def tree(self) -> Tree:
        """What has grown so far."""
        return assembled(self._levels, len(self.entries.columns))

    @property
    def size(self) -> int:
        """The number of nodes so far."""
        return sum(map(len, self._levels))

    def _search(self) -> Splits:
        """The best split of each open node, where it has one at all."""
        starts = self._starts
        axes = self._offered(starts)
        order = self._order if axes is None else self._along(axes)
        left = self._left(order, starts)
        cost = self._costs(order, axes, left, starts)
        lowest = np.minimum.reduceat(cost, starts, axis=1)
        which, best = lowest.argmin(axis=0), np.minimum.reduce(lowest, axis=0)
        splits: Mask = best < np.inf
        if self.criterion.gain > -np.inf:
            splits = self.criterion(self._totals) - best > self.criterion.gain
        hits = cost.ravel().take(self._row(which)) == best.repeat(self._counts)
        at, node = hits.nonzero()[0], splits.nonzero()[0]
        if len(at) == len(best):
            at = at[splits]
        else:
            hits &= splits.repeat(self._counts)
            at = group_ends(hits, self._of, last=self.criterion.last)
        which = which[node]
        axis = which if axes is None else axes[which, node]
        threshold = self._threshold(axis, order[which, at], order[which, at + 1])
        return Splits(node, axis, threshold, at, left[:, which, at])

    def _threshold(self, axis: Ints, low: Ints, high: Ints) -> Floats:
        """What parts two entries along an axis."""
        return midpoints(self.entries.columns[axis, low], self.entries.columns[axis, high])

    def _offered(self, starts: Ints) -> Ints | None:
        """The axes (m, nodes) among which each open node chooses, rising; None for all."""
        del starts
        return None

    @property
    def _of(self) -> Ints:
        """The open node of each place."""
        return np.arange(len(self._counts)).repeat(self._counts)

    def _row(self, axis: Ints) -> Ints:
        """The places of each open node along one axis each, counted through all axes."""
        width = self._order.shape[1]
        row: Ints = (width * axis).repeat(self._counts)
        row += np.arange(width)
        return row

    def _along(self, axes: Ints) -> Ints:
        """The entries at each place, where each open node has axes (m, nodes) of its own."""
        flat = self._order.ravel()
        return np.stack([flat.take(self._row(axis)) for axis in axes])

    def _values(self, order: Ints, axes: Ints | None) -> Floats:
        """Where the entries at each place are along their node's axes."""
        columns = self.entries.columns
        if axes is None:
            return take_along_rows(columns, order)
        values: Floats = columns.ravel().take(order + columns.shape[1] * axes.repeat(self._counts, axis=1))
        return values

    def _left(self, order: Ints, starts: Ints) -> Floats:
        """The sums (C, axes, places) of each entry and those before it in its node."""
        along = self.entries.room("left", (len(self.sums), *order.shape))
        self.sums.take(order, axis=1, out=along, mode="clip")
        np.add.accumulate(along, axis=2, out=along)
        if len(starts) > 1:
            before = along.take(starts - 1, axis=2)
            before[:, :, 0] = 0.0
            along -= before.repeat(self._counts, axis=2)
        return along

    def _costs(self, order: Ints, axes: Ints | None, left: Floats, starts: Ints) -> Floats:
        """What splits behind each place (axes, places) leave; infinite where none can be."""
        rows = slice(None) if self.criterion.denominator is None else slice(2)
        whole = self._totals[rows].repeat(self._counts, axis=1)[:, None]
        right = np.subtract(whole, left[rows], out=self.entries.room("right", left[rows].shape))
        cost = self.criterion.sides(left[rows], right)
        cost[:, starts + self._counts - 1] = np.inf
        if not self.entries.distinct:
            values = self._values(order, axes)
            cost[:, :-1][values[:, :-1] == values[:, 1:]] = np.inf
        if self.limits.min_leaf > 1:
            before = np.arange(1, cost.shape[1] + 1) - starts.repeat(self._counts)
            behind = self._counts.repeat(self._counts) - before
            cost[:, np.minimum(before, behind) < self.limits.min_leaf] = np.inf
        return cost

    def _branch(self, found: Splits) -> None:
        """Turn the found splits into children, and go on with those that can be split."""
        level = self._levels[-1]
        level.split, level.feature, level.threshold = self._open[found.node], found.feature, found.threshold
        left = found.place - self._starts[found.node] + 1
        totals = interleaved(found.left_sums, self._totals[:, found.node] - found.left_sums)
        counts = interleaved(left, self._counts[found.node] - left)
        first = self.size
        self._send(found, first)
        impurity = self._put(totals, counts)
        if self.depth == self.limits.max_depth:
            self._open = self._open[:0]
            return
        self._open, place = self._opened(impurity, counts)
        self._sort(place, first)
        self._narrow(counts, totals)

    def _opened(self, impurity: Floats, counts: Ints) -> tuple[Ints, Ints]:
        """The nodes of a level that may be split, and the place of each node among them, -1 for none."""
        enough = max(self.limits.min_split, 2 * self.limits.min_leaf)
        opened = ((impurity > self.pure) & (counts >= enough)).nonzero()[0]
        if len(opened) == len(counts):
            return opened, opened
        place = np.full(len(counts), -1)
        place[opened] = np.arange(len(opened))
        return opened, place

    def _narrow(self, counts: Ints, totals: Floats) -> None:
        """Go on with those nodes of a level that are open."""
        if len(self._open) < len(counts):
            counts, totals = counts[self._open], totals[:, self._open]
        self._counts, self._totals = counts, totals
        self._starts: Ints = np.add.accumulate(counts) - counts

    def _send(self, found: Splits, first: int) -> None:
        """Move each entry to its child; children are numbered from `first` on."""
        nodes, width = len(self._counts), self._order.shape[1]
        axis, last = np.zeros(nodes, dtype=np.int64), np.full(nodes, width)
        axis[found.node], last[found.node] = found.feature, found.place
        child = self._open + (first - len(self._levels[-1]))
        child[found.node] = np.arange(first, first + 2 * len(found.node), 2)
        ends = child.repeat(self._counts)
        ends += np.arange(width) > last.repeat(self._counts)
        self.sample_nodes[self._order.ravel().take(self._row(axis))] = ends

    def _sort(self, place: Ints, first: int) -> None:
        """Sort entries by their open node, in the order that they have; those of closed nodes leave."""
        at, kept, axes = self.sample_nodes.take(self._order), self._order, len(self._order)
        at -= first
        goes = place.take(at, mode="clip")
        goes[at < 0] = -1
        stays = goes >= 0
        if not stays.all():
            kept, goes = kept[stays].reshape(axes, -1), goes[stays].reshape(axes, -1)
        # sixteen bits are sorted by radix, in linear time
        small = goes.astype(np.uint16) if len(self._open) < 1 << 16 else goes
        self._order = take_along_rows(kept, small.argsort(axis=1, kind="stable"))

    def _put(self, sums: Floats, counts: Ints) -> Floats:
        """A new level of nodes, leaves as yet; their impurity."""
        none, impurity = counts[:0], self.criterion(sums)
        self._levels.append(Level(counts, sums, impurity, none, none, impurity[:0]))
        return impurity


def grow_tree(points: Floats, sums: Floats, criterion: str | Criterion, limits: GrowthLimits) -> Tree:
    """One tree, to the end."""
    return TreeGrower(TreeSamples.all(points), sums, criterion, limits).grow()


def one_hot(labels: Ints, classes: Ints) -> Floats:
    """Sums (C, n) of single points: 1 in the row of the own class."""
    columns: Floats = (labels == classes[:, None]).astype(np.float64)
    return columns


def group_ends(hits: Mask, group: Ints, *, last: bool) -> Ints:
    """The first, or the last, place of each group that is hit."""
    at = np.flatnonzero(hits)
    changes = group[at][1:] != group[at][:-1]
    new = np.ones(len(at), dtype=np.bool_)
    new[slice(0, -1) if last else slice(1, None)] = changes
    ends: Ints = at[new]
    return ends


def take_along_rows(rows: NDArray[N], order: Ints) -> NDArray[N]:
    """Each row in an order of its own: numpy's take_along_axis, which takes longer to begin than to do it."""
    found: NDArray[N] = rows.take(order + rows.shape[1] * np.arange(len(rows))[:, None])
    return found


def midpoints(low: Floats, high: Floats) -> Floats:
    """Half-way, and low where rounding would carry it to the high side."""
    middle = low / 2 + high / 2
    safe: Floats = np.where((middle >= low) & (middle < high), middle, low)
    return safe


@dataclass(eq=False)
class Splits:
    """The best split of each open node that has one."""

    node: Ints
    feature: Ints
    threshold: Floats
    place: Ints
    """Behind which of the places of open nodes, in the order of the feature."""
    left_sums: Floats


@dataclass(eq=False)
class Level:
    """Nodes of one depth, and those of them that were split: their children are the next level, in order."""

    count: Ints
    sums: Floats
    impurity: Floats
    split: Ints
    feature: Ints
    threshold: Floats

    def __len__(self) -> int:
        return len(self.count)


def assembled(levels: Sequence[Level], features: int) -> Tree:
    """The trees whose roots are the first level."""
    sizes = [len(level) for level in levels]
    starts = np.cumsum([0, *sizes])
    size, roots = int(starts[-1]), sizes[0]
    split = np.concatenate([level.split + start for level, start in zip(levels, starts)])
    feature, left, right = (np.full(size, LEAF) for _ in range(3))
    threshold, parent = np.full(size, np.nan), np.full(size, LEAF)
    feature[split] = _joined(levels, "feature")
    threshold[split] = _joined(levels, "threshold")
    left[split] = np.arange(roots, size, 2)
    right[split] = np.arange(roots + 1, size, 2)
    parent[roots:] = split.repeat(2)
    return Tree(
        feature=feature,
        threshold=threshold,
        left=left,
        right=right,
        parent=parent,
        depth=np.arange(len(levels)).repeat(sizes),
        count=_joined(levels, "count"),
        sums=_joined(levels, "sums").T,
        impurity=_joined(levels, "impurity"),
        features=features,
    )


def interleaved(left: NDArray[N], right: NDArray[N]) -> NDArray[N]:
    """Left and right by turns along the last axis."""
    both = np.empty((*left.shape, 2), dtype=left.dtype)
    both[..., 0], both[..., 1] = left, right
    return both.reshape(*left.shape[:-1], -1)


def _joined(levels: Sequence[Level], column: str) -> NDArray[Any]:
    """A column of all levels."""
    return np.concatenate([getattr(level, column) for level in levels], axis=-1)
