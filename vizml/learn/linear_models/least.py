"""A curve of least squares with what is known of its coefficients: standard errors, a band, Cp, the bowl."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from vizml.learn.linear_models.basis import PolynomialBasis
from vizml.learn.linear_models.bowl import bowl_chart
from vizml.learn.linear_models.fitted import FittedCurve, power_name
from vizml.learn.linear_models.tall import reduced
from vizml.learn.linear_models.terms import term_names
from vizml.learn.state import Floats, abscissa
from vizml.scene import Chart

SIGMAS = 2.0
FULL = 15
"""The degree of the model whose residuals tell Cp how large the noise is."""
SINGULAR = 1e-12


class Way:
    """The first steps of a list of places (2,) that all moments of a descent share."""

    def __init__(self, places: Sequence[Floats], count: int) -> None:
        self._places, self._count = places, count

    def trail(self) -> Floats:
        """The places (t, 2) so far."""
        return np.array(self._places[: self._count]).reshape(-1, 2)


@dataclass(frozen=True, eq=False, kw_only=True)
class LinearCurve(FittedCurve):
    """Weights, the triangle R of their design and a, so that RSS = |a - R w|^2 and a constant."""

    triangle: Floats
    answer: Floats
    exact: bool
    """Whether the weights are those of the least RSS, of which alone errors are known."""
    way: Way

    @cached_property
    def root(self) -> Floats | None:
        """U with U U' the covariance of the weights; None without points to spare or an inverse."""
        n, p = len(self.x), self.basis.size
        size = np.abs(np.diag(self.triangle))
        if not self.exact or n <= p or size.min() <= SINGULAR * size.max():
            return None
        return np.asarray(np.linalg.solve(self.triangle, np.eye(p)) * self.deviation)

    @property
    def deviation(self) -> float:
        """The residual standard error."""
        return math.sqrt(self.rss / max(len(self.x) - self.basis.size, 1))

    @cached_property
    def errors(self) -> Floats | None:
        """The standard error of each coefficient."""
        if self.root is None:
            return None
        rows = self.root
        if isinstance(self.basis, PolynomialBasis):
            rows = self.basis.conversion() @ rows
        return np.asarray(np.linalg.norm(rows, axis=1))

    def band(self, x: ArrayLike) -> tuple[Floats, Floats, Floats] | None:
        """Two standard errors of a new y: of the curve and the noise."""
        if self.root is None:
            return None
        at = abscissa(x)
        design = self.basis.design(at)
        own = ((design @ self.root) ** 2).sum(axis=1)
        mean, wide = design @ self.weights, SIGMAS * np.sqrt(own + self.deviation**2)
        return mean, mean - wide, mean + wide

    @cached_property
    def cp(self) -> float:
        """Mallows' Cp = RSS / s^2 - n + 2 p, with s of the same kind of basis at its highest degree."""
        n, p = len(self.x), self.basis.size
        full = dataclasses.replace(self.basis, degree=FULL)
        if n < 2 * full.size:
            return math.nan
        triangle, answer, rest = reduced(full.design(self.x), self.y)
        apart = answer - triangle @ np.linalg.lstsq(triangle, answer, rcond=1e-12)[0]
        noise = (rest + float(apart @ apart)) / (n - full.size)
        return self.rss / noise - n + 2 * p if noise > SINGULAR**2 * float(self.y @ self.y) else math.nan

    def metrics(self) -> Mapping[str, float]:
        found = dict(super().metrics())
        if math.isfinite(self.cp):
            found["Cp"] = self.cp
        if self.errors is not None and isinstance(self.basis, PolynomialBasis):
            found |= {f"SE of {power_name(j)}": float(e) for j, e in enumerate(self.errors)}
        return found

    def charts(self) -> tuple[Chart, ...]:
        names = term_names(self.basis)
        pair = (names[0], names[1]) if len(names) == self.basis.size else ("the constant", names[0])
        return (bowl_chart(self.triangle, self.answer, self.way.trail(), pair),)
