"""Gradient boosting: F_m = F_{m-1} + eta h_m, where the tree h_m is fitted to -dL/dF at each point.

`Boosting` fits trees by least squares (Friedman), `NewtonBoosting` by first and second derivatives (XGBoost).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vizml.field.arrays import Floats, Ints, Mask
from vizml.learn.ensembles.losses import FLAT, LeafSamples, Loss, Rows
from vizml.learn.ensembles.tree_batch import Batch, StepBatch, TreeBatch, join_batches
from vizml.learn.iterative_training import hold_out
from vizml.learn.trees.criteria import CRITERIA, Criterion, second_order
from vizml.learn.trees.grower import GrowthLimits, TreeGrower, TreeSamples, argsort_features
from vizml.learn.trees.grower_1d import TREE_BORDER, Splits1D, TreeGrower1D, TreeSamples1D, tree_from_splits
from vizml.learn.trees.structure import Tree, remove_splits

BLOCK_SECONDS = 0.015
"""Duration of the rounds that are trained between two states: a step of work stays under 20 ms."""
ROUND_SECONDS, POINT_SECONDS = 3e-4, 6e-8
"""Measured duration of a round of depth 3, and of each point, tree and level in it."""
LEVEL_SECONDS_1D, POINT_SECONDS_1D = 1.2e-5, 1e-8
"""Measured duration of a level of a tree on one feature, and of each point in it."""


@dataclass(frozen=True, kw_only=True)
class Boosting:
    """Settings of a run whose trees minimise the squared distance to the negative gradient."""

    rounds: int
    rate: float
    """Learning rate eta."""
    limits: GrowthLimits
    subsample: float = 1.0
    """Share of the training points that each round draws."""
    hold: float = 0.0
    """Share of the points that are held out to monitor the loss."""
    patience: int = 0
    """Rounds without a lower held-out loss after which the run stops; 0: never."""
    gamma: float = 0.0
    """Minimum loss reduction of the splits at the bottom of a tree."""

    def initial(self, loss: Loss) -> Floats:
        """F (V,) before the first round."""
        return loss.initial()

    def criterion(self) -> Criterion:
        """Criterion that splits minimise."""
        return CRITERIA["variance"]

    def sample_sums(self, gradient: Floats, second: Floats) -> Floats:
        """Contribution of each sample to the criterion's sums (S, n)."""
        del second
        sums = np.empty((3, len(gradient)))
        sums[0] = 1.0
        sums[1] = gradient
        np.multiply(gradient, gradient, out=sums[2])
        return sums

    def leaf_steps(self, loss: Loss, samples: LeafSamples) -> Floats:
        """Value of each leaf before the learning rate."""
        return loss.leaf_steps(samples)

    def prune(self, tree: Tree) -> Tree:
        """Remove splits that do not pay."""
        if not self.gamma or not tree.splits.any():
            return tree
        gone = unprofitable_splits(tree, self.gamma)
        return remove_splits(tree, gone) if gone.any() else tree


@dataclass(frozen=True, kw_only=True)
class NewtonBoosting(Boosting):
    """Settings of a run as in XGBoost: leaves -G / (H + lambda), splits by the gain in the same objective."""

    lam: float = 1.0
    min_child_weight: float = 1.0
    second_factor: float = 1.0
    """Factor of the second derivatives."""

    def initial(self, loss: Loss) -> Floats:
        return np.zeros_like(loss.initial())

    def criterion(self) -> Criterion:
        return second_order(self.lam, self.min_child_weight)

    def sample_sums(self, gradient: Floats, second: Floats) -> Floats:
        sums = np.empty((2, len(gradient)))
        np.multiply(self.second_factor, second, out=sums[0])
        np.negative(gradient, out=sums[1])
        return sums

    def leaf_steps(self, loss: Loss, samples: LeafSamples) -> Floats:
        weight = self.second_factor * samples.sums(samples.second)
        light = weight < max(self.min_child_weight, FLAT)
        weight += self.lam
        steps = samples.sums(samples.gradient)
        steps /= np.maximum(weight, FLAT)
        steps[light] = 0.0
        return steps


def unprofitable_splits(tree: Tree, gamma: float) -> Mask:
    """Splits between two leaves that gain less than gamma / 2, from the bottom up.

    Half, as XGBoost compares gamma with [GL^2/(HL + lam) + GR^2/(HR + lam) - G^2/(H + lam)] without the
    one half that the formula of the gain has.
    """
    splits, gain = tree.splits.copy(), tree.gain
    for depth in range(int(tree.depth[-1]), -1, -1):
        at = np.flatnonzero((tree.depth == depth) & splits)
        ends = ~splits[tree.left[at]] & ~splits[tree.right[at]]
        splits[at[ends & (gain[at] < gamma / 2)]] = False
    return tree.splits & ~splits


class BoostingRound(NamedTuple):
    """Losses after a round, and the pseudo-residuals."""

    round: int
    train: float
    held: float
    residuals: NDArray[np.float32]
    """-dL/dF (n,) of the true class or of the number at each point."""


class BoostingRun:
    """A run in progress, a tree for each column of F in a round; `blocks` trains several rounds at a time."""

    def __init__(self, how: Boosting, X: Floats, loss: Loss, groups: Ints, rng: Generator) -> None:
        """Hold out the same share of each of the groups 0, 1, ..."""
        self.how, self._rng = how, rng
        self.held = hold_out(groups, how.hold, rng)
        self._order = self._row_order(X)
        self._X, self._loss = X[self._order], loss.take(self._order)
        self._monitored, held = bool(self.held.any()), self.held[self._order]
        self._train_weights = (~held).astype(np.float64) / int(np.count_nonzero(~held))
        self._held_weights = held.astype(np.float64) / max(int(np.count_nonzero(held)), 1)
        self.initial = how.initial(self._loss.take(np.flatnonzero(~held)))
        self._F = np.tile(self.initial, (len(X), 1))
        self._training = ~held
        self._gradient = self._pseudo_residuals()
        self._criterion = how.criterion()
        self._draw_samples()

    def blocks(self) -> Iterator[tuple[tuple[Batch, ...], list[BoostingRound]]]:
        """All trees so far and the rounds since the last time; the start, round 0, comes first."""
        batches: tuple[Batch, ...] = ()
        rounds = [self._record(0)]
        yield batches, rounds
        lowest, best, done, size = rounds[0].held, 0, 0, self._rounds_per_block()
        while done < self.how.rounds and not 0 < self.how.patience <= done - best:
            grown, rounds = [], []
            while len(rounds) < size and done < self.how.rounds:
                grown.append(self._next_round())
                done += 1
                rounds.append(self._record(done))
                if not rounds[-1].held >= lowest:
                    lowest, best = rounds[-1].held, done
                if 0 < self.how.patience <= done - best:
                    break
            batches = (*batches, self._join(grown))
            yield batches, rounds

    def _next_round(self) -> Any:
        if self.how.subsample < 1:
            self._draw_samples()
        grown = self._grow(self._gradient, self._loss.second_derivative(self._F, self._gradient))
        self._gradient = self._pseudo_residuals()
        return grown

    def _pseudo_residuals(self) -> Floats:
        self._loss.adapt(self._F, self._training)
        return self._loss.negative_gradient(self._F)

    def _record(self, done: int) -> BoostingRound:
        values = self._loss.values(self._F)
        held = float(values.dot(self._held_weights)) if self._monitored else np.nan
        residuals = np.empty(len(self._F), dtype=np.float32)
        residuals[self._order] = self._loss.residuals(self._gradient)
        residuals.flags.writeable = False
        return BoostingRound(done, float(values.dot(self._train_weights)), held, residuals)

    def _sample_mask(self) -> Mask:
        """Draw the training points of a round."""
        if self.how.subsample == 1:
            return ~self.held[self._order]
        train = np.flatnonzero(~self.held)
        inside = np.zeros(len(self.held), dtype=np.bool_)
        inside[self._rng.permutation(train)[: max(int(self.how.subsample * len(train)), 1)]] = True
        return inside[self._order]

    def _row_order(self, X: Floats) -> Rows:
        """Order in which the points are kept."""
        self._sorted_features = argsort_features(X)
        return slice(None)

    def _draw_samples(self) -> None:
        """Draw the points of the next round and sort them."""
        inside = np.tile(self._sample_mask(), (len(self.initial), 1))
        self._samples = TreeSamples.of(self._X, inside, self._sorted_features)

    def _rounds_per_block(self) -> int:
        return rounds_per_block(len(self._X), len(self.initial), self.how.limits.max_depth)

    def _grow(self, gradient: Floats, second: Floats) -> Any:
        """Grow the trees of a round and add them to F."""
        how, rows, trees = self.how, self._samples.rows, self._samples.trees
        gradient, second = gradient[rows, trees], second[rows, trees]
        grower = TreeGrower(self._samples, how.sample_sums(gradient, second), self._criterion, how.limits)
        whole = grower.grow()
        tree = how.prune(whole)
        grown = TreeBatch.of(tree, np.zeros((len(tree), len(self.initial))), self._X)
        known = tree is whole and len(rows) == self._F.size
        nodes = grower.sample_nodes.reshape(len(grown), -1) if known else grown.walk(self._X, 0, len(grown))
        F, ends = self._F[rows, trees], nodes.T
        samples = LeafSamples(ends[rows, trees], len(tree), gradient, second, rows, F)
        steps = how.rate * how.leaf_steps(self._loss, samples)
        grown.values[np.arange(len(tree)), grown.owner] = steps
        self._F += steps[ends]
        return grown

    def _join(self, grown: Sequence[Any]) -> Batch:
        """Make a batch of the trees of some rounds."""
        return join_batches(grown)


class LeafSteps(NamedTuple):
    """A tree on one feature: levels and thresholds of the edges of its leaves, root gain and leaf values."""

    levels: Ints
    thresholds: Floats
    root_gain: float
    values: Floats


class UnivariateBoostingRun(BoostingRun):
    """A run on one feature with one column of F, which sorts the points once.

    At n = 500 it takes a fifth of the time of the general run (5 ms against 28 ms for 100 rounds of
    depth 3), so that an edit of 200 points reaches the canvas within a frame.
    """

    def _row_order(self, X: Floats) -> Rows:
        self._given_X = X
        order: Ints = np.argsort(X[:, 0], kind="stable")
        return order

    def _draw_samples(self) -> None:
        inside = self._sample_mask()
        self._all = bool(inside.all())
        self._rows: Rows = slice(None) if self._all else np.flatnonzero(inside)
        self._samples_1d = TreeSamples1D(self._X[self._rows, 0])

    def _rounds_per_block(self) -> int:
        seconds = (LEVEL_SECONDS_1D + POINT_SECONDS_1D * len(self._X)) * (self.how.limits.max_depth + 1)
        return max(int(BLOCK_SECONDS / seconds), 1)

    def _grow(self, gradient: Floats, second: Floats) -> LeafSteps:
        how, rows = self.how, self._rows
        gradient, second = gradient[rows, 0], second[rows, 0]
        sums = how.sample_sums(gradient, second)
        grower = TreeGrower1D(self._samples_1d, sums, self._criterion, how.limits)
        splits = self._pruned(grower, grower.grow())
        sizes = splits.edges[1:] - splits.edges[:-1]
        leaves = np.arange(len(sizes)).repeat(sizes)
        samples = LeafSamples(leaves, len(sizes), gradient, second, rows, self._F[rows, 0])
        steps = how.rate * how.leaf_steps(self._loss, samples)
        thresholds = grower.thresholds[splits.edges]
        if not self._all:
            sizes = np.diff(np.searchsorted(self._X[:, 0], thresholds[1:], side="right"), prepend=0)
        self._F[:, 0] += steps.repeat(sizes)
        return LeafSteps(splits.level, thresholds, float(grower.root_gains[0]), steps)

    def _pruned(self, grower: TreeGrower1D, splits: Splits1D) -> Splits1D:
        if not self.how.gamma:
            return splits
        whole = tree_from_splits(grower, splits)
        tree = self.how.prune(whole)
        kept = np.isin(grower.thresholds[splits.edges], tree.threshold) | (splits.level == TREE_BORDER)
        return Splits1D(splits.edges[kept], splits.level[kept])

    def _join(self, grown: Sequence[LeafSteps]) -> StepBatch:
        levels = np.concatenate([*(each.levels[:-1] for each in grown), [TREE_BORDER]])
        thresholds = np.concatenate([*(each.thresholds[:-1] for each in grown), [np.inf]])
        gains, values = np.array([each.root_gain for each in grown]), [each.values for each in grown]
        return StepBatch.of(levels, thresholds, gains, np.concatenate(values), self._given_X)


def rounds_per_block(n: int, trees: int, depth: int) -> int:
    """Number of rounds of so many trees on any number of features that take BLOCK_SECONDS."""
    seconds = ROUND_SECONDS * depth / 3 + POINT_SECONDS * n * trees * (depth + 1)
    return max(int(BLOCK_SECONDS / seconds), 1)
