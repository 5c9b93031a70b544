"""Logs of kernel sums, log sum_i k(c_i - x), exact however far x is from all centres."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field.raster import Floats, Raster

Plane: TypeAlias = NDArray[np.float32]
Real: TypeAlias = NDArray[np.floating[Any]]
Exponent = Callable[[Real], Real]
"""Of squared distances, which it may overwrite: what the kernel is the exponential of, negated."""

BAND = 64
"""Rows at a time, so that sums are still in the cache when their logs are taken."""
CHUNK = 1 << 17
"""Pairs of a pixel and a centre at a time."""
DROPPED, TRUSTED = -340.0, -300.0
"""Factors with exponents below are left out; sums with logs above have lost nothing by that."""


def gaussian_logs(raster: Raster, centres: Floats, gamma: float) -> Plane:
    """log sum_i exp(-gamma |c_i - x|^2) at each pixel: a matrix product, and pixel by pixel far out."""
    across = _factors(raster.x, centres[:, 0], gamma).T
    out = np.empty(raster.shape, dtype=np.float32)
    for rows, band in raster.bands(BAND):
        sums = _factors(band.y, centres[:, 1], gamma) @ across
        far = np.flatnonzero(sums <= np.exp(TRUSTED))
        logs = np.log(np.maximum(sums, np.exp(TRUSTED), out=sums), out=sums)
        if len(far):
            logs.ravel()[far] = _pixels(
                band, far, centres, lambda square: np.multiply(square, gamma, out=square)
            )
        out[rows] = logs
    return out


def laplace_logs(raster: Raster, centres: Floats, rate: float) -> Plane:
    """log sum_i exp(-rate |c_i - x|) at each pixel; it has a crease at each centre and so must be summed."""
    everywhere = np.arange(len(raster.x) * len(raster.y))

    def distance(square: Real) -> Real:
        np.sqrt(square, out=square)
        return np.multiply(square, rate, out=square)

    return _pixels(raster, everywhere, centres, distance).reshape(raster.shape)


def log_sums(X: Floats, centres: Floats, exponent: Exponent) -> Floats:
    """The same at points (m, 2), in double precision."""
    out = np.empty(len(X))
    step = max(CHUNK // len(centres), 1)
    for start in range(0, len(X), step):
        part = X[start : start + step]
        square = (part[:, :1] - centres[:, 0]) ** 2 + (part[:, 1:] - centres[:, 1]) ** 2
        out[start : start + step] = _row_logs(exponent(square))
    return out


def _pixels(raster: Raster, which: NDArray[np.intp], centres: Floats, exponent: Exponent) -> Plane:
    """The logs at some pixels, in single precision; differences are taken in double."""
    out = np.empty(len(which), dtype=np.float32)
    columns = ((raster.x[:, None] - centres[:, 0]) ** 2).astype(np.float32)
    rows = ((raster.y[:, None] - centres[:, 1]) ** 2).astype(np.float32)
    step = max(CHUNK // len(centres), 1)
    for start in range(0, len(which), step):
        row, column = np.divmod(which[start : start + step], len(raster.x))
        square = columns[column]
        square += rows[row]
        out[start : start + step] = _row_logs(exponent(square))
    return out


def _row_logs(power: Real) -> Real:
    """log sum exp(-power) of each row; overwrites it."""
    least = power.min(axis=1)
    np.subtract(least[:, None], power, out=power)
    np.exp(power, out=power)
    return np.asarray(np.log(power.sum(axis=1)) - least)


def _factors(axis: Floats, centres: Floats, gamma: float) -> Floats:
    power = -gamma * (axis[:, None] - centres) ** 2
    raised = np.exp(power)
    raised[power < DROPPED] = 0.0
    return np.asarray(raised)
