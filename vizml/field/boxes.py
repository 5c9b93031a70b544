"""Axis-aligned boxes on a raster: (left, right] x (bottom, top], so that x <= t lies to the left of t."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vizml.field.arrays import Floats
from vizml.field.raster import Field, Raster

if TYPE_CHECKING:
    from collections.abc import Callable

Spans = NDArray[np.intp]
"""First column, end column, first row and end row of each box on a raster (n, 4)."""


def tiled_field(boxes: Floats, values: Floats, raster: Raster) -> Field:
    """The field of boxes (n, 4) that tile the plane, each with values (n, K): the leaves of one tree."""
    return rising(raster, lambda sorted_raster: _tiled(boxes, values, sorted_raster))


def summed_field(boxes: Floats, values: Floats, raster: Raster) -> Field:
    """The field of overlapping boxes (n, 4), their values (n, K) summed: the leaves of an ensemble.

    Each box adds its value at its four corners with alternating signs; two cumulative sums fill it in. They
    run over the cells between box edges, whose values are then repeated for all pixels of a cell.
    """
    return rising(raster, lambda sorted_raster: _summed(boxes, values, sorted_raster))


def spans(boxes: Floats, raster: Raster) -> Spans:
    """The columns and rows at which boxes (left, right, bottom, top) start and end on a rising raster."""
    columns = np.searchsorted(raster.x, boxes[:, :2], side="right")
    rows = np.searchsorted(raster.y, boxes[:, 2:], side="right")
    return np.concatenate([columns, rows], axis=1)


def _tiled(boxes: Floats, values: Floats, raster: Raster) -> Field:
    out = np.empty((values.shape[1], *raster.shape), dtype=np.float32)
    found = spans(boxes, raster)
    visible = (found[:, 0] < found[:, 1]) & (found[:, 2] < found[:, 3])
    levels = values[visible].astype(np.float32)[:, :, None, None]
    for (left, right, bottom, top), level in zip(found[visible].tolist(), levels, strict=True):
        out[:, bottom:top, left:right] = level
    return out


def _summed(boxes: Floats, values: Floats, raster: Raster) -> Field:
    height, width = raster.shape
    out = np.empty((values.shape[1], height, width), dtype=np.float32)
    if not out.size:
        return out
    boxes, values = _within(boxes, values, raster)
    left, right, bottom, top = spans(boxes, raster).T
    columns, (left, right) = _runs(left, right, width)
    rows, (bottom, top) = _runs(bottom, top, height)
    high, across = int(rows[-1]) + 2, int(columns[-1]) + 2
    at = np.concatenate(
        [bottom * across + left, bottom * across + right, top * across + left, top * across + right]
    )
    for plane, value in zip(out, values.T, strict=True):
        weights = np.concatenate([value, -value, -value, value])
        corners = np.bincount(at, weights, minlength=high * across).reshape(high, across)
        np.cumsum(corners, axis=0, out=corners)
        np.cumsum(corners, axis=1, out=corners)
        wide = corners.astype(np.float32).take(columns, axis=1)
        wide.take(rows, axis=0, out=plane, mode="clip")
    return out


def _within(boxes: Floats, values: Floats, raster: Raster) -> tuple[Floats, Floats]:
    """Keep the boxes that overlap the rows of a raster: a band overlaps few of those of a forest."""
    visible = (boxes[:, 2] < raster.y[-1]) & (boxes[:, 3] >= raster.y[0])
    return boxes[visible], values[visible]


def _runs(start: Spans, end: Spans, length: int) -> tuple[Spans, tuple[Spans, Spans]]:
    """Group the pixels between two edges: the group of each pixel, and those at which spans start and end."""
    edge = np.zeros(length + 1, dtype=np.int64)
    edge[start] = edge[end] = 1
    edge[0] = 0
    run = np.cumsum(edge)
    return run[:length], (run[start], run[end])


def rising(raster: Raster, paint: Callable[[Raster], Field]) -> Field:
    """Paint on the raster with its axes sorted, then restore the order of rows and columns."""
    if _rises(raster.x) and _rises(raster.y):
        return paint(raster)
    columns, rows = np.argsort(raster.x, kind="stable"), np.argsort(raster.y, kind="stable")
    out = np.empty_like(painted := paint(Raster(raster.x[columns], raster.y[rows])))
    out[:, rows[:, None], columns] = painted
    return out


def _rises(axis: Floats) -> bool:
    return bool((axis[1:] >= axis[:-1]).all())
