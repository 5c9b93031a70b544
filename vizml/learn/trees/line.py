"""Greedy growth along one axis: nodes are runs of the sorted entries, so running sums give a level's splits.

It grows the trees that `grower` grows on the same entries, in a fraction of the time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.criteria import CRITERIA, Criterion
from vizml.learn.trees.grower import Limits, between, ends_of
from vizml.learn.trees.structure import Mask

BORDER = -1
"""The level of an edge between two trees."""
NEVER = np.iinfo(np.int64).max
FEW = 512
"""So few entries are passed over as quickly as some of them are left out."""
SPARSE = 0.75
"""The others stay among themselves where they are no more than this share."""
CLEAR = 100.0
"""Where any two neighbours are so much more mixed than a pure node may be, no node is pure."""


class Line:
    """The entries of trees along an axis, tree by tree, rising in each: what growths on them share."""

    def __init__(self, x: Floats, borders: Ints | None = None) -> None:
        """`borders` says where the entries of each tree begin, and where those of the last one end."""
        self.x = x
        self.borders = np.array([0, len(x)]) if borders is None else borders
        inner = self.borders[1:-1]
        self.threshold = np.full(len(x) + 1, np.inf)
        """What splits before each entry; infinite before the first of a tree and after the last."""
        self.threshold[1:-1] = between(x[:-1], x[1:])
        self.threshold[inner] = np.inf
        alike = np.append(x[:-1] == x[1:], False)
        alike[inner - 1] = False
        self.alike = alike if alike.any() else None
        """The entries behind which no split can be, as the next one is in the same place."""

    def __len__(self) -> int:
        return len(self.x)


@dataclass(frozen=True, eq=False)
class Cuts:
    """The entries that nodes begin with, rising, and the end; the level that cut each, -1 between trees."""

    at: Ints
    level: Ints


class LineGrower:
    """Trees in the making: `level` splits the deepest nodes, until it says that there is nothing to split."""

    def __init__(self, line: Line, sums: Floats, criterion: str | Criterion, limits: Limits) -> None:
        """`sums` (C, entries) are what entries add."""
        self.line, self.limits, self.depth = line, limits, 0
        self.criterion = CRITERIA[criterion] if isinstance(criterion, str) else criterion
        self.before = np.zeros((len(sums), len(line) + 1))
        """The sums of all entries before each."""
        np.cumsum(sums, axis=1, out=self.before[:, 1:])
        self.gains: Floats = np.zeros(len(line.borders) - 1)
        """What the first split of each tree gains."""
        self.threshold = line.threshold
        self._level = np.full(len(line) + 1, NEVER)
        self._level[line.borders] = BORDER
        self._enough = max(limits.min_split, 2 * limits.min_leaf)
        self._pure = self._purity(sums)
        self._heavy = self.criterion.weight <= 0 or sums[1].min() >= self.criterion.weight
        self._entries: Ints | None = None
        self._alike = line.alike
        self._sums = self.before[:2, 1:]
        self._edge = self._level == BORDER
        self._edges = line.borders

    def level(self) -> bool:
        """Split the nodes of the deepest level; False where none can be."""
        if self.depth == self.limits.max_depth > 0 or len(self._edges) < 2:
            return False
        found = self._search()
        if not len(found):
            return False
        self._level[found if self._entries is None else self._entries[found]] = self.depth
        self.depth += 1
        self._edge[found] = True
        self._edges = self._edge.nonzero()[0]
        self._leave(found)
        return True

    def grow(self) -> Cuts:
        """All levels that are left, and what has grown."""
        while self.level():
            pass
        return self.cuts()

    def cuts(self) -> Cuts:
        """What has grown so far."""
        at = np.flatnonzero(self._level < NEVER)
        return Cuts(at, self._level[at])

    def _search(self) -> Ints:
        """The places, among the entries that are left, before which nodes are split."""
        starts, stops = self._edges[:-1], self._edges[1:]
        sizes, last = stops - starts, stops - 1
        low, high = self._totals(starts, last)
        cost = self._costs(low[:2], high[:2], sizes)
        whole = cost[last]
        cost[last] = np.nan
        self._forbid(cost, sizes)
        best = np.fmin.reduceat(cost, starts)
        if self._pure > -np.inf:
            best[whole + (high[2] - low[2]) <= self._pure] = np.nan
        if self.criterion.gain > -np.inf:
            best[whole - best <= self.criterion.gain] = np.nan
        if self._enough > 2:
            best[sizes < self._enough] = np.nan
        if not self.depth:
            self.gains = np.where(np.isnan(best), 0.0, whole - best)
        hits = cost == best.repeat(sizes)
        places: Ints = hits.nonzero()[0]
        if len(places) + np.count_nonzero(np.isnan(best)) > len(best):
            places = ends_of(hits, np.arange(len(best)).repeat(sizes), last=self.criterion.last)
        return places + 1

    def _totals(self, starts: Ints, last: Ints) -> tuple[Floats, Floats]:
        """The sums before nodes, and with them."""
        if self._entries is None:
            ends = self.before.take(self._edges, axis=1)
            return ends[:, :-1], ends[:, 1:]
        starts, last = self._entries[starts], self._entries[last]
        return self.before.take(starts, axis=1), self.before.take(last + 1, axis=1)

    def _costs(self, low: Floats, high: Floats, sizes: Ints) -> Floats:
        """What a split behind each entry leaves; behind the last of a node, what the node is as it is."""
        sides = np.empty((2, 2, len(self._sums[0])))
        np.subtract(self._sums, low.repeat(sizes, axis=1), out=sides[:, 0])
        np.subtract(high.repeat(sizes, axis=1), self._sums, out=sides[:, 1])
        each = (self.criterion.fall or self.criterion.impurity)(sides)
        both: Floats = each[0] + each[1]
        if not self._heavy:
            light = sides[1].min(axis=0) < self.criterion.weight
            light[np.cumsum(sizes) - 1] = False
            both[light] = np.nan
        return both

    def _forbid(self, cost: Floats, sizes: Ints) -> None:
        """Take away the splits between entries in one place and those with too few on a side."""
        if self._alike is not None:
            cost[self._alike] = np.nan
        if self.limits.min_leaf > 1:
            ends = np.cumsum(sizes)
            left = np.arange(1, len(cost) + 1) - (ends - sizes).repeat(sizes)
            right = sizes.repeat(sizes) - left
            cost[np.minimum(left, right) < self.limits.min_leaf] = np.nan

    def _leave(self, found: Ints) -> None:
        """Leave out the entries of nodes that are too small to be split, where they are many."""
        del found
        if len(self._edge) <= FEW:
            return
        sizes = np.diff(self._edges)
        stays = sizes >= self._enough
        if sizes[stays].sum() <= SPARSE * len(self._sums[0]):
            self._keep(stays, sizes)

    def _keep(self, stays: Mask, sizes: Ints) -> None:
        """Go on with the entries of some of the nodes."""
        kept = stays.repeat(sizes).nonzero()[0]
        self._entries = kept if self._entries is None else self._entries[kept]
        self._sums = self._sums.take(kept, axis=1)
        if self._alike is not None:
            self._alike = self._alike[kept]
        self._edges = np.append(0, np.cumsum(sizes[stays]))
        self._edge = np.zeros(len(kept) + 1, dtype=np.bool_)
        self._edge[self._edges] = True

    def _purity(self, sums: Floats) -> float:
        """How little mixed a node is that stays whole; -inf where none can be so little."""
        if self.criterion.pure < 0:
            return -np.inf
        borders = self.before.take(self.line.borders, axis=1)
        pure = self.criterion.pure * float(self.criterion(np.diff(borders, axis=1)).sum())
        weight, first = sums[:2]
        level = first / weight
        step = level[1:] - level[:-1]
        least = float((step * step).min(initial=np.inf) * weight.min() / 2)
        return -np.inf if least > CLEAR * pure else pure


class ExtraLine(LineGrower):
    """Each node is split at one threshold, drawn between its lowest and its highest value."""

    def __init__(
        self, line: Line, sums: Floats, criterion: str | Criterion, limits: Limits, rng: Generator
    ) -> None:
        super().__init__(line, sums, criterion, limits)
        self.rng = rng
        self.threshold = line.threshold.copy()
        self._leave(self._edges)

    def _search(self) -> Ints:
        starts, last = self._edges[:-1], self._edges[1:] - 1
        sizes = last - starts + 1
        x = self.line.x if self._entries is None else self.line.x[self._entries]
        low, high = x[starts], x[last]
        drawn = low + self.rng.random(len(low)) * (high - low)
        drawn = np.where(drawn < high, drawn, low)
        left = np.add.reduceat(x <= drawn.repeat(sizes), starts, dtype=np.int64)
        fits = (low < high) & (np.minimum(left, sizes - left) >= self.limits.min_leaf)
        found: Ints = (starts + left)[fits]
        self.threshold[found if self._entries is None else self._entries[found]] = drawn[fits]
        return found

    def _leave(self, found: Ints) -> None:
        """Go on with the nodes that are new, large enough and mixed: a threshold is drawn for each once."""
        sizes = np.diff(self._edges)
        new = np.zeros(len(self._edge), dtype=np.bool_)
        new[found] = True
        new = new[self._edges]
        low, high = self._totals(self._edges[:-1], self._edges[1:] - 1)
        mixed = self.criterion(high - low) > self._pure
        stays = (new[:-1] | new[1:]) & mixed & (sizes >= self._enough)
        if not stays.all():
            self._keep(stays, sizes)
