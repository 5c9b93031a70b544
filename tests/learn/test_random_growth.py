"""Samples of tree batches, random candidate features and random thresholds."""

import numpy as np
import pytest

from vizml.learn.ensembles.forest_solver import ExtraTreesGrower
from vizml.learn.ensembles.out_of_bag import bootstrap_counts
from vizml.learn.trees.criteria import CRITERIA
from vizml.learn.trees.grower import GrowthLimits, TreeGrower, TreeSamples, argsort_features, one_hot

RNG = np.random.default_rng(0)
X = RNG.normal(size=(50, 4))
Y = RNG.integers(0, 3, size=50)


def grown(kind, X=X, m=1, trees=20, seed=0, **limits):
    drawn = bootstrap_counts(len(X), 1.0, trees, np.random.default_rng(seed))
    entries = TreeSamples.of(X, drawn > 0, argsort_features(X))
    sums = one_hot(Y, np.arange(3))[:, entries.rows] * drawn[drawn > 0]
    grower = kind(entries, sums, "gini", GrowthLimits(features=m, **limits), np.random.default_rng(seed))
    return entries, grower.grow()


@pytest.mark.parametrize("kind", [TreeGrower, ExtraTreesGrower])
def test_one_axis_each_is_drawn_evenly(kind):
    _, tree = grown(kind, trees=60)
    share = np.bincount(tree.feature[tree.splits], minlength=4) / tree.splits.sum()
    assert np.abs(share - 0.25).max() < 0.05


@pytest.mark.parametrize("kind", [TreeGrower, ExtraTreesGrower])
@pytest.mark.parametrize("least", [1, 4])
def test_an_axis_without_room_for_a_split_is_not_drawn(kind, least):
    flat = X.copy()
    flat[:, [0, 2]] = 7.0
    _, tree = grown(kind, flat, min_leaf=least)
    assert set(tree.feature[tree.splits]) == {1, 3}
    assert (tree.count[~tree.splits] >= least).all()
    assert (tree.count[tree.splits] >= 2 * least).all()
    if least == 1:
        assert (tree.impurity[~tree.splits] < 1e-9).all(), "it goes on as long as it can"


@pytest.mark.parametrize("kind", [TreeGrower, ExtraTreesGrower])
def test_more_axes_to_choose_among_make_better_first_splits(kind):
    gains = []
    for m in (1, 2, 4):
        _, tree = grown(kind, m=m, trees=200, max_depth=1)
        gains.append(tree.gain[tree.depth == 0].mean())
    assert gains[0] < gains[1] < gains[2]


@pytest.mark.parametrize("kind", [TreeGrower, ExtraTreesGrower])
@pytest.mark.parametrize("m", [1, 3, 4])
def test_each_node_has_the_points_in_its_box(kind, m):
    entries, tree = grown(kind, m=m, trees=4)
    root = np.arange(len(tree))
    while (tree.depth[root] > 0).any():
        root = np.where(tree.depth[root] > 0, tree.parent[root], root)
    points = entries.columns.T
    for node in range(len(tree)):
        low, high = tree.box[node].T
        inside = ((points > low) & (points <= high)).all(axis=1) & (entries.trees == root[node])
        assert inside.sum() == tree.count[node]


def test_the_best_of_the_axes_drawn_is_taken():
    _, tree = grown(TreeGrower, m=4, trees=1, max_depth=1)
    drawn = bootstrap_counts(50, 1.0, 1, np.random.default_rng(0))[0]
    weighted, gini = one_hot(Y, np.arange(3)) * drawn, CRITERIA["gini"]
    least = np.inf
    for column in X[drawn > 0].T:
        for t in column:
            for values in X.T:
                sides = [weighted[:, side].sum(axis=1, keepdims=True) for side in (values <= t, values > t)]
                least = min(least, sum(float(gini(side)[0]) for side in sides))
    assert tree.impurity[1:].sum() == pytest.approx(least)
