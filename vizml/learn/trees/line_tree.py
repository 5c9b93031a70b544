"""Trees on a line out of where they were cut: nodes as `grower` numbers them, in the order of their depth."""

from __future__ import annotations

import numpy as np

from vizml.learn.state import Floats
from vizml.learn.trees.criteria import Criterion
from vizml.learn.trees.grower import Limits
from vizml.learn.trees.line import BORDER, Cuts, Line, LineGrower
from vizml.learn.trees.structure import LEAF, Tree


def grow_line(line: Line, sums: Floats, criterion: str | Criterion, limits: Limits) -> Tree:
    """Trees, to the end."""
    grower = LineGrower(line, sums, criterion, limits)
    return tree_of(grower, grower.grow())


def tree_of(grower: LineGrower, cuts: Cuts) -> Tree:
    """The trees of a grower, after some cuts."""
    nodes = _Nodes(cuts)
    feature = np.where(nodes.cut < 0, LEAF, 0)
    sums = grower.before.take(nodes.stop, axis=1) - grower.before.take(nodes.start, axis=1)
    edge = grower.threshold
    return Tree(
        feature=feature,
        threshold=np.where(nodes.cut < 0, np.nan, edge[nodes.cut]),
        left=nodes.left,
        right=np.where(nodes.cut < 0, LEAF, nodes.left + 1),
        parent=nodes.parent,
        depth=nodes.depth,
        count=nodes.stop - nodes.start,
        sums=sums.T.copy(),
        impurity=grower.criterion(sums),
        features=1,
    )


class _Nodes:
    """Which entries are in each node, and how nodes hang together."""

    def __init__(self, cuts: Cuts) -> None:
        borders = cuts.at[cuts.level == BORDER]
        starts, stops = [borders[:-1]], [borders[1:]]
        parents, splits = [np.full(len(borders) - 1, LEAF)], []
        node_at = np.empty(int(cuts.at[-1]) + 1, dtype=np.int64)
        node_at[starts[0]] = np.arange(len(starts[0]))
        size = len(starts[0])
        for level in range(int(cuts.level.max()) + 1):
            cut = cuts.at[cuts.level == level]
            known = cuts.at[cuts.level < level]
            place = np.searchsorted(known, cut)
            start, stop = known[place - 1], known[place]
            parent, left = node_at[start], size + 2 * np.arange(len(cut))
            node_at[start], node_at[cut] = left, left + 1
            starts.append(np.column_stack([start, cut]).ravel())
            stops.append(np.column_stack([cut, stop]).ravel())
            parents.append(parent.repeat(2))
            splits.append(np.stack([parent, cut, left]))
            size += 2 * len(cut)
        self.start, self.stop = np.concatenate(starts), np.concatenate(stops)
        self.parent = np.concatenate(parents)
        self.depth = np.arange(len(starts)).repeat([len(each) for each in starts])
        self.cut, self.left = np.full(size, -1), np.full(size, LEAF)
        if splits:
            split, cut, left = np.concatenate(splits, axis=1)
            self.cut[split], self.left[split] = cut, left
