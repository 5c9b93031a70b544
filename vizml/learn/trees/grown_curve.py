"""What all moments of one regression tree share: where it is cut, and the level of every node."""

from __future__ import annotations

from functools import cached_property, partial

import numpy as np

from vizml.learn.state import Floats
from vizml.learn.training_data import TrainingData
from vizml.learn.trees.grower import GrowthLimits
from vizml.learn.trees.grower_1d import TreeGrower1D, TreeSamples1D, tree_from_splits
from vizml.learn.trees.shown import Grown
from vizml.learn.trees.structure import group_medians, node_losses, node_values


class CurveGrower(TreeGrower1D):
    """A regression tree in the making: squared residuals of points (n, 2) from the level of their node."""

    def __init__(self, data: TrainingData, limits: GrowthLimits) -> None:
        order = np.argsort(data.x, kind="stable")
        self.y = data.y[order]
        self.middle = float(self.y.mean())
        apart = self.y - self.middle
        sums = np.stack([np.ones_like(apart), apart, apart * apart])
        super().__init__(TreeSamples1D(data.x[order]), sums, "variance", limits)


class GrownCurve(Grown):
    """A regression tree, as far as it has grown."""

    def __init__(self, data: TrainingData, grower: CurveGrower, *, absolute: bool, prune: str) -> None:
        cuts = grower.splits()
        super().__init__(data, partial(tree_from_splits, grower, cuts), prune=prune)
        self.x, self.y, self.absolute = data.x, data.y, absolute
        self._rising, self._middle = grower.y, grower.middle
        self._at, self._edges = cuts.edges, grower.thresholds[cuts.edges[1:-1]]

    @property
    def leaves(self) -> int:
        """The number of leaves with all splits made."""
        return len(self._at) - 1

    def curve(self, x: Floats) -> Floats:
        """The level at each x with all splits made."""
        return self._steps[np.searchsorted(self._edges, x)]

    @property
    def loss(self) -> float:
        """The mean squared, or absolute, residual with all splits made."""
        apart = self._rising - self._steps.repeat(np.diff(self._at))
        return float((np.abs(apart) if self.absolute else apart * apart).mean())

    @cached_property
    def levels(self) -> Floats:
        """The level of each node, if it were a leaf."""
        found = node_values(self.tree, self.x[:, None], self.y, absolute=self.absolute)
        ends = np.flatnonzero(~self.tree.splits)
        found[ends[np.argsort(self.tree.box[ends, 0, 0])]] = self._steps
        return found

    @cached_property
    def costs(self) -> Floats:
        """The sum of squared, or absolute, residuals of the points in each node from its level."""
        return node_losses(self.tree, self.x[:, None], self.y, self.levels, absolute=self.absolute)

    @cached_property
    def _steps(self) -> Floats:
        """The level of each leaf, from left to right."""
        sizes = np.diff(self._at)
        if self.absolute:
            return group_medians(np.arange(len(sizes)).repeat(sizes), len(sizes), self._rising)
        means: Floats = np.add.reduceat(self._rising - self._middle, self._at[:-1]) / sizes
        return means + self._middle
