"""A Gaussian for each class: score_k = ln pi_k - 1/2 ln |S_k| - 1/2 (x - m_k)' S_k^-1 (x - m_k).

What all classes share is left out: scores are told from the first class's, which makes those of classes
with one covariance affine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.field.linear import affine_plane
from vizml.field.polynomial import polynomial_plane
from vizml.learn.bayes.ellipses import ellipses
from vizml.learn.state import Classifier, Floats, Scale
from vizml.scene import Dots, Lens, Mark, Path
from vizml.scene.lens import Plane

TERMS = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2))
"""Powers of x and y in a quadratic."""
DEPTH = 12.0
"""How far below its peak the log of a density is still told apart."""


@dataclass(frozen=True, eq=False, kw_only=True)
class GaussianClasses(Classifier):
    """Means (K, 2), covariances (K, 2, 2) and priors (K,); the loss is -sum_i ln p(x_i, y_i)."""

    scale: ClassVar[Scale] = Scale.LOGIT
    priors: Floats
    means: Floats
    covariances: Floats
    points: int

    @cached_property
    def _centre(self) -> Floats:
        return np.asarray(self.means.mean(axis=0))

    @cached_property
    def _joint(self) -> Floats:
        """ln pi_k N(x; m_k, S_k) as quadratics (K, 6) around the centre."""
        precision = np.linalg.inv(self.covariances)
        away = self.means - self._centre
        pull = np.einsum("kij,kj->ki", precision, away)
        constant = (
            np.log(self.priors) - math.log(2 * math.pi)
            - np.linalg.slogdet(self.covariances)[1] / 2 - (away * pull).sum(axis=1) / 2
        )  # fmt: skip
        xx, xy, yy = -precision[:, 0, 0] / 2, -precision[:, 0, 1], -precision[:, 1, 1] / 2
        return np.column_stack([constant, pull, xx, xy, yy])

    @cached_property
    def _told(self) -> Floats:
        """The same less those of the first class."""
        return np.asarray(self._joint - self._joint[0])

    def scores(self, X: ArrayLike) -> Floats:
        return self._quadratics(np.asarray(X, dtype=np.float64), self._told)

    def joint(self, X: ArrayLike) -> Floats:
        """ln p(x, k) (n, K)."""
        return self._quadratics(np.asarray(X, dtype=np.float64), self._joint)

    def field(self, raster: Raster) -> Field:
        return self._painted(self._told, raster)

    def lenses(self) -> tuple[Lens, ...]:
        peak = float(self._log_density(self.joint(self.means)).max())
        return (Lens(name="Log density", plane=self._density_plane, low=peak - DEPTH, high=peak),)

    def marks(self) -> tuple[Mark, ...]:
        inks = [int(label) for label in self.classes]
        rings = (
            Path(
                layer="Ellipses", lines=ellipses(mean, covariance), closed=True, ink=ink,
                legend="" if place else "1, 2 and 3 σ",
            )
            for place, (mean, covariance, ink) in enumerate(zip(self.means, self.covariances, inks))
        )  # fmt: skip
        return (*rings, Dots(layer="Means", points=self.means, inks=tuple(inks), size=11.0, legend="mean"))

    def metrics(self) -> Mapping[str, float]:
        figures = {
            "log-likelihood": -self.loss,
            "log-likelihood per point": -self.loss / self.points,
        }
        if len(self.classes) == 2 and not self._told[1, 3:].any():
            constant, *slope = self._told[1, :3]
            figures["intercept"] = float(constant - slope @ self._centre)
            figures |= {"x": float(slope[0]), "y": float(slope[1])}
        return figures

    def _quadratics(self, X: Floats, tables: Floats) -> Floats:
        u, v = (X - self._centre).T
        terms = np.stack([u**i * v**j for i, j in TERMS], axis=1)
        return np.asarray(terms @ tables.T)

    def _painted(self, tables: Floats, raster: Raster) -> Field:
        # pages of zeros cost nothing until they are written to
        out = np.zeros((len(tables), *raster.shape), dtype=np.float32)
        for plane, terms in zip(out, tables):
            if terms[3:].any():
                table = np.zeros((3, 3))
                table[tuple(np.transpose(TERMS))] = terms
                polynomial_plane(table, raster, plane, self._centre)
            elif terms.any():
                affine_plane(terms[1:3], float(terms[0]), raster, plane, self._centre)
        return out

    def _density_plane(self, raster: Raster) -> Plane:
        return self._log_density(np.moveaxis(self._painted(self._joint, raster), 0, -1))

    @staticmethod
    def _log_density(joint: Floats | Plane) -> Plane:
        """ln p(x) from ln p(x, k) along the last axis."""
        top = joint.max(axis=-1)
        total: Plane = top + np.log(np.exp(joint - top[..., None]).sum(axis=-1))
        return total
