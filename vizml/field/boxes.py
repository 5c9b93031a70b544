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
    return _rising(raster, lambda sorted_raster: _tiled(boxes, values, sorted_raster))


def summed_field(boxes: Floats, values: Floats, raster: Raster) -> Field:
    """The field of boxes (n, 4) that overlap, their values (n, K) added up: what an ensemble says.

    Each box puts its value at its four corners with alternating signs; two running sums fill it in.
    """
    return _rising(raster, lambda sorted_raster: _summed(boxes, values, sorted_raster))


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
    left, right, bottom, top = spans(boxes, raster).T
    across = width + 1
    at = np.concatenate(
        [bottom * across + left, bottom * across + right, top * across + left, top * across + right]
    )
    for plane, value in zip(out, values.T, strict=True):
        weights = np.concatenate([value, -value, -value, value])
        corners = np.bincount(at, weights, minlength=(height + 1) * across).reshape(height + 1, across)
        np.cumsum(corners, axis=0, out=corners)
        np.cumsum(corners, axis=1, out=corners)
        plane[:] = corners[:-1, :-1]
    return out


def _rising(raster: Raster, paint: Callable[[Raster], Field]) -> Field:
    """Paint on the raster with its axes in rising order, and put rows and columns back where they were."""
    if _rises(raster.x) and _rises(raster.y):
        return paint(raster)
    columns, rows = np.argsort(raster.x, kind="stable"), np.argsort(raster.y, kind="stable")
    out = np.empty_like(painted := paint(Raster(raster.x[columns], raster.y[rows])))
    out[:, rows[:, None], columns] = painted
    return out


def _rises(axis: Floats) -> bool:
    return bool((axis[1:] >= axis[:-1]).all())
