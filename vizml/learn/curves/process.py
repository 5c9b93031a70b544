"""Gaussian process regression: C = K + noise I, mean k' C^-1 t, variance k(x, x) - k' C^-1 k."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from vizml.learn.curves.covariances import Sum
from vizml.learn.kernel.triangular import inverted
from vizml.learn.state import Floats

TRIES = 12


@dataclass(frozen=True, eq=False)
class Process:
    """What is known of f from t at x: none of them leaves the prior."""

    covariance: Sum
    noise: float
    x: Floats
    t: Floats
    half: Floats
    """L^-1 where L L' = C."""
    weights: Floats
    """C^-1 t."""
    jitter: float = 0.0
    """What had to be added to the noise, because rounding left C without a Cholesky factor."""

    @classmethod
    def of(cls, covariance: Sum, noise: float, x: Floats, t: Floats) -> Self:
        """The posterior."""
        K = covariance.between(x, x)
        L, jitter = _factor(K, noise)
        half = inverted(L)
        weights = half.T @ (half @ t)
        # a second round takes out what the inverse lost to rounding
        weights = weights + half.T @ (half @ (t - K @ weights - (noise + jitter) * weights))
        half.flags.writeable = weights.flags.writeable = False
        return cls(covariance, noise, x, t, half, weights, jitter)

    @classmethod
    def prior(cls, covariance: Sum, noise: float) -> Self:
        """Before any point."""
        none = np.empty(0)
        return cls(covariance, noise, none, none, np.empty((0, 0)), none)

    @property
    def evidence(self) -> float:
        """ln p(t) = -t' C^-1 t / 2 - ln |C| / 2 - n ln(2 pi) / 2."""
        logs = float(np.log(self.half.diagonal()).sum())
        return logs - 0.5 * float(self.t @ self.weights) - 0.5 * len(self.x) * math.log(2.0 * math.pi)

    def mean(self, x: Floats) -> Floats:
        """Of f at x (m,)."""
        mean: Floats = self.covariance.between(x, self.x) @ self.weights
        return mean

    def deviation(self, x: Floats) -> Floats:
        """Of f, without the noise, at x (m,)."""
        known = self.covariance.between(x, self.x) @ self.half.T
        variance = self.covariance.at(x) - np.einsum("mn,mn->m", known, known)
        return np.asarray(np.sqrt(np.maximum(variance, 0.0)))

    def drawn(self, x: Floats, normals: Floats) -> Floats:
        """Samples (s, m) of f at x (m,), made of standard normal numbers (s, m)."""
        known = self.covariance.between(x, self.x) @ self.half.T
        spread, axes = np.linalg.eigh(self.covariance.between(x, x) - known @ known.T)
        # the symmetric root: samples move with the kernel and do not jump
        root = (axes * np.sqrt(np.maximum(spread, 0.0))) @ axes.T
        drawn: Floats = self.mean(x) + normals @ root
        return drawn

    def slopes(self) -> Floats:
        """The evidence's by ln length, ln variance, ln period where there is one, and ln noise."""
        inverse = self.half.T @ self.half
        pull = np.outer(self.weights, self.weights) - inverse
        found = [0.5 * float((pull * change).sum()) for change in self.covariance.slopes(self.x)]
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
