"""DBSCAN against scikit-learn, label by label, and its regions against their definition."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.cluster import DBSCAN

from tests.learn.datasets import blobs, moons
from vizml import learn
from vizml.data import Dataset
from vizml.field import Raster

DATA = {
    "moons": moons(300, noise=0.08)[0], "blobs": blobs(200)[0],
    "uneven": np.vstack([blobs(300, centers=2)[0], blobs(12, centers=1)[0] / 5 + 11]), "tiny": moons(7)[0],
    "doubled": np.repeat(moons(40)[0], 3, axis=0),
    "lattice": np.stack(np.meshgrid(np.arange(9.0), np.arange(7.0)), axis=-1).reshape(-1, 2),
}  # fmt: skip
every_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)


def steps(X, seed=0, **values):
    return list(learn.steps(learn.create("dbscan", **values), X, seed=seed))


@every_data
@pytest.mark.parametrize("eps", [0.1, 0.35, 1.0, 5.0])
@pytest.mark.parametrize("least", [1, 3, 5, 10])
def test_labels_and_core_points_are_the_same(X, eps, least):
    last = steps(X, eps=eps, min_points=least)[-1]
    other = DBSCAN(eps=eps, min_samples=least).fit(X)
    assert np.array_equal(last.assigned, other.labels_)
    assert np.array_equal(np.flatnonzero(last.core), other.core_sample_indices_)


@every_data
def test_the_regions_are_within_eps_of_core_points(X):
    last = steps(X, min_points=3)[-1]
    raster = Raster.over((X[:, 0].min() - 1, X[:, 0].max() + 1, X[:, 1].min() - 1, X[:, 1].max() + 1), 60, 50)
    places, core = raster.points(), last.core
    distances = np.sqrt(((places[:, None] - X[core]) ** 2).sum(axis=2))
    nearest = np.where(distances.min(axis=1) < last.eps, last.assigned[core][distances.argmin(axis=1)], -1)
    assert np.array_equal(last.predict(places), nearest)
    field = last.field(raster)
    winners = np.where(field.max(axis=0) > 0, field.argmax(axis=0), -1)
    assert np.mean(winners.ravel() == nearest) > 0.999  # float32 may tip a pixel on an edge
    exact = last.scores(places).T.reshape(field.shape)
    assert np.abs(field - exact).max() < 1e-5  # of values from -1 to 1, a few roundings of float32


def test_clusters_grow_and_nothing_is_taken_back():
    run = steps(DATA["moons"], eps=0.2)
    for before, after in pairwise(run):
        held = before.assigned >= 0
        assert np.array_equal(after.assigned[held], before.assigned[held])


def test_each_step_reaches_no_further_than_eps():
    X = DATA["moons"]
    run = [state for state in steps(X, eps=0.2) if len(state.frontier)]
    assert len(run) > 10
    for before, after in pairwise(run):
        if before.found == after.found:
            gaps = np.linalg.norm(X[after.frontier][:, None] - X[before.frontier], axis=2).min(axis=1)
            assert (gaps <= 0.2).all()


def test_the_pointer_has_a_circle_of_eps_and_a_count():
    last = steps(DATA["blobs"], eps=1.5, min_points=4)[-1]
    place = DATA["blobs"][3]
    circle, words = last.on().probe(place)
    assert np.allclose(np.linalg.norm(circle.lines[0] - place, axis=1), 1.5)
    near = (np.linalg.norm(DATA["blobs"] - place, axis=1) <= 1.5).sum()
    assert words.texts[0].startswith(f"{near} points within 1.5: cluster")


def test_no_core_point_is_said():
    last = steps(DATA["tiny"], eps=0.001, min_points=3)[-1]
    assert last.note.startswith("no core points, so all points are noise")
    assert (last.predict(DATA["tiny"]) == -1).all()


def test_the_radius_from_the_data_follows_their_units():
    X = DATA["moons"]
    one, thousand = steps(X)[-1], steps(X * 1000)[-1]
    assert thousand.eps == pytest.approx(1000 * one.eps)
    assert np.array_equal(one.assigned, thousand.assigned)
    assert one.core.mean() == pytest.approx(0.98, abs=0.01)


def test_many_points_are_no_matrix_of_pairs():
    X = blobs(30_000, centers=5)[0]
    last = list(learn.run(learn.create("dbscan", eps=0.15), Dataset(X, np.full(len(X), -1))))[-1]
    assert np.array_equal(last.assigned, DBSCAN(eps=0.15).fit(X).labels_)
