"""States of distributions, with their moments and likelihood, and the view of densities and probabilities."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from vizml.data import Dataset
from vizml.field.arrays import Floats
from vizml.learn.distributions.charts import cdf_chart, likelihood_charts, quantile_chart
from vizml.learn.distributions.distribution import DiscreteDistribution, Distribution, EmpiricalDistribution
from vizml.learn.learned import Learned, PointValues
from vizml.learn.state import State
from vizml.learn.tasks.distribute import DISTRIBUTE
from vizml.learn.training_data import TrainingData
from vizml.learn.view import LineView
from vizml.scene import Chart, CurveLens, Ink, Lens, Mark, Ordinate, Path, Rings, Segments, TextLabels
from vizml.scene.marks import Stroke

MOST_STEMS = 1500
"""Atoms that are drawn; of more, every second or third one is."""
MOST_BINS = 60
ROOM = 1.08
"""Height of the canvas in units of the highest density."""
CLIPPED = 4.0
"""Height at which an infinite density is cut off, far above the canvas."""
CDF = "Cumulative distribution function"


ROUNDING = 1e-13
QUARTILES = {"lower quartile": 0.25, "median": 0.5, "upper quartile": 0.75}


class DistributionLineView(LineView["DistributionState"]):
    """Density or probabilities, histogram or relative frequencies, mean and quartiles."""

    filled = True

    @property
    def inks(self) -> tuple[Ink, ...]:
        return () if isinstance(self.state.distribution, DiscreteDistribution) else ("accent",)

    @cached_property
    def stems(self) -> tuple[Floats, Floats]:
        """The atoms of a discrete distribution that are drawn."""
        shown = self.state.distribution
        if not isinstance(shown, DiscreteDistribution):
            return np.empty(0), np.empty(0)
        points, masses = shown.atoms
        drawn = np.flatnonzero(masses > 1e-9 * masses.max())
        drawn = drawn[:: len(drawn) // MOST_STEMS + 1]
        return points[drawn], masses[drawn]

    @cached_property
    def histogram(self) -> tuple[Floats, Floats]:
        """Edges of bins, and the share of the samples in each for a unit of x."""
        sample = self.state.sample
        bins = min(max(math.ceil(2 * len(sample) ** (1 / 3)), 1), MOST_BINS)  # the rule of Rice
        if not len(sample) or np.ptp(sample) <= 1e-9 * np.abs(sample).max():
            return np.zeros(1), np.zeros(0)
        heights, edges = np.histogram(sample, bins, density=True)
        return edges, heights

    @cached_property
    def frequencies(self) -> tuple[Floats, Floats]:
        """The different samples, and the relative frequency of each."""
        return EmpiricalDistribution(self.state.sample).atoms

    @cached_property
    def peak(self) -> float:
        """The highest value to show, apart from the poles of a density."""
        shown = self.state.distribution
        if isinstance(shown, DiscreteDistribution):
            heights = [self.stems[1], self.frequencies[1] if len(self.state.sample) else np.zeros(0)]
        else:
            heights = [shown.density(shown.quantile(np.linspace(0.02, 0.98, 193))), self.histogram[1]]
        return max(float(each.max(initial=0.0)) for each in heights) or 1.0

    def ordinate(self, data: Dataset) -> Ordinate:
        del data
        discrete = isinstance(self.state.distribution, DiscreteDistribution)
        name = "probability P(X = x)" if discrete else "density f(x)"
        return Ordinate(name, 0.0, ROOM * self.peak)

    def heights(self, x: Floats, ordinate: Ordinate) -> Floats:
        """Return the height of the density; of a discrete one, that of lines between its stems."""
        if isinstance(self.state.distribution, DiscreteDistribution):
            values = np.interp(x, *self.stems, left=0.0, right=0.0)[:, None]
        else:
            values = self.curves(x)
        return np.minimum(ordinate.height(values), CLIPPED)

    def bars(self, ordinate: Ordinate) -> tuple[Mark, ...]:
        if isinstance(self.state.distribution, DiscreteDistribution):
            return self._stem_marks(ordinate)
        edges, heights = self.histogram
        if not len(heights):
            return ()
        tops = ordinate.height(np.repeat(heights, 2))
        line = np.column_stack([np.repeat(edges, 2), np.concatenate([[0.0], tops, [0.0]])])
        return (
            Path(layer="Histogram", lines=(line,), closed=True, ink="muted", width=1.0, fill=0.12,
                 legend="histogram of the samples"),
        )  # fmt: skip

    def _stem_marks(self, ordinate: Ordinate) -> tuple[Mark, ...]:
        points, masses = self.stems
        tops = ordinate.height(masses)
        ends = np.stack([points, np.zeros(len(points)), points, tops], axis=1).reshape(-1, 2, 2)
        width = 4.0 if len(points) <= 60 else 1.5
        stems = Segments(layer="Probabilities", ends=ends, ink="accent", width=width, legend="P(X = x)")
        if not len(self.state.sample) or isinstance(self.state.distribution, EmpiricalDistribution):
            return (stems,)
        at, shares = self.frequencies
        rings = Rings(
            layer="Relative frequencies", points=np.column_stack([at, ordinate.height(shares)]),
            radii=np.full(len(at), 5.0), width=2.0, legend="relative frequency",
        )  # fmt: skip
        return stems, rings

    def whole_marks(self) -> tuple[Mark, ...]:
        shown = self.state.distribution
        lines, mean = [], shown.moments.mean
        if math.isfinite(mean):
            lines.append(self._upright("Mean", np.array([mean]), "mean", "dash"))
        quartiles = shown.quantile(np.array([0.25, 0.5, 0.75]))
        lines.append(self._upright("Quartiles", quartiles, "quartiles and median", "dot", off=True))
        return tuple(lines)

    @staticmethod
    def _upright(layer: str, x: Floats, legend: str, stroke: Stroke, *, off: bool = False) -> Segments:
        ends = np.array([[[each, -np.inf], [each, np.inf]] for each in x.tolist()])
        return Segments(
            layer=layer, ends=ends, ink="muted", width=1.5, stroke=stroke, legend=legend, off_by_default=off
        )

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        text = "\n".join(density_texts(self.state.distribution, float(point[0])))
        return (TextLabels(layer="Density at the pointer", points=point[None], texts=(text,)),)

    def lenses(self) -> tuple[Lens, ...]:
        curves, inks = [self.state.distribution.cdf], tuple[Ink, ...](("accent",))
        if len(self.state.sample):
            curves, inks = [EmpiricalDistribution(self.state.sample).cdf, *curves], ("muted", *inks)

        def values(x: Floats) -> Floats:
            return np.column_stack([cdf(x) for cdf in curves])

        return (CurveLens(name=CDF, curves=values, inks=inks, low=0.0, high=1.02),)


def density_texts(shown: Distribution, x: float) -> tuple[str, str]:
    """Return the density or the probability at x, and the CDF, of a discrete one at the nearest atom."""
    at = np.array([x])
    if isinstance(shown, DiscreteDistribution):
        at = shown.nearest(at)
        first = f"P(X = {at[0]:.4g}) = {shown.density(at)[0]:.3g}"
    else:
        first = f"f(x) = {shown.density(at)[0]:.3g}"
    return first, f"F(x) = {shown.cdf(at)[0]:.3g}"


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
