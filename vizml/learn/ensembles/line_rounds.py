"""Rounds of boosting on a line: trees that are step functions, on points that are sorted once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from vizml.learn.ensembles.boosting import BLOCK, Boosting, First, Moment, Rounds
from vizml.learn.ensembles.leaves import Runs
from vizml.learn.ensembles.losses import Loss, Rows
from vizml.learn.ensembles.stairs import Stairs, shares
from vizml.learn.state import Floats, Ints
from vizml.learn.trees.grower_1d import Splits1D, TreeGrower1D, TreeSamples1D

LEVEL, ENTRY = 1.2e-5, 1e-8
"""About what a level of a round takes, and more for each point."""


class Step(NamedTuple):
    """The tree of a round: the highest x of each leaf, its value, and how deep it is."""

    high: Floats
    values: Floats
    depth: int


class LineRounds(Rounds[Step, Stairs]):
    """Rounds of trees that cut the line; F, slopes and losses are in the order of x."""

    def __init__(self, how: Boosting, x: Floats, order: Ints, loss: Loss, rng: Generator) -> None:
        """`order` sorts the points; x and the loss are sorted already."""
        super().__init__(how, np.zeros(len(x), dtype=np.int64), rng)
        self._x, self._order, self._loss = x, order, loss
        held = self.held[order]
        self._learns = (~held).astype(np.float64) / int(np.count_nonzero(~held))
        self._watches = held.astype(np.float64) / max(int(np.count_nonzero(held)), 1)
        self.start = how.start(loss.take(np.flatnonzero(~held)))
        self._F = np.tile(self.start, (len(x), 1))
        self._slope = loss.slope(self._F)
        self._criterion = how.criterion()
        self._first = First(leaves=1)
        self._see()

    def _see(self) -> None:
        """Draw the points that the next round sees."""
        inside = self._sample()[self._order]
        self._all = bool(inside.all())
        self._seen: Rows = slice(None) if self._all else np.flatnonzero(inside)
        self._line = TreeSamples1D(self._x[self._seen])
        self._denominators = self._criterion.denominators(len(self._line))

    def _at_once(self) -> int:
        depth = self.how.limits.max_depth
        return max(int(BLOCK / ((LEVEL + ENTRY * len(self._x)) * (depth + 1))), 1)

    def _round(self) -> Step:
        if self.how.subsample < 1:
            self._see()
        seen, slope = self._seen, self._slope
        up, down, F = slope[seen, 0], self._loss.bend(self._F, slope)[seen, 0], self._F[seen, 0]
        sums = self.how.sums(up, down)
        grower = TreeGrower1D(self._line, sums, self._criterion, self.how.limits, self._denominators)
        cuts = self.how.pruned_cuts(grower, grower.grow())
        leaves = Runs(cuts.edges)
        steps = self.how.leaves(self._loss, leaves, up, down, seen, F)
        steps *= self.how.rate
        high = grower.thresholds[cuts.edges[1:]]
        self._F[:, 0] += steps.repeat(leaves.sizes if self._all else shares(self._x, high))
        self._slope = self._loss.slope(self._F)
        self._first = first_of(grower, cuts)
        return Step(high, steps, int(cuts.level.max()) + 1)

    def _joined(self, grown: Sequence[Step]) -> Stairs:
        return Stairs(
            ends=np.cumsum([len(each.high) for each in grown]),
            high=np.concatenate([each.high for each in grown]),
            values=np.concatenate([each.values for each in grown]),
            depths=np.array([each.depth for each in grown]),
        )

    def _moment(self, done: int, grown: Step | None = None) -> Moment:
        each = self._loss.each(self._F)
        return Moment(
            round=done,
            train=float(each.dot(self._learns)),
            held=float(each.dot(self._watches)) if len(self._watch) else np.nan,
            first=self._first if grown is not None else None,
        )


def first_of(grower: TreeGrower1D, cuts: Splits1D) -> First:
    """The first tree of a grower, after some cuts."""
    top = (cuts.level == 0).nonzero()[0]
    if not len(top):
        return First(leaves=1)
    threshold, gain = float(grower.thresholds[cuts.edges[top[0]]]), float(grower.root_gains[0])
    return First(leaves=len(cuts.edges) - 1, threshold=threshold, feature=0, gain=gain)
