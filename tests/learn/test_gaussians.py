"""Gaussian class densities: moments, covariances, quadratics and ellipses against numpy and scipy."""

import math

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import multivariate_normal
from sklearn.covariance import shrunk_covariance

from vizml.learn.gaussians import (
    RIDGE,
    ClassMoments,
    Quadratics,
    is_singular,
    log_sum_exp,
    regularised,
    shrunk,
)
from vizml.learn.outlines import ellipse
from vizml.learn.priors import prior_shares

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(50, 2)) @ [[2.0, 1.0], [0.0, 0.5]] + [10.0, -3.0]
CODES = np.repeat([0, 1, 2], [30, 15, 5])
COVARIANCE = np.array([[4.0, 1.5], [1.5, 1.0]])


def groups():
    return [POINTS[CODES == code] for code in range(3)]


def test_counts_means_and_covariances_are_numpys():
    moments = ClassMoments.of(POINTS, CODES)
    assert moments.counts.tolist() == [30, 15, 5]
    for k, group in enumerate(groups()):
        assert np.allclose(moments.means[k], group.mean(axis=0))
        assert np.allclose(moments.covariances[k], np.cov(group.T, bias=True))
    assert np.allclose(moments.mean, POINTS.mean(axis=0))
    assert np.allclose(moments.covariance, np.cov(POINTS.T, bias=True))


def test_second_moments_about_any_centres_are_those_of_the_points():
    centres = RNG.normal(size=(3, 2))
    for about, group, centre in zip(
        ClassMoments.of(POINTS, CODES).second_moments(centres), groups(), centres
    ):
        apart = group - centre
        assert np.allclose(about, apart.T @ apart / len(group))


def test_the_likelihood_is_that_of_scipys_densities():
    moments, priors = ClassMoments.of(POINTS, CODES), np.array([0.5, 0.3, 0.2])
    centres = RNG.normal([10, -3], size=(3, 2))
    covariances = np.array([COVARIANCE, 2 * COVARIANCE, np.diag([1.0, 9.0])])
    expected = -sum(
        (multivariate_normal(centre, covariance).logpdf(group) + math.log(prior)).sum()
        for group, centre, covariance, prior in zip(groups(), centres, covariances, priors)
    )
    assert moments.negative_log_likelihood(priors, centres, covariances) == pytest.approx(expected)


def test_the_moments_maximise_the_likelihood():
    moments = ClassMoments.of(POINTS, CODES)
    priors, means, covariances = prior_shares(moments.counts, "data"), moments.means, moments.covariances
    own = moments.negative_log_likelihood(priors, means, covariances)
    assert own < moments.negative_log_likelihood(prior_shares(moments.counts, "equal"), means, covariances)
    assert own < moments.negative_log_likelihood(priors, means + 0.05, covariances)
    assert own < moments.negative_log_likelihood(priors, means, 1.1 * covariances)


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_shrinkage_is_that_of_scikit_learn(share):
    assert np.allclose(shrunk(COVARIANCE, share), shrunk_covariance(COVARIANCE, share))


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
@pytest.mark.parametrize("across", [1e-6, 1.0, 1e6])
def test_a_line_is_singular_in_any_units_and_a_cloud_is_not(size, across):
    units = np.array([size, size * across])
    line = np.outer([1.0, 2.0], [1.0, 2.0]) * np.outer(units, units)
    assert is_singular(line)
    assert not is_singular(COVARIANCE * np.outer(units, units))


@pytest.mark.parametrize("covariance", [np.diag([1.0, 0.0]), np.diag([0.0, 1.0]), np.zeros((2, 2))])
def test_covariances_without_extent_along_an_axis_are_singular(covariance):
    assert is_singular(covariance)


@pytest.mark.parametrize("size", [1e-10, 1.0, 1e10])
def test_a_singular_covariance_is_barely_changed(size):
    line = size * np.outer([1.0, 2.0], [1.0, 2.0])
    wide, words = regularised(line, np.eye(2))
    values = np.linalg.eigvalsh(wide)
    assert words == "singular and was regularised"
    assert not is_singular(wide)
    assert values == pytest.approx(5 * size * np.array([RIDGE, 1 + RIDGE]))


def test_a_zero_covariance_becomes_spherical_with_the_total_variance():
    circle, words = regularised(np.zeros((2, 2)), np.diag([6.0, 2.0]))
    assert np.array_equal(circle, 4.0 * np.eye(2))
    assert words == "zero and was replaced by a spherical one with σ 2"


def test_an_ellipse_of_collinear_points_survives_negative_eigenvalues():
    outline = ellipse(np.array([1.0, 2.0]), np.array([[1.0, 1.0], [1.0, 1.0 - 1e-15]]))
    assert np.isfinite(outline).all()
    assert np.allclose(outline[:, 0] - outline[:, 1], -1.0, atol=1e-6)


@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_joint_density_is_scipys_in_any_dimension_and_on_any_section(d):
    rng = np.random.default_rng(d)
    means, priors = rng.normal([20.0] * d, size=(3, d)), np.array([0.5, 0.3, 0.2])
    roots = rng.normal(size=(3, d, d))
    covariances = roots @ roots.transpose(0, 2, 1) + 0.1 * np.eye(d)
    joint, X = Quadratics.log_joint(priors, means, covariances), rng.normal([20.0] * d, size=(40, d))
    expected = np.column_stack(
        [multivariate_normal(m, c).logpdf(X) + np.log(p) for m, c, p in zip(means, covariances, priors)]
    )
    assert joint(X) == pytest.approx(expected, rel=1e-9)
    assert joint.relative()(X) == pytest.approx(expected - expected[:, :1], rel=1e-9, abs=1e-9)
    assert log_sum_exp(joint(X)) == pytest.approx(logsumexp(expected, axis=1))
    basis, origin = np.linalg.qr(rng.normal(size=(d, min(d, 2))))[0].T, rng.normal(size=d)
    places = rng.normal(size=(30, len(basis)))
    assert joint.on(origin, basis)(places) == pytest.approx(joint(origin + places @ basis), rel=1e-9)


@pytest.mark.parametrize("d", [3, 6])
def test_singularity_is_found_in_any_dimension(d):
    X = np.random.default_rng(d).normal(size=(50, d))
    assert not is_singular(np.cov(X.T))
    assert is_singular(np.cov(np.column_stack([X, X.sum(axis=1)]).T))
    assert not is_singular(regularised(np.cov(np.column_stack([X, X.sum(axis=1)]).T), np.eye(d + 1))[0])
