"""Curves from a few places are the curves; what is not smooth is asked for x by x."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.field.chebyshev import COUNTS, GAIN, smooth_curve

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


def test_the_order_of_the_x_does_not_matter():
    mixed = np.random.default_rng(0).permutation(X)
    assert np.abs(smooth_curve(np.sin, mixed) - np.sin(mixed)).max() < 1e-12


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
