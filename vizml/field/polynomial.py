"""Polynomials on a raster: affine functions, tables of coefficients, Chebyshev series of smooth functions.

Affine functions and tables are sums of c_ij u^i v^j, with u and v centred and scaled. A Chebyshev series
sum c_ij T_i(y) T_j(x), from values at Chebyshev nodes, represents a smooth function on the whole raster.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.polynomial.chebyshev import chebval, chebvander

from vizml.field.arrays import Floats
from vizml.field.raster import Field, Raster, Section

ORIGIN = np.zeros(2)
UNIT = np.ones(2)
BAND = 64
"""Rows at a time, so that the double-precision values are still in the cache when they are narrowed."""


NEGLIGIBLE = 2.0**-28
"""Coefficients below this share of the largest value are lost in single precision."""
LARGEST = float(np.finfo(np.float32).max) / 2
"""Values beyond are clipped: the lead of one over another is still a number in single precision."""
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


def affine_field(weights: Floats, intercepts: Floats, raster: Raster, centre: Floats = ORIGIN) -> Field:
    """The field (K, H, W) of f_k = w_k . (p - centre) + b_k, for weights (K, 2) and intercepts (K,)."""
    out = np.empty((len(weights), *raster.shape), dtype=np.float32)
    for plane, weight, intercept in zip(out, weights, intercepts, strict=True):
        affine_plane(weight, float(intercept), raster, plane, centre)
    return out


def opposed_field(weight: Floats, intercept: float, raster: Raster, centre: Floats = ORIGIN) -> Field:
    """The field (2, H, W) of -f and f for one affine function f."""
    out = np.empty((2, *raster.shape), dtype=np.float32)
    affine_plane(weight, intercept, raster, out[1], centre)
    np.negative(out[1], out=out[0])
    return out


def affine_section_field(
    weights: Floats, intercepts: Floats, centre: Floats, section: Section, raster: Raster
) -> Field:
    """w_k.(x - centre) + b_k for weights (K, d) at each pixel of a section."""
    offset = section.origin - centre
    middle = -section.basis @ offset
    residual = offset + middle @ section.basis
    return affine_field(weights @ section.basis.T, weights @ residual + intercepts, raster, middle)


def affine_plane(
    weight: Floats, intercept: float, raster: Raster, out: Field, centre: Floats = ORIGIN
) -> None:
    """Write one affine function into a plane (H, W), three times as fast as `polynomial_plane`."""
    if not out.size:
        return
    # Each row starts from its value at the middle column, computed in double precision: where large terms
    # cancel, as far from the origin, float32 keeps only the difference. Bands of rows agree to the bit.
    middle = float(raster.x[len(raster.x) // 2])
    base, along = np.ones((len(raster.y), 2), dtype=np.float32), np.ones((2, len(raster.x)), dtype=np.float32)
    base[:, 0] = weight[1] * (raster.y - centre[1]) + (weight[0] * (middle - centre[0]) + intercept)
    along[1] = weight[0] * (raster.x - middle)
    # base * 1 + 1 * along: one rounding, as in a sum, but written in half the time of a broadcast sum
    np.matmul(base, along, out=out)


def polynomial_plane(
    table: Floats, raster: Raster, out: Field, centre: Floats = ORIGIN, scale: Floats = UNIT
) -> None:
    """Write one polynomial with coefficients (p, q) into a plane (H, W)."""
    columns = np.vander((raster.x - centre[0]) / scale[0], table.shape[0], increasing=True).T
    rows = np.vander((raster.y - centre[1]) / scale[1], table.shape[1], increasing=True).T
    by_row = (table @ rows).T
    bound = np.abs(by_row) @ np.abs(columns).max(axis=1, initial=0.0)
    exceeds = bound.max(initial=0.0) > LARGEST
    for start in range(0, len(by_row), BAND):
        values = by_row[start : start + BAND] @ columns
        if exceeds:
            np.clip(values, -LARGEST, LARGEST, out=values)
        out[start : start + BAND] = values


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
