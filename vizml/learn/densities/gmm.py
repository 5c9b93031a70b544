"""A mixture of Gaussians as a density: log p(x) = log sum_k w_k N(x | mu_k, S_k), fitted by EM."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.learn import DENSITY, register
from vizml.learn.densities.masses import SummedDensity, gaussian_thresholds, masses_parameter
from vizml.learn.mixtures.gaussians import log_sums
from vizml.learn.mixtures.gmm import FORMULA
from vizml.learn.mixtures.model import MixtureModel, OfMixture
from vizml.learn.state import Floats
from vizml.learn.training_data import TrainingData
from vizml.scene import Mark

BAND = 32
"""Rows at a time, so that all planes of a band stay in the cache."""


@dataclass(frozen=True, eq=False, kw_only=True)
class MixtureDensity(OfMixture, SummedDensity):
    """The sum of its Gaussians."""

    def log_density(self, X: ArrayLike) -> Floats:
        return log_sums(self.mixture.joint(np.asarray(X, dtype=np.float64)))

    def field(self, raster: Raster) -> Field:
        out = np.empty((1, *raster.shape), dtype=np.float32)
        for rows, band in raster.bands(BAND):
            planes = self.mixture.field(band)
            best = planes.max(axis=0)
            planes -= best
            np.exp(planes, out=planes)
            np.log(planes.sum(axis=0), out=out[0, rows])
            out[0, rows] += best
        return out

    @cached_property
    def thresholds(self) -> tuple[float, ...]:
        """Those of one Gaussian are known."""
        if len(self.mixture) > 1:
            return super().thresholds
        return gaussian_thresholds(float(self.log_density(self.mixture.means)[0]), self.mass)

    @property
    def reach(self) -> float:
        return 3 * float(np.sqrt(np.trace(self.mixture.covariances, axis1=1, axis2=2).max()))

    def marks(self) -> tuple[Mark, ...]:
        return (*self.contours(), *self.moment.marks(sigmas=(1.0,)))


@register(
    "gmm",
    task=DENSITY,
    family="Mixtures",
    title="Gaussian mixture (EM)",
    about="The density is a weighted sum of Gaussians that EM makes more likely round by round.",
    formula=FORMULA,
)
@dataclass(frozen=True)
class GaussianMixtureDensity(MixtureModel):
    mass: str = masses_parameter()

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[MixtureDensity]:
        for moment in self.moments(data.points, rng):
            yield MixtureDensity(extent=data.points, mass=self.mass, **moment.facts())
