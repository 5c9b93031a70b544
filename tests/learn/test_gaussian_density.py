"""One Gaussian against scipy: likeliest parameters, with and without a prior."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import multivariate_normal

from tests.learn.datasets import blobs, moons, unlabelled
from vizml import learn

DATA = {
    "moons": moons(100)[0], "blobs": blobs(90)[0], "long": moons(60)[0] * [1000, 1], "tiny": moons(5)[0],
    "far": moons(40)[0] + 1e5,
}  # fmt: skip
every_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)


def fit(X, **values):
    return learn.fit(learn.create("gaussian", "density", **values), X)


@every_data
def test_without_a_prior_it_is_the_mean_and_the_covariance_with_one_over_n(X):
    state = fit(X)
    mean, spread = X.mean(axis=0), np.cov(X.T, bias=True)
    assert np.allclose(state.gaussian.means[0], mean)
    assert np.allclose(state.gaussian.covariances[0], spread)
    places = np.vstack([X, 2 * X - mean])
    assert np.allclose(state.log_density(places), multivariate_normal(mean, spread).logpdf(places), atol=1e-6)
    assert state.loss == pytest.approx(-multivariate_normal(mean, spread).logpdf(X).sum(), rel=1e-9)


@pytest.mark.parametrize("name", ["moons", "blobs", "tiny"])
@pytest.mark.parametrize("p, w", [(1.0, 0.5), (20.0, 2.0)])
def test_the_estimate_with_a_prior_maximises_the_posterior(name, p, w):
    X, m = DATA[name], np.array([1.0, -0.5])
    state = fit(X, prior=p, mean="1,-0.5", width=w)
    prior = w * w * np.eye(2)

    def misfit(free):
        L = np.array([[np.exp(free[2]), 0.0], [free[3], np.exp(free[4])]])
        mean, spread = free[:2], L @ L.T
        scatter = prior + np.outer(m - mean, m - mean)
        believed = p / 2 * (np.linalg.slogdet(spread)[1] + np.trace(np.linalg.solve(spread, scatter)))
        return believed - multivariate_normal(mean, spread).logpdf(X).sum()

    root = np.linalg.cholesky(state.gaussian.covariances[0])
    ours = np.array([*state.gaussian.means[0], np.log(root[0, 0]), root[1, 0], np.log(root[1, 1])])
    assert misfit(ours) == pytest.approx(state.loss, rel=1e-9)
    found = minimize(
        misfit, np.zeros(5), method="Nelder-Mead",
        options={"maxiter": 9000, "maxfev": 9000, "xatol": 1e-9, "fatol": 1e-9},
    )  # fmt: skip
    assert state.loss <= found.fun + 1e-6
    assert np.allclose(found.x, ours, atol=1e-3)


def test_a_strong_prior_or_many_points_dominate_the_estimate():
    X = DATA["moons"]
    strong = fit(X[:2], prior=1000.0, mean="7,8", width=3.0).gaussian
    assert np.allclose(strong.means[0], [7, 8], atol=0.02)
    assert np.allclose(strong.covariances[0], 9 * np.eye(2), rtol=0.02, atol=0.1)
    weak = fit(np.repeat(X, 100, axis=0), prior=1.0, mean="7,8").gaussian
    assert np.allclose(weak.means[0], X.mean(axis=0), atol=0.01)


@every_data
def test_the_ellipse_fits_better_than_the_circle(X):
    circle, ellipse = learn.steps(learn.create("gaussian", "density", prior=2.0), X)
    assert ellipse.loss <= circle.loss


def test_points_on_a_line_are_said_to_have_no_extent():
    along = np.linspace(0, 1, 9)
    assert "no variance in some direction" in fit(np.column_stack([along, along])).note
    assert "no variance in some direction" in fit(np.array([[1.0, 2.0]])).note


@pytest.mark.parametrize("mean", ["1", "a,b", "1,2,3", "nan,0"])
def test_a_prior_mean_is_two_numbers(mean):
    with pytest.raises(ValueError, match="mean must be two numbers separated by a comma"):
        learn.create("gaussian", "density", mean=mean)


def test_a_prior_mean_has_two_inputs():
    X = np.random.default_rng(0).normal(size=(50, 4))
    with pytest.raises(learn.CannotLearn, match="set prior to 0"):
        list(learn.run(learn.create("gaussian", "density", prior=1.0), unlabelled(X)))
