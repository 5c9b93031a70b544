"""Polynomial fields against numpy's own evaluation."""

import numpy as np
import pytest
from numpy.polynomial.polynomial import polygrid2d

from vizml.field import Raster
from vizml.field.polynomial import polynomial_field, powers


def test_powers_are_rows():
    assert np.array_equal(powers(np.array([2.0, 3.0]), 3), [[1, 1], [2, 3], [4, 9], [8, 27]])


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


def test_an_empty_raster_has_an_empty_field():
    assert polynomial_field(np.ones((2, 3, 3)), Raster([], [1.0])).shape == (2, 1, 0)
