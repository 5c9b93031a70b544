"""A curve that has been fitted: y = sum_j w_j phi_j(x), with its residuals and the figures of the fit."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vizml.learn.linear_models.basis import Basis, PolynomialBasis
from vizml.learn.linear_models.equation import equation
from vizml.learn.state import Floats, Regressor
from vizml.scene import Curves, Mark, Segments


@dataclass(frozen=True, eq=False, kw_only=True)
class FittedCurve(Regressor):
    """Weights on a basis, and the points that they were fitted to; its loss is the RSS."""

    basis: Basis
    weights: Floats
    x: Floats
    y: Floats

    def curve(self, x: Floats) -> Floats:
        values: Floats = self.basis.design(x) @ self.weights
        return values

    @cached_property
    def residuals(self) -> Floats:
        """y - f(x)."""
        return self.y - self.curve(self.x)

    @property
    def rss(self) -> float:
        """The sum of squared residuals."""
        return float(self.residuals @ self.residuals)

    @property
    def freedom(self) -> float:
        """How many coefficients it amounts to, the intercept with them."""
        return float(self.basis.size)

    @cached_property
    def coefficients(self) -> Floats:
        """The coefficients of 1, x, x^2, ... in data units; of another basis, its weights."""
        if isinstance(self.basis, PolynomialBasis):
            return self.basis.coefficients(self.weights)
        return self.weights

    @property
    def equation(self) -> str:
        return equation(self.basis, self.weights, self.coefficients)

    def marks(self) -> tuple[Mark, ...]:
        return (parts(self.basis, self.weights), sticks(self.x, self.y, self.residuals))

    def metrics(self) -> Mapping[str, float]:
        figures = quality(self.y, self.rss, self.freedom)
        if isinstance(self.basis, PolynomialBasis):
            figures |= {power_name(power): float(b) for power, b in enumerate(self.coefficients)}
        return {name: value for name, value in figures.items() if math.isfinite(value)}


def sticks(x: Floats, y: Floats, residuals: Floats) -> Segments:
    """From each point to its curve."""
    ends = np.stack([x, y, x, y - residuals], axis=1).reshape(-1, 2, 2)
    return Segments(layer="Residuals", ends=ends, ink="muted", opacity=0.6, legend="residual")


def parts(basis: Basis, weights: Floats) -> Curves:
    """What each function of a basis adds to the curve: together they are the curve."""
    some = np.flatnonzero(weights)
    return Curves(
        layer="Basis functions", values=lambda x: (basis.design(x)[:, some] * weights[some]).T, ink="accent",
        opacity=0.35, legend="basis function × its weight", quiet=True,
    )  # fmt: skip


def quality(y: Floats, rss: float, p: float) -> dict[str, float]:
    """RSS, RSE, R2, adjusted R2, AIC and BIC of p coefficients; not a number where n is too small for it.

    AIC = 2 k - 2 ln L and BIC = k ln n - 2 ln L count the noise variance: k = p + 1.
    """
    n = len(y)
    tss = float(((y - y.mean()) ** 2).sum())
    free = n - p if n > p else math.nan
    # Residuals at the level of rounding are a perfect fit, whose likelihood has no bound.
    noise = rss / n if rss > 1e-24 * (tss + rss) else math.nan
    deviance = n * (math.log(2 * math.pi * noise) + 1) if noise > 0 else math.nan
    r2 = 1 - rss / tss if tss > 0 else math.nan
    return {
        "RSS": rss,
        "RSE": math.sqrt(rss / free),
        "R²": r2,
        "adjusted R²": 1 - (1 - r2) * (n - 1) / free,
        "AIC": deviance + 2 * (p + 1),
        "BIC": deviance + math.log(n) * (p + 1),
    }


def power_name(power: int) -> str:
    """What a coefficient is called among the metrics."""
    return "intercept" if not power else "x" if power == 1 else f"x^{power}"
