"""Weighted Gaussian components: densities log w_k N(x | mu_k, S_k) at points and on planes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vizml.field import Field, Raster
from vizml.field.arrays import Floats
from vizml.field.polynomial import polynomial_field
from vizml.field.raster import F
from vizml.field.section import Section


@dataclass(frozen=True, eq=False, kw_only=True)
class GaussianComponents:
    """Weights (K,), means (K, d) and covariances (K, d, d)."""

    weights: Floats
    means: Floats
    covariances: Floats

    def __len__(self) -> int:
        return len(self.weights)

    @cached_property
    def whitening(self) -> Floats:
        """Inverse Cholesky factors W (K, d, d): |W (x - mu)|^2 is the squared Mahalanobis distance."""
        return np.asarray(np.linalg.inv(np.linalg.cholesky(self.covariances)))

    @cached_property
    def log_peaks(self) -> Floats:
        """log N(mu_k | mu_k, S_k) (K,)."""
        log_roots = np.log(np.diagonal(self.whitening, axis1=1, axis2=2)).sum(axis=1)
        return np.asarray(log_roots - self.means.shape[1] / 2 * np.log(2 * np.pi))

    def log_densities(self, X: Floats) -> Floats:
        """log N(x | mu_k, S_k) (n, K)."""
        whitened = (X - self.means[:, None]) @ np.swapaxes(self.whitening, 1, 2)
        return np.asarray((self.log_peaks[:, None] - (whitened * whitened).sum(axis=2) / 2).T)

    def log_joint(self, X: Floats) -> Floats:
        """log w_k N(x | mu_k, S_k) (n, K)."""
        return self.log_densities(X) + np.log(self.weights)

    def joint_field(self, section: Section, raster: Raster) -> Field:
        """`log_joint` at each pixel of a section (K, H, W): a quadratic polynomial of its coordinates."""
        centre = (self.weights @ self.means - section.origin) @ section.basis.T
        scale = float(np.sqrt(np.trace(self.covariances, axis1=1, axis2=2).max()))
        slopes = scale * self.whitening @ section.basis.T
        offsets = section.origin + centre @ section.basis - self.means
        start = (self.whitening @ offsets[:, :, None])[:, :, 0]
        table = np.zeros((len(self), 3, 3))
        table[:, 0, 0] = self.log_peaks + np.log(self.weights) - (start * start).sum(axis=1) / 2
        table[:, 1, 0], table[:, 0, 1] = -np.einsum("ki,kij->jk", start, slopes)
        squares = np.einsum("kij,kil->kjl", slopes, slopes)
        table[:, 2, 0], table[:, 0, 2] = -squares[:, 0, 0] / 2, -squares[:, 1, 1] / 2
        table[:, 1, 1] = -squares[:, 0, 1]
        return polynomial_field(table, raster, centre, np.full(2, scale))


def log_sum_exp(logs: NDArray[F]) -> NDArray[F]:
    """log sum_k exp(logs_k) along the last axis, without overflow."""
    highest = logs.max(axis=-1)
    total: NDArray[F] = highest + np.log(np.exp(logs - highest[..., None]).sum(axis=-1))
    return total


def constrained(covariances: Floats, counts: Floats, kind: str) -> Floats:
    """Restrict covariances (K, d, d) of components with given sizes (K,) to a covariance type."""
    d = covariances.shape[1]
    if kind == "tied":
        pooled = np.tensordot(counts / counts.sum(), covariances, axes=1)
        return np.repeat(pooled[None], len(covariances), axis=0)
    if kind == "diag":
        return np.asarray(covariances * np.eye(d))
    if kind == "spherical":
        variances = np.trace(covariances, axis1=1, axis2=2) / d
        return np.asarray(variances[:, None, None] * np.eye(d))
    return covariances
