"""Forests: trees grown independently on bootstrap samples, or with random thresholds (extra trees)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats, Ints
from vizml.learn.ensembles.losses import Leaves
from vizml.learn.ensembles.out_of_bag import bootstrap_counts
from vizml.learn.ensembles.tree_batch import TreeBatch
from vizml.learn.trees.grower import GrowthLimits, one_hot
from vizml.learn.trees.grower_1d import ExtraTreesGrower1D, TreeGrower1D, TreeSamples1D, trees_from_edges
from vizml.learn.trees.random_growth import ExtraTreesGrower, RandomForestGrower
from vizml.learn.trees.samples import TreeSamples, argsort_features
from vizml.learn.trees.structure import Tree, group_medians

BATCH_SAMPLES = 32_000
"""Samples of the trees that are grown at once, which takes about 20 ms."""


@dataclass(frozen=True, kw_only=True)
class ForestOptions:
    """Settings of a forest."""

    trees: int
    limits: GrowthLimits
    sample: float = 1.0
    """Size of the bootstrap samples as a share of the points; 0: each tree is grown on all points."""
    m: int | None = None
    """Number of features drawn for each split; None: all."""
    random_thresholds: bool = False


class ForestTargets(ABC):
    """Targets of a forest: the sums that splits are found by, and the values of leaves."""

    criterion: str

    @abstractmethod
    def sample_sums(self, rows: Ints, weights: Ints) -> Floats:
        """Contribution of samples to the criterion's sums (S, samples)."""

    @abstractmethod
    def leaf_values(self, tree: Tree, nodes: Ints, rows: Ints, weights: Ints) -> Floats:
        """Values (nodes, V) of a tree whose samples are in the given nodes."""


class ClassTargets(ForestTargets):
    """Class codes 0, 1, ...; a leaf gives the shares of the classes, of two the second's alone."""

    def __init__(self, codes: Ints, classes: int, criterion: str) -> None:
        self.indicators, self.criterion = one_hot(codes, np.arange(classes)), criterion

    def sample_sums(self, rows: Ints, weights: Ints) -> Floats:
        return self.indicators[:, rows] * weights

    def leaf_values(self, tree: Tree, nodes: Ints, rows: Ints, weights: Ints) -> Floats:
        del nodes, rows, weights
        shares: Floats = tree.sums / tree.sums.sum(axis=1, keepdims=True)
        return shares[:, 1:] if shares.shape[1] == 2 else shares


class NumberTargets(ForestTargets):
    """Numbers; a leaf gives their mean or median."""

    criterion = "variance"

    def __init__(self, y: Floats, *, absolute: bool) -> None:
        self.y, self.absolute = y, absolute

    def sample_sums(self, rows: Ints, weights: Ints) -> Floats:
        y = self.y[rows]
        return np.stack([weights, weights * y, weights * y * y])

    def leaf_values(self, tree: Tree, nodes: Ints, rows: Ints, weights: Ints) -> Floats:
        if self.absolute:
            values = self.y[rows].repeat(weights)
            return group_medians(nodes.repeat(weights), len(tree), values)[:, None]
        leaves = Leaves(nodes, len(tree))
        total = leaves.sums(weights.astype(np.float64))
        return (leaves.sums(weights * self.y[rows]) / np.where(total > 0, total, 1.0))[:, None]


def grow_forest(
    options: ForestOptions, X: Floats, targets: ForestTargets, rng: Generator
) -> Iterator[tuple[TreeBatch, Ints]]:
    """Batches of trees on X (n, d), with how often each tree has each point (T, n)."""
    done, n, sorted_features = 0, len(X), argsort_features(X)
    while done < options.trees:
        count = min(max(BATCH_SAMPLES // n, 1), options.trees - done)
        if options.sample:
            drawn = bootstrap_counts(n, options.sample, count, rng)
        else:
            drawn = np.ones((count, n), dtype=np.int64)
        if X.shape[1] == 1 and targets.criterion == "variance":
            tree, values = _grow_1d(
                options, X, targets, drawn[:, sorted_features[0]], sorted_features[0], rng
            )
        else:
            tree, values = _grow(options, X, targets, drawn, sorted_features, rng)
        yield TreeBatch.of(tree, values, X), drawn
        done += count


def _grow(
    options: ForestOptions, X: Floats, targets: ForestTargets, drawn: Ints, order: Ints, rng: Generator
) -> tuple[Tree, Floats]:
    """Grow a tree for each row of drawn (T, n)."""
    samples, weights = TreeSamples.of(X, drawn > 0, order), drawn[drawn > 0]
    sums = targets.sample_sums(samples.rows, weights)
    kind = ExtraTreesGrower if options.random_thresholds else RandomForestGrower
    m = X.shape[1] if options.m is None else options.m
    grower = kind(samples, sums, targets.criterion, options.limits, m, rng)
    tree = grower.grow()
    return tree, targets.leaf_values(tree, grower.sample_nodes, samples.rows, weights)


def _grow_1d(
    options: ForestOptions, X: Floats, targets: ForestTargets, drawn: Ints, order: Ints, rng: Generator
) -> tuple[Tree, Floats]:
    """The same on one feature, for drawn (T, n) in its order: half the time at n = 500."""
    trees, n = drawn.shape
    inside = np.flatnonzero(drawn)
    weights, rows = drawn.ravel()[inside], np.tile(order, trees)[inside]
    samples = TreeSamples1D(X[rows, 0], np.searchsorted(inside, n * np.arange(trees + 1)))
    sums = targets.sample_sums(rows, weights)
    if options.random_thresholds:
        grower: TreeGrower1D = ExtraTreesGrower1D(samples, sums, targets.criterion, options.limits, rng)
    else:
        grower = TreeGrower1D(samples, sums, targets.criterion, options.limits)
    splits = grower.grow()
    prefix = grower.prefix_sums.take(splits.edges, axis=1)
    thresholds = grower.thresholds[splits.edges]
    tree, leaves = trees_from_edges(splits.level, thresholds, splits.edges, prefix, grower.criterion)
    return tree, targets.leaf_values(tree, leaves.repeat(np.diff(splits.edges)), rows, weights)
