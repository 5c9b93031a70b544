"""Shares of kernel sums, wherever the raster lies, against sums of logarithms."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp

from vizml.field import Raster
from vizml.field.shares import GaussianProduct, LaplaceProduct, product_shares

CENTRES = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0.0, 0], [1.5, 1], [0, 2]], 20, axis=0)
SIZES = (20, 30, 10)
WEIGHTS = np.repeat([1.0, 0.5, 3.0], SIZES)
every_kernel = pytest.mark.parametrize("kind", [GaussianProduct, LaplaceProduct])


def expected(raster, kernel):
    P = raster.points()
    logs = kernel.exponent(P[:, :1] - CENTRES[:, 0]) + kernel.exponent(P[:, 1:] - CENTRES[:, 1])
    logs = logs + np.log(WEIGHTS)
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
    found = product_shares(raster, kernel, CENTRES, WEIGHTS, SIZES)
    assert found.dtype == np.float32
    # exponents of 1e9 and more lose digits to float64 itself
    scale = kernel.exponent(np.array([half + 40.0])).min()
    assert np.abs(found - expected(raster, kernel)).max() < 2e-6 - 4e-16 * scale


@every_kernel
def test_any_order_of_the_axes_will_do(kind):
    raster = Raster.over((-3.0, 3.0, -2.0, 4.0), 30, 20)
    shuffled = Raster(raster.x[::-1], raster.y[np.random.default_rng(0).permutation(20)])
    found = product_shares(shuffled, kind(50.0), CENTRES, WEIGHTS, SIZES)
    assert np.abs(found - expected(shuffled, kind(50.0))).max() < 2e-6


@every_kernel
def test_a_single_pixel_and_a_single_centre_are_enough(kind):
    raster = Raster([2.0], [3.0])
    assert product_shares(raster, kind(1e4), CENTRES[:2], WEIGHTS[:2], (1, 1)).sum() == pytest.approx(1.0)
    assert product_shares(raster, kind(1e4), CENTRES[:1], WEIGHTS[:1], (1,)).tolist() == [[[1.0]]]
