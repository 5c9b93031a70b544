"""Which rectangle of the plane is looked at: fitting, panning, zooming, and the limits of it all."""

from __future__ import annotations

import numpy as np

from vizml.data import Bounds, Dataset
from vizml.paint import padded
from vizml.ui.canvas.selection import ids_of

EMPTY: Bounds = (-3.0, 3.0, -3.0, 3.0)
FARTHEST = 1e15
FINEST = 1e-9
"""The least extent of a view as a share of its distance from zero: below it pixels would merge."""
TINIEST = 1e-15
HALF = 0.5
"""A view that shows a smaller share of other points is given up for one that shows them all."""
LOST = 1 / 3
"""Many points that take up less than this share of the view's width and height look lost in it."""
MANY = 10


def fitted(dataset: Dataset) -> Bounds:
    """All points with air around them; a plane to click on where there are none."""
    if dataset.bounds is None:
        return EMPTY
    wide = padded(dataset.bounds)
    return wide if sane(wide) else clipped(wide)


def clipped(bounds: Bounds) -> Bounds:
    """As much of a rectangle as the limits allow."""
    left, right, bottom, top = (float(edge) for edge in np.clip(bounds, -FARTHEST, FARTHEST))
    inner = (left, right, bottom, top)
    return inner if sane(inner) else EMPTY


def sane(bounds: Bounds) -> bool:
    """Whether the numbers of a view can still be told apart and reckoned with."""
    if not np.isfinite(bounds).all():
        return False
    return all(_sane(low, high) for low, high in (bounds[:2], bounds[2:]))


def _sane(low: float, high: float) -> bool:
    farthest = max(abs(low), abs(high))
    return farthest <= FARTHEST and high - low > max(FINEST * abs(low + high) / 2, TINIEST)


def panned(bounds: Bounds, dx: float, dy: float) -> Bounds:
    """The view moved by data units."""
    left, right, bottom, top = bounds
    return left + dx, right + dx, bottom + dy, top + dy


def zoomed(bounds: Bounds, across: float, up: float, about: tuple[float, float]) -> Bounds:
    """The view made larger than life by these factors, the point `about` staying where it is."""
    (left, right, bottom, top), (x, y) = bounds, about
    return (
        x + (left - x) / across,
        x + (right - x) / across,
        y + (bottom - y) / up,
        y + (top - y) / up,
    )


def exchanged(before: Dataset, after: Dataset) -> bool:
    """Whether the points are others altogether, and not edited ones."""
    return not _same(before, after) and not _any_in_place(before, after)


def keeps(bounds: Bounds, before: Dataset, after: Dataset) -> bool:
    """Whether a view still serves after a change of the data that was not made by hand in it."""
    if after.bounds is None or _any_in_place(before, after):
        return True
    if _seen(bounds, after) < HALF:
        return False
    if len(after) < MANY or _same(before, after):
        return True
    return len(before) > 0 and _extent(bounds, after.bounds) >= LOST


def _same(before: Dataset, after: Dataset) -> bool:
    """Whether they are the same points, though they may have moved."""
    return np.array_equal(ids_of(before), ids_of(after)) and np.array_equal(before.labels, after.labels)


def _any_in_place(before: Dataset, after: Dataset) -> bool:
    """Whether any point is still where it was: mostly one is that has kept its row, too."""
    olds, news = ids_of(before), ids_of(after)
    rows = slice(min(len(olds), len(news)))
    kept = olds[rows] == news[rows]
    if (kept & (before.x[rows] == after.x[rows]) & (before.y[rows] == after.y[rows])).any():
        return True
    _, old, new = np.intersect1d(olds, news, assume_unique=True, return_indices=True)
    return bool(((before.x[old] == after.x[new]) & (before.y[old] == after.y[new])).any())


def _seen(bounds: Bounds, dataset: Dataset) -> float:
    """The share of the points that lie in a view."""
    left, right, bottom, top = bounds
    x, y = dataset.x, dataset.y
    return float(((x >= left) & (x <= right) & (y >= bottom) & (y <= top)).mean())


def _extent(bounds: Bounds, inner: Bounds) -> float:
    """How much of a view's width or height a rectangle takes up, whichever is more."""
    left, right, bottom, top = bounds
    first, last, lowest, highest = inner
    return max((last - first) / (right - left), (highest - lowest) / (top - bottom))
