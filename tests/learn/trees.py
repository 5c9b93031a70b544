"""Trees that are grown by the solver alone, for tests."""

import numpy as np

from vizml.learn.trees.grower import GrowthLimits, TreeGrower, TreeSamples, one_hot

FREE = GrowthLimits()


def grow_tree(X, sums, criterion="variance", limits=FREE):
    """One tree from contributions `sums` (C, n) of the points (n, d)."""
    return TreeGrower(TreeSamples.all(X), sums, criterion, limits).grow()


def classified(X, y, criterion="gini", limits=FREE):
    """One classification tree."""
    return grow_tree(np.asarray(X, dtype=float), one_hot(np.asarray(y), np.unique(y)), criterion, limits)


def squares(y, weight=None):
    """The contributions of targets to the variance."""
    weight = np.ones(len(y)) if weight is None else weight
    return np.stack([weight, weight * y, weight * y * y])
