"""A mixture of Gaussians that parts points: r_k(x) = w_k N_k(x) / sum_j w_j N_j(x), fitted by EM."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.learn import CLUSTER, Clusterer, Scale, register
from vizml.learn.mixtures.model import MixtureModel, OfMixture
from vizml.learn.state import Floats, Ints
from vizml.learn.training_data import TrainingData
from vizml.scene import Mark

FORMULA = (
    r"p(x) = \sum_{k=1}^{K} w_k\, \mathcal{N}(x \mid \mu_k, \Sigma_k)",
    r"r_{ik} = \frac{w_k\, \mathcal{N}(x_i \mid \mu_k, \Sigma_k)}{p(x_i)}",
    r"n_k = \sum_{i} r_{ik}, \quad w_k = \frac{n_k}{n}, \quad \mu_k = \frac{1}{n_k} \sum_{i} r_{ik}\, x_i",
)


@dataclass(frozen=True, eq=False, kw_only=True)
class SoftPartition(OfMixture, Clusterer):
    """Each point belongs to all Gaussians, to each with its responsibility."""

    scale: ClassVar[Scale] = Scale.LOGIT

    @property
    def responsibilities(self) -> Floats:
        """r_ik (n, K) of the points that it was shown."""
        return self.moment.half.shares

    @property
    def assigned(self) -> Ints:
        best: Ints = self.responsibilities.argmax(axis=1)
        return best

    def scores(self, X: ArrayLike) -> Floats:
        return self.mixture.joint(np.asarray(X, dtype=np.float64))

    def field(self, raster: Raster) -> Field:
        return self.mixture.field(raster)

    def marks(self) -> tuple[Mark, ...]:
        return self.moment.marks()


@register(
    "gmm",
    task=CLUSTER,
    family="Mixtures",
    title="Gaussian mixture (EM)",
    about="Shares each point among Gaussians, fits the Gaussians to their shares, repeats.",
    formula=FORMULA,
)
@dataclass(frozen=True)
class GaussianMixture(MixtureModel):
    def steps(self, data: TrainingData, rng: Generator) -> Iterator[SoftPartition]:
        for moment in self.moments(data.points, rng):
            yield SoftPartition(clusters=len(moment.half.mixture), **moment.facts())
