"""Penalties, active sets, subset search and cross-validation against brute force and definitions."""

import math
from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.learn.linear_models.basis import basis_over
from vizml.learn.linear_models.penalised_solver import (
    COUNT,
    DEPTH,
    LambdaValidation,
    Penalty,
    active_set,
    assigned_folds,
    coordinate_descent,
)
from vizml.learn.linear_models.reports import validation_chart
from vizml.learn.linear_models.standardised import StandardisedProblem
from vizml.learn.linear_models.subset_search import (
    METHODS,
    Subset,
    criterion_score,
    least_squares_on,
    stagewise,
)

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 3, 50)
Y = X**3 - 2 * X + RNG.normal(scale=2, size=50)
PENALTIES = {"ridge": Penalty(0.0, plain=True), "lasso": Penalty(1.0), "half": Penalty(0.5)}
every_penalty = pytest.mark.parametrize("penalty", PENALTIES.values(), ids=PENALTIES)


def sums(degree=5, standardise=True, x=X, y=Y):
    return StandardisedProblem.over(basis_over("polynomial", degree, x), x, y, standardise=standardise)


def problem(seed, p=4):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(12, p))
    return A.T @ A / 12, A.T @ rng.normal(size=12) / 12, rng.uniform(0, 0.3, p), rng.uniform(0, 0.3, p)


@given(st.integers(0, 10_000))
def test_the_minimum_does_not_depend_on_the_start(seed):
    gram, pull, linear, square = problem(seed)
    start = np.random.default_rng(seed + 1).normal(size=4)
    assert np.allclose(
        active_set(gram, pull, linear, square), active_set(gram, pull, linear, square, start), atol=1e-8
    )


def test_a_term_without_variance_stays_at_zero_in_sweeps():
    gram = np.diag([1.0, 0.0])
    (first, *_) = islice(coordinate_descent(gram, np.array([0.5, 0.0]), np.zeros(2), np.zeros(2)), 1)
    assert first.slopes.tolist() == [0.5, 0.0]


@every_penalty
@pytest.mark.parametrize("standardise", [True, False])
def test_the_objective_is_its_definition_in_data_units(penalty, standardise):
    own = sums(3, standardise)
    slopes = np.array([0.3, -0.2, 0.5])
    terms = own.columns(X)
    residual = Y - own.mean - terms @ slopes * own.deviation
    b = slopes * own.deviation / (1 if standardise else own.scale)
    lam = 0.7
    if penalty.plain:
        expected = residual @ residual + lam * b @ b
    else:
        size = penalty.mix * np.abs(b).sum() + (1 - penalty.mix) / 2 * b @ b
        expected = residual @ residual / 100 + lam * size
    assert penalty.objective(own, slopes, lam) == pytest.approx(expected)


@every_penalty
def test_a_path_is_the_minimum_at_each_strength(penalty):
    own = sums()
    lams = penalty.grid(own)
    assert len(lams) == COUNT
    assert (np.diff(lams) < 0).all()
    path = penalty.path(own, lams)
    for place in (0, 20, 59):
        assert np.allclose(path[place], penalty.minimum(own, float(lams[place])), atol=1e-7)


@pytest.mark.parametrize("name", ["lasso", "half"])
def test_the_largest_penalty_is_the_smallest_with_all_slopes_zero(name):
    own, penalty = sums(), PENALTIES[name]
    high, low = penalty.grid(own)[[0, -1]]
    assert np.abs(penalty.minimum(own, float(high))).max() < 1e-9
    assert penalty.minimum(own, 0.999 * float(high)).any()
    assert low == pytest.approx(DEPTH * high)


def test_the_rest_is_the_unexplained_variance():
    own = sums(4)
    slopes = least_squares_on(own, (0, 1, 2, 3), "").slopes
    rss = np.polynomial.Polynomial.fit(X, Y, 4, full=True)[1][0][0]
    assert 50 * own.deviation**2 * 2 * (own.half_error(slopes) + own.rest) == pytest.approx(rss)
    assert np.allclose(np.diag(own.gram), 1)
    assert np.allclose(own.correlations, own.columns(X).T @ (Y - Y.mean()) / 50 / Y.std())


def test_the_ridge_operator_is_the_closed_form():
    own, squares = sums(4), np.array([0.1, 0.2, 0.3, 0.4])
    expected = np.linalg.solve(own.gram + np.diag(squares), own.correlations)
    assert np.allclose(own.ridge_operator(squares) @ own.a, expected)


def test_no_search_takes_more_terms_than_it_may():
    own = sums(5)
    for method in METHODS:
        assert max(c.size for c in METHODS[method](own, 2, parents=((),) * 5)) == 2
    assert max(c.size for c in stagewise(own, 2, 0.05, 400)) == 2


def test_a_stagewise_step_moves_one_slope_by_the_step_size():
    path = list(stagewise(sums(4), 4, 0.05, 60))
    for before, after in pairwise(path):
        moved = np.abs(after.slopes - before.slopes)
        assert np.count_nonzero(moved > 1e-12) == 1
        assert moved.max() == pytest.approx(0.05)
        assert after.unexplained < before.unexplained


def test_scores_are_their_definitions():
    n, share, p = 30, 0.2, 4
    large, small = (sums(x=X[:rows], y=Y[:rows]) for rows in (n, 4))

    def subset(share):
        return Subset(np.ones(3), share, (0, 1, 2), "")

    own = subset(share)
    assert 1 - criterion_score("adjr2", large, own, 1) == pytest.approx(1 - share * 29 / 26)
    bic, aic = (criterion_score(name, large, own, 1) for name in ("bic", "aic"))
    assert bic - aic == pytest.approx((p + 1) * (math.log(n) - 2))
    assert criterion_score("cp", large, own, 0.25) == pytest.approx(n * share / 0.25 - n + 2 * p)
    assert criterion_score("cp", large, own, share * n / (n - p)) == pytest.approx(p), "of the full model"
    assert criterion_score("adjr2", small, subset(0.0), 1) == math.inf
    assert math.isfinite(criterion_score("aic", large, subset(0.0), 1))


def test_the_one_standard_error_rule():
    lams = np.array([8.0, 4.0, 2.0, 1.0])
    errors = np.array([[9.0, 3.2, 2.0, 3.0], [9.0, 2.8, 4.0, 3.4]])
    found = LambdaValidation(lams, errors)
    assert found.mean.tolist() == [9.0, 3.0, 3.0, 3.2]
    assert found.best == 4.0, "of equals the strongest"
    assert found.standard_error[2] == pytest.approx(1.0)
    assert (
        LambdaValidation(lams, np.array([[9.0, 3.9, 2.0, 3.0], [9.0, 3.7, 4.0, 3.6]])).one_standard_error
        == 4.0
    )
    assert (LambdaValidation(lams, errors[:1]).standard_error == 0).all()
    chart = validation_chart(found)
    assert np.allclose(chart.series[0].high - chart.series[0].low, 2 * found.standard_error[::-1])
    assert [rule.x for rule in chart.rules] == [found.best, found.one_standard_error]


@given(st.integers(1, 60), st.integers(1, 12))
def test_folds_have_equal_sizes(n, folds):
    masks = np.array(assigned_folds(n, folds, np.random.default_rng(0)))
    assert np.ptp(masks.sum(axis=1)) <= 1
    assert (masks.sum(axis=0) == 1).all()


@given(st.integers(0, 10_000))
def test_a_sweep_takes_each_coordinate_to_its_own_minimum(seed):
    gram, pull, linear, square = problem(seed)
    slopes = np.zeros(4)
    for sweep in islice(coordinate_descent(gram, pull, linear, square), 3):
        before = slopes.copy()
        for j in range(4):
            rest = pull[j] - gram[j] @ slopes + gram[j, j] * slopes[j]
            slopes[j] = np.sign(rest) * max(abs(rest) - linear[j], 0) / (gram[j, j] + square[j])
        assert np.allclose(sweep.slopes, slopes, atol=1e-12)
        assert sweep.change == pytest.approx(np.abs(slopes - before).max(), abs=1e-12)


def test_strengths_are_finite_where_squares_of_scales_underflow():
    own = sums(15, standardise=False, x=X * 1e12)
    assert float((own.penalty_scale**2).min()) == 0
    assert np.isfinite(Penalty(0.0, plain=True).grid(own)).all()
