"""What a Gaussian process says off its points: mean and variance of f."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from vizml.field.cancellation import check_cancelled
from vizml.learn.gaussian_processes.averaged import averaged
from vizml.learn.gaussian_processes.covariance import Covariance, squared_distances
from vizml.learn.gaussian_processes.laplace import inverse_factor
from vizml.learn.state import Floats

CHUNK = 1 << 21
"""Covariances between points and places at a time."""
KEPT = 8
"""Processes whose matrices are kept, one for each class of the state that is looked at: those of all states
of a recording would be hundreds.
"""


@dataclass(frozen=True, eq=False)
class Process:
    """f around its mode at the points: a = K^-1 f, and the roots of the curvatures there."""

    covariance: Covariance
    points: Floats
    a: Floats
    roots: Floats

    def __post_init__(self) -> None:
        self.a.flags.writeable = self.roots.flags.writeable = False

    def means(self, X: Floats) -> Floats:
        """The mean (m,) of f at places (m, 2)."""
        found = np.empty(len(X))
        for part, near in self._near(X):
            found[part] = near @ self.a
        return found

    def moments(self, X: Floats) -> Floats:
        """Mean and variance (2, m) of f at places (m, 2)."""
        known_by, found = self.known_by(), np.empty((2, len(X)))
        for part, near in self._near(X):
            known = near @ known_by
            found[:, part] = near @ self.a, self.covariance.variance - np.einsum("mn,mn->m", known, known)
        return np.maximum(found, [[-np.inf], [0.0]])

    def chances(self, X: Floats) -> Floats:
        """The mean probability (m,) of the positive class."""
        return averaged(*self.moments(X))

    def known_by(self) -> Floats:
        """H (n, n), for a variance of v - |k(x)' H|^2."""
        return _kept(self)

    def telling(self) -> Floats:
        """That, worked out."""
        K = self.covariance.of(squared_distances(self.points, self.points))
        return (inverse_factor(K, self.roots) * self.roots).T

    def _near(self, X: Floats) -> Iterator[tuple[slice, Floats]]:
        """Covariances of some places at a time with the points."""
        rows = max(CHUNK // len(self.points), 1)
        for start in range(0, len(X), rows):
            check_cancelled()
            part = slice(start, start + rows)
            yield part, self.covariance.of(squared_distances(X[part], self.points))


@lru_cache(maxsize=KEPT)
def _kept(process: Process) -> Floats:
    known_by = process.telling()
    known_by.flags.writeable = False
    return known_by
