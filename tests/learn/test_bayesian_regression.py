"""Bayesian linear regression against the formulas written out, ridge, and scikit-learn's evidence."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.linear_model import BayesianRidge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from vizml import data, learn
from vizml.data import Dataset
from vizml.learn.linear_models.standardised import qr_reduced, qr_triangle

AGREEMENT = 1e-8  # relative

DATA = {
    "sine": data.generate("sine", n=60, seed=1), "cubic": data.generate("cubic", n=25, seed=2),
    "line": data.generate("line", n=400, seed=3), "four points": data.generate("line", n=4, seed=4),
}  # fmt: skip
every_data = pytest.mark.parametrize("points", DATA.values(), ids=DATA)


def run(points, **values):
    return list(learn.run(learn.create("bayes_linear", **values), points))


def features(state, x):
    return np.column_stack([np.ones(len(x)), state.problem.columns(x)])


def written_out(state, count, alpha, beta):
    """Mean and covariance by the formulas, with an intercept whose prior is flat."""
    design = features(state, state.X[:count])
    precision = beta * design.T @ design + alpha * np.diag([0.0] + [1.0] * (design.shape[1] - 1))
    covariance = np.linalg.inv(precision)
    return beta * covariance @ design.T @ (state.y[:count] - state.problem.mean), covariance


@every_data
@pytest.mark.parametrize("degree", [1, 4])
def test_each_step_is_the_posterior_of_the_points_so_far(points, degree):
    alpha, beta = 0.8, 9.0
    states = run(points, alpha=alpha, beta=beta, degree=degree)
    for state in (states[1], states[3], states[-1]):
        mean, covariance = written_out(state, state.posterior.seen, alpha, beta)
        root = state.posterior.root
        assert np.allclose(state.posterior.mean, mean, rtol=1e-7, atol=1e-9)
        assert np.allclose(root @ root.T, covariance, rtol=1e-7, atol=1e-10)
        triangle = np.linalg.cholesky(np.linalg.inv(covariance)).T
        assert np.allclose(root, np.linalg.inv(triangle), rtol=1e-6, atol=1e-8)


@every_data
def test_the_band_is_two_deviations_of_a_new_y(points):
    state = run(points, alpha=0.8, beta=9.0, degree=3)[-1]
    x = np.linspace(points.x.min() - 1, points.x.max() + 1, 50)
    mean, low, high = state.band(x)
    _, covariance = written_out(state, len(points), 0.8, 9.0)
    design = features(state, x)
    variance = 1 / 9.0 + np.einsum("ij,jk,ik->i", design, covariance, design)
    assert np.array_equal(mean, state.predict(x))
    assert np.allclose(high - mean, 2 * np.sqrt(variance), rtol=AGREEMENT)
    assert np.allclose(mean - low, 2 * np.sqrt(variance), rtol=AGREEMENT)


@every_data
@pytest.mark.parametrize("basis", ["polynomial", "fourier", "bumps", "pieces"])
@pytest.mark.parametrize("standardise", [True, False])
def test_its_mean_is_ridge(points, basis, standardise):
    shared = {"basis": basis, "degree": 4, "standardise": standardise}
    state = run(points, alpha=0.5, beta=4.0, **shared)[-1]
    ridge = list(learn.run(learn.create("ridge", lam=0.5 / 4.0, **shared), points))[-1]
    x = np.linspace(points.x.min(), points.x.max(), 200)
    assert np.abs(state.predict(x) - ridge.predict(x)).max() < AGREEMENT * np.ptp(points.y)
    assert state.degrees_of_freedom == pytest.approx(ridge.degrees_of_freedom, rel=1e-6)


@every_data
def test_the_evidence_is_the_density_of_the_data_given_the_first(points):
    alpha, beta, vague = 0.8, 9.0, 1e5
    state = run(points, alpha=alpha, beta=beta, degree=3)[-1]
    design = features(state, points.x)
    prior = np.diag([vague] + [1 / alpha] * 3)
    covariance = design @ prior @ design.T + np.eye(len(points)) / beta
    y = points.y - state.problem.mean
    whole = multivariate_normal(cov=covariance).logpdf(y)
    first = multivariate_normal(cov=[[vague]]).logpdf(0.0)
    assert state.posterior.evidence == pytest.approx(whole - first, abs=1e-3)


@pytest.mark.parametrize("name", ["sine", "cubic", "line"])
def test_the_precisions_with_the_most_evidence_are_near_scikit_learns(name):
    points = DATA[name]
    theirs = make_pipeline(
        PolynomialFeatures(5, include_bias=False), StandardScaler(),
        BayesianRidge(alpha_1=0, alpha_2=0, lambda_1=0, lambda_2=0, tol=1e-9, max_iter=2000),
    ).fit(points.x[:, None], points.y)  # fmt: skip
    state = run(points, degree=5)[-1]
    # It counts n points of freedom where the free intercept leaves n - 1.
    assert state.beta == pytest.approx(theirs[-1].alpha_, rel=2 / len(points))
    assert state.alpha == pytest.approx(theirs[-1].lambda_, rel=0.1)


@pytest.mark.parametrize("name", ["sine", "cubic"])
def test_no_other_precisions_have_more_evidence(name):
    best = run(DATA[name], degree=5)[-1]
    for a, b in [(1.3, 1.0), (0.7, 1.0), (1.0, 1.2), (1.0, 0.8)]:
        other = run(DATA[name], degree=5, alpha=best.alpha * a, beta=best.beta * b)[-1]
        assert other.posterior.evidence < best.posterior.evidence


def test_the_band_narrows_with_each_point():
    states = run(DATA["sine"], alpha=1.0, beta=16.0, degree=5)
    x = np.linspace(-3, 3, 30)
    widths = np.array([state.deviation(x) for state in states[1:]])
    assert (np.diff(widths, axis=0) <= 1e-9).all()


def test_samples_have_the_posterior_as_their_distribution():
    state = run(DATA["cubic"], alpha=1.0, beta=4.0, degree=3)[-1]
    drawn = np.random.default_rng(0).standard_normal((20_000, 4)) @ state.posterior.root.T
    assert np.allclose(np.cov(drawn.T), state.posterior.root @ state.posterior.root.T, rtol=0.1, atol=0.02)
    x = np.linspace(-4, 4, 30)
    samples = next(mark for mark in state.marks() if mark.layer == "Samples").values(x)
    own = state.predict(x) + features(state, x) @ state.posterior.root @ state.normals[0]
    assert np.allclose(samples[0], own)


def test_drawn_curves_are_not_mirrored_from_one_step_to_the_next():
    states = run(DATA["sine"], alpha=1.0, beta=16.0, degree=3)
    x = np.linspace(-3, 3, 30)
    away = [(state.samples(x[:, None]) - state.predict(x)) / state.deviation(x[:, None]) for state in states]
    for before, after in pairwise(away[8:]):
        assert (before * after).mean() > 0.9 * (after * after).mean()


def test_a_perfect_line_has_next_to_no_noise_and_stays_finite():
    x = np.linspace(0, 1, 30)
    state = run(Dataset.curve(x, 2 * x), degree=1)[-1]
    assert np.abs(state.residuals).max() < 1e-4
    assert all(np.isfinite(value) for value in state.metrics().values())


@pytest.mark.parametrize("shape", [(3, 5), (200, 7), (5000, 16), (300, 200), (500, 119), (1000, 140)])
def test_the_triangle_by_blocks_is_that_of_the_whole(shape):
    matrix = np.random.default_rng(0).normal(size=shape)
    triangle = qr_triangle(matrix)
    assert np.allclose(triangle.T @ triangle, matrix.T @ matrix)
    assert np.allclose(triangle, np.triu(triangle))
    y = matrix @ np.ones(shape[1]) + np.arange(shape[0])
    small, answer, rest = qr_reduced(matrix, y)
    for w in np.random.default_rng(1).normal(size=(3, shape[1])):
        assert np.sum((answer - small @ w) ** 2) + rest == pytest.approx(np.sum((y - matrix @ w) ** 2))


@pytest.mark.parametrize("standardise", [True, False])
@pytest.mark.parametrize("values", [{}, {"alpha": 1e-9, "beta": 1e4}])
def test_fifteen_powers_of_eight_far_points_give_a_curve(standardise, values):
    x = 1e6 + np.linspace(0, 1, 8)
    state = run(Dataset.curve(x, np.sin(6 * x)), degree=15, standardise=standardise, **values)[-1]
    assert np.abs(state.predict(np.linspace(x[0], x[-1], 200))).max() < 3
    assert np.abs(state.residuals).max() <= np.abs(state.y - state.y.mean()).max()


def test_a_flat_prior_on_collinear_terms_is_strengthened_with_a_note():
    x = 1e6 + np.linspace(0, 1, 8)
    flat = run(Dataset.curve(x, np.sin(6 * x)), degree=15, standardise=False, alpha=1e-9, beta=1.0)
    assert "made slightly stronger" in flat[-1].note
    assert "stronger" not in run(DATA["sine"], alpha=1e-9, beta=1.0, degree=3)[-1].note


def test_points_come_one_at_a_time_at_first_and_then_in_growing_shares():
    seen = [state.posterior.seen for state in run(DATA["line"], degree=2)]
    assert seen[:21] == list(range(21))
    assert seen[-1] == 400
    assert all(after / before <= 1.5 for before, after in pairwise(seen[20:]))


def test_powers_that_overflow_are_refused_with_a_remedy():
    x = np.linspace(-2e12, 1e12, 40)
    model = learn.create("bayes_linear", "regress", degree=15, standardise=False)
    with pytest.raises(learn.CannotLearn, match="lower the degree or standardise"):
        learn.fit(model, x, np.sin(x))
