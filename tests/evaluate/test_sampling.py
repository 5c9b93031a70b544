"""Sampling distributions of coefficients against sigma^2 (X'X)^-1, and Gauss-Markov."""

import numpy as np
import pytest

from tests.evaluate.subjects import charts, subject
from vizml import data, learn
from vizml.data import Split
from vizml.evaluate.diagnostics.sampling import SamplingDistribution, draws, linear_model
from vizml.evaluate.resampling import generator_samplers


def drawn(id, spec, count=1500, **values):
    model = learn.create(id, "regress", **values)
    return list(draws(model, generator_samplers(spec, Split(0.0)), None, count, 0))


def who(id="linear", spec="line:n=60,noise=0.3,seed=2", **values):
    noisy, noiseless = generator_samplers(spec, Split(0.0))
    model = learn.create(id, "regress", **values)
    return subject(model, spec, share=0.0, sampler=noisy, noiseless_sampler=noiseless)


@pytest.mark.parametrize(
    "id, spec, values",
    [
        ("linear", "line:n=60,noise=0.3", {}),
        ("linear", "cubic:n=80,noise=0.5", {"degree": 3}),
        ("ridge", "line:n=60,noise=0.3", {"degree": 1, "lam": 10.0}),
    ],
)
def test_the_measured_covariance_is_that_of_the_theory(id, spec, values):
    found = SamplingDistribution.of(drawn(id, spec, **values))
    measured, deviations = np.cov(found.estimates.T), np.sqrt(np.diag(found.covariance))
    assert np.diag(measured) == pytest.approx(np.diag(found.covariance), rel=0.1)
    assert measured / np.outer(deviations, deviations) == pytest.approx(
        found.covariance / np.outer(deviations, deviations), abs=0.1
    )


def test_the_covariance_is_sigma_squared_times_the_inverse_of_the_normal_matrix():
    (draw,) = drawn("linear", "cubic:n=40,noise=0.5", count=1, degree=2)
    X = np.vander(draw.data.X[:, 0], 3, increasing=True)
    assert draw.mapping @ draw.mapping.T == pytest.approx(np.linalg.inv(X.T @ X), rel=1e-9)
    assert draw.estimate == pytest.approx(np.linalg.lstsq(X, draw.data.y, rcond=None)[0], rel=1e-9)


def test_ridge_has_less_variance_and_a_bias():
    least, ridge = (
        SamplingDistribution.of(drawn(id, "line:n=60,noise=0.3", 300, **values))
        for id, values in (("linear", {}), ("ridge", {"degree": 1, "lam": 10.0}))
    )
    assert ridge.covariance[1, 1] < least.covariance[1, 1]
    assert least.expectation == pytest.approx([0.5, 0.7], abs=1e-9)  # the line of the generator
    assert ridge.estimates.mean(axis=0) == pytest.approx(ridge.expectation, abs=0.01)
    assert ridge.expectation[1] < 0.69


def test_no_linear_unbiased_estimator_has_less_variance_than_least_squares():
    found = SamplingDistribution.of(drawn("linear", "cubic:n=80,noise=0.5", 600, degree=3))
    assert found.other_expectation == pytest.approx(found.truth, abs=1e-9)
    assert np.linalg.eigvalsh(found.other_covariance - found.covariance).min() > 0
    assert found.others.var(axis=0, ddof=1) == pytest.approx(np.diag(found.other_covariance), rel=0.2)
    assert (found.others.var(axis=0) > found.estimates.var(axis=0)).all()


def test_the_chart_grows_and_most_estimates_are_in_the_ellipse():
    first, *_, last = charts("sampling", who(), draws=400)
    named = {series.name: series for series in last.series}
    cloud, line = named["least squares"], named["95 % by σ²(X′X)⁻¹"]
    assert len(next(s for s in first.series if s.name == "least squares").x) == 10
    assert len(cloud.x) == 400
    centre, points = np.array([0.5, 0.7]), np.column_stack([line.x, line.y])
    shape = np.linalg.inv(np.cov((points[:-1] - centre).T, ddof=0) * 2)  # x'Sx = 1 on the ellipse
    off = np.column_stack([cloud.x, cloud.y]) - centre
    assert np.mean(np.einsum("ni,ij,nj->n", off, shape, off) < 1) == pytest.approx(0.95, abs=0.04)


def test_without_a_generator_samples_have_the_inputs_of_the_data():
    table = data.generate("advertising")
    *_, last = charts("sampling", subject(learn.create("linear", "regress"), table, share=0.0), draws=50)
    assert "true coefficients" in {series.name for series in last.series}


@pytest.mark.parametrize(
    "model, options, words",
    [
        (("lasso", {}), {}, "choose linear regression"),
        (("ridge", {"lam": "cv"}), {}, "a number as λ"),
        (("linear", {"basis": "fourier"}), {}, "on polynomials"),
        (("linear", {}), {"up": "z"}, "no coefficient 'z'; there are intercept, x"),
        (("linear", {}), {"up": "intercept"}, "two different coefficients"),
    ],
)
def test_estimates_that_have_no_such_distribution_are_refused(model, options, words):
    with pytest.raises(ValueError, match=words):
        charts("sampling", who(model[0], **model[1]), **options)


def test_a_descent_is_replaced_by_the_exact_solution():
    assert linear_model(learn.create("linear", "regress", solver="gd")).solver == "exact"


def test_samples_without_noise_have_no_ratio_of_variances():
    points = data.Dataset([[1.0, 2.0]] * 6, [0] * 6)
    (chart,) = charts("sampling", subject(learn.create("linear", "regress"), points, share=0.0), draws=3)
    assert "standard error 0, by theory 0" in chart.note
    assert "wrong weights" not in chart.note
