"""Charts of distributions: CDF, quantile function, and the log-likelihood of each parameter."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vizml.field.arrays import Floats
from vizml.field.cancellation import check_cancelled
from vizml.learn.distributions.distribution import (
    DiscreteDistribution,
    Distribution,
    DistributionParameter,
    EmpiricalDistribution,
)
from vizml.scene import Axis, Chart, Rule, Series
from vizml.scene.chart import Kind

GRID = 121
"""Values of a parameter at which its likelihood is computed."""
ERRORS = 5.0
"""Standard errors around an estimate that are shown."""
MOST_PARAMETERS = 2
"""Parameters whose likelihood is charted."""
TAIL = 0.002
ROUNDING = 1e-9
"""Size of errors of rounding beside the largest derivative."""
STEEP = 12.0
"""Derivatives in units of their median that are shown: at the ends of a range they are infinite."""


def cdf_chart(distribution: Distribution, sample: Floats) -> Chart:
    """Return the CDF of a distribution with that of the sample."""
    ends = distribution.quantile(np.array([TAIL, 1 - TAIL]))
    low, high = (float(pick(np.append(ends, sample))) for pick in (np.min, np.max))
    margin = 0.05 * (high - low) or 0.5
    x = np.linspace(low - margin, high + margin, 240)
    kind: Kind = "line"
    if isinstance(distribution, DiscreteDistribution):
        x, kind = np.unique(np.concatenate([x, distribution.quantile(np.linspace(0, 1, 200))])), "step"
    series = [Series(name="F(x)", x=x, y=distribution.cdf(x), kind=kind)]
    if len(sample):
        shown = np.concatenate([[low - margin], np.unique(sample), [high + margin]])
        series.append(
            Series(
                name="samples", x=shown, y=EmpiricalDistribution(sample).cdf(shown), ink="muted", kind="step"
            )
        )
    return Chart(
        title="Cumulative distribution function", x=Axis(title="x"),
        y=Axis(title="F(x) = P(X ≤ x)", low=0.0, high=1.0), series=tuple(series),
    )  # fmt: skip


def quantile_chart(distribution: Distribution, sample: Floats) -> Chart:
    """Return the quantile function, the inverse of the CDF, with the sorted samples."""
    p = np.linspace(TAIL, 1 - TAIL, 240)
    series = [Series(name="quantile", x=p, y=distribution.quantile(p))]
    if len(sample):
        at = (np.arange(len(sample)) + 0.5) / len(sample)
        series.insert(0, Series(name="samples", x=at, y=np.sort(sample), ink="muted", kind="dots"))
    median = float(distribution.quantile(np.array(0.5)))
    return Chart(
        title="Quantile function", x=Axis(title="probability p", low=0.0, high=1.0),
        y=Axis(title="x with F(x) = p"), series=tuple(series),
        rules=tuple(Rule(name=name, x=p) for name, p in (("", 0.25), ("median", 0.5), ("", 0.75))),
        note=f"median {median:.4g}",
    )  # fmt: skip


def likelihood_charts(distribution: Distribution, sample: Floats) -> Iterator[Chart]:
    """Yield the log-likelihood of each parameter, with the others at their values, and its derivative."""
    if not len(sample) or not math.isfinite(distribution.log_likelihood(sample)):
        return
    for name in list(distribution.values)[:MOST_PARAMETERS]:
        profile = LikelihoodProfile(distribution, sample, name)
        yield profile.chart()
        yield profile.derivative_chart()


@dataclass(frozen=True, eq=False)
class LikelihoodProfile:
    """Log-likelihood of a sample as a function of one parameter."""

    distribution: Distribution
    sample: Floats
    name: str

    @property
    def parameter(self) -> DistributionParameter:
        return self.distribution.described[self.name]

    @property
    def at(self) -> float:
        """The value of the parameter."""
        return self.distribution.values[self.name]

    @cached_property
    def _value(self) -> Callable[[float], float]:
        values, counts = np.unique(self.sample, return_counts=True)

        def value(theta: float) -> float:
            check_cancelled()
            if not self.parameter.low < theta < self.parameter.high:
                return math.nan
            logs = self.distribution.with_value(self.name, theta).log_density(values)
            return float(logs @ counts) if np.isfinite(logs).all() else math.nan

        return value

    @cached_property
    def derivatives(self) -> tuple[float, float]:
        """First and second derivative at the value, by central differences; NaN where there are none."""
        return self.slopes(self.at, self._scale * 1e-4)

    def slopes(self, theta: float, step: float) -> tuple[float, float]:
        """Return the first and the second difference quotient."""
        below, here, above = (self._value(theta + sign * step) for sign in (-1, 0, 1))
        return (above - below) / (2 * step), (above - 2 * here + below) / step**2

    @property
    def _scale(self) -> float:
        """The distance over which the likelihood changes."""
        low, high, at = self.parameter.low, self.parameter.high, self.at
        rooms = [abs(at - end) for end in (low, high) if math.isfinite(end)]
        return min(rooms) or 1.0 if rooms else math.sqrt(self.distribution.moments.variance) or abs(at) or 1.0

    @property
    def error(self) -> float:
        """The standard error that follows from the curvature; NaN without a maximum."""
        second = self.derivatives[1]
        return 1 / math.sqrt(-second) if second < 0 else math.nan

    @cached_property
    def grid(self) -> Floats:
        """Values of the parameter."""
        low, high, at = self.parameter.low, self.parameter.high, self.at
        if math.isfinite(low) and math.isfinite(high):
            edge = (high - low) / (2 * GRID)
            return np.linspace(low + edge, high - edge, GRID)
        reach = ERRORS * self.error if math.isfinite(self.error) else self._scale
        return np.linspace(max(at - reach, low + reach / (4 * GRID)), at + reach, GRID)

    def chart(self) -> Chart:
        """Return the curve with its maximum and the parabola of its curvature."""
        letter, theta = self.parameter.letter, self.grid
        values = np.array([self._value(each) for each in theta.tolist()])
        first, second = self.derivatives
        known = np.isfinite(values)
        series = [Series(name=f"ℓ({letter})", x=theta[known], y=values[known])]
        note = f"{letter} = {self.at:.4g}"
        if math.isfinite(first + second):
            away = theta - self.at
            parabola = self._value(self.at) + first * away + second * away**2 / 2
            near = parabola >= values[known].min()
            series.append(
                Series(name="curvature", x=theta[near], y=parabola[near], ink="muted", stroke="dash")
            )
            note += f", ℓ′ = {_rounded(first, second * self._scale):.3g}, ℓ″ = {second:.4g}"
        if math.isfinite(self.error):
            note += f": a maximum where ℓ′ = 0; standard error 1/√(−ℓ″) = {self.error:.3g}"
        return Chart(
            title=f"Log-likelihood of the {self.parameter.title}", x=Axis(title=letter),
            y=Axis(title="log-likelihood ℓ"), series=tuple(series),
            rules=(Rule(name=f"{letter} = {self.at:.3g}", x=self.at, ink="accent"),), note=note,
        )  # fmt: skip

    def derivative_chart(self) -> Chart:
        """Return the first derivative, which is 0 at a maximum."""
        theta, letter = self.grid, self.parameter.letter
        step = float(theta[1] - theta[0]) / 20
        slopes = np.array([self.slopes(each, step)[0] for each in theta.tolist()])
        known = np.isfinite(slopes)
        slopes[np.abs(slopes) <= ROUNDING * np.abs(slopes[known]).max(initial=0.0)] = 0.0
        known &= np.abs(slopes) <= STEEP * np.median(np.abs(slopes[known])) if known.any() else False
        line = Series(name=f"dℓ/d{letter}", x=theta[known], y=slopes[known])
        return Chart(
            title=f"Derivative for the {self.parameter.title}", x=Axis(title=letter),
            y=Axis(title=f"dℓ/d{letter}"), series=(line,),
            rules=(Rule(y=0.0), Rule(name=f"{letter} = {self.at:.3g}", x=self.at, ink="accent")),
            note="the derivative is 0 at the maximum, and falls there",
        )  # fmt: skip


def _rounded(value: float, size: float) -> float:
    """Return 0 for an error of rounding."""
    return 0.0 if abs(value) <= 1e-5 * abs(size) else value
