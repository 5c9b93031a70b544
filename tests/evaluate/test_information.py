"""Entropies and divergences against scipy, mutual information against scikit-learn."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats as st
from scipy.integrate import quad
from scipy.spatial.distance import jensenshannon
from scipy.special import rel_entr
from sklearn.metrics import mutual_info_score

from tests.evaluate.subjects import charts, subject
from vizml import data, learn
from vizml.evaluate.diagnostics.information import TableInformation, divergences
from vizml.learn import DISTRIBUTE
from vizml.learn.distributions.continuous import (
    GammaDistribution,
    GaussianDistribution,
    LaplaceDistribution,
    UniformDistribution,
)
from vizml.learn.distributions.distribution import BinomialDistribution, PoissonDistribution

COUNTS = np.array([[30.0, 10.0], [5.0, 55.0]])


def test_discrete_divergences_are_scipys():
    p, q = BinomialDistribution(0.3, 8), PoissonDistribution(2.0)
    k = np.arange(40)
    a, b = st.binom(8, 0.3).pmf(k), st.poisson(2.0).pmf(k)
    found = divergences(p, q)
    assert found.kl_pq == pytest.approx(rel_entr(a, b).sum(), abs=1e-12)
    assert found.kl_qp == np.inf
    assert found.cross_pq == pytest.approx(-(a @ np.log(b)), abs=1e-12)
    assert found.js == pytest.approx(jensenshannon(a, b) ** 2, abs=1e-12)
    assert found.kl_pq == pytest.approx(found.cross_pq - found.p_entropy)


@pytest.mark.parametrize(
    "p, q, theirs",
    [
        (GaussianDistribution(0, 1), GaussianDistribution(1, 2), (st.norm(0, 1), st.norm(1, 2))),
        (LaplaceDistribution(0, 1), GaussianDistribution(0, 1.4), (st.laplace(0, 1), st.norm(0, 1.4))),
        (GammaDistribution(2, 1), GammaDistribution(3, 0.8), (st.gamma(2), st.gamma(3, scale=0.8))),
    ],
)
def test_continuous_divergences_are_integrals(p, q, theirs):
    first, second = theirs

    def integral(log_ratio, density):
        return quad(lambda x: density.pdf(x) * log_ratio(x), -40, 40, points=[0.0], limit=400)[0]

    found = divergences(p, q)
    if first.dist.name == "gamma":
        (a, b), scale = (2, 3), 0.8
        from scipy.special import digamma, gammaln

        kl = (a - b) * digamma(a) - gammaln(a) + gammaln(b) + b * np.log(scale) + a * (1 - scale) / scale
        assert found.kl_pq == pytest.approx(kl, rel=1e-8)
        return
    assert found.kl_pq == pytest.approx(
        integral(lambda x: first.logpdf(x) - second.logpdf(x), first), rel=1e-6
    )
    assert found.kl_qp == pytest.approx(
        integral(lambda x: second.logpdf(x) - first.logpdf(x), second), rel=1e-6
    )

    def log_mixture(x):
        return np.logaddexp(first.logpdf(x), second.logpdf(x)) - np.log(2)

    js = sum(integral(lambda x, f=f: f.logpdf(x) - log_mixture(x), f) for f in theirs) / 2
    assert found.js == pytest.approx(js, rel=1e-6)


def test_supports_that_differ_have_an_infinite_divergence():
    found = divergences(GaussianDistribution(0, 1), UniformDistribution(-1, 1))
    assert found.kl_pq == np.inf
    assert found.kl_qp == pytest.approx(0.5 * np.log(2 * np.pi) + 1 / 6 - np.log(2))
    mixed = divergences(GaussianDistribution(0, 1), PoissonDistribution(1.0))
    assert (mixed.kl_pq, mixed.js) == (np.inf, np.log(2))


def test_mutual_information_is_scikit_learns():
    found = TableInformation(COUNTS)
    x, y = (np.repeat(each.ravel(), COUNTS.astype(int).ravel()) for each in np.indices((2, 2)))
    assert found.mutual == pytest.approx(mutual_info_score(x, y))
    assert float((found.joint * found.pointwise).sum()) == pytest.approx(found.mutual)
    assert TableInformation(np.ones((2, 2))).mutual == 0.0


def test_the_table_of_a_comparison_holds_the_figures():
    who = subject(learn.create("poisson", DISTRIBUTE), data.generate("poisson"), share=0.0)
    (table,) = charts("divergence", who, show="table", other="binomial", unit="nats")
    p = who.state.distribution
    q = learn.fit_data(learn.create("binomial", DISTRIBUTE), who.train).distribution
    found = divergences(p, q)
    assert table.heat.values[2, 1] == pytest.approx(found.kl_qp)
    assert "(p) and Empirical (q)" in charts("divergence", who)[0].title


def test_other_stages_come_before_a_fitted_distribution():
    who = subject(learn.create("gaussian", DISTRIBUTE), data.generate("gaussian"), share=0.0)
    uniform = learn.fit_data(learn.create("uniform", DISTRIBUTE), who.train)
    compared = (("Gaussian", who.state), ("Uniform", uniform))
    assert "Uniform (q)" in charts("divergence", replace(who, compared=compared))[0].title


def test_counts_are_typed_in_and_an_empty_table_is_refused():
    who = subject(learn.create("gaussian", DISTRIBUTE), data.generate("gaussian"), share=0.0)
    (chart,) = charts("mutual_information", who, n00=30, n01=10, n10=5, n11=55, unit="nats")
    assert f"I(X; Y) = {TableInformation(COUNTS).mutual:.4g}" in chart.note
    with pytest.raises(ValueError, match="the table is empty"):
        charts("mutual_information", who, n00=0, n01=0, n10=0, n11=0)
