"""Criteria, the grower and the flat arrays of a tree against brute force and the definitions."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.learn.datasets import blobs, moons
from tests.learn.trees import classified, grow_tree
from vizml.learn.trees.criteria import CRITERIA, entropy, error, gini, running_sums, second_order, variance
from vizml.learn.trees.grower import GrowthLimits, TreeGrower, TreeSamples, argsort_features, one_hot
from vizml.learn.trees.structure import LEAF, best_first, descend, remove_splits

COUNTS = st.lists(st.integers(0, 50), min_size=2, max_size=8).filter(any)


def counted(counts):
    return np.array(counts, dtype=float)[:, None]


@given(COUNTS)
def test_impurities_do_not_mind_how_classes_are_numbered(counts):
    for impurity in (gini, entropy, error):
        assert impurity(counted(counts)) == pytest.approx(impurity(counted(counts[::-1])), abs=1e-9)


@given(COUNTS, st.integers(2, 9))
def test_impurities_grow_with_the_points_of_a_node(counts, factor):
    for impurity in (gini, entropy, error):
        once, often = impurity(counted(counts)), impurity(factor * counted(counts))
        assert often == pytest.approx(factor * once, rel=1e-12, abs=1e-9)


@given(COUNTS)
def test_entropy_is_scipys_times_the_points(counts):
    assert entropy(counted(counts))[0] == pytest.approx(sum(counts) * stats.entropy(counts, base=2), abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=2, max_size=6))
def test_no_split_makes_a_node_more_mixed(sides):
    left, right = np.array(sides, dtype=float).T[:, :, None]
    for impurity in (gini, entropy, error):
        assert impurity(left) + impurity(right) <= impurity(left + right) + 1e-9


@pytest.mark.parametrize("impurity", [gini, entropy, error])
def test_an_empty_node_is_pure(impurity):
    assert impurity(np.zeros((3, 1))) == 0


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=20))
def test_variance_is_numpys_times_the_points_and_its_fall_differs_by_the_squares(values):
    y = np.array(values)
    sums = np.array([len(y), y.sum(), (y * y).sum()])[:, None]
    assert variance(sums)[0] == pytest.approx(len(y) * y.var(), abs=1e-7)
    assert CRITERIA["variance"].relative(sums)[0] == pytest.approx(
        variance(sums)[0] - (y * y).sum(), abs=1e-7
    )


def test_variance_of_a_huge_level_is_not_below_zero():
    y = np.full(7, 1e8 + 0.1)
    assert variance(np.array([7.0, y.sum(), (y * y).sum()])[:, None])[0] >= 0


def test_second_order_refuses_light_children():
    left, right = np.array([[1.9, 2.0], [3.0, 3.0]]), np.array([[5.0, 5.0], [-3.0, -3.0]])
    cost = second_order(1.0, 2.0).children(left, right)
    assert np.isinf(cost[0]), "a child of weight 1.9 where 2 is the minimum"
    assert cost[1] == pytest.approx(-0.5 * (9 / 3 + 9 / 6), rel=1e-6)


def test_gini_decides_between_equal_misclassification_errors():
    left, right = np.array([[3.0, 2.0], [1.0, 0.0]]), np.array([[1.0, 2.0], [3.0, 4.0]])
    plain, cost = error(left) + error(right), CRITERIA["error"].children(left, right)
    assert plain[0] == plain[1]
    assert cost[1] < cost[0], "one child is pure"


def brute_split(X, y, impurity):
    """The least cost of all axes and thresholds."""
    classes, best = np.unique(y), np.inf
    for column in X.T:
        for low, high in pairwise(np.unique(column)):
            goes = column <= (low + high) / 2
            sides = [one_hot(y[side], classes).sum(axis=1, keepdims=True) for side in (goes, ~goes)]
            best = min(best, sum(float(impurity(side)[0]) for side in sides))
    return best


ROWS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 2)), min_size=2, max_size=24)
POINTS = ROWS.map(lambda rows: (np.array(rows)[:, :2].astype(float), np.array(rows)[:, 2]))


@given(POINTS, st.sampled_from(["gini", "entropy"]))
def test_every_split_is_the_best_of_all(points, criterion):
    X, y = points
    tree = classified(X, y, criterion)
    for node in np.flatnonzero(tree.splits):
        inside = ((X > tree.box[node, :, 0]) & (X <= tree.box[node, :, 1])).all(axis=1)
        assert inside.sum() == tree.count[node]
        ours = tree.impurity[tree.left[node]] + tree.impurity[tree.right[node]]
        assert ours == pytest.approx(brute_split(X[inside], y[inside], CRITERIA[criterion]), abs=1e-9)


@given(POINTS)
def test_an_unlimited_tree_ends_in_inseparable_leaves(points):
    X, y = points
    tree = classified(X, y)
    leaf = descend(tree, X, tree.splits)
    for node in np.unique(leaf):
        own = leaf == node
        assert len(np.unique(y[own])) == 1 or len(np.unique(X[own], axis=0)) == 1


@given(POINTS, st.integers(0, 4), st.integers(1, 5), st.integers(2, 12))
def test_limits_hold_in_every_node(points, depth, leaf, split):
    limits = GrowthLimits(max_depth=depth, min_leaf=leaf, min_split=split)
    tree = classified(*points, limits=limits)
    assert not depth or tree.depth.max() <= depth
    assert (tree.count[~tree.splits] >= min(leaf, len(points[1]))).all()
    assert (tree.count[tree.splits] >= max(split, 2 * leaf)).all()


def test_children_share_out_the_points_and_classes_of_their_parent():
    tree = classified(*blobs())
    inner = np.flatnonzero(tree.splits)
    left, right = tree.left[inner], tree.right[inner]
    assert (tree.count[left] + tree.count[right] == tree.count[inner]).all()
    assert np.allclose(tree.sums[left] + tree.sums[right], tree.sums[inner])
    assert (tree.parent[left] == inner).all()
    assert (tree.parent[right] == inner).all()
    assert (tree.depth[left] == tree.depth[inner] + 1).all()
    assert (tree.gain[inner] > 0).all()
    assert (tree.gain[~tree.splits] == 0).all()


def test_the_boxes_of_the_leaves_tile_the_plane():
    tree = classified(*moons())
    probes = np.random.default_rng(0).normal(scale=3, size=(500, 2))
    boxes = tree.box[~tree.splits]
    inside = ((probes[:, None] > boxes[:, :, 0]) & (probes[:, None] <= boxes[:, :, 1])).all(axis=2)
    assert (inside.sum(axis=1) == 1).all()
    assert (np.flatnonzero(~tree.splits)[inside.argmax(axis=1)] == descend(tree, probes, tree.splits)).all()


@given(POINTS, st.integers(0, 4), st.integers(1, 4))
def test_entries_know_where_they_are_at_every_level(points, depth, leaf):
    X, y = points
    limits = GrowthLimits(max_depth=depth, min_leaf=leaf)
    grower = TreeGrower(TreeSamples.all(X), one_hot(y, np.unique(y)), "gini", limits)
    assert (grower.sample_nodes == 0).all()
    while grower.level():
        tree = grower.tree()
        assert np.array_equal(grower.sample_nodes, descend(tree, X, tree.splits))


def test_so_do_the_entries_of_several_trees():
    X, y = moons(60)
    drawn = np.random.default_rng(2).integers(0, 3, size=(5, 60))
    entries = TreeSamples.of(X, drawn > 0, argsort_features(X))
    grower = TreeGrower(entries, one_hot(y[entries.rows], np.arange(2)), "gini", GrowthLimits(min_split=5))
    tree = grower.grow()
    for number in range(5):
        own = entries.trees == number
        there = descend(tree, X[entries.rows[own]], tree.splits, root=number)
        assert np.array_equal(grower.sample_nodes[own], there)
    assert (
        np.bincount(grower.sample_nodes, minlength=len(tree)) == np.where(tree.splits, 0, tree.count)
    ).all()


def test_weights_count_as_points_that_are_there_more_than_once():
    X, y = moons(60)
    times = np.random.default_rng(1).integers(1, 4, 60)
    often = classified(np.repeat(X, times, axis=0), np.repeat(y, times))
    weighed = grow_tree(X, one_hot(y, np.arange(2)) * times, "gini")
    assert np.allclose(often.sums, weighed.sums)
    assert (often.feature == weighed.feature).all()


def test_cutting_splits_off_leaves_the_tree_without_them():
    X, y = moons(200)
    tree = classified(X, y)
    gone = (tree.depth >= 2) & tree.splits
    fewer = remove_splits(tree, gone)
    shallow = classified(X, y, limits=GrowthLimits(max_depth=2))
    assert (fewer.feature == shallow.feature).all()
    assert len(fewer) == len(shallow)
    assert np.array_equal(fewer.threshold, shallow.threshold, equal_nan=True)
    assert (fewer.parent == shallow.parent).all()
    assert fewer.parent[0] == LEAF
    assert np.allclose(
        fewer.sums[descend(fewer, X, fewer.splits)], tree.sums[descend(tree, X, tree.splits & ~gone)]
    )


@given(POINTS)
def test_best_first_takes_the_best_open_split(points):
    tree = classified(*points)
    order = best_first(tree).tolist()
    assert sorted(order) == np.flatnonzero(tree.splits).tolist()
    for place, node in enumerate(order):
        made = set(order[:place])
        open_ = [each for each in order[place:] if each == 0 or int(tree.parent[each]) in made]
        assert tree.gain[node] == max(tree.gain[open_])


@pytest.mark.parametrize("sums", [1, 3])
def test_running_sums_start_afresh_in_each_node(sums):
    positions = 90
    rng = np.random.default_rng(0)
    counts = np.array([positions // 2, 1, positions // 2 - 1])
    nodes, values = np.arange(3).repeat(counts), rng.normal(size=(sums, positions))
    order = np.array([np.concatenate([rng.permutation(np.flatnonzero(nodes == k)) for k in range(3)])] * 2)
    found = running_sums(values, order, counts)
    for k in range(3):
        expected = np.cumsum(values[:, order[:, nodes == k]], axis=2)
        assert np.allclose(found[:, :, nodes == k], expected, rtol=0, atol=1e-10)
