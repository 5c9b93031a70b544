"""Distributions against scipy: densities, CDF, quantiles, moments, entropy and estimates."""

import math

import numpy as np
import pytest
import scipy.special as sp
import scipy.stats as st

from vizml import data, learn
from vizml.learn.distributions import special
from vizml.learn.distributions.continuous import (
    BetaDistribution,
    GammaDistribution,
    GaussianDistribution,
    LaplaceDistribution,
    ParetoDistribution,
    UniformDistribution,
)
from vizml.learn.distributions.distribution import (
    BinomialDistribution,
    CategoricalDistribution,
    DegenerateDistribution,
    EmpiricalDistribution,
    PoissonDistribution,
)

CONTINUOUS = {
    "uniform": (UniformDistribution(-1, 2.5), st.uniform(-1, 3.5)),
    "gaussian": (GaussianDistribution(1, 2), st.norm(1, 2)),
    "laplace": (LaplaceDistribution(1, 0.7), st.laplace(1, 0.7)),
    "gamma": (GammaDistribution(2.5, 0.8), st.gamma(2.5, scale=0.8)),
    "gamma with a pole": (GammaDistribution(0.4, 3), st.gamma(0.4, scale=3)),
    "narrow gamma": (GammaDistribution(700.0, 0.1), st.gamma(700.0, scale=0.1)),
    "beta": (BetaDistribution(2, 3.5), st.beta(2, 3.5)),
    "beta with poles": (BetaDistribution(0.5, 0.6), st.beta(0.5, 0.6)),
    "pareto": (ParetoDistribution(4.5, 2), st.pareto(4.5, scale=2)),
}
DISCRETE = {
    "bernoulli": (BinomialDistribution(0.3), st.bernoulli(0.3)),
    "binomial": (BinomialDistribution(0.3, 12), st.binom(12, 0.3)),
    "poisson": (PoissonDistribution(3.7), st.poisson(3.7)),
    "large poisson": (PoissonDistribution(370.0), st.poisson(370.0)),
}
P = np.linspace(0.001, 0.999, 99)
X = {"coin": data.generate("coin").x}


def drawn(name, **options):
    return data.generate(name, **options).x


def fit(id, x, **values):
    return learn.fit(learn.create(id, "distribute", **values), x)


@pytest.mark.parametrize("a", [0.01, 0.3, 2.5, 59.0, 60.0, 1000.0, 1e5])
def test_the_incomplete_gamma_function(a):
    x = np.maximum(np.concatenate([a * np.linspace(0, 3, 99), a + np.sqrt(a) * np.linspace(-9, 12, 99)]), 0)
    assert special.gamma_cdf(a, x) == pytest.approx(sp.gammainc(a, x), abs=1e-10)


@pytest.mark.parametrize("a, b", [(0.01, 0.02), (0.5, 3), (30, 2000), (60, 60), (1e3, 70), (1e4, 1e4)])
def test_the_incomplete_beta_function(a, b):
    near = a / (a + b) + math.sqrt(a * b / (a + b + 1)) / (a + b) * np.linspace(-9, 9, 99)
    x = np.clip(np.concatenate([np.linspace(0, 1, 99), near]), 0, 1)
    assert special.beta_cdf(a, b, x) == pytest.approx(sp.betainc(a, b, x), abs=1e-10)


@pytest.mark.parametrize("x", [1e-5, 0.5, 3.0, 11.9, 12.0, 1e6])
def test_digamma_and_trigamma(x):
    assert special.digamma(x) == pytest.approx(sp.digamma(x), rel=1e-12, abs=1e-12)
    assert special.trigamma(x) == pytest.approx(sp.polygamma(1, x), rel=1e-12)


@pytest.mark.parametrize("name", CONTINUOUS)
def test_a_continuous_distribution_is_scipys(name):
    ours, theirs = CONTINUOUS[name]
    x = np.append(theirs.ppf(P), [-5.0, 50.0])
    assert ours.density(x) == pytest.approx(theirs.pdf(x), rel=1e-9, abs=1e-12)
    assert ours.cdf(x) == pytest.approx(theirs.cdf(x), abs=1e-10)
    assert ours.quantile(P) == pytest.approx(theirs.ppf(P), rel=1e-9)
    figures = ours.moments
    assert figures == pytest.approx((*map(float, theirs.stats("mvs")), theirs.entropy()), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", DISCRETE)
def test_a_discrete_distribution_is_scipys(name):
    ours, theirs = DISCRETE[name]
    k = np.arange(-2.0, theirs.ppf(0.9999) + 3)
    assert ours.density(k) == pytest.approx(theirs.pmf(k), rel=1e-9, abs=1e-15)
    assert (ours.density(k + 0.4) == 0).all()
    assert ours.cdf(k + 0.4) == pytest.approx(theirs.cdf(k + 0.4), abs=1e-10)
    assert np.array_equal(ours.quantile(P), theirs.ppf(P))
    figures = ours.moments
    assert figures == pytest.approx((*map(float, theirs.stats("mvs")), theirs.entropy()), rel=1e-9)


def test_categories_have_the_masses_of_a_multinomial_draw():
    p = (0.2, 0.3, 0.5)
    ours, theirs = CategoricalDistribution(p), st.multinomial(1, p)
    assert ours.density(np.array([1.0, 2, 3])) == pytest.approx(theirs.pmf(np.eye(3)))
    assert ours.moments.entropy == pytest.approx(theirs.entropy())


def test_the_empirical_cdf_is_scipys_and_a_point_has_no_entropy():
    x = drawn("gamma", n=50)
    steps = st.ecdf(x).cdf
    assert EmpiricalDistribution(x).cdf(np.linspace(-1, 9, 99)) == pytest.approx(
        steps.evaluate(np.linspace(-1, 9, 99))
    )
    point = DegenerateDistribution(2.0)
    assert point.moments[:2] == (2.0, 0.0)
    assert point.moments.entropy == 0.0
    assert point.cdf(np.array([1.9, 2.0])).tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    "id, options, fixed, theirs",
    [
        ("gamma", {"shape": 2.0}, {"floc": 0}, st.gamma),
        ("gamma", {"shape": 0.3}, {"floc": 0}, st.gamma),
        ("beta", {"a": 2.0, "b": 0.5}, {"floc": 0, "fscale": 1}, st.beta),
        ("pareto", {"shape": 3.0}, {"floc": 0}, st.pareto),
        ("gaussian", {"mu": 3.0}, {}, st.norm),
        ("laplace", {}, {}, st.laplace),
        ("uniform", {}, {}, st.uniform),
    ],
)
def test_maximum_likelihood_is_scipys(id, options, fixed, theirs):
    x = drawn(id, **options)
    state, reference = fit(id, x), theirs(*theirs.fit(x, **fixed))
    assert state.log_likelihood == pytest.approx(reference.logpdf(x).sum(), abs=1e-6)
    assert state.quantile(P) == pytest.approx(reference.ppf(P), rel=1e-4, abs=1e-6)


def test_newton_steps_raise_the_likelihood():
    for id in ("gamma", "beta"):
        losses = [state.loss for state in learn.steps(learn.create(id, "distribute"), drawn(id))]
        assert len(losses) > 3
        assert (np.diff(losses) <= 1e-9).all()


@pytest.mark.parametrize(
    "id, name, expected",
    [
        ("bernoulli", "success probability", lambda x: (x.sum() + 2) / (len(x) + 4)),
        ("poisson", "rate", lambda x: (x.sum() + 2) / (len(x) + 0.5)),
    ],
)
def test_the_posterior_mode_follows_from_the_conjugate_prior(id, name, expected):
    x = drawn("coin" if id == "bernoulli" else id)
    prior = {"prior_a": 3.0, "prior_b": 3.0} if id == "bernoulli" else {"prior_shape": 3.0, "prior_rate": 0.5}
    states = list(learn.steps(learn.create(id, "distribute", estimate="map", **prior), x))
    assert states[-1].metrics()[name] == pytest.approx(expected(x))
    assert states[-1].loss < states[0].loss


def test_the_mode_of_a_mean_and_of_categories():
    x = drawn("gaussian", n=20, mu=3.0)
    state = fit("gaussian", x, estimate="map", prior_mean=1.0, prior_sd=0.5)
    mu = (20 * x.mean() / x.var() + 1 / 0.25) / (20 / x.var() + 1 / 0.25)
    assert state.learned()["mu"] == pytest.approx(mu)
    dice = drawn("multinomial", n=30)
    state = fit("multinomial", dice, estimate="map", prior_alpha=3.0)
    counts = np.bincount(dice.astype(int), minlength=7)[1:]
    assert list(state.learned().values()) == pytest.approx((counts + 2) / (30 + 12))


def test_seven_heads_of_ten_have_the_curvature_of_the_notes():
    state = fit("bernoulli", X["coin"])
    assert state.learned() == {"theta": 0.7}
    assert state.log_likelihood == pytest.approx(7 * math.log(0.7) + 3 * math.log(0.3))
    charts = {chart.title: chart for chart in state.charts()}
    chart = charts["Log-likelihood of the success probability"]
    assert f"ℓ″ = {-7 / 0.49 - 3 / 0.09:.4g}" in chart.note
    curve = chart.series[0]
    assert curve.y == pytest.approx(7 * np.log(curve.x) + 3 * np.log(1 - curve.x))
    slope = charts["Derivative for the success probability"].series[0]
    assert slope.y == pytest.approx(7 / slope.x - 3 / (1 - slope.x), rel=1e-2, abs=1e-2)


def test_samples_outside_the_support_are_rounded_or_left_out():
    assert fit("bernoulli", [0.2, 0.9, 7.0]).learned() == {"theta": pytest.approx(2 / 3)}
    state = fit("gamma", [-1.0, 1.0, 2.0, 3.5])
    assert len(state.sample) == 3
    assert "1 sample outside the support (x > 0) left out" in state.note
    nothing = fit("beta", [3.0, 4.0], a=2.0, b=3.0)
    assert nothing.learned() == {"a": 2.0, "b": 3.0}
    assert "No sample lies in the support" in nothing.note


def test_fixed_values_stay():
    state = fit("gaussian", [0.0, 1.0], estimate="fixed", mu=4.0, sigma=0.5)
    assert state.predict([4.0, 4.5]) == pytest.approx(st.norm(4, 0.5).pdf([4.0, 4.5]))
    assert state.log_likelihood == pytest.approx(st.norm(4, 0.5).logpdf([0.0, 1.0]).sum())


def test_categories_of_a_table_are_refused():
    table = data.generate("weather")
    with pytest.raises(learn.CannotLearn, match="has categories: a distribution needs a column of numbers"):
        learn.fit_data(learn.create("poisson"), table)


def test_samples_are_of_one_column_whatever_others_miss():
    samples, missing = np.arange(1.0, 6.0), np.array([1.0, np.nan, 3.0, 4.0, np.nan])
    table = data.Dataset.of([data.Column("x", samples), data.Column("y", missing)], ("x", "y"))
    state = learn.fit_data(learn.create("pareto", "distribute"), table)
    assert state.space.names == ("x",)
    assert state.training_data(table).X.tolist() == samples[:, None].tolist()
