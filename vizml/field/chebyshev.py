"""Smooth functions on a raster or an axis from values at Chebyshev nodes.

A Chebyshev series sum c_ij T_i(y) T_j(x) represents the function on the whole raster.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.polynomial.chebyshev import chebval, chebvander

from vizml.field.arrays import Floats
from vizml.field.raster import Field, Raster

NEGLIGIBLE = 2.0**-28
"""Coefficients below this share of the largest value are lost in single precision."""
LARGEST = float(np.finfo(np.float32).max)
"""Values beyond are clipped."""
TAIL = 3
"""Number of last coefficients that must be negligible: odd or even ones may vanish by symmetry."""
CURVE_TAIL, CURVE_DIGITS = 4, 1e-13
"""The same for a curve, and the share of its largest value that is negligible."""
ROUNDING = 1e-15
"""Relative rounding error of a sum."""
COUNTS = (24, 48, 96, 160)
"""Numbers of nodes that are tried for a curve."""
GAIN = 3
"""Number of x for each node from which interpolation pays."""

Scores = Callable[[Floats], Floats]
"""Values (n, K) at points (n, 2)."""


@cache
def unit_nodes(count: int) -> Floats:
    """Return the Chebyshev nodes of the first kind over -1..1."""
    found = np.cos((np.arange(count) + 0.5) * (np.pi / count))
    found.flags.writeable = False
    return np.asarray(found)


@cache
def transform(count: int) -> Floats:
    """Return the matrix (count, count) from values at the nodes to coefficients."""
    angles = np.outer(np.arange(count), (np.arange(count) + 0.5) * (np.pi / count))
    matrix = np.cos(angles) * (2.0 / count)
    matrix[0] /= 2.0
    matrix.flags.writeable = False
    return np.asarray(matrix)


def nodes(axis: Floats, count: int) -> Floats:
    """Return the Chebyshev nodes of the first kind over the extent of an axis."""
    middle, half = _span(axis)
    return np.asarray(middle + half * unit_nodes(count))


def coefficients(values: Floats) -> Floats:
    """Return the Chebyshev coefficients (K, my, mx) of values at the nodes."""
    return np.asarray(transform(values.shape[1]) @ values @ transform(values.shape[2]).T)


def expand(raster: Raster, series: Floats) -> Field:
    """Evaluate Chebyshev series (K, my, mx) over the extent of the raster.

    The second product may be in single precision: terms that cancel have done so in the coefficients.
    """
    needed = np.abs(series) > NEGLIGIBLE / 8 * np.abs(series).max(axis=(1, 2), keepdims=True)
    height, width = (
        1 + np.flatnonzero(needed.any(axis=others)).max(initial=0) for others in ((0, 2), (0, 1))
    )
    across = np.ascontiguousarray(_basis(raster.x, width).T, dtype=np.float32)
    down = _basis(raster.y, height)
    out = np.empty((len(series), *raster.shape), dtype=np.float32)
    for plane, terms in zip(out, series[:, :height, :width], strict=True):
        rows = down @ terms
        if np.abs(rows).max(initial=0.0) < LARGEST / width:
            np.matmul(rows.astype(np.float32), across, out=plane)
        else:
            np.clip(rows @ across.astype(np.float64), -LARGEST, LARGEST, out=plane, casting="same_kind")
    return out


def polynomial_through(scores: Scores, raster: Raster, degree: int) -> Field:
    """Evaluate a polynomial of a degree in each coordinate, which degree + 1 nodes an axis determine.

    It is well-conditioned wherever the raster lies, since the nodes lie on it.
    """
    return expand(raster, coefficients(values_at_nodes(scores, raster, degree + 1)))


def smooth_curve(f: Callable[[Floats], Floats], x: Floats, parts: float = 0.0) -> Floats:
    """Return f(x) to thirteen digits of its largest value, from a few nodes where f is smooth enough.

    A support vector regression of 500 points is evaluated at 1,000 x nine times as fast as directly.

    Where f is a sum with cancelling parts, no digits below the rounding of those `parts` are asked for.
    """
    for count in COUNTS:
        if len(x) < GAIN * count:
            break
        values = f(nodes(x, count))
        series = transform(count) @ values
        middle, half = _span(x)
        last = np.abs(series[-CURVE_TAIL:]).max()
        if last <= max(CURVE_DIGITS * np.abs(values).max(), ROUNDING * parts) and half > 0:
            return np.asarray(chebval((x - middle) / half, series))
    return f(x)


def values_at_nodes(scores: Scores, raster: Raster, count: int) -> Floats:
    """Return the values (K, count, count) at the nodes of a raster."""
    coarse = Raster(nodes(raster.x, count), nodes(raster.y, count))
    return np.asarray(scores(coarse.points())).T.reshape(-1, count, count)


def _span(axis: Floats) -> tuple[float, float]:
    """Return the middle and half the extent of an axis."""
    low, high = (float(axis.min()), float(axis.max())) if len(axis) else (0.0, 0.0)
    return (low + high) / 2, (high - low) / 2


def _basis(axis: Floats, count: int) -> Floats:
    """Return the first Chebyshev polynomials over the extent of an axis (n, count)."""
    middle, half = _span(axis)
    return np.asarray(chebvander((axis - middle) / (half or 1.0), count - 1))


def tail(series: Floats) -> float:
    """Return the largest of the last coefficients: where it is negligible, the nodes suffice."""
    size = np.abs(series)
    return max(float(size[:, -TAIL:].max(initial=0.0)), float(size[:, :, -TAIL:].max(initial=0.0)))
