"""Discrete distributions: Bernoulli, binomial, categorical, Poisson, empirical and degenerate."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.distributions.distribution import (
    Described,
    DiscreteDistribution,
    DistributionParameter,
    Moments,
)
from vizml.learn.distributions.special import log_gamma

REACH = 12.0
"""Standard deviations around the mean of a Poisson distribution within which its atoms are listed."""
SHARE = 0.0, 1.0
"""Range of a probability."""


@dataclass(frozen=True)
class BinomialDistribution(DiscreteDistribution):
    """Number of successes in m independent trials: P(k) = C(m, k) θ^k (1 - θ)^(m - k)."""

    theta: float
    trials: int = 1
    described: ClassVar[Described] = {"theta": DistributionParameter("θ", "success probability", *SHARE)}

    @property
    def _atoms(self) -> tuple[Floats, Floats]:
        k, m = np.arange(self.trials + 1.0), self.trials
        with np.errstate(divide="ignore", invalid="ignore"):
            successes = np.where(k > 0, k * np.log(self.theta), 0.0)
            failures = np.where(k < m, (m - k) * np.log1p(-self.theta), 0.0)
        ways = log_gamma(m + 1.0) - log_gamma(k + 1) - log_gamma(m - k + 1)
        return k, np.exp(ways + successes + failures)

    @property
    def moments(self) -> Moments:
        mean = self.trials * self.theta
        return super().moments._replace(mean=mean, variance=mean * (1 - self.theta))


@dataclass(frozen=True)
class CategoricalDistribution(DiscreteDistribution):
    """One of the categories 1 to K with probabilities p_k: the counts of n draws are multinomial."""

    probabilities: tuple[float, ...]

    @property
    def described(self) -> Described:  # type: ignore[override]
        """A parameter for each category."""
        return {
            f"p{k}": DistributionParameter(f"p{k}", f"probability of {k}", *SHARE)
            for k in range(1, len(self.probabilities) + 1)
        }

    @property
    def values(self) -> Mapping[str, float]:
        return dict(zip(self.described, self.probabilities))

    def with_value(self, name: str, value: float) -> Self:
        """Return the distribution with another probability; the others stay in proportion."""
        p = np.array(self.probabilities)
        k = int(name[1:]) - 1
        rest = 1 - p[k]
        p = p * (1 - value) / rest if rest > 0 else np.full(len(p), (1 - value) / max(len(p) - 1, 1))
        p[k] = value
        return type(self)(tuple(p.tolist()))

    @property
    def _atoms(self) -> tuple[Floats, Floats]:
        return np.arange(1.0, len(self.probabilities) + 1), np.array(self.probabilities)


@dataclass(frozen=True)
class PoissonDistribution(DiscreteDistribution):
    """Number of independent events at a constant rate: P(k) = λ^k e^(-λ) / k!."""

    rate: float
    described: ClassVar[Described] = {"rate": DistributionParameter("λ", "rate", 0.0)}

    @property
    def _atoms(self) -> tuple[Floats, Floats]:
        reach = REACH * math.sqrt(self.rate) + 30
        k = np.arange(max(math.floor(self.rate - reach), 0), math.ceil(self.rate + reach), dtype=np.float64)
        if self.rate <= 0:
            return np.zeros(1), np.ones(1)
        return k, np.exp(k * math.log(self.rate) - self.rate - log_gamma(k + 1))

    def log_density(self, x: Floats) -> Floats:
        x = np.asarray(x, float)
        whole = (x >= 0) & (x == np.rint(x))
        k = np.where(whole, x, 0.0)
        rate = max(self.rate, 1e-300)
        return np.where(whole, k * math.log(rate) - self.rate - log_gamma(k + 1), -np.inf)

    @property
    def moments(self) -> Moments:
        skewness = 1 / math.sqrt(self.rate) if self.rate > 0 else math.nan
        return Moments(self.rate, self.rate, skewness, super().moments.entropy)


@dataclass(frozen=True, eq=False)
class EmpiricalDistribution(DiscreteDistribution):
    """Mass 1/n at each value of a sample."""

    sample: Floats

    @property
    def _atoms(self) -> tuple[Floats, Floats]:
        points, counts = np.unique(self.sample, return_counts=True)
        return points, counts / len(self.sample)

    @property
    def text(self) -> str:
        return f"mass 1/{len(self.sample)} at each sample"


@dataclass(frozen=True)
class DegenerateDistribution(DiscreteDistribution):
    """All mass at one point: X = a."""

    a: float
    described: ClassVar[Described] = {"a": DistributionParameter("a", "location")}

    @property
    def _atoms(self) -> tuple[Floats, Floats]:
        return np.array([self.a]), np.ones(1)
