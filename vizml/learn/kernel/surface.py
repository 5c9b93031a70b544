"""The posterior over a view: series through Chebyshev nodes where they say it all, else pixel by pixel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from vizml.field import Field, Raster
from vizml.field.patch import Patch
from vizml.learn.kernel.averaged import averaged
from vizml.learn.kernel.posterior import Process
from vizml.learn.state import Floats

EXACT = 2.5e-6
"""How far a probability may be off at the probes."""
VARIANCE_EXACT = 1e-4
"""How far the variance may be off there, as a share of the prior's."""
FAINT = 2.0**-26
"""Coefficients of probabilities below this are lost in a float32."""
ROUGH = (160, 320)
"""Nodes to try for a covariance with a crease at each point: enough for Matérn 5/2, and for 3/2."""
FINER = (1.5, 2.5, 4.0)
"""So many times the nodes of mean and variance are tried for the probability."""
MOST_NODES, MOST_FINE = 200, 480
PROBES = 12
NEAR = 150
"""Points beside which a series is probed: there the creases are."""


@dataclass(frozen=True, eq=False)
class Surface:
    """Mean and variance of f over a view as a patch, the probability as a finer one, where they are exact."""

    process: Process
    over: Raster
    pixels: int
    """Of the view that it was made for."""
    moments: Patch | None = None
    creased: bool = False
    """Whether the mean must be summed, because its patch is not exact enough."""
    chance: Patch | None = None

    @classmethod
    def of(cls, process: Process, view: Raster) -> Self:
        """For a view, and for every raster within it."""
        over, pixels = Raster(view.x[[0, -1]], view.y[[0, -1]]), _pixels(view)
        tries = [(across, down) for across, down in _counts(process, over) if across * down < pixels]
        places = _probes(process, over) if tries else np.empty((0, 2))
        exact = process.moments(places)
        for across, down in tries:
            patch = Patch.through(process.on, over, across, down)
            found = patch.at(places)
            if np.abs(found[1] - exact[1]).max() > VARIANCE_EXACT * process.covariance.variance:
                continue
            if _off(found, exact) <= EXACT:
                return cls(process, over, pixels, patch, chance=_fine(patch, across, down))
            if _off(np.stack([exact[0], found[1]]), exact) <= EXACT:
                return cls(process, over, pixels, patch, creased=True)
        return cls(process, over, pixels)

    def covers(self, raster: Raster) -> bool:
        """Whether it serves a raster."""
        worth = self.moments is not None or _pixels(raster.whole) <= self.pixels
        return worth and self.over.covers(raster)

    def chances(self, raster: Raster) -> Field:
        """The probability (H, W) of the positive class."""
        if self.chance is not None:
            plane: Field = self.chance.field(raster)[0]
            return plane
        return averaged(*self._moments(raster)).astype(np.float32)

    def deviation(self, raster: Raster) -> Field:
        """The standard deviation (H, W) of f."""
        found = self.process.on(raster) if self.moments is None else self.moments.values(raster)
        deviation: Field = np.sqrt(np.maximum(found[1], 0.0)).astype(np.float32)
        return deviation

    def _moments(self, raster: Raster) -> Floats:
        if self.moments is None:
            return self.process.on(raster)
        found = self.moments.values(raster)
        if self.creased:
            found[0] = self.process.mean_on(raster)
        return np.stack([found[0], np.maximum(found[1], 0.0)])


def _pixels(raster: Raster) -> int:
    height, width = raster.shape
    return height * width


def _counts(process: Process, over: Raster) -> list[tuple[int, int]]:
    """Nodes (across, down) to try; how many a Gaussian's square takes, the narrowest part, is known."""
    if process.covariance.kind != "rbf":
        return [(count, count) for count in ROUGH]
    wanted = [10 + 7.0 * float(np.ptp(axis)) / 2 / process.covariance.length for axis in (over.x, over.y)]
    tries = [[int(min(factor * count, 2 * MOST_NODES)) for count in wanted] for factor in (1.0, 1.5)]
    return [(across, down) for across, down in tries if max(across, down) <= MOST_NODES]


def _probes(process: Process, over: Raster) -> Floats:
    """Places between the nodes, and just beside the points in view."""
    extent = np.array([[axis[0], axis[-1]] for axis in (over.x, over.y)])
    share = (np.arange(PROBES) + 0.37) / PROBES
    grid = Raster(*(low + share * (high - low) for low, high in extent)).points()
    nudge = (extent[:, 1] - extent[:, 0]) / 2000
    beside = process.points[:: max(len(process.points) // NEAR, 1)] + nudge
    inside = ((beside >= extent[:, 0]) & (beside <= extent[:, 1])).all(axis=1)
    return np.concatenate([grid, beside[inside]])


def _off(found: Floats, exact: Floats) -> float:
    """The largest error of the probability, where the moments are found and exact (2, m)."""
    mended = np.maximum(found[1], 0.0)
    return float(np.abs(averaged(found[0], mended) - averaged(*exact)).max(initial=0.0))


def _fine(patch: Patch, across: int, down: int) -> Patch | None:
    """The probability as a series of its own, which takes more nodes than the moments that it is made of."""

    def chances(raster: Raster) -> Floats:
        mean, variance = patch.values(raster)
        return averaged(mean, np.maximum(variance, 0.0))[None]

    for factor in FINER:
        counts = int(factor * across), int(factor * down)
        if max(counts) > MOST_FINE:
            break
        fine = Patch.through(chances, patch.over, *counts)
        if fine.tail <= FAINT:
            return fine
    return None
