"""Logarithms of kernel sums against scipy's logsumexp and scikit-learn's densities, at any distance."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from scipy.special import logsumexp
from sklearn.neighbors import KernelDensity

from vizml.field import Raster
from vizml.field.log_kernel_sums import exponential_log_sums, gaussian_log_sums

CENTRES = np.random.default_rng(0).normal(size=(60, 2))
SCREEN = Raster.over((-3.0, 4.0, -2.0, 3.0), 43, 150)
POWER = {gaussian_log_sums: 2, exponential_log_sums: 1}
every_kernel = pytest.mark.parametrize("log_sums", POWER, ids=["gaussian", "exponential"])


def exact(raster, log_sums, rate, centres=CENTRES):
    distances = cdist(raster.points(), centres)
    return logsumexp(-rate * distances ** POWER[log_sums], axis=1).reshape(raster.shape)


def error(found, right):
    """In units of what a float32 can hold of the value, or of 1."""
    return (np.abs(found - right) / np.maximum(np.abs(right), 1.0)).max()


@every_kernel
@pytest.mark.parametrize("rate", [1e-3, 0.5, 4.0, 30.0, 1e3, 1e6])
@pytest.mark.parametrize("reach", [0.5, 3.0, 60.0])
def test_every_pixel_has_the_log_of_the_sum(log_sums, rate, reach):
    raster = Raster.over((-reach, reach, -reach, 1.4 * reach), 150, 117)
    found = log_sums(raster, CENTRES, rate)
    assert found.dtype == np.float32
    assert error(found, exact(raster, log_sums, rate)) < 2e-6


@every_kernel
@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(1, 12),
    rate=st.floats(-3, 4),
    pixels=st.tuples(st.integers(1, 130), st.integers(1, 70)),
    span=st.floats(-6, 4),
    x=st.floats(-40, 40),
)
def test_on_any_raster(log_sums, seed, n, rate, pixels, span, x):
    centres, half, rate = np.random.default_rng(seed).normal(size=(n, 2)), 10.0**span, 10.0**rate
    raster = Raster.over((x - half, x + 2 * half, -half, half), *pixels)
    assert error(log_sums(raster, centres, rate), exact(raster, log_sums, rate, centres)) < 4e-6


def test_no_step_is_seen_where_products_underflow():
    raster = Raster(np.linspace(3.0, 30.0, 400), np.linspace(-1.0, 1.0, 5))
    found = gaussian_log_sums(raster, CENTRES, 1.0)
    assert found.min() < -600 < -200 < found.max()
    assert error(found, exact(raster, gaussian_log_sums, 1.0)) < 2e-6
    assert (np.diff(found[2]) < 0).all()


@pytest.mark.parametrize("x", [0.0, 6.0, 16.0, 21.0])
def test_fine_pixels_see_a_steep_fall_as_coarse_ones_do(x):
    """Far out a sum falls by many powers of ten within a few pixels, and then below all numbers."""
    raster = Raster.over((x, x + 4.0, -2.0, 2.0), 200, 200)
    found = gaussian_log_sums(raster, CENTRES, 1.0)
    few = Raster(raster.x[::9], raster.y[::7])
    assert error(found[::7, ::9], exact(few, gaussian_log_sums, 1.0)) < 2e-6


def test_a_crease_at_a_pixel_and_at_the_edge_of_a_tile_is_sharp():
    raster = Raster.over((-4.0, 4.0, -3.0, 3.0), 150, 110)
    centres = np.array([[raster.x[64], raster.y[20]], [raster.x[63], raster.y[64]]])
    assert (
        error(exponential_log_sums(raster, centres, 2.0), exact(raster, exponential_log_sums, 2.0, centres))
        < 2e-6
    )
    found = exponential_log_sums(raster, centres[:1], 2.0)
    assert found[20, 64] == found.max() == 0.0


@pytest.mark.parametrize(
    "kernel, log_sums", [("gaussian", gaussian_log_sums), ("exponential", exponential_log_sums)]
)
def test_shapes_are_those_of_scikit_learn_up_to_a_constant(kernel, log_sums):
    theirs = KernelDensity(kernel=kernel, bandwidth=0.5).fit(CENTRES).score_samples(SCREEN.points())
    ours = log_sums(SCREEN, CENTRES, 2.0)  # 1 / (2 h^2) and 1 / h are both 2
    assert np.ptp(ours.ravel() - theirs) < 1e-4


@every_kernel
@pytest.mark.parametrize("size", [1e-6, 1e6])
def test_size_does_not_matter(log_sums, size):
    rate = 0.7 / size ** POWER[log_sums]
    resized = log_sums(Raster(SCREEN.x * size, SCREEN.y * size), CENTRES * size, rate)
    assert error(resized, log_sums(SCREEN, CENTRES, 0.7)) < 4e-6
