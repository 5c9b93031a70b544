"""The posterior over a view: what is made of mean and variance, in tiles in which it is a polynomial."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vizml.field import Field, Raster
from vizml.field.mosaic import Mask, Mosaic, Part
from vizml.learn.kernel.averaged import averaged
from vizml.learn.kernel.moments import Moments
from vizml.learn.kernel.posterior import Process
from vizml.learn.kernel.sums import REACH
from vizml.learn.state import Floats

FAINT = {"rbf": 8e-7, "matern52": 5e-7, "matern32": 4e-7}
"""How large the last coefficients of the probability may be: those of a crease fall more slowly."""
MEAN, VARIANCE = 6.0, 40.0
"""The same of mean and variance, in multiples of that: so much less does the probability follow them."""
SLOWED = np.pi / 8
"""The probability is about that of f / (1 + pi/8 variance)^1/2."""
WIDE = 2.5
"""A tile of so many lengths may hide the bump of a point between its nodes; bumps are wider farther away."""


@dataclass(frozen=True, eq=False)
class Surface:
    """A process over a view, and over each band of it."""

    process: Process
    moments: Moments
    over: Raster

    def covers(self, raster: Raster) -> bool:
        """Whether it serves a raster."""
        mine, other = self.over, raster.whole
        return mine is other or (np.array_equal(mine.x, other.x) and np.array_equal(mine.y, other.y))

    def chances(self, raster: Raster) -> Field:
        """The probability (H, W) of the positive class."""
        return self._chance.plane(raster.rows_of_whole)

    def deviation(self, raster: Raster) -> Field:
        """The standard deviation (H, W) of f."""
        return self._deviation.plane(raster.rows_of_whole)

    @cached_property
    def _chance(self) -> Mosaic:
        return self._mosaic(_chance, self._faint)

    @cached_property
    def _deviation(self) -> Mosaic:
        return self._mosaic(_deviation, self._faint * VARIANCE)

    def _mosaic(self, show: Callable[..., Floats], faint: float) -> Mosaic:
        mean, variance = self.moments.mean, self.moments.variance

        def slowed(known: Floats) -> Floats:
            """The least of 1 + pi/8 variance in each tile."""
            return np.asarray(1.0 + SLOWED * np.maximum(known[1].min(axis=(1, 2)), 0.0))

        parts = (
            Part(
                lambda x, y: mean.on(x, y)[..., 0].astype(np.float64, copy=False),
                lambda known: self._faint * MEAN * np.sqrt(slowed(known)),
            ),
            Part(
                lambda x, y: self.moments.left(variance.on(x, y)),
                lambda known: self._faint * VARIANCE * slowed(known),
            ),
        )
        return Mosaic.of(self.over, parts, show, faint, self._hides)

    @property
    def _faint(self) -> float:
        return FAINT[self.process.covariance.kind]

    def _hides(self, x: Floats, y: Floats) -> Mask:
        """Tiles that are wide for the bumps of the points in them, or beside them."""
        covariance, points = self.process.covariance, self.process.points
        (left, right), (bottom, top) = x.T[:, :, None], y.T[:, :, None]
        across = np.maximum(left - points[:, 0], points[:, 0] - right)
        down = np.maximum(bottom - points[:, 1], points[:, 1] - top)
        away = np.maximum(np.maximum(across, down).min(axis=1), 0.0) / covariance.length
        wide = np.maximum(np.ptp(x, axis=1), np.ptp(y, axis=1)) / covariance.length
        return np.asarray((away < REACH[covariance.kind]) & (wide > WIDE * (1.0 + np.sqrt(away))))


def _chance(mean: Floats, variance: Floats) -> Floats:
    return averaged(mean, np.maximum(variance, 0.0))


def _deviation(mean: Floats, variance: Floats) -> Floats:
    del mean
    return np.sqrt(np.maximum(variance, 0.0))
