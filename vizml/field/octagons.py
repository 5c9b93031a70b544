"""Cells with edges along the axes and both diagonals on a raster: in a row of pixels each cell is one run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.field.raster import Field, Raster

RUNS = 1 << 16
"""Approximate number of runs processed at a time: their arrays stay in the cache."""


def octagons_field(cells: Floats, values: Floats, raster: Raster) -> Field:
    """The field of overlapping cells (n, 8), their values (n, K) summed.

    A cell is the set low < x <= high, and likewise for y, x + y and x - y. In a row of pixels each of the
    four conditions bounds the columns; as rounded sums still rise with x, the bounds are exact.
    """
    return octagons_sums(cells, values, raster).astype(np.float32)


def octagons_sums(cells: Floats, values: Floats, raster: Raster) -> Floats:
    """The same in double precision, for sums over several groups of cells."""
    height, width = raster.shape
    out = np.empty((values.shape[1], height, width))
    if not out.size:
        return out
    columns = np.argsort(raster.x, kind="stable")
    x = raster.x[columns]
    back = np.empty_like(columns)
    back[columns] = np.arange(width)
    step = max(RUNS // max(len(cells), 1), 1)
    for start in range(0, height, step):
        rows = slice(start, min(start + step, height))
        out[:, rows] = _rows(cells, values, x, raster.y[rows])[:, :, back]
    return out


def _rows(cells: Floats, values: Floats, x: Floats, y: Floats) -> Floats:
    row, cell = np.nonzero((cells[:, 2] < y[:, None]) & (y[:, None] <= cells[:, 3]))
    start, end = (np.searchsorted(x, cells[:, side], side="right")[cell] for side in (0, 1))
    for low, high, sign in ((4, 5, 1.0), (6, 7, -1.0)):
        for side, bound, tighter in ((low, start, np.maximum), (high, end, np.minimum)):
            some = np.flatnonzero(np.isfinite(cells[:, side])[cell])
            found = _column(x, y[row[some]], cells[cell[some], side], sign)
            bound[some] = tighter(bound[some], found)
    some = np.flatnonzero(start < end)
    across = len(x) + 1
    at = np.concatenate([row[some] * across + start[some], row[some] * across + end[some]])
    out = np.empty((values.shape[1], len(y), len(x)))
    for plane, value in zip(out, values.T, strict=True):
        added = value[cell[some]]
        change = np.bincount(at, np.concatenate([added, -added]), minlength=len(y) * across)
        plane[:] = np.cumsum(change.reshape(len(y), across), axis=1)[:, :-1]
    return out


def _column(x: Floats, y: Floats, limit: Floats, sign: float) -> Ints:
    """First column where x + sign y > limit, using the rounded sum that the pixel itself has."""
    combine: Callable[[Floats, Floats], Floats] = np.add if sign > 0 else np.subtract
    found: Ints = _guess(x, limit - sign * y)
    wide = np.concatenate([[-np.inf], x, [np.inf]])
    for _ in range(2):
        found -= combine(wide[found], y) > limit
        found += combine(wide[found + 1], y) <= limit
    return found


def _guess(x: Floats, at: Floats) -> Ints:
    """Number of x not above each value; approximate where x is evenly spaced, which saves the search."""
    step = (x[-1] - x[0]) / max(len(x) - 1, 1)
    even = step > 0 and bool((np.abs(np.diff(x) - step) <= 0.25 * step).all())
    if not even or np.abs(x - (x[0] + step * np.arange(len(x)))).max() > 0.25 * step:
        searched: Ints = np.searchsorted(x, at, side="right")
        return searched
    near: Ints = np.clip(np.floor((at - x[0]) / step) + 1.0, 0, len(x)).astype(np.int64)
    return near
