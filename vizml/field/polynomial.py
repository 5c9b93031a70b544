"""Polynomials on a raster: sums of c_ij u^i v^j, u and v centred and scaled, and affine functions."""

from __future__ import annotations

import numpy as np

from vizml.field.arrays import Floats
from vizml.field.raster import Field, Raster

ORIGIN = np.zeros(2)
UNIT = np.ones(2)
BAND = 64
"""Rows at a time, so that the double-precision values are still in the cache when they are narrowed."""


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
    for start in range(0, len(by_row), BAND):
        out[start : start + BAND] = by_row[start : start + BAND] @ columns
