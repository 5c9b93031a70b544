"""Models of real numbers: uniform, Gaussian and Laplace distributions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.distributions.continuous import (
    GaussianDistribution,
    LaplaceDistribution,
    UniformDistribution,
)
from vizml.learn.distributions.distribution import Distribution
from vizml.learn.distributions.model import FAMILY, FIXED, MAP, DistributionModel, Estimate, estimate_choice
from vizml.learn.params import real
from vizml.learn.registry import register
from vizml.learn.tasks.distribute import DISTRIBUTE

LEAST_SPREAD = 1e-6
"""Smallest scale, relative to the size of the values: equal ones have a likelihood without a maximum."""
EQUAL = "; all samples are equal, so a small scale takes the place of 0"


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
        note = f"μ = {x.mean():.4g}, the mean, and σ² = {sigma**2:.4g}, the mean squared deviation{remark}"
        yield GaussianDistribution(float(x.mean()), sigma), note

    def posterior_mode(self, x: Floats) -> Estimate:
        sigma, _ = positive_scale(float(x.std()), x)
        seen, believed = len(x) / sigma**2, 1 / self.prior_sd**2
        mu = float((seen * x.mean() + believed * self.prior_mean) / (seen + believed))
        note = f"MAP: μ = {mu:.4g}, the mean weighted by {seen:.4g} and the prior mean by {believed:.4g}"
        return GaussianDistribution(mu, sigma), note

    def log_prior(self, distribution: Distribution) -> float:
        return -0.5 * ((distribution.mean - self.prior_mean) / self.prior_sd) ** 2


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
