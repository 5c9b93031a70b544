"""Continuous distributions: uniform, Gaussian, Laplace, gamma, beta and Pareto."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Annotated

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.distributions.distribution import Distribution, DistributionParameter, Moments, solved
from vizml.learn.distributions.special import beta_cdf, digamma, erfc, gamma_cdf, log_beta, log_gamma

_standard_quantile = np.vectorize(NormalDist().inv_cdf, otypes=[float])


def _logarithm(x: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.log(np.maximum(x, 0.0)))


def _power(exponent: float, log: Floats) -> Floats:
    """Return the logarithm of a power, 0 for the exponent 0 also of 0."""
    return exponent * log if exponent else np.zeros_like(log)


@dataclass(frozen=True)
class UniformDistribution(Distribution):
    """Constant density 1 / (b - a) between a and b."""

    low: Annotated[float, DistributionParameter("a", "lower bound")]
    high: Annotated[float, DistributionParameter("b", "upper bound")]

    @property
    def _width(self) -> float:
        return self.high - self.low

    def log_density(self, x: Floats) -> Floats:
        inside = (x >= self.low) & (x <= self.high) & (self._width > 0)
        return np.where(inside, -math.log(self._width) if self._width > 0 else 0.0, -np.inf)

    def cdf(self, x: Floats) -> Floats:
        return np.clip((x - self.low) / self._width, 0.0, 1.0)

    def quantile(self, p: Floats) -> Floats:
        return np.asarray(self.low + np.asarray(p) * self._width)

    @property
    def moments(self) -> Moments:
        width = self._width
        entropy = math.log(width) if width > 0 else -math.inf
        return Moments((self.low + self.high) / 2, width**2 / 12, 0.0, entropy)


@dataclass(frozen=True)
class GaussianDistribution(Distribution):
    """Normal distribution with mean μ and standard deviation σ."""

    mu: Annotated[float, DistributionParameter("μ", "mean")]
    sigma: Annotated[float, DistributionParameter("σ", "standard deviation", 0.0)]

    def log_density(self, x: Floats) -> Floats:
        return np.asarray(
            -0.5 * ((x - self.mu) / self.sigma) ** 2 - math.log(self.sigma * math.sqrt(2 * math.pi))
        )

    def cdf(self, x: Floats) -> Floats:
        return erfc((self.mu - np.asarray(x)) / (self.sigma * math.sqrt(2))) / 2

    def quantile(self, p: Floats) -> Floats:
        return np.asarray(self.mu + self.sigma * _standard_quantile(p))

    @property
    def moments(self) -> Moments:
        entropy = math.log(self.sigma * math.sqrt(2 * math.pi * math.e))
        return Moments(self.mu, self.sigma**2, 0.0, entropy)


@dataclass(frozen=True)
class LaplaceDistribution(Distribution):
    """Double exponential distribution: f(x) = exp(-|x - μ| / b) / (2 b)."""

    mu: Annotated[float, DistributionParameter("μ", "location")]
    b: Annotated[float, DistributionParameter("b", "scale", 0.0)]

    def log_density(self, x: Floats) -> Floats:
        return np.asarray(-np.abs(x - self.mu) / self.b - math.log(2 * self.b))

    def cdf(self, x: Floats) -> Floats:
        z = (np.asarray(x) - self.mu) / self.b
        tail = np.exp(-np.abs(z)) / 2
        return np.where(z < 0, tail, 1 - tail)

    def quantile(self, p: Floats) -> Floats:
        p = np.asarray(p)
        return np.asarray(self.mu - self.b * np.sign(p - 0.5) * np.log(1 - 2 * np.abs(p - 0.5)))

    @property
    def moments(self) -> Moments:
        return Moments(self.mu, 2 * self.b**2, 0.0, 1 + math.log(2 * self.b))


@dataclass(frozen=True)
class GammaDistribution(Distribution):
    """Gamma distribution of positive numbers: f(x) = x^(k - 1) e^(-x/θ) / (Γ(k) θ^k); its rate is 1/θ."""

    shape: Annotated[float, DistributionParameter("k", "shape", 0.0)]
    scale: Annotated[float, DistributionParameter("θ", "scale", 0.0)]

    def log_density(self, x: Floats) -> Floats:
        x = np.asarray(x, float)
        k, z = self.shape, x / self.scale
        log = _power(k - 1, _logarithm(z)) - z - float(log_gamma(k)) - math.log(self.scale)
        return np.where(x < 0, -np.inf, log)

    def cdf(self, x: Floats) -> Floats:
        return gamma_cdf(self.shape, np.asarray(x) / self.scale)

    def quantile(self, p: Floats) -> Floats:
        return solved(self, p, (self.shape + 40 * math.sqrt(self.shape) + 40) * self.scale)

    @property
    def moments(self) -> Moments:
        k, scale = self.shape, self.scale
        entropy = k + math.log(scale) + float(log_gamma(k)) + (1 - k) * digamma(k)
        return Moments(k * scale, k * scale**2, 2 / math.sqrt(k), entropy)


@dataclass(frozen=True)
class BetaDistribution(Distribution):
    """Beta distribution of shares: f(x) = x^(a - 1) (1 - x)^(b - 1) / B(a, b)."""

    a: Annotated[float, DistributionParameter("a", "shape a", 0.0)]
    b: Annotated[float, DistributionParameter("b", "shape b", 0.0)]

    def log_density(self, x: Floats) -> Floats:
        x = np.asarray(x, float)
        powers = _power(self.a - 1, _logarithm(x)) + _power(self.b - 1, _logarithm(1 - x))
        return np.where((x < 0) | (x > 1), -np.inf, powers - float(log_beta(self.a, self.b)))

    def cdf(self, x: Floats) -> Floats:
        return beta_cdf(self.a, self.b, x)

    def quantile(self, p: Floats) -> Floats:
        return solved(self, p, 1.0)

    @property
    def moments(self) -> Moments:
        a, b, total = self.a, self.b, self.a + self.b
        skewness = 2 * (b - a) * math.sqrt(total + 1) / ((total + 2) * math.sqrt(a * b))
        entropy = float(log_beta(a, b)) - (a - 1) * digamma(a) - (b - 1) * digamma(b)
        entropy += (total - 2) * digamma(total)
        return Moments(a / total, a * b / total**2 / (total + 1), skewness, entropy)


@dataclass(frozen=True)
class ParetoDistribution(Distribution):
    """Power law above a minimum: f(x) = α m^α / x^(α + 1) for x >= m."""

    shape: Annotated[float, DistributionParameter("α", "shape", 0.0)]
    scale: Annotated[float, DistributionParameter("m", "minimum", 0.0)]

    def log_density(self, x: Floats) -> Floats:
        inside = np.asarray(x) >= self.scale
        ratio = np.log(np.maximum(x, self.scale) / self.scale)
        return np.where(inside, math.log(self.shape / self.scale) - (self.shape + 1) * ratio, -np.inf)

    def cdf(self, x: Floats) -> Floats:
        return np.asarray(1 - (self.scale / np.maximum(x, self.scale)) ** self.shape)

    def quantile(self, p: Floats) -> Floats:
        with np.errstate(over="ignore"):
            return np.asarray(self.scale * (1 - np.asarray(p)) ** (-1 / self.shape))

    @property
    def moments(self) -> Moments:
        a, m = self.shape, self.scale
        mean = a * m / (a - 1) if a > 1 else math.inf
        variance = m**2 * a / ((a - 1) ** 2 * (a - 2)) if a > 2 else math.inf
        skewness = 2 * (1 + a) / (a - 3) * math.sqrt(1 - 2 / a) if a > 3 else math.nan
        return Moments(mean, variance, skewness, math.log(m / a) + 1 + 1 / a)
