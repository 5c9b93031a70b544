"""Linear and quadratic discriminant analysis: posteriors of scikit-learn and scipy, singular data."""

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import multivariate_normal, norm
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

from tests.learn.datasets import around
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
    "far": (make_moons(100, noise=0.3, random_state=1)[0] + 1e3, make_moons(100, random_state=1)[1]),
}
every_set = pytest.mark.parametrize("name", SETS)
both = pytest.mark.parametrize("id", ["lda", "qda"])


def fit(id, X, y, **values):
    return learn.fit(learn.create(id, **values), X, y)


@every_set
@pytest.mark.parametrize("shrinkage", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("priors", ["data", "equal"])
def test_lda_is_scikit_learns(name, shrinkage, priors):
    X, y = SETS[name]
    classes = len(np.unique(y))
    theirs = LinearDiscriminantAnalysis(
        solver="lsqr",
        shrinkage=shrinkage,
        priors=np.full(classes, 1 / classes) if priors == "equal" else None,
    ).fit(X, y)
    state = fit("lda", X, y, shrinkage=shrinkage, priors=priors)
    assert np.abs(state.proba(around(X).points()) - theirs.predict_proba(around(X).points())).max() < 1e-6


@every_set
def test_unbiased_divides_by_the_points_less_the_classes(name):
    X, y = SETS[name]
    labels = np.unique(y)
    state = fit("lda", X, y, unbiased=True)
    apart = X - np.array([X[y == k].mean(axis=0) for k in labels])[np.searchsorted(labels, y)]
    shared = apart.T @ apart / (len(X) - len(labels))
    joint = [multivariate_normal(X[y == k].mean(axis=0), shared).logpdf(around(X).points()) for k in labels]
    joint += np.log([[np.mean(y == k)] for k in labels])
    assert np.abs(state.proba(around(X).points()) - softmax(joint, axis=0).T).max() < 1e-6


def test_coefficients_of_lda_are_in_data_units():
    X, y = SETS["moons"]
    figures = fit("lda", X, y).metrics()
    theirs = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    assert [figures["x"], figures["y"]] == pytest.approx(theirs.coef_[0])
    assert figures["intercept"] == pytest.approx(theirs.intercept_[0])


@every_set
@pytest.mark.parametrize("priors", ["data", "equal"])
def test_qda_is_scikit_learns(name, priors):
    X, y = SETS[name]
    classes = len(np.unique(y))
    theirs = QuadraticDiscriminantAnalysis(
        priors=np.full(classes, 1 / classes) if priors == "equal" else None, store_covariance=True
    ).fit(X, y)
    # scikit-learn divided by n - 1 before it divided by n
    by_n = np.allclose(theirs.covariance_[0], np.cov(X[y == 0].T, bias=True))
    state = fit("qda", X, y, unbiased=not by_n, priors=priors)
    assert np.abs(state.proba(around(X).points()) - theirs.predict_proba(around(X).points())).max() < 1e-6


@every_set
def test_estimates_divide_by_n_and_shrink_to_the_identity(name):
    X, y = SETS[name]
    for shrinkage in (0.0, 0.4, 1.0):
        state = fit("qda", X, y, shrinkage=shrinkage)
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
        multivariate_normal(group.mean(axis=0), np.cov(group.T, bias=not unbiased)).logpdf(around(X).points())
        + np.log(len(group))
        for group in groups
    ]
    state = fit("qda", X, y, unbiased=unbiased)
    assert np.abs(state.proba(around(X).points()) - softmax(joint, axis=0).T).max() < 1e-6


@both
@every_set
def test_the_likelihood_rises_with_every_class(id, name):
    X, y = SETS[name]
    losses = [state.loss for state in learn.steps(learn.create(id), X, y)]
    assert len(losses) == len(np.unique(y)) + 1
    assert (np.diff(losses) < 1e-9 * np.abs(losses[0])).all()


@both
def test_the_loss_is_that_of_the_joint_density(id):
    X, y = SETS["three"]
    state = fit(id, X, y)
    assert state.loss == pytest.approx(-state.log_joint(X)[np.arange(len(X)), y].sum())


def test_ellipses_lie_at_their_mahalanobis_distances():
    state = fit("lda", *SETS["moons"])
    rings = [mark for mark in state.marks() if mark.layer == "Ellipses"]
    for mark, mean, covariance in zip(rings, state.means, state.covariances, strict=True):
        for sigma, line in enumerate(mark.lines, start=1):
            away = line - mean
            assert np.einsum("ni,ij,nj->n", away, np.linalg.inv(covariance), away) == pytest.approx(sigma**2)


@pytest.mark.parametrize("points, words", [
    ([[0.0, 0], [2, 1]], "covariance is zero and was replaced by a spherical one with σ"),
    ([[0.0, 0], [1, 2], [2, 4], [4, 8]], "covariance is singular and was regularised"),
])  # fmt: skip
def test_a_singular_shared_covariance_is_reported(points, words):
    X = np.array(points)
    y = (np.arange(len(X)) >= len(X) // 2).astype(int)
    state = fit("lda", X, y)
    assert words in state.note
    assert np.array_equal(state.predict(X), y)


def test_the_density_lens_is_the_sum_over_the_classes():
    X, y = SETS["three"]
    state, raster = fit("lda", X, y), Raster(np.linspace(-5, 5, 7), np.linspace(-4, 4, 5))
    (lens,) = state.on().lenses()
    expected = np.log(np.exp(state.log_joint(raster.points())).sum(axis=1)).reshape(5, 7)
    assert lens.plane(raster) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("height", [0.0, 0.1, 1e6])
@pytest.mark.parametrize("unbiased", [False, True])
def test_classes_on_a_line_have_the_posteriors_of_one_input(height, unbiased):
    """By the formula: pi_k N(x | mu_k, sigma_k), with the deviations of each class."""
    rng = np.random.default_rng(0)
    x, y = np.r_[rng.normal(0, 0.3, 40), rng.normal(2, 1.5, 60)], np.repeat([0, 1], [40, 60])
    state = fit("qda", np.column_stack([x, np.full(100, height)]), y, unbiased=unbiased)
    at = np.linspace(-3, 6, 50)
    groups = [x[y == k] for k in (0, 1)]
    densities = [norm(g.mean(), g.std(ddof=unbiased)).logpdf(at) + np.log(len(g)) for g in groups]
    found = state.proba(np.column_stack([at, np.full(50, height)]))
    assert np.abs(found - softmax(densities, axis=0).T).max() < 1e-4


@pytest.mark.parametrize("line", [[[1.0, -2], [1, 0], [1, 3]], [[0.0, 0], [1, 2], [2, 4], [4, 8]]])
def test_a_class_without_extent_along_a_direction_is_certain_on_its_line(line):
    X, y = np.concatenate([SETS["moons"][0], line]), np.repeat([0, 1], [200, len(line)])
    state = fit("qda", X, y)
    assert "its covariance is singular and was regularised" in state.note
    assert (state.proba(line)[:, 1] > 0.98).all()
    assert np.mean(state.predict(X[:200]) == 0) > 0.98


@pytest.mark.parametrize("few", [[[3.0, 3.0]], [[3.1, 3.3]] * 3])
def test_a_class_at_a_single_place_takes_the_pooled_covariance(few):
    X = np.concatenate([SETS["moons"][0], few])
    y = np.concatenate([np.zeros(200, int), np.ones(len(few), int)])
    state = fit("qda", X, y)
    assert "its covariance is zero and replaced by the pooled one" in state.note
    shared = (200 * np.cov(X[:200].T, bias=True) + len(few) * np.cov(X[200:].T, bias=True)) / len(X)
    assert state.covariances[1] == pytest.approx(shared)
    assert np.array_equal(state.predict(few), np.ones(len(few)))


def test_a_singular_pooled_covariance_is_reported():
    state = fit("qda", [[0.0, 0], [2, 1]], [0, 1])
    assert "by the pooled one, which is zero and was replaced by a spherical one" in state.note
    assert np.isfinite(state.scores([[1.0, 1.0]])).all()
