"""Polynomials on a raster: sum_ij c_ij u^i v^j, u and v centred and scaled, as two matrix products."""

from __future__ import annotations

import numpy as np

from vizml.field.arrays import Floats
from vizml.field.linear import ORIGIN
from vizml.field.raster import Field, Raster

UNIT = np.ones(2)
BAND = 64
"""Rows at a time, so that the double-precision values are still in the cache when they are narrowed."""


def polynomial_field(
    coefficients: Floats, raster: Raster, centre: Floats = ORIGIN, scale: Floats = UNIT
) -> Field:
    """The field of coefficients (K, p, q), [k, i, j] of u^i v^j; u = (x - centre) / scale."""
    out = np.empty((len(coefficients), *raster.shape), dtype=np.float32)
    for plane, table in zip(out, coefficients, strict=True):
        polynomial_plane(table, raster, plane, centre, scale)
    return out


def polynomial_plane(
    table: Floats, raster: Raster, out: Field, centre: Floats = ORIGIN, scale: Floats = UNIT
) -> None:
    """Write one polynomial with coefficients (p, q) into a plane (H, W)."""
    columns = powers((raster.x - centre[0]) / scale[0], table.shape[0] - 1)
    rows = powers((raster.y - centre[1]) / scale[1], table.shape[1] - 1)
    by_row = (table @ rows).T
    for start in range(0, len(by_row), BAND):
        out[start : start + BAND] = by_row[start : start + BAND] @ columns


def powers(u: Floats, degree: int) -> Floats:
    """The powers u^0 ... u^degree as rows (degree + 1, n)."""
    rows = np.empty((degree + 1, len(u)))
    rows[0] = 1.0
    for i in range(degree):
        np.multiply(rows[i], u, out=rows[i + 1])
    return rows
