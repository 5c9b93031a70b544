"""Polynomials, affine fields and Chebyshev series against numpy, and smooth fields from few values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.polynomial import chebyshev as cheb
from numpy.polynomial.polynomial import polygrid2d

from vizml.field import Raster, pointwise
from vizml.field.polynomial import (
    COUNTS,
    GAIN,
    LARGEST,
    affine_field,
    affine_plane,
    coefficients,
    expand,
    nodes,
    opposed_field,
    polynomial_plane,
    polynomial_through,
    smooth_curve,
)
from vizml.field.tiles import smooth_field


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


def test_values_beyond_single_precision_are_clipped():
    raster = Raster.over((-1, 1, -1, 1), 9, 150)
    table = np.array([[0.0, 0.0, 1e45], [3e38, 0.0, 0.0]])
    exact = polygrid2d(raster.x, raster.y, table).T
    assert np.abs(exact).max() > np.finfo(np.float32).max
    assert np.allclose(polynomial_field(table[None], raster)[0], np.clip(exact, -LARGEST, LARGEST), rtol=1e-6)


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


OVER = Raster.over((-2.0, 3.0, -1.0, 0.5), 31, 23)
seeds = st.integers(0, 10**6)


def unit(raster, over=OVER):
    """The coordinates of a raster as the polynomials want them, from -1 to 1."""
    return (
        (axis - (whole.max() + whole.min()) / 2) / (np.ptp(whole) / 2)
        for axis, whole in ((raster.x, over.x), (raster.y, over.y))
    )


def random_series(seed, planes=2, height=6, width=5):
    return np.random.default_rng(seed).normal(size=(planes, height, width))


@pytest.mark.parametrize("count", [1, 2, 7, 24])
def test_nodes_are_those_of_numpy_over_the_extent(count):
    assert np.sort(nodes(np.array([-1.0, 1.0]), count)) == pytest.approx(cheb.chebpts1(count), abs=1e-15)
    assert np.sort(nodes(OVER.x, count)) == pytest.approx(
        np.sort((OVER.x.max() + OVER.x.min()) / 2 + np.ptp(OVER.x) / 2 * cheb.chebpts1(count))
    )


@given(seeds)
def test_coefficients_are_those_of_the_polynomial_through_the_values(seed):
    series = random_series(seed)
    x, y = (nodes(np.array([-1.0, 1.0]), count) for count in (5, 6))
    values = np.array([cheb.chebgrid2d(y, x, plane) for plane in series])
    assert np.abs(coefficients(values) - series).max() < 1e-12


@given(seeds)
def test_a_series_is_evaluated_as_numpy_does(seed):
    series = random_series(seed)
    x, y = unit(OVER)
    exact = np.array([cheb.chebgrid2d(y, x, plane) for plane in series])
    assert np.abs(expand(OVER, series) - exact).max() < 1e-5


@pytest.mark.parametrize("zeros", [0, 3, 40])
def test_coefficients_that_vanish_cost_nothing_and_change_nothing(zeros):
    series = random_series(3)
    padded = np.pad(series, ((0, 0), (0, zeros), (0, 2 * zeros)))
    assert np.array_equal(expand(OVER, padded), expand(OVER, series))


def test_a_small_plane_beside_a_large_one_keeps_its_digits():
    series = random_series(4)
    small = np.stack([1e9 * series[0], 1e-9 * series[1]])
    assert np.abs(expand(OVER, small)[1] * 1e9 - expand(OVER, series)[1]).max() < 1e-5


@given(seeds, st.integers(0, 5))
def test_a_polynomial_is_known_wherever_the_raster_lies(seed, degree):
    rng = np.random.default_rng(seed)
    table, far = rng.normal(size=(degree + 1, degree + 1)), 10.0 ** rng.uniform(-3, 3)

    def scores(X):
        return np.polynomial.polynomial.polyval2d(X[:, 0] / far, X[:, 1] / far, table)[:, None]

    raster = Raster(far * OVER.x, far * OVER.y)
    exact = pointwise(scores, raster, 1)
    assert np.abs(polynomial_through(scores, raster, degree) - exact).max() <= 1e-5 * np.abs(exact).max()


@pytest.mark.parametrize("sharp", [1.0, 40.0, 1e9])
def test_a_field_is_as_exact_as_point_by_point_however_sharp(sharp):
    def scores(X):
        f = np.tanh(sharp * (X[:, 0] - 0.31) * (X[:, 1] + 0.4))
        return np.column_stack([f, -f])

    assert np.abs(smooth_field(scores, OVER, 2) - pointwise(scores, OVER, 2)).max() < 1e-5


def test_even_functions_are_not_taken_for_smooth_by_their_vanishing_half():
    """Every second coefficient of |x| is zero."""

    def scores(X):
        return np.abs(X[:, :1] - 0.5)

    assert np.abs(smooth_field(scores, OVER, 1) - pointwise(scores, OVER, 1)).max() < 1e-6


@pytest.mark.parametrize("size", [1e-12, 1e12])
def test_how_large_the_values_are_does_not_matter(size):
    """Neither are small values taken for smooth, nor are large ones asked for pixel by pixel."""
    asked = []

    def scores(X):
        asked.append(len(X))
        return size * np.tanh(3.0 * X[:, :1]) * np.cos(X[:, 1:])

    fine = Raster.over((-2.0, 3.0, -1.0, 0.5), 400, 300)
    found = smooth_field(scores, fine, 1)
    assert sum(asked) < 120_000 / 3
    assert np.abs(found - pointwise(scores, fine, 1)).max() < 2e-6 * size


@pytest.mark.parametrize("sharp", [10.0, 300.0])
def test_steep_slopes_are_followed_tile_by_tile(sharp):
    asked = []

    def scores(X):
        asked.append(len(X))
        ridge = np.tanh(sharp * (X[:, 0] - 0.3 * X[:, 1]))
        return np.column_stack([ridge, ridge * X[:, 1]])

    fine = Raster.over((-2.0, 3.0, -1.0, 0.5), 400, 300)
    found = smooth_field(scores, fine, 2)
    assert sum(asked) < 120_000
    assert np.abs(found - pointwise(scores, fine, 2)).max() < 2e-6


def test_series_beyond_single_precision_are_clipped():
    found = expand(OVER, np.array([[[0.0, 1e60], [1e20, 0.0]]]))
    assert np.isfinite(found).all()
    off = np.abs(OVER.x - 0.5) > 1e-9
    assert np.array_equal(np.sign(found[0, 0, off]), np.sign(OVER.x[off] - 0.5))
    assert np.abs(found[0]).max() == LARGEST


# curves

X = np.linspace(-3.0, 5.0, 1200)


def asked(f, x, **facts):
    """The curve, and at how many places the function was asked for."""
    places = []

    def watched(at):
        places.append(len(at))
        return f(at)

    return smooth_curve(watched, x, **facts), sum(places)


@pytest.mark.parametrize(
    "f",
    [np.sin, np.exp, lambda x: 1 / (1 + x**2), np.tanh, lambda x: 1e9 + x**5],
    ids=["sine", "exponential", "runge", "step", "far from nothing"],
)
def test_a_smooth_curve_is_itself_from_few_places(f):
    curve, places = asked(f, X)
    assert np.abs(curve - f(X)).max() < 1e-11 * np.abs(f(X)).max()
    assert places < len(X)


@pytest.mark.parametrize("f", [np.abs, np.sign, np.floor, lambda x: np.sin(900 * x)])
def test_what_is_not_smooth_is_exact_all_the_same(f):
    curve, places = asked(f, X)
    assert np.array_equal(curve, f(X))
    assert places >= len(X)


@given(st.integers(0, 20), st.integers(0, 1000))
def test_any_polynomial_of_a_few_degrees_needs_the_fewest_places(degree, seed):
    polynomial = np.polynomial.Chebyshev(np.random.default_rng(seed).normal(size=degree + 1), domain=[-3, 5])
    curve, places = asked(polynomial, X)
    assert places <= COUNTS[1] + COUNTS[0]
    assert np.abs(curve - polynomial(X)).max() < 1e-10


def test_where_there_are_few_x_each_is_asked_for():
    few = X[: GAIN * COUNTS[0] - 1]
    curve, places = asked(np.sin, few)
    assert np.array_equal(curve, np.sin(few))
    assert places == len(few)
    assert asked(np.sin, X[: GAIN * COUNTS[0]])[1] == COUNTS[0]


@pytest.mark.parametrize("x", [np.empty(0), np.array([2.0]), np.full(500, 2.0)], ids=["none", "one", "equal"])
def test_no_extent_is_no_error(x):
    assert np.array_equal(smooth_curve(np.exp, x), np.exp(x))


@pytest.mark.parametrize("size", [1e-9, 1e9])
def test_size_does_not_matter(size):
    curve, places = asked(lambda x: np.sin(x / size), X * size)
    assert np.abs(curve - np.sin(X)).max() < 1e-12
    assert places < len(X)


def test_what_cancels_is_asked_for_no_more_digits_than_it_has():
    """1e6 - 1e6 leaves rounding of 1e-10 that no number of places would smooth."""
    rng = np.random.default_rng(1)

    def ragged(x):
        return np.sin(x) + 1e-10 * rng.normal(size=len(x))

    assert asked(ragged, X)[1] > len(X)
    curve, places = asked(ragged, X, parts=1e6)
    assert places == COUNTS[0]
    assert np.abs(curve - np.sin(X)).max() < 1e-9
