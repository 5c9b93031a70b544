"""Kernel sums and smooth functions: every pixel as the plain sum says."""

import numpy as np
import pytest

from vizml.field.kernels import DOUBLE, SINGLE, ProductKernel, gaussian_field, laplace_field
from vizml.field.raster import Raster

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
