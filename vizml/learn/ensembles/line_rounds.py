"""Rounds of boosting on a line: trees that are step functions, on points that are sorted once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from vizml.learn.ensembles.boosting import BLOCK, Boosting, First, Moment, Rounds
from vizml.learn.ensembles.losses import Loss
from vizml.learn.ensembles.stairs import Stairs, joined
from vizml.learn.state import Floats, Ints
from vizml.learn.trees.line import Cuts, Line, LineGrower

LEVEL, ENTRY = 4e-5, 3e-8
"""About what a level of a round takes, and more for each point."""


class LineRounds(Rounds[Stairs]):
    """Rounds of trees that cut the line; F, slopes and losses are in the order of x."""

    def __init__(self, how: Boosting, x: Floats, order: Ints, loss: Loss, rng: Generator) -> None:
        """`order` sorts the points; x and the loss are sorted already."""
        super().__init__(how, np.zeros(len(x), dtype=np.int64), rng)
        self._x, self._order, self._loss = x, order, loss
        held = self.held[order]
        self._watched = np.flatnonzero(held)
        self._learning = np.flatnonzero(~held)
        self.start = how.start(loss.take(self._learning))
        self._F = np.tile(self.start, (len(x), 1))
        self._slope = loss.slope(self._F)
        self._criterion = how.criterion()
        self._first = First(leaves=1)
        self._see()

    def _see(self) -> None:
        """Draw the points that the next round sees."""
        self._seen = np.flatnonzero(self._sample()[self._order])
        self._all = len(self._seen) == len(self._x)
        self._line = Line(self._x[self._seen])

    def _at_once(self) -> int:
        depth = self._how.limits.max_depth
        return max(int(BLOCK / ((LEVEL + ENTRY * len(self._x)) * (depth + 1))), 1)

    def _round(self) -> Stairs:
        if self._how.subsample < 1:
            self._see()
        seen, slope = self._seen, self._slope
        bend = self._loss.bend(self._F, slope)
        up, down, F = slope[seen, 0], bend[seen, 0], self._F[seen, 0]
        grower = LineGrower(self._line, self._how.sums(up, down), self._criterion, self._how.limits)
        cuts = self._how.pruned_cuts(grower, grower.grow())
        sizes = np.diff(cuts.at)
        leaves = np.arange(len(sizes)).repeat(sizes)
        steps = self._how.leaves(self._loss, leaves, len(sizes), up, down, seen, F)
        steps *= self._how.rate
        grown = Stairs.of(grower, cuts, steps)
        self._F[:, 0] += steps.repeat(sizes) if self._all else grown.said(self._x)[0]
        self._slope = self._loss.slope(self._F)
        self._first = first_of(grower, cuts)
        return grown

    def _joined(self, grown: Sequence[Stairs]) -> Stairs:
        return joined(grown)

    def _moment(self, done: int, grown: Stairs | None = None) -> Moment:
        each = self._loss.each(self._F)
        return Moment(
            round=done,
            train=float(each[self._learning].mean()),
            held=float(each[self._watched].mean()) if len(self._watched) else np.nan,
            first=self._first if grown is not None else None,
        )


def first_of(grower: LineGrower, cuts: Cuts) -> First:
    """The first tree of a grower, after some cuts."""
    top = np.flatnonzero(cuts.level == 0)
    if not len(top):
        return First(leaves=1)
    threshold, gain = float(grower.threshold[cuts.at[top[0]]]), float(grower.gains[0])
    return First(leaves=len(cuts.at) - 1, threshold=threshold, feature=0, gain=gain)
