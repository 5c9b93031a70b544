"""Basis functions, standardised terms and equations against numpy; regression on several inputs."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.polynomial import polynomial
from sklearn.linear_model import Lasso, LinearRegression, Ridge
from sklearn.preprocessing import StandardScaler

from vizml import learn
from vizml.field import Raster
from vizml.learn.linear_models.basis import KINDS, PolynomialBasis, basis_over, power
from vizml.learn.linear_models.basis_regression import quality
from vizml.learn.linear_models.reports import equation
from vizml.learn.linear_models.standardised import StandardisedProblem
from vizml.learn.training_data import TrainingData

X = np.random.default_rng(0).uniform(2, 5, 40)
Y = np.cos(X) + np.random.default_rng(1).normal(scale=0.1, size=40)
every_basis = pytest.mark.parametrize("name", KINDS)
COEFFICIENTS = st.lists(st.floats(-10, 10).map(lambda v: round(v, 3)), min_size=2, max_size=7)


@every_basis
@pytest.mark.parametrize("degree", [1, 2, 5])
def test_a_basis_is_the_same_in_every_unit(name, degree):
    here, there = basis_over(name, degree, X), basis_over(name, degree, 64 * X - 1024)
    at = np.linspace(1, 6, 30)
    assert np.allclose(here.design(at), there.design(64 * at - 1024), atol=1e-10)
    assert here.design(at).shape == (30, here.size)


@given(COEFFICIENTS, st.floats(-5, 5), st.floats(0.1, 5))
def test_coefficients_of_x_give_the_curve(weights, middle, half):
    basis = PolynomialBasis(len(weights) - 1, middle, half)
    weights = np.array(weights)
    at = middle + half * np.linspace(-1, 1, 9)
    curve = basis.design(at) @ weights
    found = basis.conversion() @ weights
    error = 1e-9 * max(np.abs(found) @ np.abs(max(abs(middle) + half, 1)) ** np.arange(len(weights)), 1)
    assert np.abs(polynomial.polyval(at, found) - curve).max() <= error
    powers_of_u = PolynomialBasis(basis.degree).conversion() @ weights
    assert np.abs(polynomial.polyval((at - middle) / half, powers_of_u) - curve).max() <= 1e-7


@every_basis
@pytest.mark.parametrize("degree", [1, 4])
def test_terms_have_mean_zero_and_variance_one(name, degree):
    columns = StandardisedProblem.over(basis_over(name, degree, X), X, Y).columns(X)
    assert np.abs(columns.mean(axis=0)).max() < 1e-10
    assert np.allclose(columns.std(axis=0), 1)


@every_basis
def test_weights_of_slopes_are_the_mean_and_the_terms(name):
    problem = StandardisedProblem.over(basis_over(name, 4, X), X, Y)
    slopes = np.random.default_rng(2).normal(size=len(problem.names))
    expected = -2.0 + problem.mean + problem.columns(X) @ slopes * problem.deviation
    assert np.allclose(problem.basis.design(X) @ problem.weights(slopes, -2.0), expected)


@pytest.mark.parametrize("degree", [1, 3, 6])
def test_a_standardised_power_is_the_power_over_its_deviation(degree):
    problem = StandardisedProblem.over(basis_over("polynomial", degree, X), X, Y)
    powers = X[:, None] ** np.arange(1, degree + 1)
    assert np.allclose(problem.columns(X), (powers - powers.mean(axis=0)) / powers.std(axis=0), atol=1e-9)
    assert np.allclose(problem.scale, powers.std(axis=0))
    slopes = np.random.default_rng(3).normal(size=degree)
    found = problem.coefficients(slopes, 2.5)
    assert np.allclose(
        polynomial.polyval(X, found),
        2.5 + problem.mean + problem.columns(X) @ slopes * problem.deviation,
        atol=1e-7,
    )


@pytest.mark.parametrize("standardise", [True, False])
def test_a_term_that_does_not_vary_has_no_part(standardise):
    x, y = np.array([2.0, 2.0]), np.array([1.0, 3.0])
    problem = StandardisedProblem.over(basis_over("polynomial", 3, x), x, x, standardise=standardise)
    assert (problem.columns(np.array([0.0, 2.0, 9.0])) == 0).all()
    for id in ("ridge", "lasso", "bayes_linear"):
        state = learn.fit(learn.create(id, "regress", standardise=standardise), x, y)
        assert state.predict([0.0, 2.0]) == pytest.approx([2.0, 2.0])
        state.charts()


@given(COEFFICIENTS)
def test_an_equation_read_back_is_the_curve(coefficients):
    basis = PolynomialBasis(len(coefficients) - 1, 0.0, 1.0)
    weights = np.polynomial.chebyshev.poly2cheb(coefficients)
    weights = np.pad(weights, (0, len(coefficients) - len(weights)))
    said = equation(basis, weights, np.array(coefficients))
    if ", u =" in said:
        return
    plain = said.removeprefix("y = ").replace("− ", "-").replace("+ ", "+").replace("−", "-")
    back = np.zeros(len(coefficients))
    exponents = {power("x", k): k for k in range(1, len(coefficients))}
    parts_ = plain.split(" ")
    back[0] = float(parts_[0])
    for number, word in zip(parts_[1::2], parts_[2::2], strict=True):
        back[exponents[word]] = float(number)
    at = np.linspace(-1, 1, 50)
    curve = polynomial.polyval(at, coefficients)
    allowed = max(np.ptp(curve), 1e-3 * np.abs(curve).max())
    assert np.abs(polynomial.polyval(at, back) - curve).max() <= 0.006 * allowed + 1e-12


def test_undefined_figures_are_nan():
    assert math.isnan(quality(np.ones(5), 0.0, 1)["R²"])
    assert math.isnan(quality(Y, 0.0, 2)["AIC"])
    assert math.isnan(quality(Y[:3], 1.0, 3)["RSE"])


@every_basis
def test_drawn_basis_functions_add_up_to_the_curve_and_residuals_end_on_it(name):
    fitted = learn.fit(learn.create("linear", basis=name, degree=3), X, Y)
    basis, weights = fitted.basis, np.arange(1.0, fitted.basis.size + 1)
    x = np.linspace(X.min() - 1, X.max() + 1, 50)
    curves, lines = fitted.later(weights=weights).marks()
    assert np.allclose(curves.values(x).sum(axis=0), basis.design(x) @ weights)
    assert np.allclose(lines.ends[:, 1, 1], basis.design(X) @ weights)
    assert (lines.ends[:, :, 0] == X[:, None]).all()
    weights = np.where(np.arange(basis.size) == 1, 0.0, weights)
    curves, _ = fitted.later(weights=weights).marks()
    assert len(curves.values(x)) == basis.size - 1, "what adds nothing is not drawn"


@pytest.mark.parametrize("low, high", [(2.0, 5.0), (-1.0, 1.0), (-7.0, -6.5), (-0.25, 4.0), (1e6, 1e6 + 1)])
@pytest.mark.parametrize("degree", [2, 9, 15])
def test_standardised_powers_are_those_of_exact_arithmetic(low, high, degree):
    x = np.linspace(low, high, 9)
    columns = StandardisedProblem.over(basis_over("polynomial", degree, x), x, x).columns(x)
    for j in range(1, degree + 1):
        powers = [Fraction(value) ** j for value in x.tolist()]
        mean = sum(powers) / len(powers)
        apart = [power - mean for power in powers]
        unit = max(abs(value) for value in apart)
        scaled = np.array([float(value / unit) for value in apart])
        expected = scaled / np.sqrt((scaled**2).mean())
        assert np.abs(columns[:, j - 1] - expected).max() < 1e-9


# several inputs


INPUTS = np.random.default_rng(2).normal(size=(60, 3)) * [1.0, 20.0, 0.1] + [0.0, 5.0, -3.0]
TARGET = INPUTS @ [1.0, 0.2, -4.0] + np.random.default_rng(3).normal(size=60)


def fit_inputs(id, **values):
    data = TrainingData(INPUTS, TARGET, columns=("a", "b", "c"))
    *_, state = learn.run(learn.create(id, "regress", **values), data)
    return state


@pytest.mark.parametrize("degree", [1, 3])
def test_least_squares_on_powers_of_three_inputs_is_scikit_learns(degree):
    scaled = StandardScaler().fit_transform(INPUTS)
    powers = np.hstack([scaled**k for k in range(1, degree + 1)])
    expected = LinearRegression().fit(powers, TARGET).predict(powers)
    state = fit_inputs("linear", degree=degree)
    assert np.allclose(state.predict(INPUTS), expected)
    raw = np.hstack([np.ones((60, 1)), *(column[:, None] ** np.arange(1, degree + 1) for column in INPUTS.T)])
    assert np.allclose(raw @ state.coefficients, expected)
    mean, low, high = state.band(INPUTS)
    assert np.allclose((low + high) / 2, mean)
    assert (low < high).all()


@pytest.mark.parametrize("id, Reference", [("ridge", Ridge), ("lasso", Lasso)])
def test_penalised_regression_on_three_inputs_is_scikit_learns(id, Reference):
    state = fit_inputs(id, degree=1, lam=0.3)
    scaled = StandardScaler().fit_transform(INPUTS)
    theirs = Reference(alpha=0.3, tol=1e-10).fit(scaled, TARGET)
    assert np.allclose(state.slopes * state.problem.deviation, theirs.coef_, atol=1e-6)
    assert np.allclose(state.predict(INPUTS), theirs.predict(scaled), atol=1e-6)


@every_basis
@pytest.mark.parametrize("id", ["linear", "ridge", "subset", "bayes_linear"])
def test_every_basis_takes_several_inputs(id, name):
    state = fit_inputs(id, basis=name, degree=3)
    assert np.corrcoef(state.predict(INPUTS), TARGET)[0, 1] > 0.85
    design = state.basis.design(INPUTS)
    assert design.shape == (60, state.basis.size)
    assert len(state.basis.term_names()) == state.basis.lift.shape[1] == state.basis.size - 1
    names = state.metrics()
    assert np.isfinite(list(names.values())).all()
    raster = Raster(np.linspace(-1, 1, 5), np.linspace(-2, 2, 4))
    view = state.on(axes=["b"], at={"a": 0.5})
    expected = state.predict(
        np.column_stack([np.full(5, 0.5), raster.x, np.full(5, np.median(INPUTS[:, 2]))])
    )
    assert np.allclose(view.field(raster)[0, 0], expected, rtol=1e-5)
    assert view.marks()


def test_a_section_through_three_inputs_shows_the_scores_there():
    labels = (TARGET > np.median(TARGET)).astype(np.int64) + (INPUTS[:, 0] > 1)
    data = TrainingData(INPUTS, labels=labels, columns=("a", "b", "c"))
    raster = Raster(np.linspace(-40, 40, 7), np.linspace(-4, -2, 5))
    at = np.column_stack([np.full(35, 0.7), raster.points()])
    for id, values in [("logistic", {}), ("logistic", {"degree": 2}), ("perceptron", {"epochs": 5}),
                       ("perceptron", {"epochs": 5, "multiclass": "ova"}), ("least_squares", {}),
                       ("least_squares", {"coding": "ordinal"})]:  # fmt: skip
        *_, state = learn.run(learn.create(id, "classify", **values), data)
        field = state.on(axes=["b", "c"], at={"a": 0.7}).field(raster)
        expected = state.scores(at).T.reshape(-1, 5, 7)
        assert np.allclose(field, expected, atol=1e-4 * np.abs(expected).max()), id
