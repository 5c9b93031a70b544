"""Quadratic discriminant analysis: scikit-learn's posteriors, and stand-ins for shapes that are missing."""

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import multivariate_normal
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

from vizml import learn
from vizml.field import Raster

SETS = {
    "moons": make_moons(200, noise=0.25, random_state=0),
    "circles": make_circles(150, noise=0.1, factor=0.4, random_state=1),
    "three": make_blobs(150, centers=3, cluster_std=2.5, random_state=4),
    "imbalanced": make_blobs([190, 10], centers=[[0, 0], [2, 1]], random_state=3),
    "tiny": (
        np.array([[0.0, 0], [1, 1], [1, 0], [0, 1.5], [3, 2], [3, 0], [2, 2.5], [2.5, 1]]),
        np.array([0, 0, 0, 0, 1, 1, 1, 1]),
    ),
}
every_set = pytest.mark.parametrize("name", SETS)


def fit(X, y, **values):
    return learn.fit(learn.create("qda", **values), X, y)


def around(X):
    (left, bottom), (right, top) = X.min(axis=0) - 1, X.max(axis=0) + 1
    return Raster.over((left, right, bottom, top), 30, 20).points()


@every_set
@pytest.mark.parametrize("priors", ["data", "equal"])
def test_posteriors_are_scikit_learns(name, priors):
    X, y = SETS[name]
    classes = len(np.unique(y))
    theirs = QuadraticDiscriminantAnalysis(
        priors=np.full(classes, 1 / classes) if priors == "equal" else None, store_covariance=True
    ).fit(X, y)
    # scikit-learn divided by n - 1 before it divided by n
    by_n = np.allclose(theirs.covariance_[0], np.cov(X[y == 0].T, bias=True))
    state = fit(X, y, unbiased=not by_n, priors=priors)
    assert np.abs(state.proba(around(X)) - theirs.predict_proba(around(X))).max() < 1e-6


@every_set
def test_estimates_divide_by_n_and_shrink_to_a_circle(name):
    X, y = SETS[name]
    for shrinkage in (0.0, 0.4, 1.0):
        state = fit(X, y, shrinkage=shrinkage)
        for k, covariance in enumerate(state.covariances):
            own = np.cov(X[y == k].T, bias=True)
            expected = (1 - shrinkage) * own + shrinkage * np.trace(own) / 2 * np.eye(2)
            assert covariance == pytest.approx(expected)


@every_set
@pytest.mark.parametrize("unbiased", [False, True])
def test_posteriors_are_those_of_scipys_densities(name, unbiased):
    X, y = SETS[name]
    groups = [X[y == k] for k in np.unique(y)]
    joint = [
        multivariate_normal(group.mean(axis=0), np.cov(group.T, bias=not unbiased)).logpdf(around(X))
        + np.log(len(group))
        for group in groups
    ]
    state = fit(X, y, unbiased=unbiased)
    assert np.abs(state.proba(around(X)) - softmax(joint, axis=0).T).max() < 1e-6


@every_set
def test_the_likelihood_rises_with_every_class(name):
    X, y = SETS[name]
    losses = [state.loss for state in learn.steps(learn.create("qda"), X, y)]
    assert len(losses) == len(np.unique(y)) + 1
    assert (np.diff(losses) < 0).all()


def test_the_loss_is_that_of_the_joint_density():
    X, y = SETS["three"]
    state = fit(X, y)
    assert state.loss == pytest.approx(-state.joint(X)[np.arange(len(X)), y].sum())


@pytest.mark.parametrize("few, words", [
    ([[3.0, 3.0]], "1 point has no shape: it takes the shape that the classes share"),
    ([[3.0, 3.0], [4.0, 3.5]], "its points lie on a line: it takes the shape that the classes share"),
])  # fmt: skip
def test_a_class_of_one_or_two_points_takes_the_shared_shape_and_says_so(few, words):
    X = np.concatenate([SETS["moons"][0], few])
    y = np.concatenate([np.zeros(200, int), np.ones(len(few), int)])
    state = fit(X, y)
    assert words in state.note
    shared = (200 * np.cov(X[:200].T, bias=True) + len(few) * np.cov(X[200:].T, bias=True)) / len(X)
    assert state.covariances[1] == pytest.approx(shared)
    assert np.array_equal(state.predict(few), np.ones(len(few)))


def test_where_no_class_has_a_shape_that_is_said():
    state = fit([[0.0, 0], [2, 1]], [0, 1])
    assert "1 point has no shape, and what the classes share is a single place" in state.note
    assert np.isfinite(state.scores([[1.0, 1.0]])).all()
