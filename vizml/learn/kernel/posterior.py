"""What a Gaussian process says off its points: mean and variance of f, exact at points and on rasters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vizml.field import Raster
from vizml.learn.kernel.averaged import averaged
from vizml.learn.kernel.covariance import Covariance, squared_distances
from vizml.learn.kernel.laplace import inverse_factor
from vizml.learn.state import Floats

CHUNK = 1 << 21
"""Covariances between points and places at a time."""
CACHED = 1 << 17
"""As many in float32 stay in the cache."""


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
        rows = max(CHUNK // len(self.points), 1)
        parts = (X[start : start + rows] for start in range(0, len(X), rows))
        return self._moments(squared_distances(part, self.points) for part in parts)

    def chances(self, X: Floats) -> Floats:
        """The mean probability (m,) of the positive class."""
        return averaged(*self.moments(X))

    def on(self, raster: Raster) -> Floats:
        """Mean and variance (2, H, W) at each pixel."""
        across, down = self._along(raster)
        rows = max(CHUNK // max(across.size, 1), 1)
        bands = (down[start : start + rows, None] + across for start in range(0, len(down), rows))
        return self._moments(band.reshape(-1, len(self.points)) for band in bands).reshape(2, *raster.shape)

    def mean_on(self, raster: Raster) -> Floats:
        """The mean alone (H, W), summed in single precision."""
        across, down = (part.astype(np.float32) for part in self._along(raster))
        a = self.a.astype(np.float32)
        out = np.empty(raster.shape)
        columns = max(CACHED // max(len(a), 1), 1)
        for row, squares in zip(out, down):
            for start in range(0, len(row), columns):
                near = self.covariance.of(across[start : start + columns] + squares)
                row[start : start + columns] = near @ a
        return out

    def _along(self, raster: Raster) -> tuple[Floats, Floats]:
        """The squared differences (W, n) and (H, n) along both axes."""
        across = (raster.x[:, None] - self.points[:, 0]) ** 2
        return across, (raster.y[:, None] - self.points[:, 1]) ** 2

    def _moments(self, squares: Iterator[Floats]) -> Floats:
        """From squared distances (m, n)."""
        half = self._half
        means, variances = [np.empty(0)], [np.empty(0)]
        for part in squares:
            near = self.covariance.of(part)
            means.append(near @ self.a)
            known = near @ half
            variances.append(self.covariance.variance - np.einsum("mn,mn->m", known, known))
        return np.stack([np.concatenate(means), np.maximum(np.concatenate(variances), 0.0)])

    @property
    def _half(self) -> Floats:
        """What makes the variance known: k'H squared is what the points take from it. Made anew, as
        hundreds of moments of a recording would each keep a matrix.
        """
        K = self.covariance.of(squared_distances(self.points, self.points))
        return (inverse_factor(K, self.roots) * self.roots).T
