"""EM and its Gaussians part by part: densities, weighted moments, covariance types, degenerate components."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

from tests.learn.datasets import blobs, moons
from vizml.learn.gaussians import GaussianComponents, constrained, least_variances, log_sum_exp
from vizml.learn.mixtures.em import e_step, em, m_step
from vizml.learn.mixtures.gmm import components_at, degenerate_components, free_parameters, kmeans_components
from vizml.learn.mixtures.views import ellipse_marks

KINDS = ("full", "tied", "diag", "spherical")
every_kind = pytest.mark.parametrize("kind", KINDS)


def start_of(X, k, kind="full", seed=0, reg=1e-6):
    return kmeans_components(X, k, kind, reg, np.random.default_rng(seed))


def covariances(count, seed=0, d=2):
    roots = np.random.default_rng(seed).normal(size=(count, d, d))
    return roots @ np.swapaxes(roots, 1, 2) + 0.01 * np.eye(d)


def some(count=3, seed=0, size=4.0, d=2):
    rng = np.random.default_rng(seed)
    return GaussianComponents(
        weights=rng.dirichlet(np.ones(count)),
        means=size * (rng.normal(size=(count, d)) + np.where(np.arange(d), -3.0, 10.0)),
        covariances=covariances(count, d=d) * size**2,
    )


def theirs(components, X):
    """log w_k N(x | mu_k, S_k) by scipy."""
    parts = zip(components.weights, components.means, components.covariances, strict=True)
    return np.column_stack([np.log(w) + multivariate_normal(m, S).logpdf(X) for w, m, S in parts])


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("d", [1, 2, 5])
def test_densities_are_those_of_scipy(size, d):
    components = some(size=size, d=d)
    X = components.means.mean(axis=0) + np.random.default_rng(1).normal(size=(50, d)) * 3 * size
    assert components.log_joint(X) == pytest.approx(theirs(components, X), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("sigmas", [(1.0,), (1.0, 2.0, 3.0)])
def test_ellipses_lie_at_so_many_standard_deviations(sigmas):
    components = some()
    *marks, means = ellipse_marks(components, (0, 1, 2), sigmas)
    assert np.array_equal(means.points, components.means)
    assert [mark.ink for mark in marks] == [k for k in range(3) for _ in sigmas]
    legend = "1, 2 and 3 σ" if len(sigmas) == 3 else "1 σ"
    assert [mark.legend for mark in marks] == [legend] + [""] * (3 * len(sigmas) - 1)
    for mark, (k, sigma) in zip(marks, [(k, s) for k in range(3) for s in sigmas], strict=True):
        apart = mark.lines[0] - components.means[k]
        mahalanobis = np.einsum("ni,ij,nj->n", apart, np.linalg.inv(components.covariances[k]), apart)
        assert np.sqrt(mahalanobis) == pytest.approx(np.full(len(apart), sigma))


def test_sums_of_logs_do_not_overflow():
    logs = np.array([[1000.0, 1000.0], [-1000.0, -999.0], [0.0, -800.0]])
    assert log_sum_exp(logs) == pytest.approx(logsumexp(logs, axis=1))


@every_kind
@pytest.mark.parametrize("d", [1, 2, 4])
def test_responsibilities_are_bayes_rule_and_the_likelihood_is_their_base(kind, d):
    X = np.random.default_rng(0).normal(size=(60, d)) * 100
    components = start_of(X, 3, kind)
    responsibilities, log_likelihood = e_step(X, components)
    joint = theirs(components, X)
    expected = np.exp(joint - logsumexp(joint, axis=1)[:, None])
    assert responsibilities == pytest.approx(expected, abs=1e-9)
    assert responsibilities.sum(axis=1) == pytest.approx(np.ones(60))
    assert log_likelihood == pytest.approx(logsumexp(joint, axis=1).sum(), rel=1e-10)


def test_the_m_step_takes_weighted_means_and_covariances():
    X = moons(50)[0] * 7 + 3
    responsibilities = np.random.default_rng(0).dirichlet(np.ones(3), size=50)
    components = m_step(X, responsibilities, "full", np.full(2, 1e-9))
    assert components.weights == pytest.approx(responsibilities.mean(axis=0))
    for k in range(3):
        assert components.means[k] == pytest.approx(np.average(X, axis=0, weights=responsibilities[:, k]))
        expected = np.cov(X.T, aweights=responsibilities[:, k], bias=True)
        assert components.covariances[k] == pytest.approx(expected, abs=1e-7)


def test_covariance_types_restrict_the_covariances():
    S, counts = covariances(3), np.array([1.0, 2.0, 5.0])
    full, tied, diagonal, spherical = (constrained(S, counts, kind) for kind in KINDS)
    assert np.array_equal(full, S)
    assert tied == pytest.approx(np.stack([np.average(S, axis=0, weights=counts)] * 3))
    assert diagonal == pytest.approx(np.array([np.diag(np.diag(each)) for each in S]))
    assert spherical == pytest.approx(np.array([np.trace(each) / 2 * np.eye(2) for each in S]))


@pytest.mark.parametrize("kind, count", [("full", 17), ("tied", 11), ("diag", 14), ("spherical", 11)])
def test_free_parameters_of_three_components(kind, count):
    # two weights, six coordinates, and covariances of 3, 2 or 1 numbers each, or 3 for all
    assert free_parameters(3, 2, kind) == count


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_the_regularisation_is_in_units_of_the_data(size):
    X, reg = np.repeat([[0.0, 0.0], [size, 0.0]], 20, axis=0), (0.1 * size) ** 2
    components = start_of(X, 2, reg=reg)
    assert components.covariances == pytest.approx(np.stack([0.01 * size**2 * np.eye(2)] * 2))
    assert "component 1 has collapsed onto a single point" in degenerate_components(X, components, reg)
    least = m_step(X, np.eye(2)[np.repeat([0, 1], 20)], "full", least_variances(X)).covariances
    assert least == pytest.approx(np.stack([1e-10 * (size / 2) ** 2 * np.eye(2)] * 2))


def test_inputs_of_very_different_units_keep_their_variances():
    X = np.random.default_rng(0).normal(size=(200, 3)) * [1e-6, 1.0, 1e6]
    components = m_step(X, np.ones((200, 1)), "full", least_variances(X, 1e-30))
    assert components.covariances[0] == pytest.approx(np.cov(X.T, bias=True), rel=1e-7)
    assert degenerate_components(X, components, 1e-30) == ""


def test_at_most_two_degenerate_components_are_named():
    X = np.repeat(np.arange(4.0)[:, None] * [1.0, 2.0], 10, axis=0)
    note = degenerate_components(X, start_of(X, 4), 1e-6)
    assert note.count("collapsed") == 2
    assert note.endswith("; ...")


def test_a_component_without_points_is_said_to_have_lost_them():
    X = blobs(40)[0]
    responsibilities = np.zeros((40, 2))
    responsibilities[:, 0] = 1.0
    components = m_step(X, responsibilities, "full", np.full(2, 1e-6))
    assert degenerate_components(X, components, 1e-6) == "; component 2 has lost its points"
    assert components.means[1] == pytest.approx(X.mean(axis=0))


def test_components_at_given_means_have_equal_weights_and_the_covariance_of_all():
    X = blobs(80)[0]
    components = components_at(X, X[:4], "full", np.full(2, 1e-9))
    assert components.weights == pytest.approx(np.full(4, 0.25))
    assert components.covariances == pytest.approx(np.stack([np.cov(X.T, bias=True)] * 4), abs=1e-6)
    assert np.array_equal(components.means, X[:4])


@every_kind
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000), d=st.integers(1, 3))
def test_each_step_holds_the_likelihood_of_its_components(kind, seed, d):
    X = np.random.default_rng(seed).normal(size=(60, d))
    before = -np.inf
    for step in em(X, start_of(X, 3, kind, seed), kind, 1e-6, 1e-4):
        assert step.log_likelihood == pytest.approx(e_step(X, step.components)[1], rel=1e-9)
        assert step.log_likelihood >= before
        before = step.log_likelihood
    assert step.converged


@pytest.mark.parametrize("tol", [1e-1, 1e-3, 1e-6])
def test_the_last_iteration_gains_less_than_the_tolerance_and_no_iteration_before(tol):
    X = moons(100)[0]
    steps = [step for step in em(X, start_of(X, 4), "full", 1e-6, tol) if step.phase != "E"]
    gains = np.diff([step.log_likelihood for step in steps])
    assert (gains[:-1] >= tol * 100).all()
    assert gains[-1] < tol * 100
