"""Neighbours within a radius, and distances to the k-th nearest point, against scipy's trees."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import KDTree

from vizml.learn.clusters.neighbourhoods import (
    MIN_SAMPLE,
    RadiusIndex,
    StoredNeighbours,
    kth_distances,
    sample_rows,
)


def points(n, seed=0):
    return np.random.default_rng(seed).normal(size=(n, 2))


def neighbours(X, radius, rows=None):
    """Each row with those that are near it, as sets."""
    rows = np.arange(len(X)) if rows is None else rows
    found = {int(row): [] for row in rows}
    for near in RadiusIndex(X, radius).query(rows):
        assert near.counts.sum() == len(near.neighbours)
        for own, those in zip(near.rows, np.split(near.neighbours, np.cumsum(near.counts)[:-1]), strict=True):
            found[int(own)] += those.tolist()
    return found


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(1, 80),
    radius=st.floats(1e-3, 10.0),
    size=st.sampled_from([1e-9, 1.0, 1e9]),
    shift=st.sampled_from([0.0, -1e3]),
)
def test_neighbours_are_those_of_a_tree_of_scipy(seed, n, radius, size, shift):
    X = points(n, seed) * size + shift * size
    theirs = KDTree(X).query_ball_point(X, radius * size)
    found = neighbours(X, radius * size)
    gaps = np.linalg.norm(X[:, None] - X, axis=2)
    for i in range(n):
        assert len(found[i]) == len(set(found[i]))
        for j in set(found[i]) ^ set(theirs[i]):  # a distance may differ from the radius by its rounding
            assert gaps[i, j] == pytest.approx(radius * size, rel=1e-12)


def test_points_on_the_rim_are_inside_also_across_columns():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0]])
    found = neighbours(X, 1.0)
    assert {i: sorted(near) for i, near in found.items()} == {
        0: [0, 1],
        1: [0, 1, 2, 3],
        2: [1, 2],
        3: [1, 3],
    }


def test_a_radius_far_below_the_extent_does_not_overflow_the_columns():
    X = np.array([[0.0, 0.0], [1e-15, 0.0], [1e6, 1e6], [1e6, 1e6]])
    found = neighbours(X, 1e-14)
    assert {i: sorted(near) for i, near in found.items()} == {0: [0, 1], 1: [0, 1], 2: [2, 3], 3: [2, 3]}


def test_queries_keep_their_order_and_may_be_empty():
    X = points(50)
    every = neighbours(X, 0.5)
    rows = np.array([40, 3, 17])
    assert neighbours(X, 0.5, rows) == {row: every[row] for row in (40, 3, 17)}
    assert list(RadiusIndex(X, 0.5).query(rows[:0])) == []


@pytest.mark.parametrize("d", [1, 2, 5])
def test_stored_neighbours_are_those_that_were_found(d):
    X = np.random.default_rng(0).normal(size=(300, d))
    whole, stored = neighbours(X, 0.7), StoredNeighbours(300)
    for found in RadiusIndex(X, 0.7).query(np.arange(300)):
        stored.add(found)
    assert stored.complete
    assert stored.counts.tolist() == [len(whole[i]) for i in range(300)]
    for rows in (np.array([7]), np.array([90, 3, 41]), np.arange(0)):
        (found,) = stored.query(rows)
        assert found.neighbours.tolist() == [other for row in rows for other in whole[row]]


def test_neighbours_of_many_close_points_are_not_stored():
    n = 3000
    X = np.zeros((n, 2))
    stored = StoredNeighbours(n)
    for found in RadiusIndex(X, 1.0).query(np.arange(n)):
        stored.add(found)
    assert (stored.counts == n).all()
    assert not stored.complete


@pytest.mark.parametrize("k", [1, 2, 7, 60])
def test_kth_distances_are_those_of_a_tree(k):
    X, rows = points(60), np.array([3, 59, 0, 20])
    theirs = KDTree(X).query(X[rows], [k])[0][:, 0]
    assert kth_distances(X, k, rows) == pytest.approx(theirs)


def test_beyond_all_points_the_farthest_is_the_kth():
    X = points(8)
    far = np.linalg.norm(X[:, None] - X, axis=2).max(axis=1)
    assert kth_distances(X, 100, np.arange(8)) == pytest.approx(far)


def test_a_sample_is_of_different_points_and_all_of_few():
    rng = np.random.default_rng(0)
    assert sample_rows(500, rng).tolist() == list(range(500))
    many = sample_rows(1_000_000, rng)
    assert len(many) == MIN_SAMPLE
    assert (np.diff(many) > 0).all()
    assert many[-1] < 1_000_000
