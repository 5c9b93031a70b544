"""Rectangle of the plane that is shown: fitting, panning, zooming, and the limits of double precision."""

from __future__ import annotations

import numpy as np

from vizml.data import Dataset
from vizml.field.arrays import Bounds
from vizml.paint import padded
from vizml.scene.viewport import LINEAR, LogAxes, from_decades

EMPTY: Bounds = (-3.0, 3.0, -3.0, 3.0)
FARTHEST = 1e15
"""Greatest coordinate of a view: beyond it, neighbouring numbers are too far apart to be computed with."""
FINEST = 1e-9
"""Least extent of a view as a share of its distance from zero: below it pixels would coincide."""
TINIEST = 1e-15
"""Least extent of a view around zero."""
LOWEST = 1e-300
"""Least coordinate of a logarithmic axis."""
LEAST_VISIBLE = 0.5
"""A view that contains a smaller share of new points is replaced by one of all points."""
LEAST_EXTENT = 1 / 3
"""A view is replaced where new points take up a smaller share of its width and height."""
FEW = 10
"""Fewer points than this do not change the view by their extent: more are about to follow."""


def fitted(bounds: Bounds | None, log: LogAxes = LINEAR) -> Bounds:
    """Return the bounds of all points with a margin; those of an empty canvas where there are none."""
    if bounds is None:
        return from_decades(EMPTY, log)
    bounds = padded(bounds, log=log)
    return bounds if is_valid(bounds) else clipped(bounds)


def clipped(bounds: Bounds) -> Bounds:
    """Return the part of a rectangle within the limits."""
    left, right, bottom, top = (float(edge) for edge in np.clip(bounds, -FARTHEST, FARTHEST))
    inner = (left, right, bottom, top)
    return inner if is_valid(inner) else EMPTY


def is_valid(bounds: Bounds, log: LogAxes = LINEAR) -> bool:
    """Whether the coordinates of a view can be told apart in double precision, and can be logarithmic."""
    (left, right), (bottom, top) = bounds[:2], bounds[2:]
    positive = all(low >= LOWEST for low, is_log in zip((left, bottom), log) if is_log)
    return bool(np.isfinite(bounds).all()) and positive and _is_range(left, right) and _is_range(bottom, top)


def _is_range(low: float, high: float) -> bool:
    farthest = max(abs(low), abs(high))
    return farthest <= FARTHEST and high - low > max(FINEST * abs(low + high) / 2, TINIEST)


def contains(outer: Bounds, inner: Bounds) -> bool:
    """Whether a rectangle contains another one."""
    (left, right, bottom, top), (x_low, x_high, y_low, y_high) = outer, inner
    return left <= x_low and x_high <= right and bottom <= y_low and y_high <= top


def panned(bounds: Bounds, dx: float, dy: float) -> Bounds:
    """Return a view moved by data units."""
    left, right, bottom, top = bounds
    return left + dx, right + dx, bottom + dy, top + dy


def zoomed(bounds: Bounds, x_factor: float, y_factor: float, centre: tuple[float, float]) -> Bounds:
    """Return a view magnified about a point, which keeps its position."""
    (left, right, bottom, top), (x, y) = bounds, centre
    return (
        x + (left - x) / x_factor,
        x + (right - x) / x_factor,
        y + (bottom - y) / y_factor,
        y + (top - y) / y_factor,
    )


def replaced(before: Dataset, after: Dataset) -> bool:
    """Whether a change replaced all points instead of editing some."""
    return not _same(before, after) and not _any_in_place(before, after)


def still_fits(bounds: Bounds, before: Dataset, after: Dataset) -> bool:
    """Whether a view still suits the points after a change that was not made on the canvas."""
    if before.axes != after.axes:
        return False
    if after.bounds is None or _any_in_place(before, after):
        return True
    (left, right, bottom, top), (x, y) = bounds, after.points.T
    visible = (x >= left) & (x <= right) & (y >= bottom) & (y <= top)
    if visible.mean() < LEAST_VISIBLE:
        return False
    if len(after) < FEW or _same(before, after):
        return True
    extent = max(np.ptp(x) / (right - left), np.ptp(y) / (top - bottom))
    return len(before) > 0 and bool(extent >= LEAST_EXTENT)


def _same(before: Dataset, after: Dataset) -> bool:
    """Whether both hold the same points, possibly moved."""
    return np.array_equal(before.ids, after.ids) and np.array_equal(before.labels, after.labels)


def _any_in_place(before: Dataset, after: Dataset) -> bool:
    """Whether any point has kept its position; one that has kept its row as well is found fastest."""
    olds, news = before.ids, after.ids
    rows = slice(min(len(olds), len(news)))
    kept = olds[rows] == news[rows]
    if (kept & (before.x[rows] == after.x[rows]) & (before.y[rows] == after.y[rows])).any():
        return True
    _, old, new = np.intersect1d(olds, news, assume_unique=True, return_indices=True)
    return bool(((before.x[old] == after.x[new]) & (before.y[old] == after.y[new])).any())
