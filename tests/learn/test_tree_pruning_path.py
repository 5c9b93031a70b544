"""Weakest links, folds, pessimistic errors and levels of trees against brute force."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.learn.datasets import blobs, moons
from tests.learn.trees import classified, grow_tree, squares
from vizml.learn.trees.pruning import (
    MAX_ALPHAS,
    candidate_alphas,
    cost_complexity_path,
    last_minimum,
    random_folds,
)
from vizml.learn.trees.structure import group_medians, node_losses, node_values, reachable

GRID = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 1)), min_size=3, max_size=14)


def cheapest(tree, alpha, node=0):
    """The least R + alpha |leaves| of all prunings below a node, by recursion."""
    alone = tree.impurity[node] / tree.count[0] + alpha
    if not tree.splits[node]:
        return alone
    return min(alone, sum(cheapest(tree, alpha, side[node]) for side in (tree.left, tree.right)))


@given(GRID, st.floats(0.0, 0.4))
def test_pruning_at_an_alpha_has_the_least_cost_of_all_subtrees(points, alpha):
    table = np.array(points)
    tree = classified(table[:, :2], table[:, 2])
    path = cost_complexity_path(tree)
    splits = tree.splits & (path.cut >= path.until(alpha))
    ends = [node for node in reachable(tree, splits) if not splits[node]]
    ours = tree.impurity[ends].sum() / tree.count[0] + alpha * len(ends)
    assert ours == pytest.approx(cheapest(tree, alpha), abs=1e-9)


def test_the_path_rises_in_alpha_falls_in_leaves_and_ends_in_the_root():
    tree = classified(*blobs())
    path = cost_complexity_path(tree)
    assert (np.diff(path.alpha) >= -1e-12).all()
    assert (np.diff(path.leaves) < 0).all()
    assert path.leaves[-1] == 1
    assert path.node[-1] == 0
    assert (path.cut[~tree.splits] == -1).all()
    assert (path.cut[tree.splits] >= 0).all()
    assert path.until(np.inf) == len(path.node)
    assert path.until(-1.0) == 0


def test_a_child_goes_no_later_than_its_parent():
    tree = classified(*moons(150))
    path = cost_complexity_path(tree)
    inner = np.flatnonzero(tree.splits)[1:]
    assert (path.cut[inner] <= path.cut[tree.parent[inner]]).all()


def test_a_lone_root_has_an_empty_path():
    path = cost_complexity_path(classified([[0.0, 0.0], [0.0, 0.0]], [0, 1]))
    assert len(path.node) == 0
    assert path.until(1.0) == 0


def test_sums_along_the_path_are_those_of_each_pruned_tree():
    tree = classified(*moons(120, noise=0.4))
    path = cost_complexity_path(tree)
    own = np.random.default_rng(0).normal(size=len(tree))
    for number, value in enumerate(path.along(own, tree)):
        splits = tree.splits & (path.cut >= number)
        ends = [node for node in reachable(tree, splits) if not splits[node]]
        assert value == pytest.approx(own[ends].sum(), abs=1e-9)


@given(st.lists(st.integers(0, 1000).map(lambda k: k / 1000), min_size=1, max_size=100))
def test_candidate_alphas_start_at_zero_with_one_between_each_two(alphas):
    tried = candidate_alphas(np.array(alphas))
    assert tried[0] == 0
    assert (np.diff(tried) > 0).all()
    assert len(tried) <= MAX_ALPHAS
    assert tried[-1] == max(alphas)
    rising = np.unique(alphas)
    if len(rising) < MAX_ALPHAS - 2:
        for low, high in pairwise(rising):
            assert ((tried >= low * (1 - 1e-12)) & (tried <= high * (1 + 1e-12))).any()


@given(st.integers(1, 60), st.integers(1, 10))
def test_folds_are_even(n, k):
    sizes = np.bincount(random_folds(n, k, np.random.default_rng(n)), minlength=k)
    assert sizes.sum() == n
    assert np.ptp(sizes) <= 1


def test_folds_are_dealt_at_random():
    first, other = (random_folds(50, 5, np.random.default_rng(seed)) for seed in (0, 1))
    assert not np.array_equal(first, other)
    assert not np.array_equal(first, np.arange(50) % 5)


def test_of_equally_good_alphas_the_largest_is_taken():
    assert last_minimum(np.array([3, 1, 2, 1, 4])) == 3


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(-50, 50)), min_size=1, max_size=30))
def test_medians_are_numpys(pairs):
    nodes, values = np.array([node for node, _ in pairs]), np.array([value for _, value in pairs])
    found = group_medians(nodes, 6, values)
    for node in range(6):
        own = values[nodes == node]
        assert found[node] == pytest.approx(np.median(own) if len(own) else 0.0, abs=1e-9)


@pytest.mark.parametrize("absolute", [False, True])
@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_levels_and_costs_are_those_of_the_points_in_each_node(absolute, offset):
    rng = np.random.default_rng(0)
    x, y = rng.uniform(0, 6, 50), rng.normal(size=50)
    tree = grow_tree(x[:, None], squares(y))
    level = node_values(tree, x[:, None], y + offset, absolute=absolute)
    cost = node_losses(tree, x[:, None], y + offset, level, absolute=absolute)
    for node in range(len(tree)):
        low, high = tree.box[node, 0]
        own = (y + offset)[(x > low) & (x <= high)]
        middle = np.median(own) if absolute else own.mean()
        assert level[node] == pytest.approx(middle, rel=1e-12)
        apart = own - middle
        assert cost[node] == pytest.approx(np.abs(apart).sum() if absolute else apart @ apart, abs=1e-5)
