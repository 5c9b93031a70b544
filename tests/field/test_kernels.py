"""Kernel sums as the plain sum says, and shares of them, wherever the raster lies, by logarithms."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp

from vizml.field import Raster
from vizml.field.kernels import DOUBLE, SINGLE, ProductKernel, gaussian_field, laplace_field, product_shares

SCREEN = Raster.over((-2.0, 3.0, -1.5, 2.0), 131, 97)


def gaussian(X, centres, gamma):
    return np.exp(-gamma * ((X[:, None] - centres) ** 2).sum(axis=-1))


def laplace(X, centres, gamma):
    return np.exp(-gamma * np.abs(X[:, None] - centres).sum(axis=-1))


def worst(field, values):
    """The largest error as a share of the largest value."""
    planes = values.T.reshape(field.shape)
    return np.abs(field - planes).max() / max(np.abs(planes).max(), 1e-300)


def scene(count, planes=1, scale=1.0, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(count, 2)), scale * rng.normal(size=(planes, count)), rng.normal(size=planes)


@pytest.mark.parametrize("field, kernel", [(gaussian_field, gaussian), (laplace_field, laplace)])
@pytest.mark.parametrize("count", [1, 7, 60, 400])
@pytest.mark.parametrize("gamma", [1e-3, 0.3, 1.0, 40.0, 3e3])
def test_a_pixel_has_the_sum_over_all_centres(field, kernel, count, gamma):
    centres, weights, bias = scene(count, planes=2)
    expected = kernel(SCREEN.points(), centres, gamma) @ weights.T + bias
    assert worst(field(SCREEN, centres, weights, gamma, bias), expected) < 5e-6


@pytest.mark.parametrize("field, kernel", [(gaussian_field, gaussian), (laplace_field, laplace)])
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_what_cancels_does_so_however_large_the_weights_are(field, kernel, scale):
    """Single precision would leave nothing but its own rounding."""
    centres, weights, _ = scene(20, scale=scale)
    twins = np.concatenate([centres, centres + 1e-5])
    both = np.concatenate([weights, -weights], axis=1)
    expected = kernel(SCREEN.points(), twins, 0.5) @ both.T
    assert worst(field(SCREEN, twins, both, 0.5, np.zeros(1)), expected) < 1e-5


@pytest.mark.parametrize("size", [1e-12, 1e12])
def test_size_and_place_of_the_plane_do_not_matter(size):
    centres, weights, bias = scene(150)
    usual = gaussian_field(SCREEN, centres, weights, 0.7, bias)
    resized = Raster(SCREEN.x * size, SCREEN.y * size)
    other = gaussian_field(resized, centres * size, weights, 0.7 / size**2, bias)
    assert np.abs(usual - other).max() < 1e-5


@pytest.mark.parametrize("zoom", [1.0, 1e-2, 1e-4])
def test_zooming_in_shows_the_same_function(zoom):
    centres, weights, bias = scene(150)
    near = Raster(0.3 + zoom * SCREEN.x, -0.2 + zoom * SCREEN.y)
    expected = gaussian(near.points(), centres, 2.0) @ weights.T + bias
    assert worst(gaussian_field(near, centres, weights, 2.0, bias), expected) < 2e-6


def test_far_from_all_centres_only_the_bias_is_left():
    centres, weights, bias = scene(40)
    far = Raster(SCREEN.x + 1e3, SCREEN.y)
    for field in (gaussian_field, laplace_field):
        assert field(far, centres, weights, 5.0, bias) == pytest.approx(bias[0], rel=1e-6)


def test_no_centres_leave_the_bias():
    found = laplace_field(SCREEN, np.empty((0, 2)), np.empty((2, 0)), 1.0, np.array([0.5, -1.0]))
    assert np.unique(found[0]) == [0.5]
    assert np.unique(found[1]) == [-1.0]


def test_factors_are_never_subnormal():
    axis = np.linspace(0.0, 60.0, 4001)
    for dtype in (SINGLE, DOUBLE):
        values = ProductKernel(1.0, 2).factors(axis, np.zeros(1), dtype)
        assert values[values > 0].min() > np.sqrt(np.finfo(dtype).tiny)


CENTRES = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0.0, 0], [1.5, 1], [0, 2]], 20, axis=0)
SIZES = (20, 30, 10)
LOGS = np.log(np.repeat([1.0, 0.5, 3.0], SIZES))
every_kernel = pytest.mark.parametrize(
    "kind", [partial(ProductKernel, power=power) for power in (2, 1)], ids=["gaussian", "laplace"]
)


def expected(raster, kernel):
    P = raster.points()
    logs = kernel.exponent(P[:, :1] - CENTRES[:, 0]) + kernel.exponent(P[:, 1:] - CENTRES[:, 1])
    logs = logs + LOGS
    sums = np.array([logsumexp(part, axis=1) for part in np.split(logs, np.cumsum(SIZES)[:-1], axis=1)])
    return np.exp(sums - logsumexp(sums, axis=0)).reshape(3, *raster.shape)


@every_kernel
@settings(max_examples=40, deadline=None)
@given(
    gamma=st.floats(-3, 5), zoom=st.floats(-4, 3), x=st.floats(-30, 30), y=st.floats(-30, 30),
)  # fmt: skip
def test_shares_are_those_of_the_logarithms(kind, gamma, zoom, x, y):
    kernel, half = kind(10.0**gamma), 10.0**zoom
    raster = Raster.over((x - half, x + half, y - half, y + half), 37, 23)
    found = product_shares(raster, kernel, CENTRES, LOGS, SIZES)
    assert found.dtype == np.float32
    # exponents of 1e9 and more lose digits to float64 itself
    scale = kernel.exponent(np.array([half + 40.0])).min()
    assert np.abs(found - expected(raster, kernel)).max() < 2e-6 - 4e-16 * scale


@every_kernel
def test_a_single_pixel_and_a_single_centre_are_enough(kind):
    raster = Raster([2.0], [3.0])
    assert product_shares(raster, kind(1e4), CENTRES[:2], LOGS[:2], (1, 1)).sum() == pytest.approx(1.0)
    assert product_shares(raster, kind(1e4), CENTRES[:1], LOGS[:1], (1,)).tolist() == [[[1.0]]]


@every_kernel
@pytest.mark.parametrize("far", [0.0, 50.0, 1e4])
def test_classes_merged_have_the_sum_of_their_shares(kind, far):
    raster = Raster.over((far - 3.0, far + 3.0, -2.0, 4.0), 23, 17)
    three = product_shares(raster, kind(2.0), CENTRES, LOGS, SIZES)
    two = product_shares(raster, kind(2.0), CENTRES, LOGS, (20, 40))
    assert np.abs(two[1] - three[1:].sum(axis=0)).max() < 2e-6
    assert np.abs(three.sum(axis=0) - 1).max() < 2e-6


@every_kernel
@pytest.mark.parametrize("factor", [1e-300, 1e-9, 1e9, 1e300])
def test_only_ratios_of_weights_matter(kind, factor):
    raster = Raster.over((-3.0, 3.0, -2.0, 4.0), 23, 17)
    usual = product_shares(raster, kind(2.0), CENTRES, LOGS, SIZES)
    assert (
        np.abs(product_shares(raster, kind(2.0), CENTRES, LOGS + np.log(factor), SIZES) - usual).max() < 2e-6
    )
