"""Trees on a line as step functions, against their trees walked one by one."""

import numpy as np
import pytest

from vizml.learn.ensembles.stairs import Stairs, shares, total
from vizml.learn.trees.grower import GrowthLimits
from vizml.learn.trees.grower_1d import TreeGrower1D, TreeSamples1D, tree_from_splits
from vizml.learn.trees.structure import descend


def grown(trees=3, n=30, seed=0, depth=0):
    """Some trees of the same x, with random values in their leaves; and what walking them says of any x."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.normal(size=n))
    y = rng.normal(size=trees * n)
    line = TreeSamples1D(np.tile(x, trees), n * np.arange(trees + 1))
    grower = TreeGrower1D(
        line, np.stack([np.ones_like(y), y, y * y]), "variance", GrowthLimits(max_depth=depth)
    )
    cuts = grower.grow()
    stairs = Stairs.of(grower, cuts, rng.normal(size=len(cuts.edges) - 1))
    tree = tree_from_splits(grower, cuts)
    leaves = np.flatnonzero(~tree.splits)
    root = leaves.copy()
    while (tree.parent[root] >= 0).any():
        root = np.where(tree.parent[root] >= 0, tree.parent[root], root)
    values = np.zeros(len(tree))
    values[leaves[np.lexsort((tree.box[leaves, 0, 0], root))]] = stairs.values
    walk = [lambda at, t=t: values[descend(tree, at[:, None], tree.splits, t)] for t in range(trees)]
    return stairs, walk, x, tree


PROBES = np.random.default_rng(5).normal(scale=1.5, size=200)


def test_the_sum_of_the_first_trees_is_that_of_their_walks():
    stairs, walk, x, _ = grown(5)
    for at in (PROBES, x, stairs.high[np.isfinite(stairs.high)]):
        for trees in range(6):
            expected = np.sum([walk[t](at) for t in range(trees)], axis=0) + np.zeros(len(at))
            assert np.allclose(total([stairs], trees, at), expected)


def test_what_each_tree_says_is_exact_on_points_and_thresholds():
    stairs, walk, x, _ = grown(4)
    for at in (np.sort(PROBES), x, np.sort(stairs.high[np.isfinite(stairs.high)])):
        assert np.array_equal(stairs.said(at), [each(at) for each in walk])


def test_several_stairs_add_up_to_what_they_say_apart():
    (first, walk, *_), (second, more, *_) = grown(2), grown(3, seed=7, depth=2)
    each = [say(PROBES) for say in (*walk, *more)]
    for trees in range(6):
        assert np.allclose(total([first, second], trees, PROBES), np.sum(each[:trees], axis=0))


def test_shares_count_who_is_in_each_leaf():
    stairs, *_ = grown(1)
    rising = np.sort(np.append(PROBES, stairs.high[:-1]))
    inside = np.searchsorted(stairs.high, rising)
    assert shares(rising, stairs.high).tolist() == np.bincount(inside, minlength=len(stairs.high)).tolist()


def test_depths_and_leaves_are_those_of_the_trees():
    stairs, _, _, tree = grown(3)
    root = np.arange(len(tree))
    while (tree.parent[root] >= 0).any():
        root = np.where(tree.parent[root] >= 0, tree.parent[root], root)
    for t in range(3):
        own = (root == t) & ~tree.splits
        assert stairs.depths[t] == tree.depth[own].max()
        leaves = stairs.leaves_of(t)
        assert leaves.stop - leaves.start == own.sum()


def test_a_lone_leaf_is_a_level_without_edges():
    grower = TreeGrower1D(TreeSamples1D(np.ones(3)), np.ones((3, 3)), "variance", GrowthLimits())
    stairs = Stairs.of(grower, grower.grow(), np.array([2.5]))
    assert stairs.depths.tolist() == [0]
    assert total([stairs], 1, PROBES).tolist() == [2.5] * len(PROBES)
    assert stairs.steps(0, -1.0, 1.0).tolist() == [[-1.0, 2.5], [1.0, 2.5]]


@pytest.mark.parametrize("tree", [0, 2])
def test_steps_are_corners_from_end_to_end(tree):
    stairs, walk, *_ = grown(3, depth=2)
    corners = stairs.steps(tree, -4.0, 4.0)
    assert corners[0, 0] == -4.0
    assert corners[-1, 0] == 4.0
    middles = (corners[::2, 0] + corners[1::2, 0]) / 2
    assert np.array_equal(walk[tree](middles), corners[::2, 1])
    assert np.array_equal(corners[::2, 1], corners[1::2, 1]), "level"
    assert np.array_equal(corners[1:-1:2, 0], corners[2::2, 0]), "upright between"
