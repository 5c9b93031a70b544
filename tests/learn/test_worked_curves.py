"""Worked examples of lecture notes: sales by advertising; slopes, standard errors, R2."""

import math

import numpy as np
import pytest

from vizml import learn

SALES = {"TV": 0.046, "radio": 0.189, "newspaper": -0.001}
INTERCEPT = 2.939
AMONG = np.array([[1.0, 0.0548, 0.0567], [0.0548, 1.0, 0.3541], [0.0567, 0.3541, 1.0]])
"""The correlations of the three kinds of advertising."""
WITH_SALES = {"TV": 0.7822, "radio": 0.5762, "newspaper": 0.2283}
DEVIATIONS = np.array([85.9, 14.8, 21.8])
"""Of the budgets, in thousands."""


def whitened(n, count, seed=0):
    """Columns of mean 0 and variance 1 without any correlation, to rounding."""
    raw = np.random.default_rng(seed).normal(size=(n, count))
    q, _ = np.linalg.qr(raw - raw.mean(axis=0))
    return q * math.sqrt(n)


def budgets(n=200):
    return 100 + whitened(n, 3) @ np.linalg.cholesky(AMONG).T * DEVIATIONS


def line(x, y):
    return learn.fit(learn.create("linear", "regress", degree=1), x, y)


def without(target, others):
    """What others do not explain of a target, by least squares."""
    design = np.column_stack([np.ones(len(others)), others])
    return target - design @ np.linalg.lstsq(design, target, rcond=None)[0]


@pytest.mark.parametrize("place, name", list(enumerate(SALES)))
def test_the_slope_of_sales_beside_the_others_is_the_noted_one(place, name):
    given = budgets()
    sales = INTERCEPT + given @ list(SALES.values())
    others = np.delete(given, place, axis=1)
    state = line(without(given[:, place], others), without(sales, others))
    assert state.coefficients[1] == pytest.approx(SALES[name], abs=1e-10)
    assert state.coefficients[0] == pytest.approx(0, abs=1e-9)


def test_the_noted_slopes_are_those_of_the_noted_correlations():
    beside = np.linalg.solve(AMONG, list(WITH_SALES.values()))  # slopes of standardised budgets
    in_units = beside / DEVIATIONS
    assert in_units / in_units[1] * SALES["radio"] == pytest.approx(list(SALES.values()), abs=2.5e-3)


@pytest.mark.parametrize("name, r", list(WITH_SALES.items()))
def test_members_with_one_common_error_have_the_squared_correlation(name, r):
    u, rest = whitened(200, 2, seed=3).T
    x, sales = 40 + 15 * u, 14 + 5.2 * (r * u + math.sqrt(1 - r * r) * rest)
    figures = line(x, sales).metrics()
    assert figures["R²"] == pytest.approx(r * r)
    assert figures["x"] == pytest.approx(r * 5.2 / 15)
    assert figures["RSE"] == pytest.approx(5.2 * math.sqrt((1 - r * r) * 200 / 198))


def test_a_larger_slope_need_not_be_a_closer_tie():
    given = budgets()
    noise = 1.7 * whitened(200, 4, seed=5)[:, 3]
    sales = INTERCEPT + given @ list(SALES.values()) + noise
    tv, radio = (line(given[:, place], sales).metrics() for place in (0, 1))
    assert radio["x"] > tv["x"]
    assert radio["R²"] < tv["R²"]


def test_slope_intercept_and_errors_are_those_of_the_written_sums():
    x, y = np.array([1.0, 2.0, 4.0, 5.0, 8.0]), np.array([2.0, 3.0, 3.5, 6.0, 7.5])
    across, up = x - x.mean(), y - y.mean()
    slope = (across @ up) / (across @ across)
    left = y - (y.mean() + slope * across)
    figures = line(x, y).metrics()
    assert figures["x"] == pytest.approx(slope)
    assert figures["intercept"] == pytest.approx(y.mean() - slope * x.mean())
    assert figures["RSE"] == pytest.approx(math.sqrt(left @ left / (5 - 2)))
    assert figures["R²"] == pytest.approx(1 - (left @ left) / (up @ up))
    assert figures["R²"] == pytest.approx((across @ up) ** 2 / (across @ across) / (up @ up))


def test_two_causes_that_say_the_same_have_no_slope_of_their_own_and_it_is_said():
    state = learn.fit(
        learn.create("linear", "regress", degree=3), np.array([1.0, 1, 2, 2]), np.array([3, 3, 6, 6.0])
    )
    assert "of which 2 are identifiable (minimum-norm solution of the pseudo-inverse)" in state.note
    assert np.allclose(state.predict(np.array([1.0, 2.0])), [3.0, 6.0])


@pytest.mark.parametrize("lam", [0.0, 1e9])
def test_ridge_runs_from_least_squares_to_the_mean(lam):
    x = np.linspace(-1, 2, 30)
    y = np.sin(3 * x)
    ridge = learn.fit(learn.create("ridge", "regress", degree=3, lam=lam), x, y)
    expected = np.polyval(np.polyfit(x, y, 3), x) if not lam else np.full(30, y.mean())
    assert np.abs(ridge.predict(x) - expected).max() < 1e-6
