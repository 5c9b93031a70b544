"""Cells with edges along the axes and both diagonals on a raster: in each row of pixels a cell is a run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from vizml.field.raster import Field, Floats, Raster

Places = NDArray[np.int64]
RUNS = 1 << 16
"""About so many runs at a time."""


def octagons_field(cells: Floats, values: Floats, raster: Raster) -> Field:
    """The field of cells (n, 8) that overlap, their values (n, K) added up.

    A cell holds where low < x <= high, and the same for y, x + y and x - y. In a row, each of the four says
    from which column on; as rounded sums still rise with x, that can be exact.
    """
    return octagons_sums(cells, values, raster).astype(np.float32)


def octagons_sums(cells: Floats, values: Floats, raster: Raster) -> Floats:
    """The same in double precision, as it is to be added to more of its kind."""
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


def _column(x: Floats, y: Floats, limit: Floats, sign: float) -> Places:
    """The first column where x + sign y > limit, by rounded sums as they are at the pixel itself."""
    combine: Callable[[Floats, Floats], Floats] = np.add if sign > 0 else np.subtract
    found: Places = _guess(x, limit - sign * y)
    wide = np.concatenate([[-np.inf], x, [np.inf]])
    for _ in range(2):
        found -= combine(wide[found], y) > limit
        found += combine(wide[found + 1], y) <= limit
    return found


def _guess(x: Floats, at: Floats) -> Places:
    """How many of x are not above each value: near it, where x is even, and then a good deal quicker."""
    step = (x[-1] - x[0]) / max(len(x) - 1, 1)
    even = step > 0 and bool((np.abs(np.diff(x) - step) <= 0.25 * step).all())
    if not even or np.abs(x - (x[0] + step * np.arange(len(x)))).max() > 0.25 * step:
        searched: Places = np.searchsorted(x, at, side="right")
        return searched
    near: Places = np.clip(np.floor((at - x[0]) / step) + 1.0, 0, len(x)).astype(np.int64)
    return near
