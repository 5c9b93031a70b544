"""Several runs of k-means at once: the same half-steps as one run after the other."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learn.datasets import blobs, moons
from vizml import learn
from vizml.learn import create
from vizml.learn.clusters import race
from vizml.learn.clusters.lloyd import lloyd
from vizml.learn.clusters.race import Race, ends, runs

DATA = {
    "moons": moons(200)[0],
    "blobs": blobs(150, centers=4)[0],
    "tight": np.random.default_rng(0).normal(size=(60, 2)) * 1e-6
    + np.repeat([[0, 0], [1, 0], [0, 1]], 20, 0),
    "a grid of ties": np.stack(np.meshgrid(np.arange(6.0), np.arange(5.0)), axis=2).reshape(-1, 2),
    "one place": np.zeros((7, 2)),
}
every_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)


def draws(X, runs, k, seed=0):
    rng = np.random.default_rng(seed)
    return np.stack([X[rng.permutation(len(X))[:k]] for _ in range(runs)])


def events(halves):
    """The words without the figures of J, whose last digit may be rounded either way."""
    return [re.sub(r"J .* → [^;:]*", "J", half.words) for half in halves]


def compare(X, starts, unit=1.0):
    for halves, start in zip(Race(X, starts, unit).told(), starts, strict=True):
        alone = list(lloyd(X, start, unit))
        assert events(halves) == events(alone)
        assert [half.done for half in halves] == [half.done for half in alone]
        for ours, theirs in zip(halves, alone, strict=True):
            assert np.array_equal(ours.labels, theirs.labels)
            assert np.allclose(ours.history, theirs.history, rtol=1e-12, atol=1e-12 * np.abs(X).max())
            assert ours.J == pytest.approx(theirs.J, rel=1e-9, abs=1e-13 * unit * (X * X).sum())


@every_data
@pytest.mark.parametrize("k", [1, 3, 6])
def test_runs_made_at_once_are_those_made_one_by_one(X, k):
    compare(X, draws(X, 5, k))


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 999), k=st.integers(1, 8), n=st.integers(8, 40), unit=st.sampled_from([1e-20, 7.0])
)
def test_on_any_points(seed, k, n, unit):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    compare(X, draws(X, 3, k, seed), unit)


def test_empty_clusters_of_one_run_are_moved_and_the_others_go_on():
    X = DATA["moons"]
    starts = draws(X, 3, 3)
    starts[1, 2] = [1e3, 1e3]
    told = Race(X, starts, 1.0).told()
    assert ["empty cluster" in halves[1].words for halves in told] == [False, True, False]
    compare(X, starts)


def test_where_clusters_are_small_beside_the_plane_no_digits_of_J_are_lost():
    X = DATA["tight"]
    (*_, last), _ = Race(X, np.stack([X[[0, 20, 40]]] * 2), 1.0).told()
    apart = X.reshape(3, 20, 2) - X.reshape(3, 20, 2).mean(axis=1, keepdims=True)
    assert last.J == pytest.approx((apart**2).sum(), rel=1e-9)


def test_a_run_that_is_done_waits_for_the_others():
    X = DATA["blobs"]
    lengths = [len(halves) for halves in Race(X, draws(X, 6, 4), 1.0).told()]
    assert len(set(lengths)) > 1
    assert all(length % 2 == 1 for length in lengths)


@every_data
def test_many_points_are_not_raced(X, monkeypatch):
    starts = draws(X, 3, 2)

    def told():
        return [(run, *events([half]), half.labels.tolist()) for run, half in runs(X, starts, 1.0)]

    at_once = told()
    monkeypatch.setattr(race, "TOGETHER", 0)
    monkeypatch.delattr(race, "Race")
    assert told() == at_once
    assert [run for run, *_ in at_once] == sorted(run for run, *_ in at_once)


@every_data
@pytest.mark.parametrize("k", [1, 3, 6])
@pytest.mark.parametrize("together", [0, 60_000])
def test_ends_without_the_way_there_are_those_with_it(X, k, together, monkeypatch):
    starts = draws(X, 5, k)
    told = [halves[-1] for halves in Race(X, starts, 7.0).told()]
    monkeypatch.setattr(race, "TOGETHER", together)
    found = list(ends(X, starts, 7.0))
    assert [run for run, _ in found] == list(range(5))
    for (_, ours), theirs in zip(found, told, strict=True):
        assert ours.done
        assert np.array_equal(ours.labels, theirs.labels)
        assert np.allclose(ours.history, theirs.history, rtol=1e-12, atol=1e-14)
        assert ours.J == pytest.approx(theirs.J, rel=1e-12, abs=1e-300)
        assert "\n" not in ours.words


@pytest.mark.parametrize("init", ["random", "kmeans++"])
def test_unwatched_runs_keep_the_same_one(init):
    model = create("kmeans", k=5, init=init, restarts=8)
    watched = list(learn.steps(model, DATA["moons"], seed=3))[-1]
    unwatched = learn.fit(model, DATA["moons"], seed=3)
    assert unwatched.note == watched.note
    assert unwatched.loss == pytest.approx(watched.loss, rel=1e-12)
    assert np.array_equal(unwatched.assigned, watched.assigned)
    assert np.array_equal(unwatched.centroids, watched.centroids)
