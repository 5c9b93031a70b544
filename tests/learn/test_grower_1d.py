"""Growth on one feature against growth on any features, brute force and worked examples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.learn.trees import FREE, grow_tree, squares
from vizml.learn.ensembles.forest_solver import ExtraTreesGrower
from vizml.learn.trees.criteria import second_order
from vizml.learn.trees.grower import GrowthLimits, TreeGrower, TreeSamples, argsort_features
from vizml.learn.trees.grower_1d import (
    TREE_BORDER,
    ExtraTreesGrower1D,
    TreeGrower1D,
    TreeSamples1D,
    tree_from_splits,
)

POINTS = st.lists(st.tuples(st.integers(0, 12), st.integers(-3, 3)), min_size=1, max_size=40)
LIMITS = st.builds(
    GrowthLimits, max_depth=st.integers(0, 5), min_leaf=st.integers(1, 4), min_split=st.integers(2, 8)
)


def grow_tree_1d(samples, sums, criterion="variance", limits=FREE):
    grower = TreeGrower1D(samples, sums, criterion, limits)
    return tree_from_splits(grower, grower.grow())


def columns(points):
    return np.array(points, dtype=float).T


def on_line(x, sums, criterion="variance", limits=FREE):
    order = np.argsort(x, kind="stable")
    return grow_tree_1d(TreeSamples1D(x[order]), sums[:, order], criterion, limits)


def assert_same(ours, theirs):
    """Every column of two trees."""
    assert np.array_equal(ours.box, theirs.box)
    for name, mine in ours.columns.items():
        if name in ("sums", "impurity"):
            assert np.allclose(mine, theirs.columns[name], rtol=1e-6, atol=1e-9), name
        else:
            assert np.array_equal(mine, theirs.columns[name], equal_nan=True), name


@given(points=POINTS, limits=LIMITS)
def test_whole_numbers_full_of_ties_give_the_tree_of_any_axes(points, limits):
    x, y = columns(points)
    assert_same(
        on_line(x, squares(y), "variance", limits), grow_tree(x[:, None], squares(y), "variance", limits)
    )


@given(
    points=POINTS,
    limits=LIMITS,
    lam=st.sampled_from([0.0, 1.0, 2.5]),
    weight=st.sampled_from([0.0, 1.0, 2.5, 3.0]),
)
def test_so_does_second_order_where_the_last_of_equals_wins(points, limits, lam, weight):
    x, y = columns(points)
    criterion, sums = second_order(lam, weight), np.stack([np.ones_like(y), y])
    assert_same(on_line(x, sums, criterion, limits), grow_tree(x[:, None], sums, criterion, limits))


@pytest.mark.parametrize("n", [40, 700, 3000])
@pytest.mark.parametrize(
    "limits", [FREE, GrowthLimits(max_depth=4), GrowthLimits(min_leaf=9), GrowthLimits(min_split=30)], ids=str
)
def test_noise_gives_the_tree_of_any_axes(n, limits):
    rng = np.random.default_rng(n)
    x, y = rng.normal(size=n), rng.normal(size=n)
    assert_same(
        on_line(x, squares(y), "variance", limits), grow_tree(x[:, None], squares(y), "variance", limits)
    )


def test_several_trees_with_weights_grow_as_they_do_on_any_axes():
    rng = np.random.default_rng(3)
    x, y = np.sort(rng.integers(0, 40, size=60)).astype(float), rng.normal(size=60)
    drawn = rng.integers(0, 3, size=(7, 60))
    rows = np.nonzero(drawn)[1]
    sums = squares(y[rows], drawn[drawn > 0].astype(float))
    entries = TreeSamples.of(x[:, None], drawn > 0, argsort_features(x[:, None]))
    theirs = TreeGrower(entries, sums, "variance", FREE)
    theirs.grow()
    borders = np.append(0, np.cumsum(np.count_nonzero(drawn, axis=1)))
    assert_same(grow_tree_1d(TreeSamples1D(x[rows], borders), sums, "variance", FREE), theirs.tree())


def assert_same_random_trees(x, y, limits, seed):
    order, rng = np.argsort(x, kind="stable"), np.random.default_rng(seed)
    theirs = ExtraTreesGrower(TreeSamples.all(x[:, None]), squares(y), "variance", limits, rng)
    ours = ExtraTreesGrower1D(
        TreeSamples1D(x[order]), squares(y)[:, order], "variance", limits, np.random.default_rng(seed)
    )
    assert_same(tree_from_splits(ours, ours.grow()), theirs.grow())
    assert ours.rng.random() == rng.random(), "as much has been drawn"


@given(POINTS, LIMITS, st.integers(0, 5))
def test_random_thresholds_equal_those_of_the_general_grower(points, limits, seed):
    assert_same_random_trees(*columns(points), limits, seed)


def test_random_thresholds_of_many_points_equal_those_of_the_general_grower():
    x, y = np.random.default_rng(2).normal(size=(2, 2000))
    assert_same_random_trees(x, y, FREE, 0)


def test_a_worked_example():
    # 0 0 | 4 | 7 8: the first cut parts low from high, the second the 4
    x, y = np.arange(5.0), np.array([0.0, 0.0, 4.0, 7.0, 8.0])
    grower = TreeGrower1D(TreeSamples1D(x), squares(y), "variance", FREE)
    assert grower.level()
    cuts = grower.splits()
    assert cuts.edges.tolist() == [0, 2, 5]
    assert cuts.level.tolist() == [TREE_BORDER, 0, TREE_BORDER]
    assert grower.thresholds[2] == 1.5
    gain = ((y - y.mean()) ** 2).sum() - ((y[2:] - y[2:].mean()) ** 2).sum()
    assert grower.root_gains.tolist() == pytest.approx([gain])
    assert grower.grow().edges.tolist() == [0, 2, 3, 4, 5]
    assert not grower.level(), "nor later"


def test_borders_are_no_thresholds_however_close_the_trees():
    line = TreeSamples1D(np.array([0.0, 1.0, 1.0, 2.0]), np.array([0, 2, 4]))
    assert line.thresholds.tolist() == [np.inf, 0.5, np.inf, 1.5, np.inf]
    assert line.tied is None
    grower = TreeGrower1D(line, squares(np.array([0.0, 1.0, 5.0, 9.0])), "variance", FREE)
    assert grower.grow().level.tolist() == [TREE_BORDER, 0, TREE_BORDER, 0, TREE_BORDER]
    assert grower.root_gains.tolist() == pytest.approx([0.5, 8.0])


def test_a_node_counts_as_mixed_only_where_it_clearly_is():
    # two values a billionth apart are one value beside a range of 1; the rest is told apart
    y = np.array([0.0, 1e-9, 1.0, 1.0 + 1e-9])
    tree = on_line(np.arange(4.0), squares(y))
    assert tree.threshold[tree.splits].tolist() == [1.5]
    theirs = grow_tree(np.arange(4.0)[:, None], squares(y), "variance", FREE)
    assert_same(tree, theirs)
