"""Mean shift against scikit-learn, and its modes against the density."""

import numpy as np
import pytest
from sklearn.cluster import MeanShift, estimate_bandwidth
from sklearn.neighbors import KernelDensity

from tests.learn.datasets import blobs, moons
from vizml import learn

DATA = {
    "moons": moons(150)[0], "blobs": blobs(150)[0],
    "uneven": np.vstack([blobs(120, centers=1)[0], blobs(12, centers=1)[0] / 5 + 11]), "tiny": moons(8)[0],
}  # fmt: skip
every_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)


def steps(X, **values):
    return list(learn.steps(learn.create("mean_shift", **values), X))


@every_data
@pytest.mark.parametrize("share", [0.15, 0.3, 0.6, 2.0])
def test_modes_and_clusters_are_the_same(X, share):
    h = share * np.ptp(X)
    last, other = steps(X, bandwidth=h)[-1], MeanShift(bandwidth=h).fit(X)
    assert last.modes == pytest.approx(other.cluster_centers_, abs=1e-9 * np.ptp(X))
    assert np.array_equal(last.assigned, other.labels_)


@every_data
def test_the_bandwidth_from_the_data_is_the_same(X):
    h = steps(X)[-1].metrics()["bandwidth"]
    assert h == pytest.approx(estimate_bandwidth(X, quantile=0.3))


@every_data
def test_with_a_gaussian_each_step_climbs_the_density(X):
    h = 0.15 * np.ptp(X)
    density = KernelDensity(bandwidth=h).fit(X)
    run = steps(X, bandwidth=h, kernel="gaussian")
    trail = run[-1].shifts.path
    before = density.score_samples(X)
    for places in trail[1:]:
        after = density.score_samples(places)
        assert (after >= before - 1e-9).all()
        before = after


@every_data
def test_with_a_gaussian_modes_are_where_the_density_is_level(X):
    h = 0.15 * np.ptp(X)
    last = steps(X, bandwidth=h, kernel="gaussian")[-1]
    for mode in last.modes:
        weights = np.exp(-((X - mode) ** 2).sum(axis=1) / (2 * h * h))
        assert np.linalg.norm(weights @ (X - mode) / weights.sum()) < 2e-3 * h


def test_paths_lead_from_points_to_modes():
    last = steps(DATA["blobs"], bandwidth=3.0)[-1]
    *paths, modes = last.marks()
    starts = np.concatenate([[line[0] for line in path.lines] for path in paths])
    assert sorted(map(tuple, starts.round(9))) == sorted(map(tuple, DATA["blobs"].round(9)))
    ends = np.array([line[-1] for path in paths for line in path.lines])
    away = np.linalg.norm(ends[:, None] - modes.points, axis=2).min(axis=1)
    assert away.max() <= 3.0


def test_the_pointer_sees_the_mean_that_it_is_drawn_to():
    X = DATA["blobs"]
    last = steps(X, bandwidth=2.0)[-1]
    edge, arrow, words = last.on().probe(X[0])
    near = np.linalg.norm(X - X[0], axis=1) <= 2.0
    assert np.allclose(arrow.ends[0], [X[0], X[near].mean(axis=0)])
    assert words.texts == (f"weight {near.sum():.3g}",)
    assert np.allclose(np.linalg.norm(edge.lines[0] - X[0], axis=1), 2.0)


def test_points_have_no_cluster_before_the_last_step():
    run = steps(DATA["blobs"])
    assert all((state.assigned == -1).all() for state in run[:-1])
    assert (run[0].predict(DATA["blobs"]) == -1).all()


def test_of_many_points_some_walk_to_the_modes_of_all():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(3000, 2)), rng.normal(size=(3000, 2)) + 7])
    last = steps(X, bandwidth=2.0)[-1]
    assert len(last.shifts.rows) == 349
    assert np.allclose(last.modes[np.argsort(last.modes[:, 0])], [[0, 0], [7, 7]], atol=0.2)
    assert np.array_equal(last.assigned == last.assigned[0], np.arange(6000) < 3000)
