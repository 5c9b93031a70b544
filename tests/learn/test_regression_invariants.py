"""Invariances of regressions on a basis, and the definitions of their charts and metrics."""

import numpy as np
import pytest

from vizml import learn
from vizml.learn.linear_models.basis import KINDS, basis_over
from vizml.learn.linear_models.penalised_solver import Penalty
from vizml.learn.linear_models.reports import constraint_chart
from vizml.learn.linear_models.standardised import StandardisedProblem

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 3, 50)
Y = X**3 - 2 * X + RNG.normal(scale=2, size=50)
AT = np.linspace(-2, 3, 40)
MODELS = ("ridge", "lasso", "elastic_net")
CURVES = (*MODELS, "subset", "linear", "bayes_linear")
every_model = pytest.mark.parametrize("name", MODELS)
every_curve = pytest.mark.parametrize("name", CURVES)


def run(name, x, y, **values):
    values = {"degree": 4} | values
    return list(learn.steps(learn.create(name, "regress", **values), x, y))


def fit(name, x, y, **values):
    return run(name, x, y, **values)[-1]


@every_curve
@pytest.mark.parametrize("basis", KINDS)
def test_the_unit_of_x_does_not_matter(name, basis):
    here, there = fit(name, X, Y, basis=basis), fit(name, 64 * X, Y, basis=basis)
    assert np.allclose(here.predict(AT), there.predict(64 * AT), atol=1e-6)


@every_curve
@pytest.mark.parametrize("basis", tuple(KINDS)[1:])
def test_the_origin_of_x_does_not_matter_but_to_powers(name, basis):
    here, there = fit(name, X, Y, basis=basis), fit(name, X + 512, Y, basis=basis)
    assert np.allclose(here.predict(AT), there.predict(AT + 512), atol=1e-6)


@every_curve
def test_the_curve_rises_with_y(name):
    here, there = fit(name, X, Y), fit(name, X, Y + 1000)
    assert np.allclose(here.predict(AT) + 1000, there.predict(AT), atol=1e-6)


@every_curve
def test_the_order_of_the_points_does_not_matter(name):
    order = np.random.default_rng(5).permutation(50)
    here, there = fit(name, X, Y), fit(name, X[order], Y[order])
    assert np.allclose(here.predict(AT), there.predict(AT), atol=1e-7)


@pytest.mark.parametrize("name", ["linear", "ridge", "subset", "bayes_linear"])
def test_the_curve_scales_with_y(name):
    here, there = fit(name, X, Y), fit(name, X, 1024 * Y)
    assert np.allclose(1024 * here.predict(AT), there.predict(AT), rtol=1e-6, atol=1e-4)


def test_the_strength_of_a_lasso_is_in_units_of_y():
    here, there = fit("lasso", X, Y, lam=0.1), fit("lasso", X, 1024 * Y, lam=102.4)
    assert np.allclose(1024 * here.predict(AT), there.predict(AT), rtol=1e-7, atol=1e-6)


@every_model
def test_a_huge_strength_leaves_the_mean(name):
    assert np.allclose(fit(name, X, Y, lam=1e9).predict(AT), Y.mean(), atol=1e-4)


@every_model
def test_a_stronger_penalty_has_more_rss_and_fewer_degrees_of_freedom(name):
    states = [fit(name, X, Y, lam=lam) for lam in (1e-3, 0.1, 1.0, 10.0)]
    rss = [state.metrics()["RSS"] for state in states]
    freedom = [state.metrics()["effective degrees of freedom"] for state in states]
    assert rss == sorted(rss)
    assert freedom == sorted(freedom, reverse=True)
    assert 1 - 1e-9 <= freedom[-1] <= freedom[0] <= 5 + 1e-9


@every_model
def test_metrics_are_their_definitions(name):
    state = fit(name, X, Y, lam=0.5)
    found, apart = state.metrics(), Y - state.predict(X)
    assert found["RSS"] == pytest.approx(apart @ apart)
    assert found["R²"] == pytest.approx(1 - apart @ apart / (50 * Y.var()))
    assert found["λ"] == 0.5
    assert found["non-zero coefficients"] == np.count_nonzero(state.coefficients[1:])
    powers = [found["intercept"], *(found[name] for name in ("x", "x²", "x³", "x⁴"))]
    assert np.allclose(np.polynomial.polynomial.polyval(AT, powers), state.predict(AT))


@pytest.mark.parametrize("mix", [0.0, 0.3, 1.0])
def test_all_points_of_the_penalty_ball_have_the_cost_of_the_solution(mix):
    own = StandardisedProblem.over(basis_over("polynomial", 2, X), X, Y, standardise=True)
    penalty = Penalty(mix)
    slopes = penalty.minimum(own, 0.5)
    chart = constraint_chart(own, penalty, slopes, (0, 1))
    lines = {line.name: line for line in chart.series}
    ball = next(line for name, line in lines.items() if name.startswith("equal penalty"))
    cost = mix * (np.abs(ball.x) + np.abs(ball.y)) + (1 - mix) / 2 * (ball.x**2 + ball.y**2)
    here = lines["solution"]
    own_cost = mix * (abs(here.x) + abs(here.y)) + (1 - mix) / 2 * (here.x**2 + here.y**2)
    assert np.allclose(cost, own_cost)
    bottom = np.linalg.lstsq(own.columns(X), Y - Y.mean(), rcond=None)[0]
    assert np.allclose([lines["least RSS"].x[0], lines["least RSS"].y[0]], bottom)


@pytest.mark.parametrize(
    "shown, names", [((1, 3), ("x²", "x⁴")), ((2, 2), ("x", "x²")), ((0, 30), ("x", "x⁴"))]
)
def test_the_constraint_chart_is_about_two_terms_that_exist(shown, names):
    own = StandardisedProblem.over(basis_over("polynomial", 4, X), X, Y, standardise=True)
    chart = constraint_chart(own, Penalty(1.0), np.ones(4), shown)
    assert (chart.x.title, chart.y.title) == tuple(f"coefficient of {name}" for name in names)


def test_a_subset_ends_at_the_least_of_its_scores():
    for criterion in ("bic", "aic", "adjr2", "cp", "cv"):
        state = fit("subset", X, Y, criterion=criterion)
        assert state.scores[state.index] == state.scores.min() == state.loss
        assert state.metrics()["terms"] == state.subset.size == np.count_nonzero(state.coefficients[1:])


def test_charts_of_a_search_show_only_the_values_tried_so_far():
    for number, state in enumerate(run("subset", X, Y)[:-1], start=1):
        line, terms, _ = state.charts()
        assert len(line.series[0].x) == number
        assert line.rules[0].x == state.subset.size
        assert terms.heat.values.sum(axis=0).tolist() == [float(k) for k in range(number)]
