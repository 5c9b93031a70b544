"""Marginal and conditional densities against those of normal distributions."""

import numpy as np
import pytest
from scipy import stats

from tests.evaluate.subjects import charts, results, subject
from vizml import data, learn

POINTS = data.generate("anisotropic", n=200, seed=1)
X = POINTS.points


def densities(given, at, model="gaussian", **values):
    who = subject(learn.create(model, "density", **values), POINTS, share=0.0)
    (chart,) = charts("conditional", who, given=given, at=at)
    return chart


@pytest.mark.parametrize("given, at", [("x", 0.2), ("x", 0.7), ("y", 0.5)])
def test_densities_of_a_gaussian_are_normal(given, at):
    chart = densities(given, at, prior=0.0)
    mean, covariance = X.mean(axis=0), np.cov(X.T, ddof=0)
    k = int(given == "y")
    value = X[:, k].min() + at * np.ptp(X[:, k])
    slope = covariance[0, 1] / covariance[k, k]
    shifted = mean[1 - k] + slope * (value - mean[k])
    left = covariance[1 - k, 1 - k] - slope * covariance[0, 1]
    marginal, conditional = chart.series
    expected = stats.norm(mean[1 - k], covariance[1 - k, 1 - k] ** 0.5).pdf(marginal.x)
    assert marginal.y == pytest.approx(expected, abs=2e-3 * expected.max())
    expected = stats.norm(shifted, left**0.5).pdf(conditional.x)
    assert conditional.y == pytest.approx(expected, abs=2e-3 * expected.max())
    evidence = stats.norm(mean[k], covariance[k, k] ** 0.5).pdf(value)
    assert float(chart.note.split(" = ")[2].split(" ")[0]) == pytest.approx(evidence, rel=2e-3)


@pytest.mark.parametrize("model", ["gmm", "kde"])
def test_conditional_densities_integrate_to_one(model):
    for one in densities("x", 0.4, model).series:
        assert np.trapezoid(one.y, one.x) == pytest.approx(1.0, abs=5e-3)


def test_the_given_value_is_a_line_on_the_stage():
    who = subject(learn.create("gmm", "density"), POINTS, share=0.0)
    (result,) = results("conditional", who, given="y", at=0.0)
    (line,) = result.overlay.marks
    assert np.unique(line.ends[..., 1]).tolist() == [X[:, 1].min()]


def test_a_single_input_has_no_conditional_density():
    one = POINTS.with_roles(inputs=("x",))
    with pytest.raises(ValueError, match="two inputs"):
        charts("conditional", subject(learn.create("kde", "density"), one, share=0.0))
