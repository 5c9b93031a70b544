"""Likelihoods of parameters against scipy and scikit-learn, and standard errors of textbooks."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize
from scipy.stats import norm
from sklearn.linear_model import LinearRegression, LogisticRegression

from tests.evaluate.subjects import charts, subject
from vizml import data, learn
from vizml.evaluate.diagnostics.likelihood import LogisticLikelihood, likelihood_of

LINE = data.generate("line", n=50, noise=0.4, seed=3)
MOONS = data.generate("moons", n=120, noise=0.4, seed=1)


def linear(**values):
    return subject(learn.create("linear", "regress", **values), LINE, share=0.0)


def logistic(**values):
    return subject(learn.create("logistic", **values), MOONS, share=0.0)


def test_maximum_likelihood_is_least_squares_under_gaussian_noise():
    found, current = likelihood_of(linear())
    x, y = LINE.points.T
    theirs = LinearRegression().fit(x[:, None], y)
    residuals = y - theirs.predict(x[:, None])
    expected = [theirs.intercept_, theirs.coef_[0], np.sqrt(np.mean(residuals**2))]
    assert found.estimate == pytest.approx(expected, rel=1e-9)
    assert current == pytest.approx(expected, rel=1e-9)
    assert found.at(found.estimate[None])[0] == pytest.approx(norm.logpdf(residuals, scale=expected[2]).sum())


def test_maximum_likelihood_of_logistic_regression_is_that_of_scikit_learn_without_a_penalty():
    found, _ = likelihood_of(logistic(l2=5.0))
    theirs = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(MOONS.points, MOONS.labels)
    assert found.estimate == pytest.approx(np.append(theirs.intercept_, theirs.coef_[0]), abs=1e-5)


@pytest.mark.parametrize("who", [linear(degree=2), logistic(), logistic(degree=2)])
def test_hessians_are_second_derivatives_and_negative_definite(who):
    found, _ = likelihood_of(who)

    def value(theta):
        return float(found.at(theta[None])[0])

    def slope(theta):
        return approx_fprime(theta, value, 1e-5)

    measured = approx_fprime(found.estimate, slope, 1e-4)
    assert found.hessian == pytest.approx(measured, rel=0.02, abs=0.02 * np.abs(measured).max())
    assert (np.linalg.eigvalsh(found.hessian) < 0).all()
    assert -minimize(lambda theta: -value(theta), found.estimate).fun == pytest.approx(value(found.estimate))


def test_standard_errors_are_those_of_the_regression():
    found, _ = likelihood_of(linear())
    n, p = 50, 2
    unbiased = np.sqrt(n / (n - p))
    assert unbiased * found.error(1) == pytest.approx(linear().state.metrics()["SE of x"], rel=1e-9)
    assert found.error(2) == pytest.approx(found.estimate[2] / np.sqrt(2 * n), rel=1e-9)
    assert found.error_alone(0) <= found.error(0)


@pytest.mark.parametrize("parameter", ["", "intercept", "σ"])
def test_the_chart_has_its_maximum_and_a_parabola_of_the_same_curvature(parameter):
    (chart,) = charts("likelihood", linear(), parameter=parameter)
    named = {series.name: series for series in chart.series}
    curve, parabola = named["log-likelihood"], named["parabola with the same l″"]
    top = named["maximum"]
    assert curve.y.max() <= top.y[0] + 1e-12
    ends = np.interp(named["± 1 standard error"].x, parabola.x, parabola.y)
    assert ends == pytest.approx(top.y[0] - 0.5, abs=2e-3)
    near = np.abs(curve.x - top.x[0]) < np.ptp(curve.x) / 40
    assert curve.y[near] == pytest.approx(parabola.y[near], abs=0.02)


def test_a_penalised_model_is_beside_the_maximum():
    (chart,) = charts("likelihood", logistic(l2=10.0))
    assert [rule.name for rule in chart.rules] == ["model"]


def test_separated_classes_have_no_maximum():
    X = np.column_stack([np.ones(6), np.arange(6.0)])
    with pytest.raises(ValueError, match="has no maximum"):
        LogisticLikelihood(("b", "x"), X, np.array([-1, -1, -1, 1, 1, 1.0])).estimate  # noqa: B018


@pytest.mark.parametrize(
    "who, options, words",
    [
        (subject(learn.create("knn")), {}, "choose linear or logistic regression"),
        (subject(learn.create("tree", "regress"), LINE), {}, "linear regression on polynomials"),
        (linear(), {"parameter": "z"}, "no parameter 'z'; there are intercept, x, σ"),
    ],
)
def test_other_models_and_parameters_are_refused(who, options, words):
    with pytest.raises(ValueError, match=words):
        charts("likelihood", who, **options)
