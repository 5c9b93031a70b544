"""Gaussian process regression: C = K + noise I, mean k' C^-1 t, variance k(x, x) - k' C^-1 k."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Self

import numpy as np

from vizml.learn.gaussian_processes.covariances import Sum
from vizml.learn.gaussian_processes.triangular import inverted
from vizml.learn.state import Floats

TRIES = 12
BLOCK = 256
"""Rows of a triangle that are multiplied at a time."""


@dataclass(frozen=True, eq=False)
class Process(ABC):
    """What is known of f from t at x: none of them leaves the prior."""

    covariance: Sum
    noise: float
    x: Floats
    t: Floats
    weights: Floats
    jitter: float
    """What had to be added to the noise, because rounding left C without a Cholesky factor."""
    evidence: float
    """ln p(t) = -t' C^-1 t / 2 - ln |C| / 2 - n ln(2 pi) / 2."""

    @abstractmethod
    def mean(self, x: Floats) -> Floats:
        """Of f at x (m,)."""

    @abstractmethod
    def variance(self, x: Floats) -> Floats:
        """Of f, without the noise, at x (m,)."""

    @abstractmethod
    def between(self, x: Floats, z: Floats) -> Floats:
        """The covariance (n, m) of f at x (n,) with f at z (m,)."""

    @abstractmethod
    def slopes(self) -> Floats:
        """The evidence's by ln length, ln variance, ln period where there is one, and ln noise."""

    def deviation(self, x: Floats) -> Floats:
        """Of f, without the noise, at x (m,)."""
        return np.asarray(np.sqrt(np.maximum(self.variance(x), 0.0)))

    def drawn(self, x: Floats, normals: Floats) -> Floats:
        """Samples (s, m) of f at x (m,), made of standard normal numbers (s, m)."""
        spread, axes = np.linalg.eigh(self.between(x, x))
        # the symmetric root: samples move with the kernel and do not jump
        root = (axes * np.sqrt(np.maximum(spread, 0.0))) @ axes.T
        drawn: Floats = self.mean(x) + normals @ root
        return drawn


@dataclass(frozen=True, eq=False)
class Exact(Process):
    """By Cholesky's factor of C; weights = C^-1 t."""

    half: Floats
    """L^-1 where L L' = C."""

    @classmethod
    def of(cls, covariance: Sum, noise: float, x: Floats, t: Floats) -> Self:
        """The posterior."""
        K = covariance.between(x, x)
        L, jitter = _factor(K, noise)
        half = inverted(L)
        weights = half.T @ (half @ t)
        # a second round takes out what the inverse lost to rounding
        weights = weights + half.T @ (half @ (t - K @ weights - (noise + jitter) * weights))
        return cls.with_factor(covariance, noise, x, t, weights, jitter, half)

    @classmethod
    def with_factor(
        cls, covariance: Sum, noise: float, x: Floats, t: Floats, weights: Floats, jitter: float, half: Floats
    ) -> Self:
        """The posterior whose weights and factor are known."""
        half.flags.writeable = weights.flags.writeable = False
        logs = float(np.log(half.diagonal()).sum())
        evidence = logs - 0.5 * float(t @ weights) - 0.5 * len(x) * math.log(2.0 * math.pi)
        return cls(covariance, noise, x, t, weights, jitter, evidence, half)

    @classmethod
    def prior(cls, covariance: Sum, noise: float) -> Self:
        """Before any point."""
        none = np.empty(0)
        return cls(covariance, noise, none, none, none, 0.0, 0.0, np.empty((0, 0)))

    def mean(self, x: Floats) -> Floats:
        return np.asarray(self.covariance.between(x, self.x) @ self.weights)

    def variance(self, x: Floats) -> Floats:
        near, variance = self.covariance.between(x, self.x), self.covariance.at(x)
        for end in range(BLOCK, len(self.x) + BLOCK, BLOCK):  # above its diagonal L^-1 is 0
            rows = slice(end - BLOCK, end)
            known = near[:, :end] @ self.half[rows, :end].T
            variance -= np.einsum("mn,mn->m", known, known)
        return variance

    def between(self, x: Floats, z: Floats) -> Floats:
        at_x, at_z = (self.covariance.between(place, self.x) @ self.half.T for place in (x, z))
        return np.asarray(self.covariance.between(x, z) - at_x @ at_z.T)

    def slopes(self) -> Floats:
        inverse = self.half.T @ self.half
        pull = np.outer(self.weights, self.weights) - inverse
        found = [0.5 * float((pull * change).sum()) for change in self.covariance.slopes(self.x, self.x)]
        return np.array([*found, 0.5 * self.noise * float(np.trace(pull))])


def _factor(K: Floats, noise: float) -> tuple[Floats, float]:
    """Cholesky's factor of K + noise I, and how much more than the noise it took."""
    size = float(K.diagonal().max(initial=0.0)) or 1.0
    diagonal = np.diag_indices_from(K)
    for attempt in range(TRIES + 1):
        jitter = 0.0 if not attempt else size * 10.0 ** (attempt - 15)
        C = K.copy()
        C[diagonal] += noise + jitter
        try:
            return np.asarray(np.linalg.cholesky(C), dtype=np.float64), jitter
        except np.linalg.LinAlgError:
            continue
    raise np.linalg.LinAlgError("no jitter makes the covariance positive definite")
