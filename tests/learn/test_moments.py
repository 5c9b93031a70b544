"""Moments of classes, the ellipses they are drawn as, and tables of counts: numpy's and scipy's figures."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import mahalanobis
from scipy.stats import multivariate_normal
from sklearn.covariance import shrunk_covariance

from vizml.data import Dataset
from vizml.learn.bayes.ellipses import ellipses
from vizml.learn.bayes.moments import WIDENED, Moments, shrunk, singular, spread, widened
from vizml.learn.priors import prior_shares

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(50, 2)) @ [[2.0, 1.0], [0.0, 0.5]] + [10.0, -3.0]
LABELS = np.repeat([2, 5, 7], [30, 15, 5])
DATA = Dataset(POINTS, LABELS)
COVARIANCE = np.array([[4.0, 1.5], [1.5, 1.0]])


def groups():
    return [POINTS[LABELS == label] for label in (2, 5, 7)]


def test_counts_means_and_covariances_are_numpys():
    moments = Moments.of(DATA)
    assert moments.counts.tolist() == [30, 15, 5]
    for k, group in enumerate(groups()):
        assert np.allclose(moments.means[k], group.mean(axis=0))
        assert np.allclose(moments.covariances[k], np.cov(group.T, bias=True))
    assert np.allclose(moments.mean, POINTS.mean(axis=0))
    assert np.allclose(moments.covariance, np.cov(POINTS.T, bias=True))


def test_what_is_within_and_between_the_classes_is_all_there_is():
    """The law of total covariance."""
    moments = Moments.of(DATA)
    about = moments.about(np.tile(moments.mean, (3, 1)))
    assert np.allclose(np.tensordot(prior_shares(moments.counts, "data"), about, axes=1), moments.covariance)


def test_mean_squares_about_another_place_are_those_of_the_points():
    centres = RNG.normal(size=(3, 2))
    for about, group, centre in zip(Moments.of(DATA).about(centres), groups(), centres):
        apart = group - centre
        assert np.allclose(about, apart.T @ apart / len(group))


def test_a_class_is_told_by_its_points_and_its_mean():
    moments = Moments.of(Dataset([[1.0, 2.0], [3.0, 4.5], [8.0, 1.0]], [0, 0, 1]))
    assert moments.told("A", 0) == "class A: 2 points, mean (2, 3.25)"
    assert moments.told("fig", 1) == "class fig: 1 point, mean (8, 1)"


def test_the_surprise_is_that_of_scipys_densities():
    moments, priors = Moments.of(DATA), np.array([0.5, 0.3, 0.2])
    centres = RNG.normal([10, -3], size=(3, 2))
    covariances = np.array([COVARIANCE, 2 * COVARIANCE, np.diag([1.0, 9.0])])
    expected = -sum(
        (multivariate_normal(centre, covariance).logpdf(group) + math.log(prior)).sum()
        for group, centre, covariance, prior in zip(groups(), centres, covariances, priors)
    )
    assert moments.surprise(priors, centres, covariances) == pytest.approx(expected)


def test_the_own_moments_surprise_least():
    moments = Moments.of(DATA)
    own = moments.surprise(prior_shares(moments.counts, "data"), moments.means, moments.covariances)
    assert own < moments.surprise(prior_shares(moments.counts, "equal"), moments.means, moments.covariances)
    assert own < moments.surprise(
        prior_shares(moments.counts, "data"), moments.means + 0.05, moments.covariances
    )
    assert own < moments.surprise(
        prior_shares(moments.counts, "data"), moments.means, 1.1 * moments.covariances
    )


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_shrinkage_is_that_of_scikit_learn(share):
    assert np.allclose(shrunk(COVARIANCE, share), shrunk_covariance(COVARIANCE, share))


@given(st.floats(0, 1))
def test_shrinking_keeps_the_total_variance_and_the_axes(share):
    ours = shrunk(COVARIANCE, share)
    assert np.trace(ours) == pytest.approx(5.0)
    assert np.allclose(ours @ COVARIANCE, COVARIANCE @ ours)


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
@pytest.mark.parametrize("across", [1e-6, 1.0, 1e6])
def test_a_line_is_singular_in_any_units_and_a_cloud_is_not(size, across):
    units = np.array([size, size * across])
    line = np.outer([1.0, 2.0], [1.0, 2.0]) * np.outer(units, units)
    assert singular(line)
    assert not singular(COVARIANCE * np.outer(units, units))


@pytest.mark.parametrize("covariance", [np.diag([1.0, 0.0]), np.diag([0.0, 1.0]), np.zeros((2, 2))])
def test_upright_and_level_lines_and_single_places_are_singular(covariance):
    assert singular(covariance)


@pytest.mark.parametrize("size", [1e-10, 1.0, 1e10])
def test_a_line_is_widened_so_little_that_it_stays_one(size):
    line = size * np.outer([1.0, 2.0], [1.0, 2.0])
    wide, words = widened(line, np.eye(2))
    values = np.linalg.eigvalsh(wide)
    assert words == "a line, widened to have a shape"
    assert not singular(wide)
    assert values == pytest.approx(5 * size * np.array([WIDENED, 1 + WIDENED]))


def test_a_single_place_takes_a_circle_as_large_as_the_data():
    circle, words = widened(np.zeros((2, 2)), np.diag([6.0, 2.0]))
    assert np.array_equal(circle, 4.0 * np.eye(2))
    assert words == "a single place, for which a circle of σ 2 stands"


def test_where_all_points_are_in_one_place_the_circle_has_a_radius_of_one():
    assert np.array_equal(widened(np.zeros((2, 2)), np.zeros((2, 2)))[0], np.eye(2))


def test_a_covariance_in_words():
    assert spread(COVARIANCE) == "σ 2 by 1, correlation 0.75"
    assert spread(np.array([[1.0, -0.5], [-0.5, 1.0]])) == "σ 1 by 1, correlation -0.5"


def test_ellipses_lie_at_one_two_and_three_mahalanobis_distances():
    mean, inverse = np.array([3.0, -1.0]), np.linalg.inv(COVARIANCE)
    for sigma, outline in enumerate(ellipses(mean, COVARIANCE), start=1):
        assert [mahalanobis(at, mean, inverse) for at in outline] == pytest.approx([sigma] * len(outline))


def test_an_ellipse_reaches_as_far_as_its_standard_deviations():
    one, *_ = ellipses(np.zeros(2), COVARIANCE)
    assert np.abs(one).max(axis=0) == pytest.approx([2.0, 1.0], rel=5e-3)


def test_outlines_do_not_repeat_their_first_point():
    one, *_ = ellipses(np.zeros(2), np.eye(2))
    assert not np.allclose(one[0], one[-1])
    assert np.allclose(np.hypot(*(one[0] - one[-1])), np.hypot(*(one[0] - one[1])))


def test_a_line_is_an_ellipse_without_width_even_where_rounding_says_less_than_none():
    outline = ellipses(np.array([1.0, 2.0]), np.array([[1.0, 1.0], [1.0, 1.0 - 1e-15]]))[0]
    assert np.isfinite(outline).all()
    assert np.allclose(outline[:, 0] - outline[:, 1], -1.0, atol=1e-6)


@given(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3), st.floats(0.01, 100), st.floats(0.01, 100))
def test_moments_follow_a_change_of_units(right, up, wide, high):
    units, move = np.array([wide, high]), np.array([right, up])
    ours, theirs = Moments.of(Dataset(POINTS * units + move, LABELS)), Moments.of(DATA)
    assert np.allclose(ours.means, theirs.means * units + move)
    assert np.allclose(ours.covariances, theirs.covariances * np.outer(units, units), rtol=1e-6, atol=1e-9)


def test_unlabelled_points_are_no_class():
    labels = np.where(LABELS == 7, -1, LABELS)
    assert Moments.of(Dataset(POINTS, labels)).counts.tolist() == [30, 15]
