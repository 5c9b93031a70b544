"""Trees that follow each other down the slope of a loss: F <- F + rate * tree(-dL/dF), round by round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vizml.learn.ensembles.losses import Loss
from vizml.learn.ensembles.stand import Stand, joined, stand
from vizml.learn.state import Floats, Ints
from vizml.learn.trees.chance import Entries, rising
from vizml.learn.trees.criteria import CRITERIA, Criterion
from vizml.learn.trees.grower import Grower, Limits
from vizml.learn.trees.structure import Mask, Tree

BLOCK = 0.015
"""Seconds of rounds at once."""
ROUND, POINT = 4e-4, 3e-7
"""About what a round takes, and more for each point, tree and level."""


@dataclass(frozen=True, kw_only=True)
class Boosting:
    """How rounds are run."""

    rounds: int
    rate: float
    limits: Limits
    subsample: float = 1.0
    hold: float = 0.0
    """The share of the points that only watches the loss."""
    patience: int = 0
    """After so many rounds without a lower loss on those points it stops; 0: never."""

    def start(self, loss: Loss) -> Floats:
        """F (V,) before the first round."""
        return loss.start()

    def criterion(self) -> Criterion:
        """What splits are to lower."""
        return CRITERIA["variance"]

    def sums(self, slope: Floats, bend: Floats) -> Floats:
        """What single points add to the criterion's sums (S, entries)."""
        del bend
        return np.stack([np.ones_like(slope), slope, slope * slope])

    def leaves(
        self, loss: Loss, nodes: Ints, count: int, slope: Floats, bend: Floats, rows: Ints, F: Floats
    ) -> Floats:
        """The step of each of `count` nodes, before the rate; arguments as of Loss.steps."""
        return loss.steps(nodes, count, slope, bend, rows, F)

    def pruned(self, tree: Tree) -> Tree:
        """A grown tree without the splits that are not worth their price."""
        return tree


@dataclass(frozen=True, eq=False, kw_only=True)
class Moment:
    """What is known after a round."""

    round: int
    train: float
    held: float
    left: NDArray[np.float32]
    """-dL/dF of each point (n, V) before the next round."""
    tree: Tree | None = None


class Run:
    """A boosting run: `blocks` trains some rounds at a time and gives the trees so far and each moment."""

    def __init__(self, how: Boosting, points: Floats, loss: Loss, groups: Ints, rng: Generator) -> None:
        """`groups` are dealt evenly into points that learn and points that watch."""
        self._how, self._points, self._loss, self._rng = how, points, loss, rng
        self.held = _held(groups, how.hold, rng)
        self._train = np.flatnonzero(~self.held)
        self._watch = np.flatnonzero(self.held)
        self.start = how.start(loss.take(self._train))
        self._F = np.tile(self.start, (len(points), 1))
        self._slope = loss.slope(self._F)
        self._rising = rising(points)
        self._entries = self._drawn()

    def blocks(self) -> Iterator[tuple[tuple[Stand, ...], list[Moment]]]:
        """The start alone, then rounds."""
        moment = self._moment(0, None)
        yield (), [moment]
        stands: tuple[Stand, ...] = ()
        lowest, best, done = moment.held, 0, 0
        many = rounds_at_once(len(self._points), len(self.start), self._how.limits.max_depth)
        while done < self._how.rounds:
            grown, moments = [], []
            for _ in range(min(many, self._how.rounds - done)):
                grown.append(self._round())
                done += 1
                moments.append(self._moment(done, grown[-1].tree))
                if not moments[-1].held >= lowest:
                    lowest, best = moments[-1].held, done
                if 0 < self._how.patience <= done - best:
                    break
            stands = (*stands, joined(grown))
            yield stands, moments
            if 0 < self._how.patience <= done - best:
                return

    def _round(self) -> Stand:
        if self._how.subsample < 1:
            self._entries = self._drawn()
        slope = self._slope
        bend = self._loss.bend(self._F, slope)
        rows, trees = self._entries.rows, self._entries.roots
        up, down = slope[rows, trees], bend[rows, trees]
        tree = self._how.pruned(self._grown(self._how.sums(up, down)))
        grown = stand(tree, np.zeros((len(tree), len(self.start))))
        ends = self._ends(grown)
        F = self._F[rows, trees]
        steps = self._how.leaves(self._loss, ends[rows, trees], len(tree), up, down, rows, F)
        steps *= self._how.rate
        grown.values[np.arange(len(tree)), grown.owner] = steps
        self._F += steps[ends]
        self._slope = self._loss.slope(self._F)
        return grown

    def _grown(self, sums: Floats) -> Tree:
        entries = self._entries
        grower = Grower(
            self._points,
            sums,
            self._how.criterion(),
            self._how.limits,
            entries.rows,
            entries.roots,
            entries.order,
        )
        while grower.level():
            pass
        return grower.tree()

    def _ends(self, grown: Stand) -> Ints:
        """The leaf of each point in each tree of a round (n, V)."""
        n, trees = len(self._points), np.arange(len(grown))
        return grown.ends_of(self._points, np.tile(trees, n), np.repeat(np.arange(n), len(trees))).reshape(
            n, -1
        )

    def _drawn(self) -> Entries:
        """The points that a round sees, for each of its trees."""
        inside = ~self.held
        if self._how.subsample < 1:
            count = max(int(self._how.subsample * len(self._train)), 1)
            inside = np.zeros(len(self._points), dtype=np.bool_)
            inside[self._rng.permutation(self._train)[:count]] = True
        return Entries.of(np.tile(inside, (len(self.start), 1)), self._rising)

    def _moment(self, done: int, tree: Tree | None) -> Moment:
        each = self._loss.each(self._F)
        return Moment(
            round=done,
            train=float(each[self._train].mean()),
            held=float(each[self._watch].mean()) if len(self._watch) else np.nan,
            left=self._slope.astype(np.float32),
            tree=tree,
        )


def rounds_at_once(n: int, trees: int, depth: int) -> int:
    """How many rounds are run before their states are told: as many as one does not wait for."""
    took = ROUND * depth / 3 + POINT * n * trees * (depth + 1)
    return max(int(BLOCK / took), 1)


def _held(groups: Ints, share: float, rng: Generator) -> Mask:
    """Which points only watch: this share of each group, but never all of one."""
    out = np.zeros(len(groups), dtype=np.bool_)
    for group in range(int(groups.max()) + 1):
        own = np.flatnonzero(groups == group)
        out[rng.permutation(own)[: min(round(share * len(own)), len(own) - 1)]] = True
    return out
