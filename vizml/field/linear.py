"""Affine functions on a raster: f_k = w_k . (p - centre) + b_k as the outer sum of a column and a row."""

from __future__ import annotations

import numpy as np

from vizml.field.arrays import Floats
from vizml.field.raster import Field, Raster

ORIGIN = np.zeros(2)


def affine_field(weights: Floats, intercepts: Floats, raster: Raster, centre: Floats = ORIGIN) -> Field:
    """The field (K, H, W) of weights (K, 2) and intercepts (K,): one addition for each value."""
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
    """Write one affine function into a plane (H, W)."""
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
