"""Models of positive numbers and shares: gamma, beta and Pareto distributions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.distributions.continuous import BetaDistribution, GammaDistribution, ParetoDistribution
from vizml.learn.distributions.distribution import Distribution
from vizml.learn.distributions.model import FAMILY, FIXED, DistributionModel, Estimate, estimate_choice
from vizml.learn.distributions.newton import MOST_SHAPE, beta_shapes, gamma_shapes
from vizml.learn.params import real
from vizml.learn.registry import register
from vizml.learn.tasks.distribute import DISTRIBUTE

START = "start"
"""Word for the values before the first step."""


def newton_step(number: int) -> str:
    """Return the name of a step of Newton's method."""
    return f"Newton step {number}" if number else START


@register(
    "gamma", DISTRIBUTE, FAMILY, "Gamma",
    symbols={"k": ("Shape.", "Curve"), "θ": ("Scale, the inverse of the rate.", "Curve")},
    synonyms=(
        "waiting times", "exponential distribution", "chi-squared distribution",
        "iterative maximum likelihood",
    ),
)  # fmt: skip
class Gamma(DistributionModel):
    r"""Describes positive numbers, such as waiting times. The shape is found by Newton's method.

    .. math::
        f(x) = \frac{x^{k - 1} e^{-x/\theta}}{\Gamma(k)\, \theta^{k}}
        \ln \hat{k} - \psi(\hat{k}) = \ln \bar{x} - \frac{1}{n} \sum_{i} \ln x_i
        \hat\theta = \bar{x} / \hat{k}
    """

    support = "x > 0"
    estimate: str = estimate_choice()
    shape: float = real(2.0, 1e-2, 1e4, log=True, symbol="k", when=FIXED, help="Shape parameter.")
    scale: float = real(1.0, 1e-6, 1e6, log=True, symbol=r"\theta", when=FIXED, help="Scale parameter.")

    def typed(self) -> Distribution:
        return GammaDistribution(self.shape, self.scale)

    def observable(self, x: Floats) -> Floats:
        return x[x > 0]

    def likeliest(self, x: Floats) -> Iterator[Estimate]:
        mean = float(x.mean())
        for number, k in enumerate(gamma_shapes(x)):
            end = "; the likelihood of equal samples has no maximum" if k >= MOST_SHAPE else ""
            yield (
                GammaDistribution(k, mean / k),
                f"{newton_step(number)}: k = {k:.6g}, θ = {mean / k:.6g}{end}",
            )


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
            end = "; the likelihood of equal samples has no maximum" if a + b >= MOST_SHAPE else ""
            yield (
                BetaDistribution(float(a), float(b)),
                f"{newton_step(number)}: a = {a:.6g}, b = {b:.6g}{end}",
            )


@register(
    "pareto", DISTRIBUTE, FAMILY, "Pareto",
    symbols={"α": ("Shape: small values have heavy tails.", "Curve"), "m": ("Minimum.", "Curve")},
    synonyms=("power law", "heavy tail", "long tail"),
)  # fmt: skip
class Pareto(DistributionModel):
    r"""Describes positive numbers with a long tail, such as incomes. The mean is infinite for α up to 1.

    .. math::
        f(x) = \frac{\alpha\, m^{\alpha}}{x^{\alpha + 1}} \quad x \ge m
        \hat{m} = \min_i x_i \quad \hat\alpha = \frac{n}{\sum_{i} \ln (x_i / \hat{m})}
    """

    support = "x > 0"
    estimate: str = estimate_choice()
    shape: float = real(
        3.0, 1e-2, 1e4, log=True, symbol=r"\alpha", when=FIXED, help="Shape parameter of the tail."
    )
    scale: float = real(
        1.0,
        1e-6,
        1e6,
        log=True,
        symbol="m",
        when=FIXED,
        title="minimum",
        help="Scale parameter: the minimum.",
    )

    def typed(self) -> Distribution:
        return ParetoDistribution(self.shape, self.scale)

    def observable(self, x: Floats) -> Floats:
        return x[x > 0]

    def likeliest(self, x: Floats) -> Iterator[Estimate]:
        least, total = float(x.min()), float(np.log(x / x.min()).sum())
        shape = min(len(x) / total, MOST_SHAPE) if total > 0 else MOST_SHAPE
        end = "; the likelihood of equal samples has no maximum" if shape >= MOST_SHAPE else ""
        note = f"m = {least:.4g}, the least sample, and α = {len(x)}/{total:.4g} = {shape:.4g}{end}"
        yield ParetoDistribution(shape, least), note
