"""Polynomial and affine fields against numpy in double precision."""

import numpy as np
import pytest
from numpy.polynomial.polynomial import polygrid2d

from vizml.field import Raster
from vizml.field.polynomial import affine_field, affine_plane, opposed_field, polynomial_plane


def polynomial_field(tables, raster, *units):
    out = np.empty((len(tables), *raster.shape), dtype=np.float32)
    for plane, table in zip(out, tables, strict=True):
        polynomial_plane(table, raster, plane, *units)
    return out


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (2, 6), (7, 7)])
def test_a_polynomial_is_its_sum_of_powers(shape):
    raster = Raster.over((-2, 1, -1, 3), 29, 150)
    tables = np.random.default_rng(0).normal(size=(2, *shape))
    field = polynomial_field(tables, raster)
    exact = np.array([polygrid2d(raster.x, raster.y, table).T for table in tables])
    assert field.dtype == np.float32
    assert np.abs(field - exact).max() <= 1e-6 * np.abs(exact).max()


def test_far_from_the_origin_the_centre_keeps_it_exact():
    centre, scale = np.array([1e6, -1e6]), np.array([0.5, 2.0])
    raster = Raster.over((1e6 - 0.5, 1e6 + 0.5, -1e6 - 2, -1e6 + 2), 20, 20)
    table = np.random.default_rng(1).normal(size=(5, 5))
    u, v = (raster.x - centre[0]) / scale[0], (raster.y - centre[1]) / scale[1]
    exact = polygrid2d(u, v, table).T
    field = polynomial_field(table[None], raster, centre, scale)
    assert np.abs(field[0] - exact).max() <= 1e-6 * np.abs(exact).max()


def test_large_terms_that_cancel_leave_their_difference():
    raster = Raster.over((-1, 1, -1, 1), 50, 50)
    table = np.zeros((9, 9))
    table[8, 0], table[0, 8], table[0, 0] = 1e8, -1e8, 1.0
    diagonal = polynomial_field(table[None], Raster(raster.x, raster.x))[0].diagonal()
    assert np.allclose(diagonal, 1, atol=1e-6)


def by_hand(weights, intercepts, raster, centre=(0.0, 0.0)):
    x, y = np.meshgrid(raster.x - centre[0], raster.y - centre[1])
    return np.array([w[0] * x + w[1] * y + b for w, b in zip(weights, intercepts, strict=True)])


def close(field, exact):
    return np.abs(field - exact).max() <= 1e-6 * np.abs(exact).max()


@pytest.mark.parametrize("offset", [1e3, 1e6, 1e9])
def test_large_affine_terms_that_cancel_leave_their_difference(offset):
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


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (129, 65)])
@pytest.mark.parametrize("unit", [1e-30, 1.0, 1e20])
def test_a_plane_has_the_bits_of_a_sum_of_its_middle_column_and_its_row(size, unit):
    """However the product is written: one rounding to single precision at each pixel."""
    raster, weight = Raster.over((-3, 5, -2, 2), *size), np.array([0.3, -7.0]) * unit
    middle = raster.x[size[0] // 2]
    base = (weight[1] * raster.y + (weight[0] * middle + 0.1 * unit)).astype(np.float32)
    along = (weight[0] * (raster.x - middle)).astype(np.float32)
    assert np.array_equal(
        affine_field(weight[None], np.array([0.1 * unit]), raster)[0], base[:, None] + along
    )


def test_a_plane_is_written_where_it_is_told_to():
    raster = Raster.over((-1, 1, -1, 1), 5, 4)
    out = np.full((3, 4, 5), np.nan, dtype=np.float32)
    affine_plane(np.array([1.0, 2.0]), 0.5, raster, out[1])
    assert np.isnan(out[[0, 2]]).all()
    assert close(out[1], by_hand([[1.0, 2.0]], [0.5], raster)[0])


def test_opposed_planes_are_a_function_and_its_negative():
    raster, weight, centre = Raster.over((-3, 5, -2, 2), 31, 17), np.array([1.0, -2.0]), np.array([1.0, 4.0])
    field = opposed_field(weight, 0.3, raster, centre)
    assert np.array_equal(field[1], affine_field(weight[None], np.array([0.3]), raster, centre)[0])
    assert np.array_equal(field[0], -field[1])
    assert opposed_field(weight, 0.3, Raster([1.0], [])).shape == (2, 0, 1)
