"""Linear regression against scikit-learn and numpy: its figures, its descent, and its equations read back."""

import re
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression
from sklearn.metrics import r2_score
from sklearn.preprocessing import PolynomialFeatures

from vizml import data, learn
from vizml.learn.linear_models.basis import KINDS, basis_over
from vizml.learn.linear_models.reports import FIDELITY, equation

PREDICTIONS = 1e-8


def sine(n=60, seed=0, offset=0.0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 6, n) + offset
    return x, np.sin(x - offset) + rng.normal(scale=0.2, size=n)


def run(x, y, seed=0, **values):
    return list(learn.steps(learn.create("linear", **values), x, y, seed=seed))


def fit(x, y, **values):
    return run(x, y, **values)[-1]


@pytest.mark.parametrize("degree", [1, 2, 3, 5])
def test_predictions_are_those_of_scikit_learn(degree):
    x, y = sine()
    probes = np.linspace(-1, 7, 200)
    powers = PolynomialFeatures(degree, include_bias=False)
    theirs = LinearRegression().fit(powers.fit_transform(x[:, None]), y)
    expected = theirs.predict(powers.transform(probes[:, None]))
    state = fit(x, y, degree=degree)
    assert np.abs(state.predict(probes) - expected).max() < PREDICTIONS * max(np.abs(expected).max(), 1)
    assert np.allclose(state.coefficients, [theirs.intercept_, *theirs.coef_], rtol=1e-6)


@pytest.mark.parametrize("degree", [8, 15])
def test_high_degrees_are_those_of_a_scaled_polyfit(degree):
    x, y = sine()
    u = (x - x.mean()) / np.ptp(x)
    expected = np.polynomial.Chebyshev.fit(u, y, degree)(u)
    assert np.abs(fit(x, y, degree=degree).predict(x) - expected).max() < PREDICTIONS


def test_far_from_the_origin_the_curve_is_the_same():
    near, far = fit(*sine(), degree=5), fit(*sine(offset=2.0**20), degree=5)
    probes = np.linspace(0, 6, 50)
    assert np.abs(near.predict(probes) - far.predict(probes + 2.0**20)).max() < 1e-7


@pytest.mark.parametrize("degree", [7, 10, 15])
def test_more_coefficients_than_points_interpolate_with_a_note(degree):
    x = 1e6 + np.linspace(0, 1, 8)
    y = np.sin(6 * x)
    state = fit(x, y, degree=degree)
    assert np.abs(state.predict(x) - y).max() < PREDICTIONS
    assert ("pseudo-inverse" in state.note) == (degree > 7)
    between = state.predict(np.linspace(x[0], x[-1], 100))
    assert np.abs(between).max() < 3, "the shortest weights do not swing"


def test_equal_x_have_their_mean_with_a_note():
    state = fit([2.0, 2.0, 2.0], [1.0, 2.0, 6.0])
    assert state.predict([2.0]) == pytest.approx(3.0)
    assert "1 are identifiable" in state.note


def test_the_figures_are_their_definitions():
    x, y = sine()
    state = fit(x, y, degree=3)
    metrics, residuals = state.metrics(), y - state.predict(x)
    n, p, rss = len(x), 4, float(residuals @ residuals)
    likelihood = -n / 2 * (np.log(2 * np.pi) + np.log(rss / n) + 1)
    assert metrics["RSS"] == pytest.approx(rss)
    assert metrics["RSE"] == pytest.approx(np.sqrt(rss / (n - p)))
    assert metrics["R²"] == pytest.approx(r2_score(y, state.predict(x)))
    assert metrics["adjusted R²"] == pytest.approx(1 - (1 - metrics["R²"]) * (n - 1) / (n - p))
    assert metrics["AIC"] == pytest.approx(2 * (p + 1) - 2 * likelihood)
    assert metrics["BIC"] == pytest.approx(np.log(n) * (p + 1) - 2 * likelihood)
    assert metrics["x³"] == pytest.approx(state.coefficients[3])


def test_a_perfect_fit_has_no_likelihood():
    metrics = fit([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]).metrics()
    assert metrics["R²"] == pytest.approx(1)
    assert "AIC" not in metrics


def test_a_perfect_fit_has_infinite_t_values_and_0_by_0_has_no_text():
    for y, slope in (([2.0, 4.0, 6.0, 8.0], ("1", "0", "∞", "0")), ([0.5] * 4, ("0", "0", "", ""))):
        (table,) = (c.heat for c in fit([-3.0, -1.0, 1.0, 3.0], y).charts() if c.title == "Coefficients")
        assert table.columns[-3:] == ("SE", "t", "p")
        assert table.texts[1] == slope


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("degree", [1, 2, 6, 15])
def test_a_basis_has_an_intercept_and_independent_columns(name, degree):
    x = np.linspace(-3, 5, 200)
    functions = basis_over(name, degree, x)
    design = functions.design(x)
    assert design.shape == (200, functions.size)
    weights, *_ = np.linalg.lstsq(design, np.ones(200), rcond=None)
    assert np.allclose(design @ weights, 1)
    assert np.linalg.matrix_rank(design) == functions.size


def test_linear_splines_extrapolate_linearly():
    x = np.linspace(0, 4, 50)
    state = fit(x, np.abs(x - 2), basis="pieces", degree=2)
    assert np.allclose(state.predict([-1.0, 2.0, 5.0]), [3, 0, 3])


def test_waves_have_the_range_of_the_data_as_their_period():
    x = np.linspace(0, 4, 50)
    state = fit(x, 1 + np.sin(np.pi * x / 2), basis="fourier", degree=1)
    assert np.abs(state.residuals).max() < PREDICTIONS
    assert state.predict([5.0]) == pytest.approx(state.predict([1.0]))


@pytest.mark.parametrize("basis", KINDS)
def test_descent_arrives_where_the_exact_solution_is(basis):
    x, y = sine()
    exact = fit(x, y, basis=basis, degree=3)
    states = run(x, y, basis=basis, degree=3, solver="gd", rate=0.5, epochs=5000)
    assert exact.loss * (1 - 1e-12) <= states[-1].loss < 1.01 * exact.loss
    losses = [state.loss for state in states]
    assert all(after <= before * (1 + 1e-12) for before, after in pairwise(losses))


def test_stochastic_descent_comes_near_and_repeats_from_its_seed():
    x, y = sine()
    exact = fit(x, y, degree=3)
    first = run(x, y, degree=3, solver="sgd", rate=0.02, epochs=200)
    again = run(x, y, degree=3, solver="sgd", rate=0.02, epochs=200)
    assert first[-1].loss < 1.1 * exact.loss
    assert np.array_equal(first[-1].weights, again[-1].weights)
    assert len(first) == 201


@pytest.mark.parametrize("solver", ["gd", "sgd"])
def test_too_high_a_rate_is_shown_as_divergence(solver):
    x, y = sine()
    states = run(x, y, degree=8, solver=solver, rate=10.0)
    assert states[-1].note.startswith("diverged in epoch ")
    assert np.isfinite(states[-1].predict(x)).all()
    if solver == "gd":
        assert "gradient descent diverges at learning rates above" in states[-1].note


def test_the_highest_learning_rate_of_the_note():
    x, y = sine()
    note = run(x, y, degree=2, solver="gd", rate=10.0)[-1].note
    limit = float(note.split("rates above ")[1])
    assert "diverged" not in run(x, y, degree=2, solver="gd", rate=0.99 * limit)[-1].note
    assert "diverged" in run(x, y, degree=2, solver="gd", rate=1.2 * limit)[-1].note


def test_the_equation_is_rounded_sensibly():
    x = np.linspace(0, 10, 40)
    assert fit(x, 3 - 2 * x).equation == "y = 3 − 2 x"
    assert fit(x, 1 + 0.5 * x - 0.25 * x**2, degree=2).equation == "y = 1 + 0.5 x − 0.25 x²"
    pieces = fit(x, 1 + x, basis="pieces", degree=2)
    assert pieces.equation == "y = the broken line through (0, 1), (5, 6), (10, 11)"


def test_far_from_the_origin_the_equation_is_in_u():
    x = 1e6 + np.linspace(0, 1, 20)
    assert fit(x, 5 + 4 * (x - 1e6 - 0.5)).equation == "y = 5 + 2 u, u = (x − 1000000.5) / 0.5"


# what is known of the coefficients


@pytest.mark.parametrize("degree", [1, 2, 4])
def test_standard_errors_are_those_of_the_textbook(degree):
    x, y = sine()
    state = fit(x, y, degree=degree)
    powers = np.vander(x, degree + 1, increasing=True)
    apart = y - powers @ np.linalg.solve(powers.T @ powers, powers.T @ y)
    s2 = apart @ apart / (len(x) - degree - 1)
    expected = np.sqrt(np.diag(s2 * np.linalg.inv(powers.T @ powers)))
    assert np.allclose(state.standard_errors, expected, rtol=1e-6)
    assert state.metrics()["SE of x"] == pytest.approx(expected[1])


def test_standard_errors_of_tiny_inputs_do_not_overflow():
    x, y = sine()
    unit, tiny = fit(x, y, degree=12), fit(1e-14 * x, y, degree=12)
    powers = 1e14 ** np.arange(13.0)
    assert np.allclose(tiny.standard_errors, powers * unit.standard_errors, rtol=1e-6)


def test_the_standard_error_of_a_slope_is_that_of_scipy():
    x, y = sine()
    theirs = stats.linregress(x, y)
    state = fit(x, y)
    assert state.standard_errors[1] == pytest.approx(theirs.stderr)
    assert state.standard_errors[0] == pytest.approx(theirs.intercept_stderr)


@pytest.mark.parametrize("basis", KINDS)
def test_the_band_is_two_errors_of_a_new_point(basis):
    x, y = sine(80)
    state = fit(x, y, basis=basis, degree=3)
    at = np.linspace(-1, 7, 40)
    design, probe = state.basis.design(x), state.basis.design(at)
    s2 = state.rss / (80 - design.shape[1])
    variance = s2 * (1 + np.einsum("ij,jk,ik->i", probe, np.linalg.inv(design.T @ design), probe))
    mean, low, high = state.band(at)
    assert np.allclose(high - mean, 2 * np.sqrt(variance))
    assert np.allclose(mean - low, 2 * np.sqrt(variance))


def test_without_points_to_spare_there_is_no_band():
    assert fit([1.0, 2.0, 3.0], [1.0, 3.0, 2.0], degree=2).band([1.0]) is None
    assert fit([2.0, 2.0, 2.0], [1.0, 2.0, 6.0]).band([1.0]) is None
    x, y = sine()
    assert run(x, y, solver="gd")[-1].band(x) is None


def test_cp_is_its_definition_against_degree_fifteen():
    x, y = sine(100)
    full = np.polynomial.Chebyshev.fit(x, y, 15)(x)
    s2 = np.sum((y - full) ** 2) / (100 - 16)
    state = fit(x, y, degree=3)
    assert state.metrics()["Cp"] == pytest.approx(state.rss / s2 - 100 + 2 * 4)
    assert fit(x, y, degree=15).metrics()["Cp"] == pytest.approx(16)
    assert "Cp" not in fit(x[:20], y[:20], degree=3).metrics()


# the bowl


@pytest.mark.parametrize("degree", [1, 3])
def test_contours_have_constant_rss(degree):
    x, y = sine()
    states = run(x, y, degree=degree, solver="gd", epochs=30)
    chart = states[-1].charts()[0]
    design = states[-1].basis.design(x)
    for ring in [series for series in chart.series if series.ink == "muted" and series.kind == "line"]:
        apart = y[:, None] - design[:, :2] @ np.stack([ring.x, ring.y])
        rest, *_ = np.linalg.lstsq(design[:, 2:], apart, rcond=None) if degree > 1 else (np.zeros((0, 1)),)
        rss = np.sum((apart - design[:, 2:] @ rest) ** 2, axis=0)
        assert np.ptp(rss) < 1e-9 * rss.max()


def test_the_trail_of_a_descent_has_the_weights_of_its_steps():
    x, y = sine()
    states = run(x, y, solver="gd", epochs=20)
    way = next(series for series in states[7].charts()[0].series if series.name == "descent")
    assert np.array_equal(np.column_stack([way.x, way.y]), [state.weights for state in states[:8]])
    exact = fit(x, y).charts()[0]
    assert not [series for series in exact.series if series.name == "descent"]
    least = next(series for series in exact.series if series.name == "least RSS")
    assert np.allclose([least.x[0], least.y[0]], fit(x, y).weights)


POINTS = data.generate("sine", n=60, seed=3)
BASES = ("fourier", "bumps", "pieces")
LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
every_basis = pytest.mark.parametrize("basis", BASES)


def read(words, x):
    """The values of an equation at x, by what it says alone."""
    words = re.sub(r"(\d×)?10([⁻⁰¹²³⁴-⁹]+)", lambda m: f"{(m[1] or '1')[0]}e{m[2].translate(LOWERED)}", words)
    words = words.replace("−", "-")
    if "broken line" in words:
        corners = np.array(
            [[float(v) for v in pair.split(", ")] for pair in re.findall(r"\(([^)]*)\)", words)]
        )
        return np.interp(x, *corners.T)
    terms, meaning = words.removeprefix("y = ").split(", ", 1)
    scope = {"cos": np.cos, "sin": np.sin, "exp": np.exp, "x": x}
    if meaning.startswith("t = "):
        scope["t"] = eval(product(meaning.removeprefix("t = ")), scope)
        terms = re.sub(r"(cos|sin) (\d*)t", lambda m: f"* {m[1]}({m[2] or 1} * t)", terms)
    else:
        width = float(re.search(r"/ ([\d.e-]+)\)", meaning)[1])
        assert meaning == f"b(c) = exp(-((x - c) / {re.search(r'/ ([^)]*)', meaning)[1]})² / 2)"
        scope["b"] = lambda c: np.exp(-(((x - c) / width) ** 2) / 2)
        terms = terms.replace(" b(", " * b(")
    return eval(terms, scope)


def product(words):
    return words.replace(" (", " * (")


def within(words, curve, x):
    allowed = 1.2 * FIDELITY * max(np.ptp(curve), 1e-3 * np.abs(curve).max())
    return np.abs(read(words, x) - curve).max() <= allowed


@every_basis
@pytest.mark.parametrize("degree", [1, 4, 9])
@pytest.mark.parametrize("id", ["linear", "ridge", "lasso", "subset", "bayes_linear"])
def test_the_equation_evaluates_to_the_curve(id, basis, degree):
    state = learn.fit_data(learn.create(id, "regress", basis=basis, degree=degree), POINTS)
    x = np.linspace(POINTS.x.min(), POINTS.x.max(), 200)
    assert within(state.equation, state.predict(x), x), state.equation


@every_basis
def test_far_from_zero_it_still_is_the_curve(basis):
    x, y = POINTS.x + 1e4, POINTS.y * 1e-3 - 7
    state = learn.fit(learn.create("linear", "regress", basis=basis, degree=5), x, y)
    at = np.linspace(x.min(), x.max(), 200)
    assert np.abs(read(state.equation, at) - state.predict(at)).max() < 0.05 * np.ptp(y)


def test_waves_bumps_and_corners_are_written_shortly():
    x = np.array([-2.0, 4.0])
    waves = basis_over("fourier", 2, x)
    weights = np.array([0.5, 2.0, 0.0, -0.25, 1.0])
    assert (
        equation(waves, weights, weights) == "y = 0.5 + 2 cos t − 0.25 sin t + 1 sin 2t, t = 1.0472 (x − 1)"
    )
    bumps = basis_over("bumps", 3, x)
    found = equation(bumps, np.array([1.0, 0.0, -3.0, 0.5]), weights)
    assert found == "y = 1 − 3 b(1) + 0.5 b(4), b(c) = exp(−((x − c) / 3)² / 2)"
    pieces = basis_over("pieces", 2, x)
    found = equation(pieces, np.array([0.0, -1.5, 2.0]), weights)
    assert found == "y = the broken line through (−2, 0), (1, −1.5), (4, 2)"


@every_basis
def test_it_is_rounded_as_far_as_the_curve_allows(basis):
    state = learn.fit_data(learn.create("linear", "regress", basis=basis, degree=3), POINTS)
    figures = re.findall(r"\d+\.\d+", state.equation.split(", t =")[0].split(", b(c)")[0])
    assert all(len(figure.replace(".", "").lstrip("0")) <= 6 for figure in figures)
