"""Trees that follow each other down the slope of a loss: F <- F + rate * tree(-dL/dF), round by round."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vizml.learn.ensembles.leaves import Leaves, Scattered
from vizml.learn.ensembles.losses import Loss, Rows
from vizml.learn.ensembles.stand import Stand, joined, stand
from vizml.learn.state import Floats, Ints
from vizml.learn.trees.criteria import CRITERIA, Criterion
from vizml.learn.trees.grower import GrowthLimits, TreeGrower
from vizml.learn.trees.grower_1d import Splits1D, TreeGrower1D
from vizml.learn.trees.samples import TreeSamples, argsort_features
from vizml.learn.trees.structure import LEAF, Mask, Tree

BLOCK = 0.015
"""Seconds of rounds at once."""
ROUND, POINT = 3e-4, 6e-8
"""About what a round takes, and more for each point, tree and level."""
Grown = TypeVar("Grown")
"""The trees of one round."""
Block = TypeVar("Block")
"""The trees of several."""


@dataclass(frozen=True, kw_only=True)
class Boosting:
    """How rounds are run."""

    rounds: int
    rate: float
    limits: GrowthLimits
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
        sums = np.empty((3, len(slope)))
        sums[0] = 1.0
        sums[1] = slope
        np.multiply(slope, slope, out=sums[2])
        return sums

    def leaves(
        self, loss: Loss, leaves: Leaves, slope: Floats, bend: Floats, rows: Rows, F: Floats
    ) -> Floats:
        """The step of each leaf, before the rate; arguments as of Loss.steps."""
        return loss.steps(leaves, slope, bend, rows, F)

    def pruned(self, tree: Tree) -> Tree:
        """A grown tree without the splits that are not worth their price."""
        return tree

    def pruned_cuts(self, grower: TreeGrower1D, cuts: Splits1D) -> Splits1D:
        """The same of a tree on a line."""
        del grower
        return cuts


class First(NamedTuple):
    """The first tree of a round: its leaves, and its first split where it has one."""

    leaves: int
    threshold: float = np.nan
    feature: int = LEAF
    gain: float = 0.0

    @classmethod
    def of(cls, stand: Stand, place: int) -> First:
        """What there is to tell of a tree of a stand."""
        tree, root, span = stand.tree, int(stand.roots[place]), stand.leaves_of(place, place + 1)
        feature = int(tree.feature[root])
        if feature == LEAF:
            return cls(leaves=1)
        sides = tree.impurity[tree.left[root]] + tree.impurity[tree.right[root]]
        gain, threshold = float(tree.impurity[root] - sides), float(tree.threshold[root])
        return cls(leaves=len(span), threshold=threshold, feature=feature, gain=gain)


class Moment(NamedTuple):
    """What is known after a round."""

    round: int
    train: float
    held: float
    first: First | None = None
    """What there is to tell of the first tree, where the trees themselves do not tell it."""
    left: NDArray[np.float32] = np.empty((0, 0), dtype=np.float32)
    """-dL/dF of each point (n, V) before the next round, where it is shown."""


class Rounds(ABC, Generic[Grown, Block]):
    """A boosting run: `blocks` trains some rounds at a time and gives the trees so far and each moment."""

    def __init__(self, how: Boosting, groups: Ints, rng: Generator) -> None:
        """`groups` are dealt evenly into points that learn and points that watch."""
        self.how, self._rng = how, rng
        self.held = _held(groups, how.hold, rng)
        self._train, self._watch = np.flatnonzero(~self.held), np.flatnonzero(self.held)

    def blocks(self) -> Iterator[tuple[tuple[Block, ...], list[Moment]]]:
        """The start alone, then rounds."""
        moment = self._moment(0)
        yield (), [moment]
        blocks: tuple[Block, ...] = ()
        lowest, best, done = moment.held, 0, 0
        many = self._at_once()
        while done < self.how.rounds:
            grown, moments = [], []
            for _ in range(min(many, self.how.rounds - done)):
                grown.append(self._round())
                done += 1
                moments.append(self._moment(done, grown[-1]))
                if not moments[-1].held >= lowest:
                    lowest, best = moments[-1].held, done
                if 0 < self.how.patience <= done - best:
                    break
            blocks = (*blocks, self._joined(grown))
            yield blocks, moments
            if 0 < self.how.patience <= done - best:
                return

    def _sample(self) -> Mask:
        """The points that the next round sees."""
        if self.how.subsample == 1:
            return ~self.held
        count = max(int(self.how.subsample * len(self._train)), 1)
        inside = np.zeros(len(self.held), dtype=np.bool_)
        inside[self._rng.permutation(self._train)[:count]] = True
        return inside

    @abstractmethod
    def _at_once(self) -> int:
        """How many rounds make a block."""

    @abstractmethod
    def _round(self) -> Grown:
        """The trees of the next round."""

    @abstractmethod
    def _moment(self, done: int, grown: Grown | None = None) -> Moment:
        """What is known after so many rounds, the latest of which grew this."""

    @abstractmethod
    def _joined(self, grown: Sequence[Grown]) -> Block:
        """The trees of some rounds together."""


class Run(Rounds[Stand, Stand]):
    """Rounds of trees that cut the plane."""

    def __init__(self, how: Boosting, points: Floats, loss: Loss, groups: Ints, rng: Generator) -> None:
        super().__init__(how, groups, rng)
        self._points, self._loss = points, loss
        self.start = how.start(loss.take(self._train))
        self._F = np.tile(self.start, (len(points), 1))
        self._slope = loss.slope(self._F)
        self._learns: Rows = self._train if len(self._watch) else slice(None)
        self._rising, self._criterion = argsort_features(points), how.criterion()
        self._entries = self._drawn()

    def _at_once(self) -> int:
        return rounds_at_once(len(self._points), len(self.start), self.how.limits.max_depth)

    def _round(self) -> Stand:
        if self.how.subsample < 1:
            self._entries = self._drawn()
        slope = self._slope
        bend = self._loss.bend(self._F, slope)
        rows, trees = self._entries.rows, self._entries.trees
        up, down = slope[rows, trees], bend[rows, trees]
        grower = TreeGrower(self._entries, self.how.sums(up, down), self._criterion, self.how.limits)
        whole = grower.grow()
        tree = self.how.pruned(whole)
        grown = stand(tree, np.zeros((len(tree), len(self.start))), self._points)
        known = tree is whole and len(rows) == self._F.size
        ends = grower.sample_nodes.reshape(-1, len(self._F)).T if known else self._ends(grown)
        F = self._F[rows, trees]
        leaves = Scattered(ends[rows, trees], len(tree))
        steps = self.how.leaves(self._loss, leaves, up, down, rows, F)
        steps *= self.how.rate
        grown.values[np.arange(len(tree)), grown.owner] = steps
        self._F += steps[ends]
        self._slope = self._loss.slope(self._F)
        return grown

    def _ends(self, grown: Stand) -> Ints:
        """The leaf of each point in each tree of a round (n, V)."""
        n, trees = len(self._points), np.arange(len(grown))
        return grown.ends_of(self._points, np.tile(trees, n), np.repeat(np.arange(n), len(trees))).reshape(
            n, -1
        )

    def _drawn(self) -> TreeSamples:
        """The points that a round sees, for each of its trees."""
        inside = np.tile(self._sample(), (len(self.start), 1))
        return TreeSamples.of(self._points, inside, self._rising)

    def _joined(self, grown: Sequence[Stand]) -> Stand:
        return joined(grown)

    def _moment(self, done: int, grown: Stand | None = None) -> Moment:
        each = self._loss.each(self._F)
        return Moment(
            round=done,
            train=float(each[self._learns].mean()),
            held=float(each[self._watch].mean()) if len(self._watch) else np.nan,
            left=self._slope.astype(np.float32),
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
