"""A curve with a penalty on its coefficients, its path over the strength, and the picture of the bargain."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vizml.learn.linear_models.charts import bargain_chart, path_chart, validation_chart
from vizml.learn.linear_models.fitted import FittedCurve, quality
from vizml.learn.linear_models.penalty import Penalty
from vizml.learn.linear_models.sums import Sums
from vizml.learn.linear_models.validation import Validation
from vizml.learn.state import Floats
from vizml.scene import Chart


@dataclass(frozen=True, eq=False, kw_only=True)
class ShrunkCurve(FittedCurve):
    """Slopes on standardised terms; its loss is the objective in data units."""

    sums: Sums
    penalty: Penalty
    lam: float
    slopes: Floats
    """Of the standardised terms, in units of the deviation of y."""
    shown: tuple[int, int] = (0, 1)
    """The two terms whose coefficients the picture of the bargain is about."""
    validation: Validation | None = None

    @property
    def penalised(self) -> Floats:
        """The coefficients whose size costs: of standardised terms, or of terms in data units."""
        return self.slopes * self.sums.spread * self.sums.price

    @cached_property
    def coefficients(self) -> Floats:
        return self.sums.terms.coefficients(self.slopes * self.sums.spread, self.sums.mean)

    @cached_property
    def freedom(self) -> float:
        """The intercept, and the trace of what turns y into its fit: less than the number of terms."""
        linear, square = self.penalty.prices(self.sums, self.lam)
        active = (self.slopes != 0).astype(float) if linear.any() else np.ones(self.sums.size)
        return 1.0 + float(np.sum(self.sums.damping(square, active) * (self.sums.triangle * active).T))

    def metrics(self) -> Mapping[str, float]:
        figures = {
            "λ": self.lam,
            "objective": self.loss,
            "coefficients not 0": float((self.slopes != 0).sum()),
            "effective coefficients": self.freedom,
            **quality(self.y, self.rss, self.freedom),
        }
        if self.validation is not None:
            figures |= {
                "CV error": float(self.validation.mean.min()),
                "λ within 1 SE": self.validation.simplest,
            }
        names = ("intercept", *self.sums.terms.names)
        figures |= {name: float(b) for name, b in zip(names, self.coefficients)}
        return {name: value for name, value in figures.items() if math.isfinite(value)}

    def charts(self) -> tuple[Chart, ...]:
        found = [path_chart(self.sums, self.penalty, self.lam)]
        if self.validation is not None:
            found.append(validation_chart(self.validation))
        if self.sums.size > 1:
            found.append(bargain_chart(self.sums, self.penalty, self.slopes, self.shown))
        return tuple(found)
