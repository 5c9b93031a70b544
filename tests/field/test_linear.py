"""Affine fields against the same sums in double precision."""

import numpy as np
import pytest

from vizml.field import Raster
from vizml.field.linear import affine_field


def by_hand(weights, intercepts, raster, centre=(0.0, 0.0)):
    x, y = np.meshgrid(raster.x - centre[0], raster.y - centre[1])
    return np.array([w[0] * x + w[1] * y + b for w, b in zip(weights, intercepts, strict=True)])


def close(field, exact):
    return np.abs(field - exact).max() <= 1e-6 * np.abs(exact).max()


def test_each_plane_is_its_function_at_the_pixel_centres():
    raster = Raster.over((-3, 5, -2, 2), 31, 17)
    weights, intercepts = np.array([[1.0, -2.0], [0.0, 0.5], [3.0, 0.0]]), np.array([0.3, 0.0, -7.0])
    field = affine_field(weights, intercepts, raster)
    assert field.shape == (3, 17, 31)
    assert field.dtype == np.float32
    assert close(field, by_hand(weights, intercepts, raster))


def test_the_centre_is_where_only_the_intercept_counts():
    centre = np.array([2.0, -1.0])
    field = affine_field(np.array([[5.0, 7.0]]), np.array([1.25]), Raster([2.0], [-1.0]), centre)
    assert field.item() == 1.25


@pytest.mark.parametrize("offset", [1e3, 1e6, 1e9])
def test_large_terms_that_cancel_leave_their_difference(offset):
    raster = Raster.over((offset, offset + 1, offset, offset + 1), 20, 20)
    weights, centre = np.array([[1.0, -1.0]]), np.array([offset, offset])
    exact = by_hand(weights, [0.0], raster, centre)
    assert close(affine_field(weights, np.zeros(1), raster, centre), exact)
    assert close(affine_field(weights, np.zeros(1), raster), exact)


def test_bands_have_the_bits_of_the_whole():
    raster, rng = Raster.over((-1, 1, -1, 1), 40, 33), np.random.default_rng(0)
    weights, intercepts = rng.normal(size=(2, 2)), rng.normal(size=2)
    bands = [affine_field(weights, intercepts, band) for _, band in raster.bands(7)]
    assert np.array_equal(np.concatenate(bands, axis=1), affine_field(weights, intercepts, raster))


def test_an_empty_raster_has_an_empty_field():
    assert affine_field(np.ones((2, 2)), np.ones(2), Raster([], [1.0])).shape == (2, 1, 0)
