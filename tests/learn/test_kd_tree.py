"""k-d trees: neighbours as scipy's, cells that part the plane, few visited nodes."""

import numpy as np
import pytest
from scipy.spatial import KDTree

from vizml import data, learn
from vizml.learn.neighbours.search import KdTree
from vizml.scene import LazyLines

POINTS = data.generate("moons", n=300).points
ORDERS = {"l1": 1, "l2": 2, "linf": np.inf}


@pytest.mark.parametrize("metric", ORDERS)
@pytest.mark.parametrize("points", [POINTS, np.random.default_rng(0).normal(size=(120, 5)), POINTS[:1]])
def test_the_neighbours_are_those_of_scipy(points, metric):
    tree, k = KdTree.of(points), min(7, len(points))
    for x in np.random.default_rng(1).normal(size=(40, points.shape[1])):
        theirs = KDTree(points).query(x, [*range(1, k + 1)], p=ORDERS[metric])[1]
        np.testing.assert_array_equal(tree.search(x, k, metric).rows, theirs)


def test_of_equally_near_points_the_first_are_found():
    tree = KdTree.of(np.repeat([[0.0, 0.0], [1.0, 0.0]], 6, axis=0))
    assert tree.search(np.array([0.1, 0.0]), 8).rows.tolist() == [0, 1, 2, 3, 4, 5, 6, 7]


def test_each_node_halves_the_points_of_its_cell():
    tree = KdTree.of(POINTS)
    assert tree.height == 9  # 2^8 <= 300 < 2^9
    np.testing.assert_array_equal(np.sort(tree.rows), np.arange(300))
    for node, (low, high) in enumerate(zip(tree.low, tree.high)):
        inside = ((POINTS >= low) & (POINTS <= high)).all(axis=1)
        assert inside[tree.rows[node]]
        axis = tree.depth[node] % 2
        middle = np.median(POINTS[inside, axis]) if node == 0 else tree.points[node, axis]
        assert abs(np.searchsorted(np.sort(POINTS[:, axis]), middle) - 150) <= 1 or node
        np.testing.assert_array_equal(tree.split_line(node)[:, axis], tree.points[node, axis])


def test_a_search_visits_few_of_many_nodes():
    tree = KdTree.of(np.random.default_rng(0).random((4000, 2)))
    visited = [len(tree.search(x, 1).visited) for x in np.random.default_rng(1).random((50, 2))]
    assert np.mean(visited) < 40


@pytest.mark.parametrize("task", ["classify", "regress"])
def test_the_layer_has_the_splits_of_all_depths(task):
    spec, inputs = ("moons:n=60", None) if task == "classify" else ("advertising:n=60", ("TV", "radio"))
    points = data.load(spec)
    state = learn.fit_data(learn.create("knn", task), points.with_roles(inputs=inputs) if inputs else points)
    marks = [mark for mark in state.marks() if isinstance(mark, LazyLines)]
    assert sum(len(list(mark.lines())) for mark in marks) == 60
    widths = [mark.width for mark in marks]
    assert widths == sorted(widths, reverse=True)
    assert all(mark.off_by_default for mark in marks)
