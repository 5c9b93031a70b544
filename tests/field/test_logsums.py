"""Logs of kernel sums against scipy's logsumexp and scikit-learn's densities, however far out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from scipy.special import logsumexp
from sklearn.neighbors import KernelDensity

from vizml.field import Raster
from vizml.field.cones import cone_logs
from vizml.field.logsums import gaussian_logs, log_sums

CENTRES = np.random.default_rng(0).normal(size=(50, 2))
SCREEN = Raster.over((-3.0, 4.0, -2.0, 3.0), 43, 150)


def square(gamma):
    return lambda away: gamma * away


def root(rate):
    return lambda away: rate * np.sqrt(away)


def exact(raster, exponent, centres=CENTRES):
    away = cdist(raster.points(), centres, "sqeuclidean")
    return logsumexp(-exponent(away), axis=1).reshape(raster.shape)


def error(found, right):
    """In units of what a float32 can hold of the value, or of 1."""
    return (np.abs(found - right) / np.maximum(np.abs(right), 1.0)).max()


KINDS = [(gaussian_logs, square), (cone_logs, root)]
every_kind = pytest.mark.parametrize("logs, exponent", KINDS, ids=["gaussian", "laplace"])


@every_kind
@pytest.mark.parametrize("rate", [1e-3, 0.5, 30.0, 1e4])
def test_every_pixel_has_the_log_of_the_sum(logs, exponent, rate):
    found = logs(SCREEN, CENTRES, rate)
    assert found.dtype == np.float32
    assert error(found, exact(SCREEN, exponent(rate))) < 2e-6


@every_kind
@given(zoom=st.floats(-4, 3), x=st.floats(-40, 40), rate=st.floats(-2, 4))
def test_it_holds_wherever_the_raster_lies(logs, exponent, zoom, x, rate):
    half, rate = 10.0**zoom, 10.0**rate
    raster = Raster.over((x - half, x + half, -half, half), 11, 9)
    assert error(logs(raster, CENTRES, rate), exact(raster, exponent(rate))) < 4e-6


def test_the_step_from_the_product_to_single_pixels_is_not_seen():
    """Just where sums underflow the way of finding them changes."""
    raster = Raster(np.linspace(3.0, 30.0, 400), np.linspace(-1.0, 1.0, 5))
    found = gaussian_logs(raster, CENTRES, 1.0)
    assert found.min() < -600 < -200 < found.max()
    assert error(found, exact(raster, square(1.0))) < 2e-6
    assert (np.diff(found[2]) < 0).all()


@pytest.mark.parametrize("x", [0.0, 6.0, 16.0, 21.0])
def test_fine_pixels_see_a_steep_fall_as_coarse_ones_do(x):
    """Far out a sum falls by many powers of ten within a few pixels, and then below all numbers."""
    raster = Raster.over((x, x + 4.0, -2.0, 2.0), 200, 200)
    found = gaussian_logs(raster, CENTRES, 1.0)
    few = Raster(raster.x[::9], raster.y[::7])
    assert error(found[::7, ::9], exact(few, square(1.0))) < 2e-6


@pytest.mark.parametrize("kernel, logs", [("gaussian", gaussian_logs), ("exponential", cone_logs)])
def test_shapes_are_those_of_scikit_learn_up_to_a_constant(kernel, logs):
    theirs = KernelDensity(kernel=kernel, bandwidth=0.5).fit(CENTRES).score_samples(SCREEN.points())
    ours = logs(SCREEN, CENTRES, 2.0)  # 1 / (2 h^2) and 1 / h are both 2
    apart = ours.ravel() - theirs
    assert np.ptp(apart) < 1e-4


@every_kind
def test_points_and_pixels_agree(logs, exponent):
    points = log_sums(SCREEN.points(), CENTRES, exponent(3.0)).reshape(SCREEN.shape)
    assert error(logs(SCREEN, CENTRES, 3.0), points) < 2e-6
    assert np.abs(points - exact(SCREEN, exponent(3.0))).max() < 1e-11


@every_kind
def test_a_centre_given_twice_counts_twice(logs, exponent):
    one = log_sums(SCREEN.points(), CENTRES, exponent(3.0))
    twice = log_sums(SCREEN.points(), np.repeat(CENTRES, 2, axis=0), exponent(3.0))
    assert np.abs(twice - one - np.log(2)).max() < 1e-12
    drawn = logs(SCREEN, np.repeat(CENTRES, 2, axis=0), 3.0) - logs(SCREEN, CENTRES, 3.0)
    assert np.abs(drawn - np.log(2)).max() < 1e-4


@every_kind
def test_one_centre_is_its_own_exponent(logs, exponent):
    centre = np.array([[0.5, -0.5]])
    away = cdist(SCREEN.points(), centre, "sqeuclidean")[:, 0].reshape(SCREEN.shape)
    assert error(logs(SCREEN, centre, 2.0), -exponent(2.0)(away)) < 2e-6


@every_kind
@pytest.mark.parametrize("size", [1e-6, 1e6])
def test_size_does_not_matter(logs, exponent, size):
    rate = 0.7 / (size**2 if logs is gaussian_logs else size)
    resized = logs(Raster(SCREEN.x * size, SCREEN.y * size), CENTRES * size, rate)
    assert error(resized, logs(SCREEN, CENTRES, 0.7)) < 4e-6


@every_kind
def test_bands_agree_with_the_whole(logs, exponent):
    bands = np.concatenate([logs(band, CENTRES, 2.0) for _, band in SCREEN.bands(17)])
    assert error(bands, logs(SCREEN, CENTRES, 2.0)) < 1e-6


def test_more_pairs_than_go_at_a_time_are_as_good(monkeypatch):
    points = SCREEN.points()
    at_once = log_sums(points, CENTRES, square(1.0)), cone_logs(SCREEN, CENTRES, 1.0)
    monkeypatch.setattr("vizml.field.logsums.CHUNK", 60)
    assert np.array_equal(log_sums(points, CENTRES, square(1.0)), at_once[0])
    assert np.array_equal(cone_logs(SCREEN, CENTRES, 1.0), at_once[1])


@every_kind
def test_an_empty_raster_has_no_logs(logs, exponent):
    assert logs(Raster([], [1.0]), CENTRES, 1.0).shape == (1, 0)
    assert logs(Raster([1.0], []), CENTRES, 1.0).shape == (0, 1)
    assert log_sums(np.empty((0, 2)), CENTRES, square(1.0)).shape == (0,)
