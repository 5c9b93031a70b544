"""EM and its Gaussians piece by piece: densities of scipy, moments by hand, shapes, what goes wrong."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import sqrtm
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

from tests.learn.datasets import blobs, moons
from vizml.field import Raster
from vizml.learn.frame import Frame
from vizml.learn.mixtures.em import LEAST, SHAPES, Expectation, em, free_parameters, started
from vizml.learn.mixtures.gaussians import (
    Gaussians,
    log_sums,
    monomials,
    smallest_variances,
    square_roots,
)

KINDS = tuple(SHAPES)
every_kind = pytest.mark.parametrize("kind", KINDS)


def task_of(X, kind="full", reg=1e-6):
    frame = Frame.of(X)
    return Expectation(frame.inside(X), frame, kind, reg)


def start_of(X, k, kind="full", init="kmeans", seed=0, reg=1e-6):
    task = task_of(X, kind, reg)
    return task, started(task, k, init, np.random.default_rng(seed))


def covariances(count, seed=0):
    roots = np.random.default_rng(seed).normal(size=(count, 2, 2))
    return roots @ np.swapaxes(roots, 1, 2) + 0.01 * np.eye(2)


def some(count=3, seed=0, spread=4.0, centre=(10.0, -3.0)):
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.ones(count))
    frame = Frame(centre=np.array(centre), spread=spread)
    return Gaussians(
        frame=frame, weights=weights, centres=rng.normal(size=(count, 2)), spreads=covariances(count)
    )


def theirs(mixture, X):
    """log w_k N(x | mu_k, S_k) by scipy, in data units."""
    parts = zip(mixture.weights, mixture.means, mixture.covariances, strict=True)
    return np.column_stack([np.log(w) + multivariate_normal(m, S).logpdf(X) for w, m, S in parts])


@pytest.mark.parametrize("spread", [1e-6, 1.0, 1e6])
def test_densities_are_scipys_in_the_units_of_the_data(spread):
    mixture = some(spread=spread, centre=(2 * spread, -spread))
    X = mixture.frame.outside(np.random.default_rng(1).normal(size=(50, 2)) * 3)
    assert mixture.joint(X) == pytest.approx(theirs(mixture, X), rel=1e-9, abs=1e-9)


def test_the_field_is_the_density_at_each_pixel():
    mixture = some()
    raster = Raster.over((0, 20, -12, 6), 40, 30)
    expected = mixture.joint(raster.points()).T.reshape(3, 30, 40)
    assert np.allclose(mixture.field(raster), expected, rtol=1e-5, atol=1e-4)


def test_each_density_integrates_to_its_weight():
    mixture = some()
    reach = 8 * np.sqrt(mixture.covariances[:, [0, 1], [0, 1]].max())
    low, high = mixture.means.min(axis=0) - reach, mixture.means.max(axis=0) + reach
    raster = Raster.over((low[0], high[0], low[1], high[1]), 600, 600)
    cell = np.ptp(raster.x) / 599 * np.ptp(raster.y) / 599
    assert np.exp(mixture.joint(raster.points())).sum(axis=0) * cell == pytest.approx(
        mixture.weights, rel=1e-4
    )


@pytest.mark.parametrize("sigmas", [(1.0,), (1.0, 2.0, 3.0)])
def test_ellipses_lie_at_so_many_standard_deviations(sigmas):
    mixture = some()
    marks = mixture.ellipses((0, 1, 2), sigmas)
    assert [mark.ink for mark in marks] == [k for k in range(3) for _ in sigmas]
    words = "1, 2 and 3 σ" if len(sigmas) == 3 else "1 σ"
    assert [mark.legend for mark in marks] == [words] + [""] * (3 * len(sigmas) - 1)
    for mark, (k, sigma) in zip(marks, [(k, s) for k in range(3) for s in sigmas], strict=True):
        apart = mark.lines[0] - mixture.means[k]
        mahalanobis = np.einsum("ni,ij,nj->n", apart, np.linalg.inv(mixture.covariances[k]), apart)
        assert np.sqrt(mahalanobis) == pytest.approx(np.full(len(apart), sigma))


@given(seed=st.integers(0, 10_000))
def test_roots_and_smallest_variances_are_those_of_the_linear_algebra(seed):
    S = covariances(4, seed)
    assert square_roots(S) == pytest.approx(np.array([sqrtm(each).real for each in S]), rel=1e-7, abs=1e-9)
    assert smallest_variances(S) == pytest.approx(np.linalg.eigvalsh(S)[:, 0], rel=1e-6, abs=1e-12)


def test_a_flat_covariance_has_a_root_though_rounding_made_it_negative():
    flat = np.array([[[1.0, 1.0 + 1e-16], [1.0 + 1e-16, 1.0]]])
    assert np.isfinite(square_roots(flat)).all()


def test_sums_of_logs_do_not_overflow():
    joint = np.array([[1000.0, 1000.0], [-1000.0, -999.0], [0.0, -800.0]])
    assert log_sums(joint) == pytest.approx(logsumexp(joint, axis=1))


def test_monomials_are_a_polynomial_of_degree_two():
    assert monomials(np.array([[2.0, 3.0]])).tolist() == [[1.0, 2.0, 3.0, 4.0, 6.0, 9.0]]


# steps


@every_kind
def test_responsibilities_are_bayes_rule_and_the_likelihood_is_their_base(kind):
    X = blobs(60)[0] * 100
    task, mixture = start_of(X, 3, kind)
    shares, likelihood = task.expect(mixture)
    joint = theirs(mixture, X)
    assert shares == pytest.approx(np.exp(joint - logsumexp(joint, axis=1)[:, None]), abs=1e-9)
    assert shares.sum(axis=1) == pytest.approx(np.ones(60))
    assert likelihood == pytest.approx(logsumexp(joint, axis=1).sum(), rel=1e-10)


def test_maximising_takes_weighted_means_and_covariances():
    X = moons(50)[0] * 7 + 3
    task = task_of(X, reg=1e-9)
    shares = np.random.default_rng(0).dirichlet(np.ones(3), size=50)
    mixture = task.maximise(shares)
    assert mixture.weights == pytest.approx(shares.mean(axis=0))
    for k in range(3):
        assert mixture.means[k] == pytest.approx(np.average(X, axis=0, weights=shares[:, k]))
        expected = np.cov(X.T, aweights=shares[:, k], bias=True)
        assert mixture.covariances[k] == pytest.approx(expected, abs=1e-7)


def test_shapes_are_what_they_are_called():
    S, counts = covariances(3), np.array([1.0, 2.0, 5.0])
    full, tied, diagonal, spherical = (
        SHAPES[kind](S, counts) for kind in ("full", "tied", "diag", "spherical")
    )
    assert np.array_equal(full, S)
    assert tied == pytest.approx(np.stack([np.average(S, axis=0, weights=counts)] * 3))
    assert diagonal == pytest.approx(np.array([np.diag(np.diag(each)) for each in S]))
    assert spherical == pytest.approx(np.array([np.trace(each) / 2 * np.eye(2) for each in S]))


@pytest.mark.parametrize("kind, count", [("full", 17), ("tied", 11), ("diag", 14), ("spherical", 11)])
def test_three_gaussians_have_so_many_free_numbers(kind, count):
    # two weights, six coordinates, and covariances of 3, 2 or 1 numbers each, or 3 for all
    assert free_parameters(3, kind) == count


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_the_added_variance_is_in_units_of_the_data(size):
    X = np.repeat([[0.0, 0.0], [size, 0.0]], 20, axis=0)
    task, mixture = start_of(X, 2, reg=(0.1 * size) ** 2)
    assert mixture.covariances == pytest.approx(np.stack([0.01 * size**2 * np.eye(2)] * 2))
    assert "component 1 has collapsed onto one place" in task.troubles(mixture)
    assert task.reg >= LEAST


def test_what_has_no_extent_is_said_twice_at_the_most():
    X = np.repeat(np.arange(4.0)[:, None] * [1.0, 2.0], 10, axis=0)
    task, mixture = start_of(X, 4)
    assert task.troubles(mixture).count("collapsed") == 2
    assert task.troubles(mixture).endswith("; ...")


def test_a_component_without_points_is_said_to_have_lost_them():
    X = blobs(40)[0]
    task = task_of(X)
    shares = np.zeros((40, 2))
    shares[:, 0] = 1.0
    assert task.troubles(task.maximise(shares)) == "; component 2 has lost its points"


def test_points_of_two_dimensions_are_no_trouble():
    task, mixture = start_of(blobs(60)[0], 3)
    assert task.troubles(mixture) == ""


def test_random_starts_have_equal_weights_and_the_spread_of_all():
    X = blobs(80)[0]
    _, mixture = start_of(X, 4, init="random", reg=1e-9)
    assert mixture.weights == pytest.approx(np.full(4, 0.25))
    assert mixture.covariances == pytest.approx(np.stack([np.cov(X.T, bias=True)] * 4), abs=1e-6)
    away = np.linalg.norm(mixture.means[:, None] - X, axis=2).min(axis=1)
    assert away.max() < 1e-9


@every_kind
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000))
def test_each_half_holds_the_likelihood_of_its_gaussians(kind, seed):
    X = blobs(60, seed=seed)[0]
    task, mixture = start_of(X, 3, kind, seed=seed)
    before = -np.inf
    for half in em(task, mixture, 1e-4):
        assert half.likelihood == pytest.approx(task.expect(half.mixture)[1], rel=1e-9)
        assert half.likelihood >= before
        before = half.likelihood
    assert half.done


@pytest.mark.parametrize("tol", [1e-1, 1e-3, 1e-6])
def test_the_last_round_gains_less_than_the_tolerance_and_no_round_before(tol):
    X = moons(100)[0]
    halves = [half for half in em(*start_of(X, 4), tol) if half.kind == "M"]
    assert all(half.gain >= tol * 100 for half in halves[:-1])
    assert halves[-1].gain < tol * 100
