"""The k-d tree answers as if it had looked at every point, and looks at few."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.field.metrics import METRICS
from vizml.learn.neighbours.kdtree import LEAF, KdTree

NAMES = sorted(METRICS)


def brute(points, place, k, metric):
    return np.argsort(METRICS[metric].ranks(place[None], points)[0], kind="stable")[:k]


@pytest.mark.parametrize("metric", NAMES)
@pytest.mark.parametrize("k", [1, 5, 40, 500])
def test_it_finds_the_nearest_from_the_nearest_on(metric, k):
    rng = np.random.default_rng(0)
    points = rng.normal(size=(500, 2))
    tree = KdTree(points, metric)
    for place in rng.normal(size=(30, 2)) * 2:
        assert np.array_equal(tree.nearest(place, k), brute(points, place, k, metric))


@given(
    seed=st.integers(0, 10**6), count=st.integers(1, 80), k=st.integers(1, 20),
    steps=st.sampled_from([1, 3, 1000]), metric=st.sampled_from(NAMES),
)  # fmt: skip
def test_ties_go_to_the_first_point(seed, count, k, steps, metric):
    rng = np.random.default_rng(seed)
    points = np.round(rng.normal(size=(count, 2)) * steps) / steps
    place = np.round(rng.normal(size=2) * 2 * steps) / (2 * steps)
    assert np.array_equal(KdTree(points, metric).nearest(place, k), brute(points, place, k, metric))


def test_points_on_one_spot_are_one_leaf():
    tree = KdTree(np.zeros((100, 2)))
    assert tree.root.halves == ()
    assert tree.nearest(np.ones(2), 3).tolist() == [0, 1, 2]


def test_more_than_there_are_gives_all():
    points = np.random.default_rng(0).normal(size=(7, 2))
    assert sorted(KdTree(points).nearest(np.zeros(2), 50)) == [*range(7)]


def test_few_points_are_looked_at(monkeypatch):
    points = np.random.default_rng(0).normal(size=(10_000, 2))
    tree = KdTree(points)
    looked = []
    ranked = tree._ranked
    monkeypatch.setattr(tree, "_ranked", lambda rows, place: looked.extend(rows) or ranked(rows, place))
    tree.nearest(np.array([0.3, 0.2]), 5)
    assert len(looked) <= 10 * LEAF


def made(box):
    """How many boxes there are so far."""
    halves = box.__dict__.get("halves", ())
    return 1 + sum(made(half) for half in halves)


def test_only_boxes_that_are_asked_about_are_made():
    points = np.random.default_rng(0).normal(size=(20_000, 2))
    tree = KdTree(points)
    assert made(tree.root) == 1
    place = np.array([0.3, 0.2])
    tree.nearest(place, 5)
    first = made(tree.root)
    assert first < 80
    assert np.array_equal(tree.nearest(place, 5), brute(points, place, 5, "l2"))
    assert made(tree.root) == first
    tree.nearest(-place, 5)
    assert first < made(tree.root) < 3 * first


def test_the_halves_of_a_box_are_its_points_parted_at_their_longer_side():
    points = np.random.default_rng(1).normal(size=(301, 2)) * [1.0, 9.0]
    tree = KdTree(points)
    below, above = tree.root.halves
    assert np.array_equal(np.sort(np.concatenate([below.rows, above.rows])), np.arange(301))
    assert abs(len(below.rows) - len(above.rows)) <= 1
    assert points[below.rows, 1].max() <= points[above.rows, 1].min()
    for box in (below, above):
        assert np.array_equal(box.sides, [points[box.rows].min(axis=0), points[box.rows].max(axis=0)])
