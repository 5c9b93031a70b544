"""Probability distributions of one variable: densities or masses, CDF, quantiles and moments.

The fields of a distribution are its parameters. Logarithms are natural, entropies are in nats. Discrete
distributions follow: binomial, categorical, Poisson, empirical and degenerate.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Annotated, NamedTuple, Self, get_origin, get_type_hints

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.distributions.special import log_gamma

HIGHEST = 1e30
"""Stands for an infinite density: fields are computed in single precision."""
CLOSE = 1e-9
"""Distance at which a value is an atom of a discrete distribution, relative to its size."""
CONVERGED = 1e-12
"""Relative change of quantiles after which the next step would change rounding only."""
STEPS = 60
"""Steps of Newton's method and bisection for a quantile."""


REACH = 12.0
"""Standard deviations around the mean of a Poisson distribution within which its atoms are listed."""
SHARE = 0.0, 1.0
"""Range of a probability."""


@dataclass(frozen=True)
class DistributionParameter:
    """Letter, name and open range of a parameter of a distribution."""

    letter: str
    title: str
    low: float = -math.inf
    high: float = math.inf


class Moments(NamedTuple):
    """Mean, variance, third standardised moment, and the expected value of -ln f(X) in nats."""

    mean: float
    variance: float
    skewness: float
    entropy: float


@cache
def annotated_parameters(distribution: type) -> Mapping[str, DistributionParameter]:
    """Return the annotations of the fields that are parameters."""
    hints = get_type_hints(distribution, include_extras=True).items()
    return {name: hint.__metadata__[0] for name, hint in hints if get_origin(hint) is Annotated}


@dataclass(frozen=True)
class Distribution(ABC):
    """A distribution of numbers; subclasses are frozen dataclasses of parameters."""

    @property
    def described(self) -> Mapping[str, DistributionParameter]:
        """The parameters that can be estimated, by the names of fields."""
        return annotated_parameters(type(self))

    @abstractmethod
    def log_density(self, x: Floats) -> Floats:
        """Return ln f(x), or ln P(X = x) of a discrete distribution; -inf outside the support."""

    @abstractmethod
    def cdf(self, x: Floats) -> Floats:
        """Return P(X <= x)."""

    @abstractmethod
    def quantile(self, p: Floats) -> Floats:
        """Return the least x with P(X <= x) >= p, for p between 0 and 1."""

    @property
    @abstractmethod
    def moments(self) -> Moments:
        """The moments and the entropy; infinite or NaN where there are none."""

    def density(self, x: Floats) -> Floats:
        """Return f(x), or P(X = x) of a discrete distribution."""
        return np.minimum(np.exp(np.minimum(self.log_density(x), math.log(HIGHEST))), HIGHEST)

    def log_likelihood(self, sample: Floats) -> float:
        """Return the sum of ln f(x) over a sample."""
        values, counts = np.unique(sample, return_counts=True)
        return float(self.log_density(values) @ counts) if len(values) else 0.0

    @property
    def values(self) -> Mapping[str, float]:
        """The values of the parameters that can be estimated, by the names of `described`."""
        return {name: float(getattr(self, name)) for name in self.described}

    def with_value(self, name: str, value: float) -> Self:
        """Return the distribution with another value of a parameter."""
        return replace(self, **{name: value})

    @property
    def text(self) -> str:
        """The parameters with their values."""
        return ", ".join(
            f"{self.described[name].letter} = {value:.4g}" for name, value in self.values.items()
        )


class DiscreteDistribution(Distribution):
    """A distribution on atoms: points with a positive probability."""

    @property
    @abstractmethod
    def _atoms(self) -> tuple[Floats, Floats]:
        """Rising points, and their probabilities; all but 1e-12 of the mass of infinitely many."""

    @cached_property
    def atoms(self) -> tuple[Floats, Floats]:
        """The points with a positive probability, rising, and their probabilities."""
        points, masses = self._atoms
        return points[masses > 0], masses[masses > 0]

    @cached_property
    def cumulative(self) -> Floats:
        """The CDF at the atoms."""
        return np.minimum(np.cumsum(self.atoms[1]), 1.0)

    def nearest(self, x: Floats) -> Floats:
        """Return the atom that is nearest to each x."""
        points = self.atoms[0]
        right = np.clip(np.searchsorted(points, x), 1, max(len(points) - 1, 1))
        left, right = right - 1, np.minimum(right, len(points) - 1)
        return np.where(x - points[left] <= points[right] - x, points[left], points[right])

    def log_density(self, x: Floats) -> Floats:
        points, masses = self.atoms
        x = np.asarray(x, float)
        near = self.nearest(x)
        at = np.searchsorted(points, near)
        hit = np.abs(x - near) <= CLOSE * np.maximum(np.abs(near), CLOSE)
        return np.where(hit, np.log(masses[at]), -np.inf)

    def cdf(self, x: Floats) -> Floats:
        below = np.searchsorted(self.atoms[0], np.asarray(x, float), side="right")
        return np.concatenate([[0.0], self.cumulative])[below]

    def quantile(self, p: Floats) -> Floats:
        points = self.atoms[0]
        at = np.searchsorted(self.cumulative, np.asarray(p, float) - 1e-12)
        return points[np.minimum(at, len(points) - 1)]

    @property
    def moments(self) -> Moments:
        points, masses = self.atoms
        mean = float(points @ masses)
        variance, third = (float((points - mean) ** power @ masses) for power in (2, 3))
        skewness = third / variance**1.5 if variance > 0 else math.nan
        return Moments(mean, variance, skewness, max(-float(masses @ np.log(masses)), 0.0))


def solved(distribution: Distribution, p: Floats, most: float) -> Floats:
    """Return quantiles of a distribution from 0 to a bound by Newton's method with bisection."""
    p = np.asarray(p, float)
    low, high = np.zeros_like(p), np.full_like(p, most)
    x = (low + high) / 2
    for _ in range(STEPS):
        excess = distribution.cdf(x) - p
        low, high = np.where(excess < 0, x, low), np.where(excess < 0, high, x)
        with np.errstate(all="ignore"):
            newton = x - excess / distribution.density(x)
        inside = (newton >= low) & (newton <= high)  # at the solution one of them is x
        following = np.where(inside, newton, (low + high) / 2)
        following = np.where(np.abs(excess) <= np.finfo(float).eps, x, following)
        done, x = bool((np.abs(following - x) <= CONVERGED * np.abs(x)).all()), following
        if done:
            break
    return x


@dataclass(frozen=True)
class BinomialDistribution(DiscreteDistribution):
    """Number of successes in m independent trials: P(k) = C(m, k) θ^k (1 - θ)^(m - k)."""

    theta: Annotated[float, DistributionParameter("θ", "success probability", *SHARE)]
    trials: int = 1

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
    def described(self) -> Mapping[str, DistributionParameter]:
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

    rate: Annotated[float, DistributionParameter("λ", "rate", 0.0)]

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

    a: Annotated[float, DistributionParameter("a", "location")]

    @property
    def _atoms(self) -> tuple[Floats, Floats]:
        return np.array([self.a]), np.ones(1)
