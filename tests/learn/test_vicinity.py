"""Points within a radius, and where centroids start: columns, distances, draws and places put by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import KDTree

from vizml.learn.clusters import seeding, vicinity
from vizml.learn.clusters.placed import parsed, written
from vizml.learn.clusters.seeding import at_random, chosen, chosen_each, plus_plus
from vizml.learn.clusters.vicinity import Kept, Vicinity, kth_distances, sampled


def points(n, seed=0):
    return np.random.default_rng(seed).normal(size=(n, 2))


def neighbours(X, radius, rows=None):
    """Each row with those that are near it, as sets."""
    rows = np.arange(len(X)) if rows is None else rows
    found = {int(row): [] for row in rows}
    for near in Vicinity(X, radius).near(rows):
        assert near.counts.sum() == len(near.others)
        for own, others in zip(near.own, np.split(near.others, np.cumsum(near.counts)[:-1]), strict=True):
            found[int(own)] += others.tolist()
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


def test_some_rows_are_asked_in_their_own_order_and_no_row_gives_nothing():
    X = points(50)
    every = neighbours(X, 0.5)
    rows = np.array([40, 3, 17])
    assert neighbours(X, 0.5, rows) == {row: every[row] for row in (40, 3, 17)}
    assert list(Vicinity(X, 0.5).near(rows[:0])) == []


@pytest.mark.parametrize("name, most", [("PAIRS", 200), ("TOGETHER", 3)])
def test_points_are_asked_about_some_at_a_time(name, most, monkeypatch):
    X = points(120)
    whole = neighbours(X, 0.7)
    monkeypatch.setattr(vicinity, name, most)
    parts = list(Vicinity(X, 0.7).near(np.arange(120)))
    assert len(parts) > 40
    assert sorted(np.concatenate([near.own for near in parts])) == list(range(120))
    assert neighbours(X, 0.7) == whole


@pytest.mark.parametrize("most", [1 << 23, 500])
def test_neighbours_are_kept_unless_they_are_too_many(most, monkeypatch):
    monkeypatch.setattr(vicinity, "MOST", most)
    X = points(120)
    whole, kept = neighbours(X, 0.7), Kept(120)
    for near in Vicinity(X, 0.7).near(np.arange(120)):
        kept.add(near)
    assert kept.counts.tolist() == [len(whole[i]) for i in range(120)]
    assert kept.whole == (sum(map(len, whole.values())) <= most)
    if kept.whole:
        for rows in (np.array([7]), np.array([90, 3, 41]), np.arange(0)):
            (near,) = kept.near(rows)
            assert near.others.tolist() == [other for row in rows for other in whole[row]]


@pytest.mark.parametrize("k", [1, 2, 7, 60])
def test_kth_distances_are_those_of_a_tree(k, monkeypatch):
    X, rows = points(60), np.array([3, 59, 0, 20])
    theirs = KDTree(X).query(X[rows], [k])[0][:, 0]
    assert kth_distances(X, k, rows) == pytest.approx(theirs)
    monkeypatch.setattr(vicinity, "PAIRS", 61)  # a row at a time
    assert kth_distances(X, k, rows) == pytest.approx(theirs)


def test_beyond_all_points_the_farthest_is_the_kth():
    X = points(8)
    far = np.linalg.norm(X[:, None] - X, axis=2).max(axis=1)
    assert kth_distances(X, 100, np.arange(8)) == pytest.approx(far)


def test_a_sample_is_of_different_points_and_all_of_few():
    rng = np.random.default_rng(0)
    assert sampled(500, rng).tolist() == list(range(500))
    many = sampled(1_000_000, rng)
    assert len(many) == 100
    assert (np.diff(many) > 0).all()
    assert many[-1] < 1_000_000


# where centroids start


@pytest.mark.parametrize("init", ["random", "kmeans++"])
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 30), places=st.integers(1, 8), k=st.integers(1, 12))
def test_starts_are_different_points_as_many_as_there_are(init, seed, n, places, k):
    rng = np.random.default_rng(seed)
    X = points(places)[rng.integers(0, places, n)]
    start = chosen(X, k, init, rng)
    different = {tuple(x) for x in X}
    assert len({tuple(x) for x in start}) == len(start) == min(k, len(different))
    assert {tuple(x) for x in start} <= different


def test_a_rare_place_is_found_among_many_equal_points():
    X = np.vstack([np.zeros((5000, 2)), [[1.0, 1.0]]])
    for seed in range(5):
        for init in ("random", "kmeans++"):
            found = chosen(X, 2, init, np.random.default_rng(seed))
            assert sorted(map(tuple, found)) == [(0.0, 0.0), (1.0, 1.0)]


def test_random_starts_are_as_likely_at_each_point():
    X = np.arange(10.0).reshape(5, 2)
    rng = np.random.default_rng(0)
    counts = np.zeros(5)
    for _ in range(2000):
        counts[(at_random(X, 2, rng)[:, 0] / 2).astype(int)] += 1
    assert counts / 4000 == pytest.approx(np.full(5, 0.2), abs=0.03)  # five standard errors


def test_the_second_centroid_is_far_by_the_square_of_its_distance(monkeypatch):
    monkeypatch.setattr(seeding, "TRIALS", 1)
    X = np.array([[0.0, 0.0]] * 50 + [[1.0, 0.0]] + [[3.0, 0.0]])
    starts = plus_plus(X, 2, np.random.default_rng(1), 4000)
    seconds = starts[starts[:, 0, 0] == 0.0][:, 1, 0]
    # with one candidate of ln 2 < 1 more: P = |x|^2 / (1 + 9)
    assert np.mean(seconds == 3.0) == pytest.approx(0.9, abs=0.025)


def test_each_of_groups_far_apart_gets_a_centroid():
    X = np.vstack([points(40, seed) / 10 + middle for seed, middle in enumerate(([0, 0], [50, 0], [0, 50]))])
    for start in plus_plus(X, 3, np.random.default_rng(0), 20):
        assert {tuple((place > 25).tolist()) for place in start} == {
            (False, False),
            (True, False),
            (False, True),
        }


@pytest.mark.parametrize("init", ["random", "kmeans++"])
def test_many_starts_are_drawn_as_one_by_one_where_they_are_too_many_for_once(init, monkeypatch):
    X = points(200)
    monkeypatch.setattr(seeding, "TOGETHER", 0)
    starts = chosen_each(X, 4, init, np.random.default_rng(3), 5)
    rng = np.random.default_rng(3)
    assert np.array_equal(starts, [chosen(X, 4, init, rng) for _ in range(5)])
    assert len(np.unique(starts.reshape(5, 8), axis=0)) == 5


@given(st.lists(st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * 2), max_size=20))
def test_places_are_written_as_they_are_read(places):
    given_ = np.array(places, dtype=float).reshape(-1, 2)
    assert np.array_equal(parsed(written(given_)), given_)


@pytest.mark.parametrize("starts", ["1", "1,2,3", "a,b", "1,nan", "inf,0", ";".join(["0,0"] * 21), "1,2;3"])
def test_what_is_no_place_is_refused(starts):
    with pytest.raises(ValueError):
        parsed(starts)


@pytest.mark.parametrize("starts", ["", " ", ";", " ; ;"])
def test_nothing_is_no_place(starts):
    assert parsed(starts).shape == (0, 2)
