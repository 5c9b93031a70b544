"""Mean and variance of a Gaussian process as sums that are cheap to have in very many places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from vizml.field import Raster
from vizml.learn.kernel.averaged import averaged
from vizml.learn.kernel.covariance import squared_distances
from vizml.learn.kernel.posterior import Process
from vizml.learn.kernel.sums import Real, Sums
from vizml.learn.state import Floats

FIRST = {"rbf": 90, "matern52": 200, "matern32": 360}
"""The variance takes n directions, but so few may say nearly all of it; then a fifth more, and so on."""
SLIGHT = 1e-5
"""What the directions that are left out may explain of the variance at any point."""
QUIET, OFF = 5e-7, 2.5e-6
"""How far single precision may move a probability, and how far fewer directions may."""
PROBES, NEAR = 12, 150
"""Places along an edge, and points, where that is tried."""


@dataclass(frozen=True, eq=False)
class Moments:
    """The mean is one sum, the variance v less the squares of some."""

    mean: Sums
    variance: Sums

    @classmethod
    def of(cls, process: Process) -> Self:
        """As cheap as the probability allows at the probes."""
        places, known_by = _probes(process), process.known_by()
        near = process.covariance.of(squared_distances(places, process.points))
        f, known = near @ process.a, near @ known_by
        exact = _chance(f, process.covariance.variance - np.einsum("mn,mn->m", known, known))
        mean = Sums(process.covariance, process.points, process.a[:, None])
        found = cls(mean, Sums(process.covariance, process.points, _spared(process, known_by)))
        if np.abs(found.chances(places) - exact).max() > OFF:
            found = cls(mean, Sums(process.covariance, process.points, known_by))
        single = cls(mean, found.variance.rounded())
        quiet = np.abs(single.chances(places) - found.chances(places)).max() <= QUIET
        return single if quiet else found

    def chances(self, places: Floats) -> Floats:
        """The mean probability (m,) of the positive class."""
        return _chance(
            self.mean.at(places)[:, 0].astype(np.float64, copy=False), self.left(self.variance.at(places))
        )

    def left(self, known: Real) -> Floats:
        """The variance that is left, from the sums for it (..., r)."""
        taken = np.einsum("...r,...r->...", known, known)
        return np.asarray(self.variance.covariance.variance - taken.astype(np.float64))


def _chance(mean: Floats, variance: Floats) -> Floats:
    return averaged(mean, np.maximum(variance, 0.0))


def _spared(process: Process, known_by: Floats) -> Floats:
    """As few directions (n, r) as explain nearly all of the variance at the points."""
    n, count = len(known_by), FIRST[process.covariance.kind]
    if count >= n:
        return known_by
    known = process.covariance.of(squared_distances(process.points, process.points)) @ known_by
    taken, rng = np.einsum("ij,ij->i", known, known), np.random.default_rng(0)
    while count < n:
        basis = np.linalg.qr(known.T @ rng.standard_normal((n, count)))[0]
        explained = known @ basis
        if (taken - np.einsum("ij,ij->i", explained, explained)).max() <= SLIGHT:
            return np.asarray(known_by @ basis)
        count += count // 5
    return known_by


def _probes(process: Process) -> Floats:
    """Places all over the points and around, and just beside some points: there the creases are."""
    low, high = process.points.min(axis=0), process.points.max(axis=0)
    around = process.covariance.length
    share = (np.arange(PROBES) + 0.37) / PROBES
    axes = (a - around + share * (b - a + 2 * around) for a, b in zip(low, high))
    beside = process.points[:: max(len(process.points) // NEAR, 1)] + around / 100
    return np.concatenate([Raster(*axes).points(), beside])
