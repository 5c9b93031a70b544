"""Gaussian processes by the few points that span the others: covariances, the mode, moments."""

import numpy as np
import pytest
from scipy.linalg import cholesky
from scipy.optimize import minimize
from sklearn.datasets import make_blobs, make_moons

from vizml.learn.gaussian_processes.covariance import Covariance, squared_distances
from vizml.learn.gaussian_processes.laplace import newton
from vizml.learn.gaussian_processes.posterior import Process
from vizml.learn.gaussian_processes.spanned import OFTEN, SLACK, WIDEST, Span, newton_in_span

X, LABELS = make_moons(300, noise=0.25, random_state=0)
Y = LABELS.astype(float)
PLACES = np.random.default_rng(0).uniform((-2, -1.5), (3, 2), size=(200, 2))


def span(length=0.5, variance=4.0, points=X):
    return Span.of(Covariance("rbf", length, variance), points)


def matrix(found, points=X):
    return found.covariance.of(squared_distances(points, points))


@pytest.mark.parametrize("length", [0.3, 1.0, 10.0])
@pytest.mark.parametrize("variance", [1e-3, 1e4])
def test_features_multiply_to_the_covariances(length, variance):
    found = span(length, variance)
    F = found.features
    assert np.abs(F @ F.T - matrix(found)).max() <= 4 * SLACK * variance
    assert F.shape == (300, len(found.few))
    assert len(found.few) < 300


def test_the_few_are_points_and_their_inverse_is_that_of_scipys_factor():
    found = span()
    assert {tuple(place) for place in found.few} <= {tuple(place) for place in X}
    lower = cholesky(matrix(found, found.few), lower=True)
    assert found.inverse @ lower == pytest.approx(np.eye(len(lower)), abs=1e-6)


def test_the_longer_the_covariance_the_fewer_tell_it():
    counts = [len(span(length).few) for length in (0.3, 0.6, 1.2, 2.4)]
    assert counts == sorted(counts, reverse=True)


def test_points_beyond_the_sample_are_told_as_well():
    points, _ = make_blobs(6000, centers=3, random_state=1)
    points[4321] = [40.0, 40.0]  # alone, and not among those that are asked first
    found = span(2.0, 1.0, points)
    left = 1.0 - np.einsum("nr,nr->n", found.features, found.features)
    assert left.max() <= 4 * SLACK
    assert [40.0, 40.0] in found.few.tolist()


@pytest.mark.parametrize("kind, length", [("rbf", 0.02), ("matern32", 0.5), ("matern52", 0.1)])
def test_what_takes_many_has_no_span(kind, length):
    points, _ = make_moons(WIDEST + 400, noise=0.4, random_state=0)
    assert Span.of(Covariance(kind, length, 1.0), points) is None


def test_points_on_one_spot_are_told_by_one():
    found = span(points=np.tile([[1.0, 2.0]], (50, 1)))
    assert len(found.few) == 1
    assert found.features == pytest.approx(np.full((50, 1), 2.0))


def test_the_mode_is_where_scipy_finds_the_top():
    found = span(1.0)
    *_, last = newton_in_span(found, Y)
    F = found.features

    def fall(w):
        f = F @ w
        value = np.logaddexp(0.0, np.where(Y > 0, -f, f)).sum() + 0.5 * w @ w
        return value, w - F.T @ (Y - 1 / (1 + np.exp(-f)))

    top = minimize(fall, np.zeros(F.shape[1]), jac=True, method="L-BFGS-B", options={"gtol": 1e-9, "ftol": 0})
    assert last.height == pytest.approx(-top.fun, abs=1e-6)
    assert np.abs(fall(last.w)[1]).max() < 1e-5


def test_each_step_climbs_and_the_evidence_is_the_one_of_all_points():
    found = span()
    path = list(newton_in_span(found, Y))
    assert (np.diff([here.height for here in path]) >= 0).all()
    whole = list(newton(matrix(found), Y))
    ours, theirs = ([here.evidence for here in each] for each in (path, whole))
    assert ours[: len(theirs)] == pytest.approx(theirs[: len(ours)], abs=1e-4)
    assert np.abs(path[-1].f - whole[-1].f).max() < 1e-4


@pytest.mark.parametrize("variance", [0.1, 4.0, 1e3])
def test_a_spanned_process_says_what_the_whole_one_does(variance):
    found = span(0.6, variance)
    *_, few = newton_in_span(found, Y)
    *_, mode = newton(matrix(found), Y)
    ours, theirs = few.process(), Process(found.covariance, X, mode.a, mode.roots)
    assert len(ours.points) < len(X)
    assert np.abs(ours.chances(X) - theirs.chances(X)).max() < 5e-6
    assert np.abs(ours.chances(PLACES) - theirs.chances(PLACES)).max() < 1e-3
    assert np.abs(ours.moments(X)[1] - theirs.moments(X)[1]).max() < 1e-4 * variance


def test_far_from_all_points_the_prior_is_left():
    *_, last = newton_in_span(span(), Y)
    mean, variance = last.process().moments(np.array([[100.0, 100.0]]))[:, 0]
    assert (mean, variance) == pytest.approx((0.0, 4.0))


def test_the_search_tells_how_far_it_is_and_finds_the_same():
    points, _ = make_blobs(6000, centers=3, random_state=1)
    ends = []

    def search():
        ends.append((yield from Span.search(Covariance("rbf", 2.0, 4.0), points)))

    told, found = list(search()), span(2.0, 4.0, points)
    assert np.array_equal(ends[0].few, found.few)
    assert told[0] == OFTEN
    assert max(told) == len(found.few)
    assert len(told) > 3


def test_at_the_start_the_curvature_is_that_of_even_chances():
    found = span()
    first = next(newton_in_span(found, Y))
    assert first.precision is found.unbent
    F = found.features
    assert first.precision == pytest.approx(np.eye(F.shape[1]) + F.T @ F / 4, rel=1e-9, abs=1e-9)


def test_the_precision_is_that_of_a_logistic_regression():
    path = list(newton_in_span(span(), Y))
    F, p = path[2].span.features, path[2].chances
    assert path[2].precision == pytest.approx(np.eye(F.shape[1]) + (F.T * (p * (1 - p))) @ F, abs=1e-8)
