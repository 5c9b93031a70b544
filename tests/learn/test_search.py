"""Nearest neighbours: scipy's, ties, leave-one-out, the search on a line, and k-d trees with their cells."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import KDTree

from vizml import data, learn
from vizml.learn.neighbours.search import BRUTE_FORCE, MANY, KdTree, SortedNeighbours, averages, nearest
from vizml.scene import LazyLines

ORDERS = {"l1": 1, "l2": 2, "linf": np.inf}
every_metric = pytest.mark.parametrize("metric", ORDERS)
few_steps = st.lists(st.integers(-3, 3), min_size=1, max_size=25)


def chosen(queries, points, k, metric, **more):
    """Distances and mask (m, n), infinite and not chosen where a point was no candidate."""
    distances = np.full((len(queries), len(points)), np.inf)
    inside = np.zeros((len(queries), len(points)), bool)
    for found in nearest(queries, points, k, metric, **more):
        distances[np.ix_(found.queries, found.candidates)] = found.distances
        inside[np.ix_(found.queries, found.candidates)] = found.inside
    return distances, inside


def same(inside, rows):
    return all(np.array_equal(np.flatnonzero(mask), np.sort(which)) for mask, which in zip(inside, rows))


@every_metric
@pytest.mark.parametrize("k", [1, 7, 60])
@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_nearest_are_scipys(metric, k, d):
    rng = np.random.default_rng(0)
    points, queries = rng.normal(size=(60, d)), rng.normal(size=(40, d)) * 6
    distances, inside = chosen(queries, points, k, metric)
    far, rows = KDTree(points).query(queries, k=range(1, k + 1), p=ORDERS[metric])
    assert same(inside, rows)
    assert np.allclose(np.sort(distances, axis=1)[:, :k], far)


@every_metric
@pytest.mark.parametrize(
    "n, k, d", [(1500, 1, 2), (1500, 9, 2), (1500, 150, 2), (MANY + 500, 5, 2), (1500, 5, 4)]
)
@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
def test_groups_of_queries_compare_few_points_and_miss_none(metric, n, k, d, size):
    rng = np.random.default_rng(k)
    points, queries = rng.uniform(size=(n, d)) * size, rng.uniform(size=(2000, d)) * size
    distances, inside = chosen(queries, points, k, metric)
    assert d > 2 or np.isfinite(distances).mean() < (0.3 if k < 100 else 0.6)
    far, rows = KDTree(points).query(queries, k=range(1, k + 1), p=ORDERS[metric])
    assert same(inside, rows)
    assert np.allclose(np.sort(distances, axis=1)[:, :k], far, rtol=1e-12)


@every_metric
@pytest.mark.parametrize("n", [BRUTE_FORCE // 2, 2 * BRUTE_FORCE, 2 * MANY])
def test_of_equally_near_points_the_first_are_chosen(metric, n):
    rng = np.random.default_rng(0)
    grid, queries = (rng.integers(-4, 5, (count, 2)).astype(float) for count in (n, 300))
    _, inside = chosen(queries, grid, 6, metric)
    exact = np.linalg.norm(queries[:, None] - grid, ord=ORDERS[metric], axis=2)
    assert same(inside, np.argsort(exact, axis=1, kind="stable")[:, :6])


@pytest.mark.parametrize("n", [30, 1500])
@pytest.mark.parametrize("d", [1, 3])
def test_leave_one_out_is_a_search_without_the_point(n, d):
    points = np.random.default_rng(d).normal(size=(n, d)).round(1)  # with duplicates
    _, inside = chosen(points, points, 4, "l2", leave_one_out=True)
    assert not inside.diagonal().any()
    assert (inside.sum(axis=1) == 4).all()
    for row in (0, 7, n - 1):
        rest = np.delete(points, row, axis=0)
        alone = np.sort(np.linalg.norm(rest - points[row], axis=1))[:4]
        assert np.allclose(np.sort(np.linalg.norm(points[inside[row]] - points[row], axis=1)), alone)


def test_no_queries_have_no_neighbours():
    assert not list(nearest(np.empty((0, 2)), np.random.default_rng(0).normal(size=(900, 2)), 3))


def test_averages_are_weighted_by_the_inverse_distance_and_points_at_zero_take_all():
    X, values = np.array([[0.0], [1.0], [3.0]]), np.array([[2.0, 1.0], [8.0, 0.0], [5.0, 4.0]])
    found = averages(np.array([[0.25], [1.0]]), X, values, 2, weighted=True)
    weights = np.array([1 / 0.25, 1 / 0.75])
    assert found[0] == pytest.approx(weights @ values[:2] / weights.sum())
    assert found[1].tolist() == [8.0, 0.0]


# on a line


@given(few_steps, st.integers(1, 8), st.integers(-8, 8))
def test_on_a_line_the_left_and_the_first_of_equally_near_points_are_chosen(steps, k, twice):
    """Against all distances, sorted by distance, then by x, then by row."""
    x, at = np.array(steps, dtype=float), twice / 2
    k = min(k, len(x))
    line = SortedNeighbours.of(x, np.arange(float(len(x))), k)
    expected = sorted(range(len(x)), key=lambda i: (abs(x[i] - at), x[i], i))[:k]
    assert sorted(line.order[line.rows(np.array([at]))[0]]) == sorted(expected)


@given(st.integers(0, 1000), st.integers(1, 30), st.booleans())
@settings(max_examples=40)
def test_averages_on_a_line_are_those_of_the_search(seed, k, weighted):
    rng = np.random.default_rng(seed)
    x, y, at = rng.normal(size=40), 1e9 + rng.normal(size=40), rng.normal(size=15) * 2
    expected = averages(at[:, None], x[:, None], y[:, None], k, weighted=weighted)[:, 0]
    assert np.allclose(
        SortedNeighbours.of(x, y, k).averages(at, weighted=weighted) - 1e9, expected - 1e9, atol=1e-5
    )


@given(st.integers(0, 1000), st.integers(1, 10))
@settings(max_examples=40)
def test_leave_one_out_on_a_line_is_that_of_the_search(seed, k):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=30), rng.normal(size=30)
    line = SortedNeighbours.of(x, y, 5)
    found = np.empty(30)
    found[line.order] = line.leave_one_out(k)
    assert np.allclose(found, averages(x[:, None], x[:, None], y[:, None], k, leave_one_out=True)[:, 0])


def test_many_queries_on_a_line_are_averaged_in_parts():
    x = np.linspace(0, 1, 3000)
    line = SortedNeighbours.of(x, np.sin(5 * x), 200)
    assert line.averages(x[1000:1010]) == pytest.approx(line.averages(x)[1000:1010], rel=1e-12)


POINTS = data.generate("moons", n=300).points


@every_metric
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
