"""Simultaneous runs of Lloyd's algorithm against single runs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learn.datasets import blobs, moons, unlabelled
from vizml import learn
from vizml.learn.clusters.kmeans_restarts import converged_runs, one_run, side_by_side
from vizml.learn.clusters.kmeans_solver import inertia, lloyd

DATA = {
    "moons": moons(200)[0],
    "blobs": blobs(150, centers=4)[0],
    "tight": np.random.default_rng(0).normal(size=(60, 2)) * 1e-6
    + np.repeat([[0, 0], [1, 0], [0, 1]], 20, 0),
    "a grid of ties": np.stack(np.meshgrid(np.arange(6.0), np.arange(5.0)), axis=2).reshape(-1, 2),
    "three inputs": np.random.default_rng(1).normal(size=(90, 3)),
}
every_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)


def random_starts(X, runs, k, seed=0):
    rng = np.random.default_rng(seed)
    return np.stack([X[rng.permutation(len(X))[:k]] for _ in range(runs)])


def compare(X, starts):
    for ours, start in zip(side_by_side(X, starts), starts, strict=True):
        alone = one_run(X, start)
        if ours is None:
            assert any(step.phase == "update" and step.changed for step in lloyd(X, start))
            continue
        assert np.array_equal(ours.labels, alone.labels)
        assert np.allclose(ours.path, alone.path, rtol=1e-12, atol=1e-12 * np.abs(X).max())


@every_data
@pytest.mark.parametrize("k", [1, 3, 6])
def test_runs_side_by_side_are_those_of_lloyd(X, k):
    compare(X, random_starts(X, 5, k))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 999), k=st.integers(1, 8), n=st.integers(8, 40), d=st.integers(1, 4))
def test_on_any_points(seed, k, n, d):
    X = np.random.default_rng(seed).normal(size=(n, d))
    compare(X, random_starts(X, 3, k, seed))


def test_runs_with_an_empty_cluster_are_completed_by_lloyd():
    X = DATA["moons"]
    starts = random_starts(X, 3, 3)
    starts[1, 2] = [1e3, 1e3]
    assert [run is None for run in side_by_side(X, starts)] == [False, True, False]
    for run, start in zip(converged_runs(X, starts), starts, strict=True):
        *_, last = lloyd(X, start)
        assert np.array_equal(run.labels, last.labels)


@every_data
@pytest.mark.parametrize("init", ["random", "kmeans++"])
def test_a_fit_keeps_the_same_run_as_the_steps(X, init):
    model = learn.create("kmeans", k=4, init=init, restarts=8)
    *_, stepped = learn.run(model, unlabelled(X), seed=3)
    fitted = learn.fit_data(model, unlabelled(X), seed=3)
    assert fitted.note == stepped.note
    assert fitted.loss == pytest.approx(stepped.loss, rel=1e-9)
    assert np.array_equal(fitted.assigned, stepped.assigned)


def test_the_inertia_is_exact_where_clusters_are_tight():
    X = DATA["tight"]
    *_, last = lloyd(X, X[[0, 20, 40]])
    parts = X.reshape(3, 20, 2)
    expected = ((parts - parts.mean(axis=1, keepdims=True)) ** 2).sum()
    assert inertia(X, last.centroids, last.labels) == pytest.approx(expected, rel=1e-9)
