"""How far inside discs of one radius each pixel lies: max_i 1 - |c_i - x|^2 / r^2, but at least -1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vizml.field.boxes import rising, spans
from vizml.field.cancellation import check_cancelled
from vizml.field.raster import Field, Floats, Raster

LEAST = -1.0


def disc_field(
    raster: Raster, centres: Floats, codes: NDArray[np.int64], radius: float, planes: int
) -> Field:
    """The field (K, H, W) of discs around centres (n, 2), each in the plane of its code."""
    return rising(raster, lambda sorted_raster: _stamped(sorted_raster, centres, codes, radius, planes))


def disc_depths(X: Floats, centres: Floats, codes: NDArray[np.int64], radius: float, planes: int) -> Floats:
    """The same at points, (m, K); the discs come sorted by their code."""
    out = np.full((len(X), planes), LEAST)
    if not len(centres):
        return out
    present, starts = np.unique(codes, return_index=True)
    step = max((1 << 20) // len(centres), 1)
    for first in range(0, len(X), step):
        check_cancelled()
        part = X[first : first + step]
        across, down = ((part[:, axis, None] - centres[:, axis]) / radius for axis in (0, 1))
        depth = 1.0 - (across * across + down * down)
        out[first : first + step, present] = np.maximum.reduceat(depth, starts, axis=1)
    return np.asarray(np.maximum(out, LEAST))


def _stamped(raster: Raster, centres: Floats, codes: NDArray[np.int64], radius: float, planes: int) -> Field:
    out = np.full((planes, *raster.shape), LEAST, dtype=np.float32)
    reach = radius * np.sqrt(1.0 - LEAST)
    boxes = np.column_stack(
        [centres[:, 0] - reach, centres[:, 0] + reach, centres[:, 1] - reach, centres[:, 1] + reach]
    )
    where = spans(boxes, raster)
    seen = (where[:, 0] < where[:, 1]) & (where[:, 2] < where[:, 3])
    each = zip(centres[seen], codes[seen].tolist(), where[seen].tolist())
    for (x, y), code, (left, right, bottom, top) in each:
        across = ((raster.x[left:right] - x) / radius) ** 2
        down = 1.0 - ((raster.y[bottom:top] - y) / radius) ** 2
        part = out[code, bottom:top, left:right]
        np.maximum(part, down.astype(np.float32)[:, None] - across.astype(np.float32), out=part)
    return out
