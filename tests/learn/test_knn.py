"""k nearest neighbours: scikit-learn's probabilities, ties, and what is drawn for the pointer."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_moons
from sklearn.neighbors import KNeighborsClassifier

from vizml import learn
from vizml.field import Raster
from vizml.learn.neighbours.knn import LAYER
from vizml.scene import Path, Segments, Words

METRICS = {"l1": "manhattan", "l2": "euclidean", "linf": "chebyshev"}
SETS = {
    "moons": make_moons(200, noise=0.3, random_state=1),
    "blobs": make_blobs(150, centers=4, cluster_std=3.0, random_state=2),
    "imbalanced": make_blobs([90, 4], centers=[[0, 0], [1, 1]], random_state=3),
    "few": (np.array([[0.0, 0.0], [1.0, 0.3], [2.1, 1.0]]), np.array([0, 1, 1])),
}


def fit(X, y, **values):
    return learn.fit(learn.create("knn", **values), X, y)


def places(X, width=37, height=29):
    (left, bottom), (right, top) = X.min(axis=0) - 1.234, X.max(axis=0) + 1.123
    return Raster.over((left, right, bottom, top), width, height)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("k", [1, 2, 5, 15])
def test_probabilities_are_scikit_learns(name, metric, weights, k):
    X, y = SETS[name]
    k = min(k, len(X))
    state = fit(X, y, k=k, metric=metric, weights=weights)
    reference = KNeighborsClassifier(k, metric=METRICS[metric], weights=weights).fit(X, y)
    where = places(X).points()
    difference = np.abs(state.proba(where) - reference.predict_proba(where)).max()
    assert difference == 0.0 if weights == "uniform" else difference < 1e-12


@pytest.mark.parametrize("metric", METRICS)
def test_on_the_points_themselves_only_they_count_by_distance(metric):
    X, y = SETS["moons"]
    state = fit(X, y, k=9, metric=metric, weights="distance")
    assert np.array_equal(state.predict(X), y)
    assert np.array_equal(state.proba(X).max(axis=1), np.ones(len(X)))


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("k", [1, 4, 15, 200])
def test_the_field_has_the_scores_of_every_pixel(metric, weights, k):
    X, y = SETS["blobs"]
    state, raster = fit(X, y, k=k, metric=metric, weights=weights), places(X)
    scores = state.scores(raster.points()).T.reshape(-1, *raster.shape)
    assert np.abs(state.field(raster) - scores).max() < 1e-6


def test_votes_by_hand():
    X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 3.0], [9.0, 9.0]])
    y = np.array([0, 1, 1, 0])
    assert fit(X, y, k=3).proba([[0.5, 0.0]]).tolist() == [[1 / 3, 2 / 3]]
    # Distances 0.5, 1.5 and sqrt(9.25): weights 2, 2/3 and 0.3288.
    shares = fit(X, y, k=3, weights="distance").proba([[0.5, 0.0]])[0]
    assert shares[0] == pytest.approx(2 / (2 + 2 / 3 + 9.25**-0.5))


def test_a_tie_of_distances_goes_to_the_first_point():
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    for y in ([0, 1, 1, 0], [1, 0, 0, 1]):
        assert fit(X, np.array(y), k=1).predict([[0.0, 0.0]])[0] == y[0]
        assert fit(X, np.array(y), k=2).proba([[0.0, 0.0]])[0].tolist() == [0.5, 0.5]


def test_a_tie_of_votes_goes_to_the_first_class():
    assert fit(np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([1, 0]), k=2).predict([[0.9, 0.0]])[0] == 0


def test_more_neighbours_than_points_vote_everywhere_and_say_so():
    X, y = SETS["few"]
    state = fit(X, y, k=15)
    assert "only 3 points" in state.note
    assert np.array_equal(state.proba([[50.0, -50.0]]), [[1 / 3, 2 / 3]])
    assert np.allclose(state.field(places(X))[1], 2 / 3)


def test_there_is_one_state_for_there_is_nothing_to_train():
    X, y = SETS["moons"]
    (only,) = learn.steps(learn.create("knn"), X, y)
    assert only.progress == 1.0
    assert "nothing to train" in only.note


@pytest.mark.parametrize("metric", METRICS)
def test_the_pointer_is_joined_to_its_neighbours(metric):
    X, y = SETS["blobs"]
    k, point = 7, np.array([0.3, -0.4])
    marks = fit(X, y, k=k, metric=metric).probe(point)
    assert {mark.layer for mark in marks} == {LAYER}
    lines = [mark for mark in marks if isinstance(mark, Segments)]
    near = KNeighborsClassifier(k, metric=METRICS[metric]).fit(X, y).kneighbors([point])[1][0]
    assert sorted(map(tuple, np.concatenate([m.ends[:, 1] for m in lines]))) == sorted(map(tuple, X[near]))
    for mark in lines:
        assert (mark.ends[:, 0] == point).all()
        assert {int(y[np.flatnonzero((X == end).all(axis=1))[0]]) for end in mark.ends[:, 1]} == {mark.ink}


def test_the_pointer_is_told_the_vote_and_how_far_it_looked():
    X, y = SETS["few"]
    marks = fit(X, y, k=3).probe(np.array([0.0, 0.0]))
    words = next(mark for mark in marks if isinstance(mark, Words))
    circle = next(mark for mark in marks if isinstance(mark, Path))
    assert words.texts == ("A 1, B 2",)
    assert np.hypot(*circle.lines[0].T) == pytest.approx(np.hypot(2.1, 1.0))


@pytest.mark.parametrize("size", [1e-12, 1e12])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_size_does_not_matter(size, weights):
    X, y = SETS["moons"]
    where = places(X).points()
    usual, other = fit(X, y, weights=weights), fit(X * size, y, weights=weights)
    assert np.abs(usual.proba(where) - other.proba(where * size)).max() < 1e-9


def test_duplicates_settle_the_same_way_in_scores_and_field():
    X, y = SETS["blobs"]
    X, y = np.concatenate([X, X[:60]]), np.concatenate([y, (y[:60] + 1) % 4])
    state, raster = fit(X, y, k=4), places(X)
    scores = state.scores(raster.points()).T.reshape(4, *raster.shape)
    assert np.abs(state.field(raster) - scores).max() < 1e-6


def test_labels_may_be_any():
    X, y = SETS["blobs"]
    state = fit(X, y * 2 + 1, k=3)
    assert state.classes.tolist() == [1, 3, 5, 7]
    assert np.array_equal(state.predict(X), KNeighborsClassifier(3).fit(X, y * 2 + 1).predict(X))
