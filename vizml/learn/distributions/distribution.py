"""Probability distributions of one variable: densities or masses, CDF, quantiles and moments.

The fields of a distribution are its parameters. Logarithms are natural, entropies are in nats.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple, Self, TypeAlias

import numpy as np

from vizml.field.arrays import Floats

HIGHEST = 1e30
"""Stands for an infinite density: fields are computed in single precision."""
CLOSE = 1e-9
"""Distance at which a value is an atom of a discrete distribution, relative to its size."""
CONVERGED = 1e-12
"""Relative change of quantiles after which the next step would change rounding only."""
STEPS = 60
"""Steps of Newton's method and bisection for a quantile."""


@dataclass(frozen=True)
class DistributionParameter:
    """Letter, name and open range of a parameter of a distribution."""

    letter: str
    title: str
    low: float = -math.inf
    high: float = math.inf


Described: TypeAlias = Mapping[str, DistributionParameter]
"""Parameters that can be estimated, by the names of fields."""


class Moments(NamedTuple):
    """Mean, variance, third standardised moment, and the expected value of -ln f(X) in nats."""

    mean: float
    variance: float
    skewness: float
    entropy: float


class Distribution(ABC):
    """A distribution of numbers; subclasses are frozen dataclasses of parameters."""

    described: ClassVar[Described] = {}

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
        return replace(self, **{name: value})  # type: ignore[type-var]

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
