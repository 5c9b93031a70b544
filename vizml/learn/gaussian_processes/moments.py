"""Mean and variance of Gaussian processes as sums that are cheap to have in very many places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from vizml.field import Raster
from vizml.learn.gaussian_processes.averaged import averaged
from vizml.learn.gaussian_processes.covariance import Covariance, squared_distances
from vizml.learn.gaussian_processes.directions import directions, precision
from vizml.learn.gaussian_processes.posterior import Process
from vizml.learn.gaussian_processes.sums import Real, Sums
from vizml.learn.state import Floats

CREASED = "matern32"
"""Its squares have creases that take small tiles; less a sum of covariances they are smoother."""
QUIET = 1e-5
"""How far single precision may move a probability."""
PROBES, NEAR = 8, 64
"""Places along an edge, and points, where that is tried."""


@dataclass(frozen=True, eq=False)
class Moments:
    """Of processes (K,) that have points and covariance in common.

    The variance is v - |k' H|^2. Near a point x_i the square has the crease of 2 (H H' K)_ii k(x, x_i): the
    sum of these is told apart, and what remains has fainter ones.
    """

    processes: tuple[Process, ...]
    sums: Sums
    """The means, where creases are told apart those sums, and what remains of the squares."""

    @classmethod
    def of(cls, processes: Sequence[Process]) -> Self:
        """As cheap as the probabilities allow at the probes."""
        first = processes[0]
        covariance, points, probes = first.covariance, first.points, _probes(first)
        kind = np.result_type(*map(precision, processes))
        K, near = (
            covariance.of(squared_distances(places, points).astype(kind, copy=False))
            for places in (points, probes)
        )
        found: list[Real] = []
        for process in processes:
            found.append(directions(process, K, near, found[-1].shape[1] if found else 0))
        weights: list[Real] = [process.a for process in processes]
        creased = covariance.kind == CREASED
        if creased:
            weights += [_creases(K, H) for H in found]
        blocks = tuple(H.astype(np.float64, copy=False) for H in found)
        sums = Sums(covariance, points, np.stack(weights, axis=1).astype(np.float64), blocks, creased)
        double, single = cls(tuple(processes), sums), cls(tuple(processes), sums.rounded())
        some = probes[::3]  # rounding is much the same everywhere
        quiet = np.abs(single.chances(some) - double.chances(some)).max() <= QUIET
        return single if quiet else double

    @property
    def covariance(self) -> Covariance:
        """The one of all of them."""
        return self.sums.covariance

    @property
    def points(self) -> Floats:
        """Those of all of them."""
        return self.sums.points

    @property
    def variance(self) -> float:
        """That of f before anything is learned."""
        return self.covariance.variance

    def told(self, sums: Floats) -> tuple[Floats, Floats]:
        """Mean and variance (K, ...) from the planes of all sums."""
        count, linear = len(self.processes), self.sums.weights.shape[1]
        taken = sums[linear:] + sums[count:linear] if self.sums.creased else sums[linear:]
        return sums[:count], np.maximum(self.variance - taken, 0.0)

    def chances(self, places: Floats) -> Floats:
        """The mean probability (K, m) of the positive classes."""
        return averaged(*self.told(self.sums.at(places).astype(np.float64)))


def _creases(K: Real, H: Real) -> Real:
    """2 (H H' K)_ii."""
    return np.asarray(2.0 * np.einsum("nr,nr->n", K.astype(H.dtype, copy=False) @ H, H))


def _probes(process: Process) -> Floats:
    """Places all over the points and around, and just beside some points: there the creases are."""
    low, high = process.points.min(axis=0), process.points.max(axis=0)
    around = process.covariance.length
    share = (np.arange(PROBES) + 0.37) / PROBES
    axes = (a - around + share * (b - a + 2 * around) for a, b in zip(low, high))
    beside = process.points[:: max(len(process.points) // NEAR, 1)] + around / 100
    return np.concatenate([Raster(*axes).points(), beside])


def grouped(processes: Sequence[Process]) -> list[Moments]:
    """Together those that have points and covariance in common."""
    first = processes[0]
    alike = all(p.points is first.points and p.covariance == first.covariance for p in processes)
    return [Moments.of(processes)] if alike else [Moments.of([process]) for process in processes]
