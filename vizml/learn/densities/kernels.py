"""Kernels of a density, k(0) = 1, a function of the distance alone: their logs, sums and integrals."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from vizml.field import Raster
from vizml.field.cancellation import check_cancelled
from vizml.field.caps import caps_field
from vizml.field.cones import cone_logs
from vizml.field.logsums import Plane, gaussian_logs, log_sums
from vizml.learn.state import Floats

LABELS = {
    "gaussian": "Gaussian",
    "laplace": "Laplace (exponential)",
    "epanechnikov": "Epanechnikov",
    "box": "box (disc)",
}
NOTHING = -690.0
"""The log of a sum that is none."""
CHUNK = 1 << 17


@dataclass(frozen=True)
class Kernel(ABC):
    """With its bandwidth h."""

    h: float

    @property
    @abstractmethod
    def volume(self) -> float:
        """Its integral over the plane, in units of h^2."""

    @property
    @abstractmethod
    def reach(self) -> float:
        """The distance, in units of h, beyond which it hardly counts."""

    @abstractmethod
    def logs(self, square: Floats) -> Floats:
        """log k at squared distances in units of h^2, `NOTHING` where it is 0."""

    @abstractmethod
    def sums(self, X: Floats, centres: Floats) -> Floats:
        """log sum_i k(c_i - x) at points (m, 2)."""

    @abstractmethod
    def plane(self, raster: Raster, centres: Floats) -> Plane:
        """The same at the pixels of a raster."""

    @property
    def log_volume(self) -> float:
        """The log of its integral."""
        return math.log(self.volume) + 2 * math.log(self.h)


class Gaussian(Kernel):
    volume, reach = 2 * math.pi, 3.0

    def logs(self, square: Floats) -> Floats:
        return -square / 2

    def sums(self, X: Floats, centres: Floats) -> Floats:
        return log_sums(X / self.h, centres / self.h, lambda square: square / 2)

    def plane(self, raster: Raster, centres: Floats) -> Plane:
        return gaussian_logs(*_scaled(raster, centres, self.h), 0.5)


class Laplace(Kernel):
    volume, reach = 2 * math.pi, 6.0

    def logs(self, square: Floats) -> Floats:
        return -np.sqrt(square)

    def sums(self, X: Floats, centres: Floats) -> Floats:
        return log_sums(X / self.h, centres / self.h, np.sqrt)

    def plane(self, raster: Raster, centres: Floats) -> Plane:
        return cone_logs(*_scaled(raster, centres, self.h), 1.0)


class Cap(Kernel):
    """(1 - (d / h)^2)^p within h, 0 beyond."""

    power = 1
    volume, reach = math.pi / 2, 1.0

    def logs(self, square: Floats) -> Floats:
        return _log(np.where(square <= 1.0, (1.0 - square) ** self.power, 0.0))

    def sums(self, X: Floats, centres: Floats) -> Floats:
        out = np.empty(len(X))
        step = max(CHUNK // len(centres), 1)
        for start in range(0, len(X), step):
            check_cancelled()
            apart = (X[start : start + step, None] - centres) / self.h
            square = (apart * apart).sum(axis=2)
            out[start : start + step] = np.where(square <= 1.0, (1.0 - square) ** self.power, 0.0).sum(axis=1)
        return _log(out)

    def plane(self, raster: Raster, centres: Floats) -> Plane:
        sums = caps_field(raster, centres, (len(centres),), self.h, self.power)[0]
        return _log(sums.astype(np.float64)).astype(np.float32)


class Box(Cap):
    power = 0
    volume = math.pi


KERNELS: Mapping[str, type[Kernel]] = {
    "gaussian": Gaussian,
    "laplace": Laplace,
    "epanechnikov": Cap,
    "box": Box,
}


def _scaled(raster: Raster, centres: Floats, h: float) -> tuple[Raster, Floats]:
    """In units of h, from the middle of the centres: squares neither overflow nor vanish."""
    middle = centres.mean(axis=0)
    return Raster((raster.x - middle[0]) / h, (raster.y - middle[1]) / h), (centres - middle) / h


def _log(sums: Floats) -> Floats:
    return np.asarray(np.log(np.maximum(sums, math.exp(NOTHING))))
