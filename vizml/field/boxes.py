"""Axis-aligned boxes on a raster: half-open cells, so that x <= t lies to the left of t."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vizml.field.arrays import Floats, Mask
from vizml.field.raster import Field, Raster

Spans = NDArray[np.intp]
"""First column, end column, first row and end row of each box on a raster (n, 4)."""


def tiled_field(boxes: Floats, values: Floats, raster: Raster) -> Field:
    """The field of boxes (n, 4) that tile the plane, each with values (n, K): the leaves of one tree.

    The numbers of the boxes are summed, which is exact; rounded sums of values would break ties of classes.
    """

    def paint(part: Raster, out: Field) -> None:
        grid = CellGrid.of(boxes, part)
        number = grid.sums(np.arange(np.count_nonzero(grid.shown), dtype=np.float64)).astype(np.intp)
        for plane, value in zip(out, values[grid.shown].T, strict=True):
            grid.fill(plane, value[number])

    return rising(raster, values.shape[1], paint)


def summed_field(boxes: Floats, values: Floats, raster: Raster) -> Field:
    """The field of overlapping boxes (n, 4), their values (n, K) summed: the leaves of an ensemble."""

    def paint(part: Raster, out: Field) -> None:
        grid = CellGrid.of(boxes, part)
        for plane, value in zip(out, values[grid.shown].T, strict=True):
            grid.fill(plane, grid.sums(value))

    return rising(raster, values.shape[1], paint)


@dataclass(frozen=True, eq=False)
class CellGrid:
    """The cells between the edges of boxes on a rising raster, whose pixels have equal values.

    Each box adds its value at its four corners with alternating signs; two cumulative sums fill it in.
    """

    shown: Mask
    """The boxes that overlap the rows of the raster: a band overlaps few boxes of a forest."""
    rows: Spans
    columns: Spans
    """Row and column of cells of each row and column of pixels."""
    corners: Spans
    """Flat indices of the four corners of each box."""

    @classmethod
    def of(cls, boxes: Floats, raster: Raster) -> CellGrid:
        """Return the cells of boxes (left, right, bottom, top)."""
        shown = (boxes[:, 2] < raster.y[-1]) & (boxes[:, 3] >= raster.y[0])
        left, right, bottom, top = spans(boxes[shown], raster).T
        columns, (left, right) = _runs(left, right, len(raster.x))
        rows, (bottom, top) = _runs(bottom, top, len(raster.y))
        across = int(columns[-1]) + 2
        corners = [bottom * across + left, bottom * across + right, top * across + left, top * across + right]
        return cls(shown, rows, columns, np.concatenate(corners))

    def sums(self, value: Floats) -> Floats:
        """Return the sum over the boxes in each cell."""
        shape = int(self.rows[-1]) + 2, int(self.columns[-1]) + 2
        weights = np.concatenate([value, -value, -value, value])
        added = np.bincount(self.corners, weights, minlength=shape[0] * shape[1])
        cells = np.asarray(added, dtype=np.float64).reshape(shape)
        np.cumsum(cells, axis=0, out=cells)
        return np.cumsum(cells, axis=1, out=cells)

    def fill(self, plane: Field, cells: Floats) -> None:
        """Write the values of cells to the pixels of a plane (H, W)."""
        wide = cells.astype(np.float32).take(self.columns, axis=1)
        wide.take(self.rows, axis=0, out=plane, mode="clip")


def spans(boxes: Floats, raster: Raster) -> Spans:
    """The columns and rows at which boxes (left, right, bottom, top) start and end on a rising raster."""
    columns = np.searchsorted(raster.x, boxes[:, :2], side="right")
    rows = np.searchsorted(raster.y, boxes[:, 2:], side="right")
    return np.concatenate([columns, rows], axis=1)


def rising(raster: Raster, planes: int, paint: Callable[[Raster, Field], None]) -> Field:
    """Paint planes (K, H, W) on the raster with its axes sorted, then restore the order of its pixels."""
    out = np.empty((planes, *raster.shape), dtype=np.float32)
    if not out.size:
        return out
    if _rises(raster.x) and _rises(raster.y):
        paint(raster, out)
        return out
    columns, rows = np.argsort(raster.x, kind="stable"), np.argsort(raster.y, kind="stable")
    painted = np.empty_like(out)
    paint(Raster(raster.x[columns], raster.y[rows]), painted)
    out[:, rows[:, None], columns] = painted
    return out


def _rises(axis: Floats) -> bool:
    return bool((axis[1:] >= axis[:-1]).all())


def _runs(start: Spans, end: Spans, length: int) -> tuple[Spans, tuple[Spans, Spans]]:
    """Group the pixels between two edges: the group of each pixel, and those at which spans start and end."""
    edge = np.zeros(length + 1, dtype=np.int64)
    edge[start] = edge[end] = 1
    edge[0] = 0
    run = np.cumsum(edge)
    return run[:length], (run[start], run[end])
