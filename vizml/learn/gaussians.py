"""Gaussians in any dimension: moments, estimates of covariances, weighted components and log densities.

ln p(x, k) = ln pi_k - d/2 ln(2 pi) - 1/2 ln |S_k| - 1/2 (x - m_k)' S_k^-1 (x - m_k)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints
from vizml.field.polynomial import affine_plane, polynomial_plane
from vizml.field.raster import F, Section
from vizml.scene.typesetting import without_rounding

SINGULAR = 5e-11
"""A covariance is singular if its correlation matrix has an eigenvalue below this (r = 1 - 5e-11 for two)."""
RIDGE = 1e-6
"""Share of the largest variance that is added to the diagonal of a singular covariance."""
MIN_VARIANCE = 1e-10
"""Least variance relative to the squared extent of an input that double precision can tell from zero."""


def mean_of(X: Floats) -> Floats:
    """Return the mean (d,) of the rows: 0 where only rounding errors differ from 0.

    >>> mean_of(np.array([[0.1], [0.2], [-0.3]]))
    array([0.])
    """
    return without_rounding(X.mean(axis=0), X.T)


def correlation_of(covariance: Floats) -> float:
    """Return the correlation of two inputs: 0 where only rounding errors differ from 0."""
    found = covariance[0, 1] / math.sqrt(covariance[0, 0] * covariance[1, 1])
    return float(without_rounding(found, np.ones(1)))


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassMoments:
    """Counts (K,), means (K, d) and covariances (K, d, d) of classes, and the moments of all points."""

    counts: Floats
    means: Floats
    covariances: Floats
    mean: Floats
    covariance: Floats

    @classmethod
    def of(cls, X: Floats, codes: Ints) -> ClassMoments:
        """Compute maximum likelihood estimates (divided by n) for the classes 0 ... K - 1.

        >>> ClassMoments.of(np.array([[0.0], [2.0], [5.0]]), np.array([0, 0, 1])).means.ravel()
        array([1., 5.])
        """
        groups = [X[codes == k] for k in range(int(codes.max()) + 1)]
        return cls(
            counts=np.array([len(group) for group in groups], dtype=np.float64),
            means=np.array([mean_of(group) for group in groups]),
            covariances=np.array([_covariance(group) for group in groups]),
            mean=mean_of(X),
            covariance=_covariance(X),
        )

    def second_moments(self, centres: Floats) -> Floats:
        """The mean of (x - c_k)(x - c_k)' over each class (K, d, d)."""
        off = self.means - centres
        return np.asarray(self.covariances + off[:, :, None] * off[:, None, :])

    def negative_log_likelihood(self, priors: Floats, means: Floats, covariances: Floats) -> float:
        """-sum_i ln p(x_i, y_i) of Gaussians with these parameters."""
        distance = np.einsum("kij,kji->k", np.linalg.inv(covariances), self.second_moments(means))
        log_det = np.linalg.slogdet(covariances)[1]
        constant = self.means.shape[1] * math.log(2 * math.pi)
        return float(self.counts @ ((constant + log_det + distance) / 2 - np.log(priors)))


def shrunk(covariance: Floats, shrinkage: float) -> Floats:
    """Shrink towards a multiple of the identity with the same trace: (1 - s) S + s tr(S)/d I."""
    d = len(covariance)
    return np.asarray((1.0 - shrinkage) * covariance + shrinkage * np.trace(covariance) / d * np.eye(d))


def is_singular(covariance: Floats) -> bool:
    """Whether it has no extent in some direction, whatever the units of the inputs."""
    variances = np.diag(covariance)
    if not (variances > 0).all():
        return True
    deviations = np.sqrt(variances)
    return bool(np.linalg.eigvalsh(covariance / np.outer(deviations, deviations))[0] < SINGULAR)


def regularised(covariance: Floats, overall: Floats) -> tuple[Floats, str]:
    """Replace a singular covariance by one of full rank, and describe how."""
    d = len(covariance)
    largest = float(np.linalg.eigvalsh(covariance)[-1])
    if largest > 0:
        return np.asarray(covariance + RIDGE * largest * np.eye(d)), "singular and was regularised"
    variance = float(np.trace(overall)) / d or 1.0
    return variance * np.eye(d), f"zero and was replaced by a spherical one with σ {math.sqrt(variance):.3g}"


@dataclass(frozen=True, eq=False)
class Quadratics:
    """Functions q_k(x) = c_k + l_k . u - 1/2 u' P_k u of u = x - centre, for k = 0 ... K - 1."""

    constant: Floats
    linear: Floats
    precision: Floats
    centre: Floats

    @classmethod
    def log_joint(cls, priors: Floats, means: Floats, covariances: Floats) -> Quadratics:
        """ln p(x, k) of Gaussians with full-rank covariances."""
        d = means.shape[1]
        constant = np.log(priors) - (d * math.log(2 * math.pi) + np.linalg.slogdet(covariances)[1]) / 2
        return cls.around(means, constant, np.asarray(np.linalg.inv(covariances), dtype=np.float64))

    @classmethod
    def around(cls, means: Floats, peaks: Floats, precision: Floats) -> Quadratics:
        """Quadratics with their maxima `peaks` (K,) at means (K, d)."""
        centre = means.mean(axis=0)
        away = means - centre
        linear = np.einsum("kij,kj->ki", precision, away)
        return cls(peaks - (away * linear).sum(axis=1) / 2, linear, precision, centre)

    @classmethod
    def affine(cls, weights: Floats, intercepts: Floats, centre: Floats) -> Quadratics:
        """w_k . (x - centre) + b_k, without a quadratic part."""
        return cls(intercepts, weights, np.zeros((len(weights), len(centre), len(centre))), centre)

    def relative(self) -> Quadratics:
        """Subtract the first function; those with equal precisions become affine."""
        return Quadratics(
            self.constant - self.constant[0], self.linear - self.linear[0],
            self.precision - self.precision[0], self.centre,
        )  # fmt: skip

    def on(self, origin: Floats, basis: Floats) -> Quadratics:
        """Restrict to the plane origin + w @ basis with orthonormal basis; the result is a function of w."""
        middle = (self.centre - origin) @ basis.T
        offset = origin + middle @ basis - self.centre
        pulled = self.precision @ offset
        return Quadratics(
            self.constant + (self.linear - pulled / 2) @ offset, (self.linear - pulled) @ basis.T,
            basis @ self.precision @ basis.T, middle,
        )  # fmt: skip

    def __call__(self, X: ArrayLike) -> Floats:
        """The values (m, K) at points (m, d)."""
        u = np.asarray(X, dtype=np.float64) - self.centre
        squares = np.stack([np.einsum("md,md->m", u @ matrix, u) for matrix in self.precision], axis=1)
        return np.asarray(self.constant + u @ self.linear.T - squares / 2)

    def field(self, raster: Raster) -> Field:
        """The values (K, H, W) on a raster, for d = 2; pages of zeros cost nothing until written to."""
        out = np.zeros((len(self.constant), *raster.shape), dtype=np.float32)
        for plane, c, (x, y), P in zip(out, self.constant, self.linear, self.precision):
            if P.any():
                table = np.array([[c, y, -P[1, 1] / 2], [x, -P[0, 1], 0.0], [-P[0, 0] / 2, 0.0, 0.0]])
                polynomial_plane(table, raster, plane, self.centre)
            elif c or x or y:
                affine_plane(np.array([x, y]), float(c), raster, plane, self.centre)
        return out


def _covariance(X: Floats) -> Floats:
    shifted = X - X[0]  # an input that is constant has a variance of exactly 0
    centred = shifted - shifted.mean(axis=0)
    return np.asarray(centred.T @ centred / len(X))


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

    @cached_property
    def quadratics(self) -> Quadratics:
        """`log_joint` as quadratic functions."""
        precision = np.swapaxes(self.whitening, 1, 2) @ self.whitening
        return Quadratics.around(self.means, self.log_peaks + np.log(self.weights), precision)

    def joint_field(self, section: Section, raster: Raster) -> Field:
        """`log_joint` at each pixel of a section (K, H, W)."""
        return self.quadratics.on(section.origin, section.basis).field(raster)


def log_sum_exp(logs: NDArray[F], axis: int = -1) -> NDArray[F]:
    """log sum_k exp(logs_k) along an axis, without overflow."""
    highest = logs.max(axis=axis, keepdims=True)
    total: NDArray[F] = np.log(np.exp(logs - highest).sum(axis=axis)) + highest.squeeze(axis)
    return total


def entropy(p: Floats) -> float:
    """Return -sum p ln p; 0 ln 0 is 0.

    >>> round(entropy(np.array([[0.5, 0.5], [1.0, 0.0]])), 4)
    0.6931
    """
    seen = p[p > 0]
    return max(-float(seen @ np.log(seen)), 0.0)


def least_variances(X: Floats, reg: float = 0.0) -> Floats:
    """Least variance (d,) of each input, at least `reg`; that of the widest one for constant inputs."""
    extents = np.abs(X - X.mean(axis=0)).max(axis=0)
    return np.maximum(reg, MIN_VARIANCE * np.where(extents > 0, extents, extents.max() or 1.0) ** 2)


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
