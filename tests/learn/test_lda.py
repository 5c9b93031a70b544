"""Linear discriminant analysis: scikit-learn's posteriors, and a sentence where there is no shape."""

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import multivariate_normal
from sklearn.datasets import make_blobs, make_moons
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from vizml import learn
from vizml.field import Raster

SETS = {
    "moons": make_moons(200, noise=0.25, random_state=0),
    "three": make_blobs(150, centers=3, cluster_std=2.5, random_state=4),
    "imbalanced": make_blobs([190, 10], centers=[[0, 0], [2, 1]], random_state=3),
    "tiny": (np.array([[0.0, 0], [1, 1], [2, 0], [3, 2]]), np.array([0, 0, 1, 1])),
    "far": (make_moons(100, noise=0.3, random_state=1)[0] + 1e3, make_moons(100, random_state=1)[1]),
}
every_set = pytest.mark.parametrize("name", SETS)


def fit(X, y, **values):
    return learn.fit(learn.create("lda", **values), X, y)


def around(X):
    (left, bottom), (right, top) = X.min(axis=0) - 1, X.max(axis=0) + 1
    return Raster.over((left, right, bottom, top), 30, 20).points()


@every_set
@pytest.mark.parametrize("shrinkage", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("priors", ["data", "equal"])
def test_posteriors_are_scikit_learns(name, shrinkage, priors):
    X, y = SETS[name]
    classes = len(np.unique(y))
    theirs = LinearDiscriminantAnalysis(
        solver="lsqr",
        shrinkage=shrinkage,
        priors=np.full(classes, 1 / classes) if priors == "equal" else None,
    ).fit(X, y)
    state = fit(X, y, shrinkage=shrinkage, priors=priors)
    assert np.abs(state.proba(around(X)) - theirs.predict_proba(around(X))).max() < 1e-6


@every_set
def test_unbiased_divides_by_the_points_less_the_classes(name):
    X, y = SETS[name]
    labels = np.unique(y)
    state = fit(X, y, unbiased=True)
    apart = X - np.array([X[y == k].mean(axis=0) for k in labels])[np.searchsorted(labels, y)]
    shared = apart.T @ apart / (len(X) - len(labels))
    joint = [multivariate_normal(X[y == k].mean(axis=0), shared).logpdf(around(X)) for k in labels]
    joint += np.log([[np.mean(y == k)] for k in labels])
    assert np.abs(state.proba(around(X)) - softmax(joint, axis=0).T).max() < 1e-6


def test_the_line_is_told_in_data_units():
    X, y = SETS["moons"]
    figures = fit(X, y).metrics()
    theirs = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    assert [figures["x"], figures["y"]] == pytest.approx(theirs.coef_[0])
    assert figures["intercept"] == pytest.approx(theirs.intercept_[0])


@every_set
def test_the_likelihood_rises_with_every_class(name):
    X, y = SETS[name]
    losses = [state.loss for state in learn.steps(learn.create("lda"), X, y)]
    assert len(losses) == len(np.unique(y)) + 1
    assert (np.diff(losses) < 1e-9 * np.abs(losses[0])).all()


def test_the_loss_is_that_of_the_joint_density():
    X, y = SETS["three"]
    state = fit(X, y)
    assert state.loss == pytest.approx(-state.joint(X)[np.arange(len(X)), y].sum())


def test_ellipses_lie_at_their_mahalanobis_distances():
    state = fit(*SETS["moons"])
    rings = [mark for mark in state.marks() if mark.layer == "Ellipses"]
    for mark, mean, covariance in zip(rings, state.means, state.covariances, strict=True):
        for sigma, line in enumerate(mark.lines, start=1):
            away = line - mean
            assert np.einsum("ni,ij,nj->n", away, np.linalg.inv(covariance), away) == pytest.approx(sigma**2)


@pytest.mark.parametrize("points, words", [
    ([[0.0, 0], [2, 1]], "a single place, for which a circle of σ"),
    ([[0.0, 0], [1, 2], [2, 4], [4, 8]], "a line, widened"),
])  # fmt: skip
def test_points_without_a_shape_are_said_to_be_so(points, words):
    X = np.array(points)
    y = (np.arange(len(X)) >= len(X) // 2).astype(int)
    state = fit(X, y)
    assert words in state.note
    assert np.array_equal(state.predict(X), y)


def test_the_density_lens_is_the_sum_over_the_classes():
    X, y = SETS["three"]
    state, raster = fit(X, y), Raster(np.linspace(-5, 5, 7), np.linspace(-4, 4, 5))
    (lens,) = state.lenses()
    expected = np.log(np.exp(state.joint(raster.points())).sum(axis=1)).reshape(5, 7)
    assert lens.plane(raster) == pytest.approx(expected, rel=1e-5)
