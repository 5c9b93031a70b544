"""Axis-aligned boxes on a raster: (left, right] x (bottom, top], so that x <= t is left of t."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vizml.field.raster import Field, Floats, Raster

if TYPE_CHECKING:
    from collections.abc import Callable

Spans = NDArray[np.intp]
"""For each box its first column, end column, first row and end row on a raster (n, 4)."""


def tiled_field(boxes: Floats, values: Floats, raster: Raster) -> Field:
    """The field of boxes (n, 4) that tile the plane, each with values (n, K): what a tree says."""
    return rising(raster, lambda sorted_raster: _tiled(boxes, values, sorted_raster))


def summed_field(boxes: Floats, values: Floats, raster: Raster) -> Field:
    """The field of boxes (n, 4) that overlap, their values (n, K) added up: what an ensemble says.

    Each box puts its value at its four corners with alternating signs; two running sums fill it in, and
    what they give between two edges of any boxes is repeated for all pixels there.
    """
    return rising(raster, lambda sorted_raster: _summed(boxes, values, sorted_raster))


def spans(boxes: Floats, raster: Raster) -> Spans:
    """Where boxes (left, right, bottom, top) begin and end on a rising raster."""
    columns = np.searchsorted(raster.x, boxes[:, :2], side="right")
    rows = np.searchsorted(raster.y, boxes[:, 2:], side="right")
    return np.concatenate([columns, rows], axis=1)


def _tiled(boxes: Floats, values: Floats, raster: Raster) -> Field:
    out = np.empty((values.shape[1], *raster.shape), dtype=np.float32)
    found = spans(boxes, raster)
    seen = (found[:, 0] < found[:, 1]) & (found[:, 2] < found[:, 3])
    shades = values[seen].astype(np.float32)[:, :, None, None]
    for (left, right, bottom, top), shade in zip(found[seen].tolist(), shades, strict=True):
        out[:, bottom:top, left:right] = shade
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
    """The boxes that reach into the rows of a raster: of those of a forest, a band meets few."""
    seen = (boxes[:, 2] < raster.y[-1]) & (boxes[:, 3] >= raster.y[0])
    return boxes[seen], values[seen]


def _runs(start: Spans, end: Spans, length: int) -> tuple[Spans, tuple[Spans, Spans]]:
    """Pixels between the same edges are alike: the run of each, and the runs at which spans start and end."""
    edge = np.zeros(length + 1, dtype=np.int64)
    edge[start] = edge[end] = 1
    edge[0] = 0
    run = np.cumsum(edge)
    return run[:length], (run[start], run[end])


def rising(raster: Raster, paint: Callable[[Raster], Field]) -> Field:
    """Paint on the raster with its axes in rising order, and put rows and columns back where they were."""
    if _rises(raster.x) and _rises(raster.y):
        return paint(raster)
    columns, rows = np.argsort(raster.x, kind="stable"), np.argsort(raster.y, kind="stable")
    out = np.empty_like(painted := paint(Raster(raster.x[columns], raster.y[rows])))
    out[:, rows[:, None], columns] = painted
    return out


def _rises(axis: Floats) -> bool:
    return bool((axis[1:] >= axis[:-1]).all())
