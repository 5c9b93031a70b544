"""Covariance functions and the solvers below them: derivatives, posteriors, optimisation."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.datasets import make_blobs, make_moons
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern
from sklearn.linear_model import LogisticRegression

from vizml.learn.gaussian_processes.classification import ExactMode, SpannedMode, newton
from vizml.learn.gaussian_processes.covariance import (
    NAMES,
    STATIONARY,
    BoxBfgs,
    Covariance,
    maximise,
)
from vizml.learn.gaussian_processes.posterior import (
    MOST_INDUCING,
    REPORT,
    ExactPosterior,
    Span,
    cholesky_solve,
    triangular_inverse,
)
from vizml.learn.gaussian_processes.regression import (
    AT_ONCE,
    RegressionFit,
    fit_at_once,
    fits,
    regression_span,
)

RNG = np.random.default_rng(5)
LINE = RNG.uniform(-3, 4, (700, 1))
TARGET = np.sin(2 * LINE[:, 0]) + RNG.normal(scale=0.2, size=700)
BEYOND = np.linspace(-4, 5, 301)[:, None]
MOONS, LABELS = make_moons(300, noise=0.25, random_state=0)
Y = LABELS.astype(float)
SUMS = [("rbf", "linear"), ("matern52", "periodic", "linear")]
every_kernel = pytest.mark.parametrize("names", [*((name,) for name in NAMES), *SUMS])
every_shape = pytest.mark.parametrize("kind", STATIONARY)
SMOOTH = {
    "rbf": Covariance(("rbf",), 0.8, 1.5), "narrow": Covariance(("rbf",), 0.35, 0.7),
    "wide": Covariance(("rbf",), 20.0, 3.0), "periodic": Covariance(("periodic",), 1.5, 1.0, 2.5),
    "linear": Covariance(("linear",), 1.0, 0.5),
    "all": Covariance(("rbf", "periodic", "linear"), 1.2, 0.4, 3.0),
}  # fmt: skip
every_smooth = pytest.mark.parametrize("k", SMOOTH.values(), ids=SMOOTH)


def slack_of(k):
    return 1e-7 * k.variance


def mode_of(k, X=MOONS, y=Y, a=None):
    *_, last = newton(ExactMode.start(k, X, k(X, X), y, a))
    return last


# covariance functions


@every_kernel
@pytest.mark.parametrize("d", [1, 3])
def test_a_covariance_is_symmetric_positive_and_has_its_diagonal(names, d):
    X, k = RNG.uniform(2, 5, (40, d)), Covariance(names, 0.7, 2.5, 1.3)
    K = k(X, X)
    assert np.allclose(K, K.T)
    assert np.linalg.eigvalsh(K).min() > -1e-9 * K.max()
    assert np.allclose(K.diagonal(), k.diagonal(X))
    assert np.allclose(K, sum(Covariance((name,), 0.7, 2.5, 1.3)(X, X) for name in names))


@every_shape
def test_stationary_covariances_are_scikit_learns(kind):
    theirs = {"rbf": RBF(0.6), "matern32": Matern(0.6, nu=1.5), "matern52": Matern(0.6, nu=2.5)}[kind]
    k = Covariance((kind,), 0.6, 3.0)
    assert k(MOONS, MOONS[:10]) == pytest.approx(3.0 * theirs(MOONS, MOONS[:10]), rel=1e-10)
    squares = ((MOONS[:, None] - MOONS[:10]) ** 2).sum(axis=2) / 0.36
    assert k.of_squares(squares.astype(np.float32)) == pytest.approx(k(MOONS, MOONS[:10]), abs=1e-5)


@every_kernel
@pytest.mark.parametrize("d", [1, 3])
def test_gradients_of_covariances_are_central_differences(names, d):
    X, k = RNG.uniform(0, 3, (20, d)), Covariance(names, 0.7, 2.0, 1.3)
    for gradient, step in zip(k.gradients(X, X), 1e-5 * np.eye(len(k.logs)), strict=True):
        up, down = (k.with_logs(k.logs + sign * step)(X, X) for sign in (1, -1))
        assert np.abs(gradient - (up - down) / 2e-5).max() < 1e-6


def test_close_points_far_from_the_origin_keep_their_distance():
    far = np.array([[1e8, 1e8], [1e8 + 1, 1e8 + 2]])
    assert Covariance(("rbf",), 1.0, 1.0)(far, far)[0, 1] == pytest.approx(math.exp(-2.5))


@pytest.mark.parametrize("n", [1, 2, 48, 49, 200])
def test_a_triangular_matrix_is_inverted_and_solves(n):
    rng = np.random.default_rng(n)
    L, b = np.tril(rng.normal(size=(n, n))) / n + np.eye(n), rng.normal(size=n)
    assert np.abs(triangular_inverse(L) @ L - np.eye(n)).max() < 1e-12
    assert cholesky_solve(L, b) == pytest.approx(np.linalg.solve(L @ L.T, b), rel=1e-9, abs=1e-11)


# regression


@every_smooth
@pytest.mark.parametrize("noise", [0.04, 1.0])
def test_inducing_points_give_the_exact_posterior(k, noise):
    found, exact = fit_at_once(k, noise, LINE, TARGET), RegressionFit.exact(k, noise, LINE, TARGET)
    assert found.span is not None
    for ours, theirs in zip(found.posterior.moments(BEYOND), exact.posterior.moments(BEYOND)):
        assert np.abs(ours - theirs).max() < 1e-6 * max(1.0, np.abs(theirs).max())
    assert found.evidence == pytest.approx(exact.evidence, abs=1e-5)
    assert found.gradient() == pytest.approx(exact.gradient(), rel=1e-5, abs=1e-4)
    z = np.linspace(-4, 5, 40)[:, None]
    off = found.posterior.between(BEYOND, z) - exact.posterior.between(BEYOND, z)
    assert np.abs(off).max() < 1e-6 * float(k.diagonal(BEYOND).max())


def test_inducing_points_agree_with_scikit_learn():
    found = fit_at_once(SMOOTH["rbf"], 0.04, LINE, TARGET)
    theirs = GaussianProcessRegressor(ConstantKernel(1.5) * RBF(0.8), alpha=0.04, optimizer=None)
    mean, deviation = theirs.fit(LINE, TARGET).predict(BEYOND, return_std=True)
    ours, variance = found.posterior.moments(BEYOND)
    assert np.abs(ours - mean).max() < 1e-6
    assert np.abs(np.sqrt(variance) - deviation).max() < 1e-6
    assert found.evidence == pytest.approx(theirs.log_marginal_likelihood_value_, abs=1e-5)


@every_kernel
def test_gradients_of_the_evidence_are_central_differences(names):
    X, y, k = LINE[:60], TARGET[:60], Covariance(names, 0.7, 2.0, 1.3)
    fit = RegressionFit.exact(k, 0.05, X, y)
    found = [
        (fit.with_logs(fit.logs + step).evidence - fit.with_logs(fit.logs - step).evidence) / 2e-5
        for step in 1e-5 * np.eye(len(fit.logs))
    ]
    assert fit.gradient() == pytest.approx(found, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("shift, unit", [(1e6, 1.0), (0.0, 1e-9), (-5.0, 1e9)])
def test_neither_the_origin_nor_the_unit_matters(shift, unit):
    here = fit_at_once(SMOOTH["rbf"], 0.04, LINE, TARGET).posterior
    there = fit_at_once(Covariance(("rbf",), 0.8 * unit, 1.5), 0.04, LINE * unit + shift, TARGET).posterior
    assert np.allclose(there.mean(LINE * unit + shift), here.mean(LINE), atol=1e-6)


def test_inducing_points_are_for_smooth_kernels_some_noise_and_many_points():
    rbf = SMOOTH["rbf"]
    assert regression_span(rbf, 0.1, LINE) is not None
    assert regression_span(Covariance(("rbf", "matern52"), 1.0, 1.0), 0.1, LINE) is None
    assert regression_span(rbf, 1e-6, LINE) is None
    assert regression_span(rbf, 0.1, LINE[:100]) is None
    assert regression_span(Covariance(("rbf",), 0.005, 1.0), 0.1, LINE) is None
    assert fit_at_once(rbf, 1e-6, LINE[:AT_ONCE], TARGET[:AT_ONCE]).span is None
    assert fit_at_once(rbf, 1e-6, LINE, TARGET) is None


@pytest.mark.parametrize("repeated", [2, 3])
def test_points_that_repeat_without_noise_still_give_a_curve(repeated):
    x = np.tile(np.linspace(0, 1, 300), repeated)
    *_, found = fits(Covariance(("matern32",), 0.8, 1.5), 1e-12, x[:, None], np.sin(5 * x))
    assert np.abs(found.posterior.mean(x[:, None]) - np.sin(5 * x)).max() < 1e-3
    assert math.isfinite(found.evidence)


def test_one_point_pulls_the_mean_by_its_share_of_the_variance():
    point = np.array([[3.0]])
    fit = RegressionFit.exact(Covariance(("rbf",), 0.7, 2.5), 0.5, point, np.array([2.0]))
    mean, variance = fit.posterior.moments(point)
    assert mean[0] == pytest.approx(2.0 * 2.5 / 3.0)
    assert variance[0] == pytest.approx(2.5 - 2.5**2 / 3.0)
    assert fit.posterior.mean(np.array([[1e3]]))[0] == 0
    assert fit.evidence == pytest.approx(-0.5 * 4 / 3 - 0.5 * math.log(3) - 0.5 * math.log(2 * math.pi))


def test_the_same_point_twice_is_one_with_half_the_noise():
    k, places = Covariance(("rbf",), 0.7, 2.5), LINE[:40]
    twice = RegressionFit.exact(k, 0.5, np.array([[3.0], [3.0]]), np.array([1.0, 3.0]))
    once = RegressionFit.exact(k, 0.25, np.array([[3.0]]), np.array([2.0]))
    assert np.allclose(twice.posterior.moments(places), once.posterior.moments(places))


# spans


@pytest.mark.parametrize("length", [0.3, 1.0, 10.0])
@pytest.mark.parametrize("variance", [1e-3, 1e4])
def test_features_multiply_to_the_covariances(length, variance):
    k = Covariance(("rbf",), length, variance)
    found = Span.of(k, MOONS, slack_of(k), 250)
    assert np.abs(found.features @ found.features.T - k(MOONS, MOONS)).max() <= 4 * slack_of(k)
    assert {tuple(place) for place in found.inducing} <= {tuple(place) for place in MOONS}
    L = np.linalg.cholesky(k(found.inducing, found.inducing))
    assert found.inverse @ L == pytest.approx(np.eye(len(L)), abs=1e-6)


def test_points_beyond_the_sample_are_explained_as_well():
    points, _ = make_blobs(6000, centers=3, random_state=1)
    points[4321] = [40.0, 40.0]  # alone, and not among those that are asked first
    search, counts = Span.search(Covariance(("rbf",), 2.0, 1.0), points, 1e-7, MOST_INDUCING), []
    while True:
        try:
            counts.append(next(search))
        except StopIteration as end:
            found = end.value
            break
    left = 1.0 - np.einsum("nr,nr->n", found.features, found.features)
    assert left.max() <= 4e-7
    assert [40.0, 40.0] in found.inducing.tolist()
    assert counts[0] == REPORT
    assert max(counts) == len(found.inducing)


@pytest.mark.parametrize("kind, length", [("rbf", 0.02), ("matern32", 0.5), ("matern52", 0.1)])
def test_rough_or_narrow_covariances_have_no_span(kind, length):
    points, _ = make_moons(850, noise=0.4, random_state=0)
    assert Span.of(Covariance((kind,), length, 1.0), points, 1e-7, MOST_INDUCING) is None


def test_points_on_one_spot_need_one_inducing_point():
    found = Span.of(Covariance(("rbf",), 0.5, 4.0), np.tile([[1.0, 2.0]], (50, 1)), 4e-7, 25)
    assert found.features == pytest.approx(np.full((50, 1), 2.0))


# Laplace's approximation


@every_shape
def test_the_mode_is_where_scipy_finds_the_top(kind):
    X, y, k = MOONS[:60], Y[:60], Covariance((kind,), 0.8, 4.0)
    K, mode = k(X, X), mode_of(k, X, y)

    def below(a):
        f = K @ a
        slope = K @ (a - (y - 1 / (1 + np.exp(-f))))
        return np.logaddexp(0, np.where(y > 0, -f, f)).sum() + 0.5 * a @ f, slope

    found = minimize(below, np.zeros(60), jac=True, method="BFGS", options={"gtol": 1e-6})
    assert mode.objective == pytest.approx(-found.fun, abs=1e-6)
    assert mode.f == pytest.approx(K @ mode.c)


def test_in_a_span_the_mode_is_that_of_a_logistic_regression():
    found = Span.of(Covariance(("rbf",), 1.0, 4.0), MOONS, 4e-7, 250)
    *_, last = newton(SpannedMode.start(found, Y))
    theirs = LogisticRegression(C=1.0, fit_intercept=False, tol=1e-10, max_iter=1000)
    theirs.fit(found.features, LABELS)
    assert last.c == pytest.approx(theirs.coef_[0], rel=1e-3, abs=1e-4)
    assert last.probabilities == pytest.approx(theirs.predict_proba(found.features)[:, 1], rel=1e-4)


@pytest.mark.parametrize("variance", [0.1, 4.0, 1e3])
def test_in_a_span_steps_rise_and_the_posterior_is_that_of_all_points(variance):
    k = Covariance(("rbf",), 0.6, variance)
    path, exact = list(newton(SpannedMode.start(Span.of(k, MOONS, slack_of(k), 250), Y))), mode_of(k)
    assert all(after.objective >= before.objective for before, after in pairwise(path))
    assert path[-1].evidence == pytest.approx(exact.evidence, abs=1e-3)
    assert np.abs(path[-1].f - exact.f).max() < 1e-4 * max(variance / 4, 1)
    places = np.random.default_rng(0).uniform((-2, -1.5), (3, 2), size=(200, 2))
    (_, few), (_, whole) = (mode.posterior().moments(places) for mode in (path[-1], exact))
    assert np.abs(few - whole).max() < 1e-2 * variance
    mean, left = path[-1].posterior().moments(np.array([[100.0, 100.0]]))
    assert (mean[0], left[0]) == pytest.approx((0.0, variance))


@every_shape
def test_gradients_of_the_approximate_evidence_are_central_differences(kind):
    k = Covariance((kind,), 0.6, 7.0)
    X, y = MOONS[:120], Y[:120]
    found = [
        (mode_of(k.with_logs(k.logs + e), X, y).evidence - mode_of(k.with_logs(k.logs - e), X, y).evidence)
        / 2e-4
        for e in 1e-4 * np.eye(2)
    ]
    assert mode_of(k, X, y).gradient() == pytest.approx(found, rel=1e-5, abs=1e-5)


def test_a_warm_start_ends_at_the_same_mode():
    before, k = mode_of(Covariance(("rbf",), 0.8, 4.0)), Covariance(("rbf",), 0.7, 5.0)
    cold = list(newton(ExactMode.start(k, MOONS, k(MOONS, MOONS), Y)))
    warm = list(newton(ExactMode.start(k, MOONS, k(MOONS, MOONS), Y, before.c)))
    assert warm[-1].evidence == pytest.approx(cold[-1].evidence, abs=1e-8)
    assert len(warm) <= len(cold)


@every_shape
def test_the_variance_is_that_of_the_textbook(kind):
    k, places = Covariance((kind,), 0.5, 2.0), np.random.default_rng(0).normal(size=(20, 2))
    posterior = mode_of(k).posterior()
    near = k(places, MOONS)
    assert isinstance(posterior, ExactPosterior)
    # Rasmussen and Williams 2006, (3.24)
    inner = np.linalg.inv(k(MOONS, MOONS) + np.diag(posterior.roots**-2.0))
    mean, variance = posterior.moments(places)
    assert variance == pytest.approx(2.0 - np.einsum("mi,ij,mj->m", near, inner, near), abs=1e-9)
    assert mean == pytest.approx(near @ posterior.a, abs=1e-12)


# optimisation


@pytest.mark.parametrize("high, top", [(5.0, (1.0, -2.0)), (0.5, (0.5, -1.75))])
def test_bfgs_reaches_the_top_of_a_hill_or_the_edge_of_its_box(high, top):
    search = BoxBfgs(np.zeros(2), np.full(2, -5.0), np.full(2, high))
    bend = np.array([[3.0, 1.0], [1.0, 2.0]])
    while not search.done:
        apart = search.trial - np.array([1.0, -2.0])
        search.update(-0.5 * apart @ bend @ apart, -bend @ apart)
    assert search.best == pytest.approx(top, abs=1e-3)
    assert search.evaluations < 40


class Hill:
    """-(x - 2)^2 - 10 (y + 1)^2 at a place."""

    def __init__(self, place):
        self.place = place
        self.evidence = -float((place[0] - 2) ** 2 + 10 * (place[1] + 1) ** 2)

    def gradient(self):
        return np.array([-2 * (self.place[0] - 2), -20 * (self.place[1] + 1)])


def test_a_maximisation_reports_improvements_and_evaluations():
    search = BoxBfgs(np.zeros(2), np.full(2, -9.0), np.full(2, 9.0))

    def evaluate(place):
        yield "evaluating"
        return Hill(place)

    reports, run = [], maximise(search, evaluate, lambda before, after: (before.evidence, after.evidence))
    while True:
        try:
            reports.append(next(run))
        except StopIteration as end:
            top = end.value
            break
    rises = [report for report in reports if report != "evaluating"]
    assert reports.count("evaluating") == search.evaluations
    assert top.place == pytest.approx([2, -1], abs=1e-3)
    assert all(before < after for before, after in rises)
    assert all(one[1] == other[0] for one, other in pairwise(rises))
