"""Affine functions on a raster: f_k = w_k . (p - centre) + b_k as the outer sum of a column and a row."""

from __future__ import annotations

import numpy as np

from vizml.field.raster import Field, Floats, Raster

ORIGIN = np.zeros(2)


def affine_field(weights: Floats, intercepts: Floats, raster: Raster, centre: Floats = ORIGIN) -> Field:
    """The field (K, H, W) of weights (K, 2) and intercepts (K,): one addition for each value."""
    out = np.empty((len(weights), *raster.shape), dtype=np.float32)
    for plane, weight, intercept in zip(out, weights, intercepts, strict=True):
        affine_plane(weight, float(intercept), raster, plane, centre)
    return out


def affine_plane(
    weight: Floats, intercept: float, raster: Raster, out: Field, centre: Floats = ORIGIN
) -> None:
    """One affine function written into a plane (H, W)."""
    if not out.size:
        return
    # Each row starts from its value at the middle column, found in double precision: where large terms
    # cancel, as far from the origin, float32 sees only what is left of them. Bands of rows agree to the bit.
    middle = float(raster.x[len(raster.x) // 2])
    along = weight[0] * (raster.x - middle)
    base = weight[1] * (raster.y - centre[1]) + (weight[0] * (middle - centre[0]) + intercept)
    np.add(base.astype(np.float32)[:, None], along.astype(np.float32), out=out)
