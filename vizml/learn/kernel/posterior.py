"""What a Gaussian process says off its points: mean and variance of f."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vizml.field.patience import go_on
from vizml.learn.kernel.averaged import averaged
from vizml.learn.kernel.covariance import Covariance, squared_distances
from vizml.learn.kernel.laplace import inverse_factor
from vizml.learn.state import Floats

CHUNK = 1 << 21
"""Covariances between points and places at a time."""


@dataclass(frozen=True, eq=False)
class Process:
    """f around its mode at the points: a = K^-1 f, and the roots of the curvatures there."""

    covariance: Covariance
    points: Floats
    a: Floats
    roots: Floats

    def __post_init__(self) -> None:
        self.a.flags.writeable = self.roots.flags.writeable = False

    def moments(self, X: Floats) -> Floats:
        """Mean and variance (2, m) of f at places (m, 2)."""
        known_by = self.known_by()
        rows = max(CHUNK // len(self.points), 1)
        found = np.empty((2, len(X)))
        for start in range(0, len(X), rows):
            go_on()
            part = slice(start, start + rows)
            near = self.covariance.of(squared_distances(X[part], self.points))
            known = near @ known_by
            found[:, part] = near @ self.a, self.covariance.variance - np.einsum("mn,mn->m", known, known)
        return np.maximum(found, [[-np.inf], [0.0]])

    def chances(self, X: Floats) -> Floats:
        """The mean probability (m,) of the positive class."""
        return averaged(*self.moments(X))

    def known_by(self) -> Floats:
        """H (n, n), for a variance of v - |k(x)' H|^2. Made anew, as hundreds of moments of a recording
        would each keep a matrix.
        """
        K = self.covariance.of(squared_distances(self.points, self.points))
        return (inverse_factor(K, self.roots) * self.roots).T
