"""Greedy growth along one axis: nodes are runs of the sorted entries, so running sums give a level's splits.

It grows the trees that `grower` grows on the same entries, in a fraction of the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np
from numpy.random import Generator

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.criteria import CRITERIA, Criterion
from vizml.learn.trees.grower import GrowthLimits, group_ends, midpoints
from vizml.learn.trees.structure import LEAF, Mask, Tree

TREE_BORDER = -1
"""The level of an edge between two trees."""
NEVER = np.iinfo(np.int64).max
FEW = 512
"""So few entries are passed over as quickly as some of them are left out."""
SPARSE = 0.75
"""The others stay among themselves where they are no more than this share."""


class TreeSamples1D:
    """The entries of trees along an axis, tree by tree, rising in each: what growths on them share."""

    def __init__(self, x: Floats, borders: Ints | None = None) -> None:
        """`borders` says where the entries of each tree begin, and where those of the last one end."""
        self.x = x
        self.borders = np.array([0, len(x)]) if borders is None else borders
        inner = self.borders[1:-1]
        self.thresholds = np.full(len(x) + 1, np.inf)
        """What splits before each entry; infinite before the first of a tree and after the last."""
        self.thresholds[1:-1] = midpoints(x[:-1], x[1:])
        self.thresholds[inner] = np.inf
        alike = np.append(False, x[:-1] == x[1:])
        alike[inner] = False
        self.alike = alike if alike.any() else None
        """The entries before which no split can be, as the one before is in the same place."""
        self.level = np.full(len(x) + 1, NEVER)
        """The level of each edge before anything is split."""
        self.level[self.borders] = TREE_BORDER

    def __len__(self) -> int:
        return len(self.x)

    @cached_property
    def sides(self) -> Floats:
        """Room for the sums on both sides (2, 2, entries): fresh memory would take longer than they do."""
        return np.empty((2, 2, len(self)))


@dataclass(frozen=True, eq=False)
class Splits1D:
    """The entries that nodes begin with, rising, and the end; the level that cut each, -1 between trees."""

    edges: Ints
    level: Ints


class TreeGrower1D:
    """Trees in the making: `level` splits the deepest nodes, until it says that there is nothing to split."""

    def __init__(
        self,
        line: TreeSamples1D,
        sums: Floats,
        criterion: str | Criterion,
        limits: GrowthLimits,
        denominators: Floats | None = None,
    ) -> None:
        """`sums` are what entries add: (w, w y, w y^2) for the variance, (H, G) for the second order.

        `denominators` may be given where one tree has all entries and each weighs 1.
        """
        self.line, self.limits, self.depth = line, limits, 0
        self.criterion = CRITERIA[criterion] if isinstance(criterion, str) else criterion
        self.prefix_sums = np.zeros((len(sums), len(line) + 1))
        """The sums of all entries before each."""
        np.add.accumulate(sums, axis=1, out=self.prefix_sums[:, 1:])
        self.root_gains: Floats = np.zeros(len(line.borders) - 1)
        """What the first split of each tree gains."""
        self.thresholds = line.thresholds
        self._level = line.level.copy()
        self._enough = max(limits.min_split, 2 * limits.min_leaf)
        self._least = self.criterion.gain
        """What a split gains at least, if it gains enough for a node to be surely mixed."""
        if self.criterion.pure >= 0:
            self._least = self.criterion.pure * float(self.prefix_sums[2, -1])
        self._denominators = denominators
        lightest = 1.0 if denominators is not None or self.criterion.weight <= 0 else sums[0].min()
        self._heavy = lightest >= self.criterion.weight
        self._entries: Ints | None = None
        if self.criterion.denominator is None:
            raise ValueError("on a line, splits are compared by the squares of sums")
        self._denominator = self.criterion.denominator
        self._alike = line.alike
        self._ends = self.prefix_sums[:2]
        self._sums = self._ends[:, :-1]
        self._sides = _room(line.sides)
        self._edge = self._level == TREE_BORDER
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

    def grow(self) -> Splits1D:
        """All levels that are left, and what has grown."""
        while self.level():
            pass
        return self.splits()

    def splits(self) -> Splits1D:
        """What has grown so far."""
        at = self._edges if self._entries is None else np.flatnonzero(self._level < NEVER)
        return Splits1D(at, self._level[at])

    def _search(self) -> Ints:
        """The places, among the entries that are left, before which nodes are split."""
        if not self.depth and self._denominators is not None:
            place, gain = self._root(self._denominators)
            if gain > self._least:
                self.root_gains[0] = gain
                return np.array([place])
        starts, stops = self._edges[:-1], self._edges[1:]
        sizes = stops - starts
        cost = self._costs(starts, stops, sizes)
        whole = cost[starts]
        cost[starts] = np.inf
        if self._alike is not None:
            cost[self._alike] = np.inf
        if self.limits.min_leaf > 1:
            cost[self._small(sizes)] = np.inf
        best = np.minimum.reduceat(cost, starts)
        hits = cost == best.repeat(sizes)
        places: Ints = hits.nonzero()[0]
        if len(places) > len(best):
            places = group_ends(hits, np.arange(len(best)).repeat(sizes), last=self.criterion.last)
        gains = whole - best
        splits = self._worth(gains, sizes)
        if not self.depth:
            self.root_gains = np.where(splits, gains, 0.0)
        return places[splits]

    def _root(self, denominators: Floats) -> tuple[int, float]:
        """Before which entry the one root is split best, and what that gains: quicker than as one of many."""
        size, least = len(self.line), max(self.limits.min_leaf, ceil(self.criterion.weight))
        if size < max(self._enough, 2 * least):
            return 0, -np.inf
        first, total = self.prefix_sums[1, least : size - least + 1], self.prefix_sums[1, size]
        left, right = first * first, total - first
        np.multiply(right, right, right)
        np.divide(left, denominators[least : size - least + 1], left)
        np.divide(right, denominators[size - least : least - 1 : -1], right)
        cost = self.criterion.rounded(left) + self.criterion.rounded(right)
        if self._alike is not None:
            cost[self._alike[least : size - least + 1]] = np.inf
        place = len(cost) - 1 - int(cost[::-1].argmin()) if self.criterion.last else int(cost.argmin())
        return least + place, float(self.criterion.rounded(total * total / denominators[size]) - cost[place])

    def _worth(self, gains: Floats, sizes: Ints) -> Mask:
        """Which nodes are split, by what the best split of each gains: -inf where there is none."""
        splits: Mask = gains > self._least
        if self.criterion.pure >= 0:
            some: Mask = gains > -np.inf
            if np.count_nonzero(some) > np.count_nonzero(splits):
                # a node can be mixed although no split gains anything
                splits |= some & self._mixed()
        if self._enough > 2:
            splits &= sizes >= self._enough
        return splits

    def _mixed(self) -> Mask:
        """Which nodes are not pure."""
        low, high = self._totals(self.prefix_sums, self._edges[:-1], self._edges[1:])
        mixed: Mask = self.criterion(high - low) > self._pure
        return mixed

    def _totals(self, before: Floats, starts: Ints, stops: Ints) -> tuple[Floats, Floats]:
        """The sums before nodes, and with them."""
        if self._entries is None:
            ends = before.take(self._edges, axis=1)
            return ends[:, :-1], ends[:, 1:]
        starts, last = self._entries[starts], self._entries[stops - 1]
        return before.take(starts, axis=1), before.take(last + 1, axis=1)

    def _costs(self, starts: Ints, stops: Ints, sizes: Ints) -> Floats:
        """What a split before each entry leaves; before the first of a node, what the node is as it is."""
        low, high = self._totals(self._ends, starts, stops)
        weight, first, left, right = self._sides
        np.subtract(self._sums, low.repeat(sizes, axis=1), left)
        np.subtract(high.repeat(sizes, axis=1), self._sums, right)
        light = None if self._heavy else self._light(weight, starts)
        np.multiply(first, first, first)
        np.divide(first, self._denominator(weight, weight), first)
        each = self.criterion.rounded(first)
        both: Floats = np.add(each[0], each[1], each[0])
        if light is not None:
            both[light] = np.inf
        return both

    def _light(self, weight: Floats, starts: Ints) -> Mask:
        """Where a split would leave too little weight on a side."""
        light: Mask = weight.min(axis=0) < self.criterion.weight
        light[starts] = False
        return light

    def _small(self, sizes: Ints) -> Mask:
        """Where a split would leave too few entries on a side."""
        ends = np.cumsum(sizes)
        left = np.arange(ends[-1]) - (ends - sizes).repeat(sizes)
        right = sizes.repeat(sizes) - left
        small: Mask = np.minimum(left, right) < self.limits.min_leaf
        return small

    def _leave(self, found: Ints) -> None:
        """Leave out the entries of nodes that are too small to be split, where they are many."""
        del found
        entries, most = len(self._edge) - 1, (len(self._edges) - 1) * (self._enough - 1)
        if entries < FEW or most < (1 - SPARSE) * entries:
            return
        sizes = self._edges[1:] - self._edges[:-1]
        stays = sizes >= self._enough
        if sizes[stays].sum() <= SPARSE * entries:
            self._keep(stays, sizes)

    def _keep(self, stays: Mask, sizes: Ints) -> None:
        """Go on with the entries of some of the nodes."""
        kept = stays.repeat(sizes).nonzero()[0]
        self._entries = kept if self._entries is None else self._entries[kept]
        self._sums = self._sums.take(kept, axis=1)
        self._sides = _room(self.line.sides.ravel()[: 4 * len(kept)].reshape(2, 2, -1))
        if self._alike is not None:
            self._alike = self._alike[kept]
        self._edges = np.append(0, np.cumsum(sizes[stays]))
        self._edge = np.zeros(len(kept) + 1, dtype=np.bool_)
        self._edge[self._edges] = True

    @cached_property
    def _pure(self) -> float:
        """How little mixed a node is that stays whole."""
        ends = self.prefix_sums.take(self.line.borders, axis=1)
        return self.criterion.pure * float(self.criterion(ends[:, 1:] - ends[:, :-1]).sum())


def _room(sides: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The room for weights and for sums on both sides, and that for both on the left and on the right."""
    return sides[0], sides[1], sides[:, 0], sides[:, 1]


class ExtraTreesGrower1D(TreeGrower1D):
    """Each node is split at one threshold, drawn between its lowest and its highest value."""

    def __init__(
        self,
        line: TreeSamples1D,
        sums: Floats,
        criterion: str | Criterion,
        limits: GrowthLimits,
        rng: Generator,
    ) -> None:
        super().__init__(line, sums, criterion, limits)
        self.rng = rng
        self.thresholds = line.thresholds.copy()
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
        self.thresholds[found if self._entries is None else self._entries[found]] = drawn[fits]
        return found

    def _leave(self, found: Ints) -> None:
        """Go on with the nodes that are new, large enough and mixed: a threshold is drawn for each once."""
        sizes = np.diff(self._edges)
        new = np.zeros(len(self._edge), dtype=np.bool_)
        new[found] = True
        new = new[self._edges]
        stays = (new[:-1] | new[1:]) & self._mixed() & (sizes >= self._enough)
        if not stays.all():
            self._keep(stays, sizes)


def grow_tree_1d(line: TreeSamples1D, sums: Floats, criterion: str | Criterion, limits: GrowthLimits) -> Tree:
    """Trees, to the end."""
    grower = TreeGrower1D(line, sums, criterion, limits)
    return tree_from_splits(grower, grower.grow())


def tree_from_splits(grower: TreeGrower1D, cuts: Splits1D) -> Tree:
    """The trees of a grower, after some cuts."""
    edges = cuts.edges
    sums = grower.prefix_sums.take(edges, axis=1)
    return trees_from_edges(cuts.level, grower.thresholds[edges], edges, sums, grower.criterion)[0]


def trees_from_edges(
    level: Ints, thresholds: Floats, ranks: Ints, prefix_sums: Floats, criterion: Criterion
) -> tuple[Tree, Ints]:
    """Trees from the edges of their leaves, left to right, and the node of each leaf.

    For each edge: the level that split there (TREE_BORDER between trees), the threshold, and the number
    and the sums (C, edges) of all samples before it.
    """
    nodes = _Nodes(level)
    sums = prefix_sums.take(nodes.stop, axis=1) - prefix_sums.take(nodes.start, axis=1)
    tree = Tree(
        feature=np.where(nodes.edge < 0, LEAF, 0),
        threshold=np.where(nodes.edge < 0, np.nan, thresholds[nodes.edge]),
        left=nodes.left,
        right=np.where(nodes.edge < 0, LEAF, nodes.left + 1),
        parent=nodes.parent,
        depth=nodes.depth,
        count=ranks[nodes.stop] - ranks[nodes.start],
        sums=sums.T.copy(),
        impurity=criterion(sums),
        features=1,
    )
    return tree, nodes.leaves


class _Nodes:
    """First and last edge of each node, the edge that splits it (-1: none), its parent and left child."""

    def __init__(self, level: Ints) -> None:
        borders = np.flatnonzero(level == TREE_BORDER)
        starts, stops = [borders[:-1]], [borders[1:]]
        parents, splits = [np.full(len(borders) - 1, LEAF)], []
        node_at = np.empty(len(level), dtype=np.int64)
        node_at[starts[0]] = np.arange(len(starts[0]))
        size = len(starts[0])
        for depth in range(int(level.max()) + 1):
            edge, known = np.flatnonzero(level == depth), np.flatnonzero(level < depth)
            place = np.searchsorted(known, edge)
            start, stop = known[place - 1], known[place]
            parent, left = node_at[start], size + 2 * np.arange(len(edge))
            node_at[start], node_at[edge] = left, left + 1
            starts.append(np.column_stack([start, edge]).ravel())
            stops.append(np.column_stack([edge, stop]).ravel())
            parents.append(parent.repeat(2))
            splits.append(np.stack([parent, edge, left]))
            size += 2 * len(edge)
        self.start, self.stop = np.concatenate(starts), np.concatenate(stops)
        self.parent, self.leaves = np.concatenate(parents), node_at[:-1]
        self.depth = np.arange(len(starts)).repeat([len(each) for each in starts])
        self.edge, self.left = np.full(size, -1), np.full(size, LEAF)
        if splits:
            split, edge, left = np.concatenate(splits, axis=1)
            self.edge[split], self.left[split] = edge, left
