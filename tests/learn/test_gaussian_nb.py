"""Gaussian naive Bayes: scikit-learn's posteriors, an axis at a time, and densities along the axes."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.naive_bayes import GaussianNB

from vizml import learn
from vizml.field import Raster

SETS = {
    "moons": make_moons(200, noise=0.25, random_state=0),
    "circles": make_circles(150, noise=0.1, factor=0.4, random_state=1),
    "three": make_blobs(150, centers=3, cluster_std=2.5, random_state=4),
    "imbalanced": make_blobs([190, 10], centers=[[0, 0], [2, 1]], random_state=3),
    "tiny": (np.array([[0.0, 0], [1, 1], [2, 0], [3, 2]]), np.array([0, 0, 1, 1])),
    "a class of one": (np.array([[0.0, 0], [1, 1], [2, 0], [3, 2]]), np.array([0, 0, 0, 1])),
}
every_set = pytest.mark.parametrize("name", SETS)


def fit(X, y, **values):
    return learn.fit(learn.create("gaussian_nb", **values), X, y)


def around(X):
    (left, bottom), (right, top) = X.min(axis=0) - 1, X.max(axis=0) + 1
    return Raster.over((left, right, bottom, top), 30, 20).points()


@every_set
@pytest.mark.parametrize("smoothing", [1e-9, 0.1])
@pytest.mark.parametrize("priors", ["data", "equal"])
def test_posteriors_are_scikit_learns(name, smoothing, priors):
    X, y = SETS[name]
    classes = len(np.unique(y))
    theirs = GaussianNB(
        var_smoothing=smoothing, priors=np.full(classes, 1 / classes) if priors == "equal" else None
    ).fit(X, y)
    state = fit(X, y, smoothing=smoothing, priors=priors)
    assert np.abs(state.proba(around(X)) - theirs.predict_proba(around(X))).max() < 1e-6


def test_each_step_takes_one_more_axis_into_account():
    X, y = SETS["three"]
    none, x_alone, both = learn.steps(learn.create("gaussian_nb"), X, y)
    assert none.proba(X) == pytest.approx(np.full((150, 3), 1 / 3))
    moved = X + np.array([0.0, 5.0])
    assert np.array_equal(x_alone.scores(X), x_alone.scores(moved))
    assert not np.allclose(both.scores(X), both.scores(moved))
    assert none.loss == pytest.approx(150 * np.log(3))
    assert none.loss > x_alone.loss > both.loss


def test_the_loss_is_that_of_the_posteriors():
    X, y = SETS["three"]
    state = fit(X, y)
    assert state.loss == pytest.approx(-np.log(state.proba(X)[np.arange(150), y]).sum())


def test_densities_along_the_axes_are_the_weighted_normals():
    X, y = SETS["imbalanced"]
    profiles = [mark for mark in fit(X, y).marks() if mark.layer == "Densities"]
    assert [(mark.axis, mark.ink) for mark in profiles] == [("x", 0), ("x", 1), ("y", 0), ("y", 1)]
    for mark in profiles:
        own = X[y == mark.ink][:, "xy".index(mark.axis)]
        expected = np.mean(y == mark.ink) * norm(own.mean(), own.std()).pdf(mark.at)
        assert mark.heights == pytest.approx(expected, rel=1e-6)
        assert mark.heights.max() <= mark.peak * (1 + 1e-12)


def test_a_spike_leaves_the_hills_to_be_seen():
    profiles = [mark for mark in fit(*SETS["a class of one"]).marks() if mark.layer == "Densities"]
    for mark in profiles:
        assert mark.heights.max() == pytest.approx(mark.peak)


def test_a_class_without_spread_is_said_to_have_none():
    notes = [state.note for state in learn.steps(learn.create("gaussian_nb"), *SETS["a class of one"])]
    assert "B without spread: σ 3.5e-05 from smoothing" in notes[1]
