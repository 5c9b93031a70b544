"""Shares of kernel sums, wherever the raster lies, against sums of logarithms."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp

from vizml.field import Raster
from vizml.field.kernels import ProductKernel, product_shares

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
