"""Sums of caps around centres, sum_i max(0, 1 - |c_i - x|^2 / r^2)^p, on a raster; p = 0 counts discs.

Each row of pixels cuts a disc in one span, in which the cap is a quadratic of x: its coefficients are added
where a span begins and taken away where it ends, and a running sum along the row has them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field.boxes import rising
from vizml.field.raster import Field, Floats, Raster

Ints: TypeAlias = NDArray[np.intp]
SPANS = 1 << 20
"""At a time: some tens of megabytes."""


def caps_field(raster: Raster, centres: Floats, sizes: Sequence[int], radius: float, power: int) -> Field:
    """The sums (K, H, W) over groups of centres (n, 2), one after another; 0 beyond all discs."""
    groups = np.split(centres, np.cumsum(sizes)[:-1])
    return rising(raster, lambda r: np.stack([_summed(r, group, radius, power) for group in groups]))


def caps(X: Floats, centres: Floats, radius: float, power: int) -> Floats:
    """max(0, 1 - |c_i - x|^2 / r^2)^p of each pair, (m, n)."""
    away = ((X[:, :1] - centres[:, 0]) / radius) ** 2 + ((X[:, 1:] - centres[:, 1]) / radius) ** 2
    return np.asarray(np.where(away <= 1.0, (1.0 - away) ** power, 0.0))


def _summed(raster: Raster, centres: Floats, radius: float, power: int) -> Field:
    """The sum over one group (H, W)."""
    height, width = raster.shape
    tables = np.zeros((1 + 2 * power, height * (width + 1)))
    step = max(SPANS // max(height, 1), 1)
    for start in range(0, len(centres), step):
        begins, ends, terms = _spans(raster, centres[start : start + step], radius)
        for table, term in zip(tables, terms):
            table[:] += np.bincount(begins, term, len(table)) - np.bincount(ends, term, len(table))
    grids = tables.reshape(len(tables), height, width + 1)
    np.cumsum(grids, axis=2, out=grids)
    count = grids[0, :, :-1]
    if not power:
        return count.astype(np.float32)
    u = _inside(raster, raster.x, radius)
    sums = grids[1, :, :-1] + u * (grids[2, :, :-1] - u * count)
    return np.where(count > 0, np.maximum(sums, 0.0), 0.0).astype(np.float32)


def _spans(raster: Raster, centres: Floats, radius: float) -> tuple[Ints, Ints, Floats]:
    """Where spans begin and end in a table (H, W + 1), and 1, the constant and the slope (3, m) of each."""
    first = np.searchsorted(raster.y, centres[:, 1] - radius, side="left")
    counts = np.searchsorted(raster.y, centres[:, 1] + radius, side="right") - first
    own = np.repeat(np.arange(len(centres)), counts)
    row = np.arange(len(own)) - np.repeat(np.cumsum(counts) - counts - first, counts)
    depth = 1.0 - ((raster.y[row] - centres[own, 1]) / radius) ** 2
    half = radius * np.sqrt(np.maximum(depth, 0.0))
    middle, across = centres[own, 0], len(raster.x) + 1
    begins = row * across + np.searchsorted(raster.x, middle - half, side="left")
    ends = row * across + np.searchsorted(raster.x, middle + half, side="right")
    u = _inside(raster, middle, radius)
    return begins, ends, np.stack([np.ones(len(own)), depth - u * u, 2.0 * u])


def _inside(raster: Raster, x: Floats, radius: float) -> Floats:
    """Coordinates in radii from the middle of the raster, in which the quadratics are well conditioned."""
    middle = raster.x[len(raster.x) // 2] if len(raster.x) else 0.0
    return np.asarray((x - middle) / radius)
