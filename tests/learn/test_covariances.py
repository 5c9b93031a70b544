"""Covariances along a line and the process that they make: symmetry, sums, the prior."""

import math

import numpy as np
import pytest

from vizml.learn.gaussian_processes.covariances import PARTS, Scales, Sum, parts_of
from vizml.learn.gaussian_processes.regression import Exact

X = np.random.default_rng(0).uniform(2, 5, 40)
Y = np.cos(X) + np.random.default_rng(1).normal(scale=0.1, size=40)
SCALES = Scales(0.7, 2.5, 1.3)


@pytest.mark.parametrize("name", PARTS)
def test_a_covariance_is_symmetric_and_positive(name):
    k = Sum((name,), SCALES)
    K = k.between(X, X)
    assert np.allclose(K, K.T)
    assert np.linalg.eigvalsh(K).min() > -1e-9 * K.max()
    assert np.allclose(K.diagonal(), k.at(X))


def test_a_sum_is_the_sum_of_its_parts():
    together = Sum(tuple(PARTS), SCALES)
    alone = [Sum((name,), SCALES).between(X, Y) for name in PARTS]
    assert np.allclose(together.between(X, Y), sum(alone))
    assert together.periodic
    assert not Sum(("rbf",), SCALES).periodic
    assert np.allclose(
        Sum(("periodic",), SCALES).between(X, X + SCALES.period), Sum(("periodic",), SCALES).between(X, X)
    )


def test_a_sum_is_read_from_words():
    assert parts_of(" rbf + linear") == ("rbf", "linear")
    for text in ("", "rbf+rbf", "rbf+", "cubic"):
        with pytest.raises(ValueError, match="each once"):
            parts_of(text)


def test_the_prior_knows_nothing():
    prior = Exact.prior(Sum(("rbf",), SCALES), 0.1)
    assert (prior.mean(X) == 0).all()
    assert np.allclose(prior.deviation(X), math.sqrt(SCALES.variance))
    assert prior.evidence == 0


def test_the_evidence_does_not_mind_the_order_of_the_points():
    order = np.random.default_rng(4).permutation(40)
    here, there = (Exact.of(Sum(("matern32",), SCALES), 0.1, X[o], Y[o]) for o in (np.arange(40), order))
    assert here.evidence == pytest.approx(there.evidence)
    assert (here.deviation(X) <= math.sqrt(SCALES.variance)).all()


def test_one_point_pulls_the_mean_by_its_share_of_the_variance():
    known = Exact.of(Sum(("rbf",), SCALES), 0.5, np.array([3.0]), np.array([2.0]))
    assert known.mean(np.array([3.0]))[0] == pytest.approx(2.0 * 2.5 / 3.0)
    assert known.deviation(np.array([3.0]))[0] == pytest.approx(math.sqrt(2.5 - 2.5**2 / 3.0))
    assert known.mean(np.array([1e3]))[0] == 0
    assert known.evidence == pytest.approx(-0.5 * 4 / 3 - 0.5 * math.log(3) - 0.5 * math.log(2 * math.pi))


def test_the_same_point_twice_is_one_with_half_the_noise():
    twice = Exact.of(Sum(("rbf",), SCALES), 0.5, np.array([3.0, 3.0]), np.array([1.0, 3.0]))
    once = Exact.of(Sum(("rbf",), SCALES), 0.25, np.array([3.0]), np.array([2.0]))
    assert np.allclose(twice.mean(X), once.mean(X))
    assert np.allclose(twice.deviation(X), once.deviation(X))


def test_samples_without_chance_are_the_mean():
    known = Exact.of(Sum(("rbf",), SCALES), 0.1, X, Y)
    at = np.linspace(1, 6, 20)
    assert np.allclose(known.drawn(at, np.zeros((3, 20))), known.mean(at))
