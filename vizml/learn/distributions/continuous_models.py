"""Models of real numbers: uniform, Gaussian, Laplace, gamma, beta and Pareto distributions.

The likelihoods of gamma and beta distributions are maximised by Newton's method. A gamma distribution with
the mean of the sample has its maximum where ln k - ψ(k) equals s = ln(mean) - mean(ln x) (Minka, Estimating a
Gamma distribution, 2002); a beta distribution where ψ(a) - ψ(a + b) and ψ(b) - ψ(a + b) equal the means of
ln x and ln(1 - x).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.distributions.continuous import (
    BetaDistribution,
    GammaDistribution,
    GaussianDistribution,
    LaplaceDistribution,
    ParetoDistribution,
    UniformDistribution,
)
from vizml.learn.distributions.distribution import Distribution
from vizml.learn.distributions.model import FAMILY, FIXED, MAP, DistributionModel, Estimate, estimate_choice
from vizml.learn.distributions.special import digamma, trigamma
from vizml.learn.params import real
from vizml.learn.registry import register
from vizml.learn.tasks.distribute import DISTRIBUTE
from vizml.scene.typesetting import without_rounding

LEAST_SPREAD = 1e-6
"""Smallest scale, relative to the size of the values: equal ones have a likelihood without a maximum."""
EQUAL = "; all samples are equal, so a small scale takes the place of 0"
ENDLESS = "; the likelihood of equal samples has no maximum"


MOST = 60
LEAST_SHAPE, MOST_SHAPE = 1e-3, 1e6
"""Range of shapes: equal values have no maximum, because the likelihood grows with the shape for ever."""
TOLERANCE = 1e-12


def positive_scale(scale: float, x: Floats) -> tuple[float, str]:
    """Return a scale, or a small one with a remark where it is 0."""
    least = LEAST_SPREAD * (float(np.abs(x).max()) or 1.0)
    return (scale, "") if scale > 1e-9 * least else (least, EQUAL)


@register(
    "uniform", DISTRIBUTE, FAMILY, "Uniform",
    symbols={"a": ("Lower bound.", "Curve"), "b": ("Upper bound.", "Curve")},
    synonyms=("rectangular distribution", "maximum entropy"),
)  # fmt: skip
class Uniform(DistributionModel):
    r"""Gives all values between a and b the same density.

    .. math::
        f(x) = \frac{1}{b - a} \quad a \le x \le b
        \hat{a} = \min_i x_i \quad \hat{b} = \max_i x_i
    """

    estimate: str = estimate_choice()
    a: float = real(0.0, -1e6, 1e6, symbol="a", when=FIXED, help="Lower bound.")
    width: float = real(
        1.0, 1e-6, 1e6, log=True, symbol="b - a", when=FIXED, help="Width b − a of the interval."
    )

    def typed(self) -> Distribution:
        return UniformDistribution(self.a, self.a + self.width)

    def likeliest(self, x: Floats) -> Iterator[Estimate]:
        low, high = float(x.min()), float(x.max())
        width, remark = positive_scale(high - low, x)
        found = f"a = {low:.4g}, the least sample, and b = {high:.4g}, the largest one{remark}"
        yield UniformDistribution(low, high if not remark else low + width), found


@register(
    "gaussian", DISTRIBUTE, FAMILY, "Gaussian (normal)", short="Gaussian",
    symbols={"μ": ("Mean.", "Mean"), "σ": ("Standard deviation.", "Curve")},
    synonyms=("normal distribution", "MLE Gaussian", "bell curve"),
)  # fmt: skip
class Gaussian(DistributionModel):
    r"""Describes real numbers by their mean and variance.

    .. math::
        f(x) = \frac{1}{\sigma \sqrt{2 \pi}} \exp\left(-\frac{(x - \mu)^2}{2 \sigma^2}\right)
        \hat\mu = \frac{1}{n} \sum_{i} x_i \quad \hat\sigma^2 = \frac{1}{n} \sum_{i} (x_i - \hat\mu)^2
        \mu_{\mathrm{MAP}} = \frac{n \bar{x} / \sigma^2 + m / s^2}{n / \sigma^2 + 1 / s^2}
    """

    estimate: str = estimate_choice(prior=True)
    mu: float = real(0.0, -1e6, 1e6, symbol=r"\mu", when=FIXED, help="Mean.")
    sigma: float = real(1.0, 1e-6, 1e6, log=True, symbol=r"\sigma", when=FIXED, help="Standard deviation.")
    prior_mean: float = real(
        0.0, -1e6, 1e6, symbol="m", when=MAP, help="Mean of the Gaussian prior of the mean."
    )
    prior_sd: float = real(
        1.0, 1e-6, 1e6, log=True, symbol="s", when=MAP, title="prior deviation",
        help="Standard deviation of the Gaussian prior of the mean.",
    )  # fmt: skip

    def typed(self) -> Distribution:
        return GaussianDistribution(self.mu, self.sigma)

    def likeliest(self, x: Floats) -> Iterator[Estimate]:
        sigma, remark = positive_scale(float(x.std()), x)
        mean = float(without_rounding(x.mean(), x))
        note = f"μ = {mean:.4g}, the mean, and σ² = {sigma**2:.4g}, the mean squared deviation{remark}"
        yield GaussianDistribution(mean, sigma), note

    def posterior_mode(self, x: Floats) -> Estimate:
        sigma, _ = positive_scale(float(x.std()), x)
        seen, believed = len(x) / sigma**2, 1 / self.prior_sd**2
        mu = float((seen * x.mean() + believed * self.prior_mean) / (seen + believed))
        note = f"MAP: μ = {mu:.4g}, the mean weighted by {seen:.4g} and the prior mean by {believed:.4g}"
        return GaussianDistribution(mu, sigma), note

    def log_prior(self, distribution: Distribution) -> float:
        return -0.5 * ((distribution.values["mu"] - self.prior_mean) / self.prior_sd) ** 2


@register(
    "laplace", DISTRIBUTE, FAMILY, "Laplace",
    symbols={"μ": ("Location: mean and median.", "Mean"), "b": ("Scale: mean absolute deviation.", "Curve")},
    synonyms=("double exponential", "absolute loss"),
)  # fmt: skip
class Laplace(DistributionModel):
    r"""Describes real numbers with heavier tails than a Gaussian.

    .. math::
        f(x) = \frac{1}{2 b} \exp\left(-\frac{|x - \mu|}{b}\right)
        \hat\mu = \mathrm{median}(x) \quad \hat{b} = \frac{1}{n} \sum_{i} |x_i - \hat\mu|
    """

    estimate: str = estimate_choice()
    mu: float = real(0.0, -1e6, 1e6, symbol=r"\mu", when=FIXED, help="Location: mean and median.")
    b: float = real(1.0, 1e-6, 1e6, log=True, symbol="b", when=FIXED, help="Scale: mean absolute deviation.")

    def typed(self) -> Distribution:
        return LaplaceDistribution(self.mu, self.b)

    def likeliest(self, x: Floats) -> Iterator[Estimate]:
        mu = float(np.median(x))
        b, remark = positive_scale(float(np.abs(x - mu).mean()), x)
        found = f"μ = {mu:.4g}, the median, and b = {b:.4g}, the mean absolute deviation from it{remark}"
        yield LaplaceDistribution(mu, b), found


class PositiveModel(DistributionModel):
    """A distribution of positive numbers."""

    support = "x > 0"

    def observable(self, x: Floats) -> Floats:
        return x[x > 0]


def newton_note(number: int, shapes: str, size: float) -> str:
    """Describe a step of Newton's method; shapes of the largest size end it."""
    end = ENDLESS if size >= MOST_SHAPE else ""
    return f"{f'Newton step {number}' if number else 'start'}: {shapes}{end}"


@register(
    "gamma", DISTRIBUTE, FAMILY, "Gamma",
    symbols={"k": ("Shape.", "Curve"), "θ": ("Scale, the inverse of the rate.", "Curve")},
    synonyms=(
        "waiting times", "exponential distribution", "chi-squared distribution",
        "iterative maximum likelihood",
    ),
)  # fmt: skip
class Gamma(PositiveModel):
    r"""Describes positive numbers, such as waiting times. The shape is found by Newton's method.

    .. math::
        f(x) = \frac{x^{k - 1} e^{-x/\theta}}{\Gamma(k)\, \theta^{k}}
        \ln \hat{k} - \psi(\hat{k}) = \ln \bar{x} - \frac{1}{n} \sum_{i} \ln x_i
        \hat\theta = \bar{x} / \hat{k}
    """

    estimate: str = estimate_choice()
    shape: float = real(2.0, 1e-2, 1e4, log=True, symbol="k", when=FIXED, help="Shape parameter.")
    scale: float = real(1.0, 1e-6, 1e6, log=True, symbol=r"\theta", when=FIXED, help="Scale parameter.")

    def typed(self) -> Distribution:
        return GammaDistribution(self.shape, self.scale)

    def likeliest(self, x: Floats) -> Iterator[Estimate]:
        mean = float(x.mean())
        for number, k in enumerate(gamma_shapes(x)):
            note = newton_note(number, f"k = {k:.6g}, θ = {mean / k:.6g}", k)
            yield GammaDistribution(k, mean / k), note


@register(
    "beta", DISTRIBUTE, FAMILY, "Beta",
    symbols={"a": ("First shape.", "Curve"), "b": ("Second shape.", "Curve")},
    synonyms=("shares", "proportions", "iterative maximum likelihood"),
)  # fmt: skip
class Beta(DistributionModel):
    r"""Describes shares between 0 and 1. Both shapes are found by Newton's method.

    .. math::
        f(x) = \frac{x^{a - 1} (1 - x)^{b - 1}}{B(a, b)}
        \psi(\hat{a}) - \psi(\hat{a} + \hat{b}) = \frac{1}{n} \sum_{i} \ln x_i
        \psi(\hat{b}) - \psi(\hat{a} + \hat{b}) = \frac{1}{n} \sum_{i} \ln (1 - x_i)
    """

    support = "0 < x < 1"
    estimate: str = estimate_choice()
    a: float = real(2.0, 1e-2, 1e4, log=True, symbol="a", when=FIXED, help="First shape parameter.")
    b: float = real(2.0, 1e-2, 1e4, log=True, symbol="b", when=FIXED, help="Second shape parameter.")

    def typed(self) -> Distribution:
        return BetaDistribution(self.a, self.b)

    def observable(self, x: Floats) -> Floats:
        return x[(x > 0) & (x < 1)]

    def likeliest(self, x: Floats) -> Iterator[Estimate]:
        for number, (a, b) in enumerate(beta_shapes(x)):
            note = newton_note(number, f"a = {a:.6g}, b = {b:.6g}", a + b)
            yield BetaDistribution(float(a), float(b)), note


@register(
    "pareto", DISTRIBUTE, FAMILY, "Pareto",
    symbols={"α": ("Shape: small values have heavy tails.", "Curve"), "m": ("Minimum.", "Curve")},
    synonyms=("power law", "heavy tail", "long tail"),
)  # fmt: skip
class Pareto(PositiveModel):
    r"""Describes positive numbers with a long tail, such as incomes. The mean is infinite for α up to 1.

    .. math::
        f(x) = \frac{\alpha\, m^{\alpha}}{x^{\alpha + 1}} \quad x \ge m
        \hat{m} = \min_i x_i \quad \hat\alpha = \frac{n}{\sum_{i} \ln (x_i / \hat{m})}
    """

    estimate: str = estimate_choice()
    shape: float = real(
        3.0, 1e-2, 1e4, log=True, symbol=r"\alpha", when=FIXED, help="Shape parameter of the tail."
    )
    scale: float = real(
        1.0, 1e-6, 1e6, log=True, symbol="m", when=FIXED, title="minimum",
        help="Scale parameter: the minimum.",
    )  # fmt: skip

    def typed(self) -> Distribution:
        return ParetoDistribution(self.shape, self.scale)

    def likeliest(self, x: Floats) -> Iterator[Estimate]:
        least, total = float(x.min()), float(np.log(x / x.min()).sum())
        shape = min(len(x) / total, MOST_SHAPE) if total > 0 else MOST_SHAPE
        end = ENDLESS if shape >= MOST_SHAPE else ""
        note = f"m = {least:.4g}, the least sample, and α = {len(x)}/{total:.4g} = {shape:.4g}{end}"
        yield ParetoDistribution(shape, least), note


def gamma_shapes(x: Floats) -> Iterator[float]:
    """Yield the shape after each Newton step, first the approximation that the steps start from."""
    s = math.log(x.mean()) - float(np.log(x).mean())
    if s <= 1 / (2 * MOST_SHAPE):
        yield MOST_SHAPE
        return
    k = (3 - s + math.sqrt((s - 3) ** 2 + 24 * s)) / (12 * s)
    k = min(max(k, LEAST_SHAPE), MOST_SHAPE)
    yield k
    for _ in range(MOST):
        before = k
        # Newton's method for 1/k, in which the likelihood is nearly quadratic (Minka, 2002)
        k = 1 / (1 / k + (-s + math.log(k) - digamma(k)) / (k**2 * (1 / k - trigamma(k))))
        k = min(max(k, LEAST_SHAPE), MOST_SHAPE)
        yield k
        if abs(k - before) <= TOLERANCE * k:
            return


def beta_shapes(x: Floats) -> Iterator[tuple[float, float]]:
    """Yield both shapes after each Newton step, first those with the mean and variance of the sample."""
    targets = np.array([np.log(x).mean(), np.log1p(-x).mean()])
    mean, variance = float(x.mean()), float(x.var())
    total = max(mean * (1 - mean) / variance - 1, 0.1) if variance > 0 else math.inf
    if total >= MOST_SHAPE:
        yield MOST_SHAPE * mean, MOST_SHAPE * (1 - mean)
        return
    shapes = np.array([mean, 1 - mean]) * total
    yield shapes[0], shapes[1]
    for _ in range(MOST):
        step = _beta_step(shapes, targets)
        while (shapes + step <= shapes / 10).any():  # a shorter step keeps both shapes above 0
            step = step / 2
        shapes = np.minimum(shapes + step, MOST_SHAPE)
        yield shapes[0], shapes[1]
        if (np.abs(step) <= TOLERANCE * shapes).all():
            return


def _beta_step(shapes: Floats, targets: Floats) -> Floats:
    a, b = shapes.tolist()
    common = trigamma(a + b)
    slopes = np.array([digamma(a), digamma(b)]) - digamma(a + b) - targets
    curvature = np.diag([trigamma(a), trigamma(b)]) - common
    return np.asarray(-np.linalg.solve(curvature, slopes))
