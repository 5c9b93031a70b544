"""States of distributions: density, CDF and quantiles, moments, entropy and the likelihood of a sample."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from vizml.field.arrays import Floats
from vizml.learn.distributions.charts import cdf_chart, likelihood_charts, quantile_chart
from vizml.learn.distributions.distribution import Distribution
from vizml.learn.distributions.views import DistributionLineView
from vizml.learn.learned import Learned, PointValues
from vizml.learn.state import State
from vizml.learn.tasks.distribute import DISTRIBUTE
from vizml.learn.training_data import TrainingData
from vizml.scene import Chart

ROUNDING = 1e-13
QUARTILES = {"lower quartile": 0.25, "median": 0.5, "upper quartile": 0.75}


@dataclass(frozen=True, eq=False, kw_only=True)
class DistributionState(State):
    """A distribution and the samples that it describes."""

    task = DISTRIBUTE
    line_view_class = DistributionLineView
    distribution: Distribution
    sample: Floats
    """The samples in the support of the distribution."""

    def predict(self, X: ArrayLike) -> Floats:
        """Return the density f(x) for each row, or P(X = x) of a discrete distribution."""
        return self.distribution.density(self.space.matrix(X)[:, 0])

    def cdf(self, x: ArrayLike) -> Floats:
        """Return P(X <= x)."""
        return self.distribution.cdf(np.asarray(x, float))

    def quantile(self, p: ArrayLike) -> Floats:
        """Return the quantiles of probabilities."""
        return self.distribution.quantile(np.asarray(p, float))

    @property
    def entropy(self) -> float:
        """The entropy in nats."""
        return self.distribution.moments.entropy

    @property
    def log_likelihood(self) -> float:
        """The sum of the log densities of the samples."""
        return self.distribution.log_likelihood(self.sample)

    def learned(self) -> Learned:
        return dict(self.distribution.values)

    def row_values(self, data: TrainingData) -> PointValues:
        x = data.X[:, 0]
        return {"density": self.distribution.density(x), "cdf": self.distribution.cdf(x)}

    def metrics(self) -> Mapping[str, float]:
        shown, moments = self.distribution, self.distribution.moments
        figures = {shown.described[name].title: value for name, value in shown.values.items()}
        figures |= {
            "mean": moments.mean, "variance": moments.variance,
            "standard deviation": math.sqrt(moments.variance), "skewness": moments.skewness,
            "entropy in nats": moments.entropy, "entropy in bits": moments.entropy / math.log(2),
        }  # fmt: skip
        figures |= {name: float(shown.quantile(np.array(p))) for name, p in QUARTILES.items()}
        if len(self.sample):
            figures["log-likelihood"] = self.log_likelihood
        return {name: _plain(value) for name, value in figures.items() if math.isfinite(value)}

    def charts(self) -> tuple[Chart, ...]:
        return (
            cdf_chart(self.distribution, self.sample),
            quantile_chart(self.distribution, self.sample),
            *likelihood_charts(self.distribution, self.sample),
        )


def _plain(value: float) -> float:
    """Return 0 for an error of rounding."""
    return 0.0 if abs(value) < ROUNDING else value
