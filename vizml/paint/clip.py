"""Lines cut to a rectangle before Qt sees them: a zoom of 1e12 makes coordinates that no engine can dash."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QRectF

from vizml.field.arrays import Floats, Ints, Mask
from vizml.scene.polylines import split_at_gaps

Box: TypeAlias = tuple[float, float, float, float]
"""Left, right, top, bottom in pixels."""
FAR = 1e9
"""Stands for an infinite coordinate in pixels."""
TOLERANCE, PASSES, FEW = 0.03, 4, 16


def box_of(rect: QRectF, margin: float = 0.0) -> Box:
    """The edges of a rectangle, or of one that is larger by a margin."""
    return rect.left() - margin, rect.right() + margin, rect.top() - margin, rect.bottom() + margin


def near(lines: Sequence[Floats], box: Box, *, closed: bool = False) -> list[Floats]:
    """Of polylines, whole and without breaks, those that may have a part in a box."""
    lines = [line for line in lines if len(line) > 1]
    if lines and np.isnan(np.concatenate(lines)).any():
        lines = [part for line in lines for part in split_at_gaps(line)]
    if not lines:
        return []
    low, high = _corners(lines)
    left, right, top, bottom = box
    touch = (low[:, 0] <= right) & (high[:, 0] >= left) & (low[:, 1] <= bottom) & (high[:, 1] >= top)
    found = [_reachable(lines[k]) for k in np.flatnonzero(touch).tolist()]
    return [_closed(line) for line in found] if closed else found


def visible(lines: Sequence[Floats], box: Box) -> list[Floats]:
    """The parts of such polylines that lie in the box: most lie there as a whole, and need no cut."""
    if not lines:
        return []
    whole = np.logical_and(*(inside(corner, box) for corner in _corners(lines)))
    found: list[Floats] = []
    for line, kept in zip(lines, whole.tolist()):
        found += [line] if kept else _cut(line, box)
    return found


def _corners(lines: Sequence[Floats]) -> tuple[Floats, Floats]:
    """The least and the greatest coordinates of each line."""
    points, starts = np.concatenate(lines), np.cumsum([0, *(len(line) for line in lines)])[:-1]
    return np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)


def _closed(line: Floats) -> Floats:
    """A line that comes back to where it starts."""
    return line if np.array_equal(line[0], line[-1]) else np.concatenate([line, line[:1]])


def inside(points: Floats, box: Box) -> Mask:
    """Which points lie in a box."""
    left, right, top, bottom = box
    x, y = points[..., 0], points[..., 1]
    return (x >= left) & (x <= right) & (y >= top) & (y <= bottom)


def segments(ends: Floats, box: Box) -> tuple[Floats, Mask]:
    """Straight lines (n, 2, 2) cut to a box (Liang and Barsky), and which of them have a part in it."""
    ends = _reachable(ends)
    start, along = ends[:, 0], ends[:, 1] - ends[:, 0]
    first, last = np.zeros(len(ends)), np.ones(len(ends))
    seen = ~np.isnan(ends).any(axis=(1, 2))
    left, right, top, bottom = box
    for axis, low, high in ((0, left, right), (1, top, bottom)):
        with np.errstate(all="ignore"):
            one = (low - start[:, axis]) / along[:, axis]
            other = (high - start[:, axis]) / along[:, axis]
        still = along[:, axis] == 0
        seen &= ~still | ((start[:, axis] >= low) & (start[:, axis] <= high))
        first = np.where(still, first, np.fmax(first, np.fmin(one, other)))
        last = np.where(still, last, np.fmin(last, np.fmax(one, other)))
    seen &= first <= last
    first, last = np.where(seen, first, 0.0)[:, None], np.where(seen, last, 0.0)[:, None]
    return np.stack([start + first * along, start + last * along], axis=1), seen


def polygon(corners: Floats, box: Box) -> Floats:
    """The part of a polygon that lies in a box (Sutherland and Hodgman, an edge of the box at a time)."""
    corners = _reachable(corners[~np.isnan(corners).any(axis=1)])
    left, right, top, bottom = box
    if len(corners) < 3 or inside(corners, box).all():
        return corners
    for axis, edge, sign in ((0, left, 1.0), (0, right, -1.0), (1, top, 1.0), (1, bottom, -1.0)):
        corners = _beyond(corners, axis, edge, sign)
        if len(corners) < 3:
            return np.empty((0, 2))
    return corners


def thinned(lines: Sequence[Floats]) -> list[Floats]:
    """Polylines (in pixels) without the vertices that nobody would miss: contours have one at each pixel.

    Each pass drops every other vertex where it lies within TOLERANCE of the line between its neighbours.
    """
    if not lines:
        return []
    points, sizes = np.concatenate(lines), np.array([len(line) for line in lines])
    for _ in range(PASSES):
        if len(points) < FEW:
            break
        starts = np.cumsum(sizes) - sizes
        place = np.arange(len(points)) - np.repeat(starts, sizes)
        middle = np.flatnonzero((place % 2 == 1) & (place < np.repeat(sizes - 1, sizes)))
        before, here, after = points[middle - 1], points[middle], points[middle + 1]
        (u, v), (dx, dy) = (after - before).T, (here - before).T
        flat = np.abs(dx * v - dy * u) < TOLERANCE * np.hypot(u, v)
        if not flat.any():
            break
        keep = np.ones(len(points), dtype=bool)
        keep[middle[flat]] = False
        points, sizes = points[keep], np.add.reduceat(keep, starts, dtype=np.int64)
    return parted(points, sizes)


def parted(points: Floats, sizes: Ints) -> list[Floats]:
    """What was put one after the other, each by itself again."""
    ends = np.cumsum(sizes).tolist()
    return [points[start:stop] for start, stop in zip([0, *ends], ends)]


def _reachable(points: Floats) -> Floats:
    """What is infinitely far is merely far."""
    return np.nan_to_num(points, nan=np.nan, posinf=FAR, neginf=-FAR)


def _cut(line: Floats, box: Box) -> list[Floats]:
    """A polyline's visible pieces, joined where one piece goes on from the other."""
    pieces, seen = segments(np.stack([line[:-1], line[1:]], axis=1), box)
    pieces, index = pieces[seen], np.flatnonzero(seen)
    if not len(pieces):
        return []
    gaps = np.flatnonzero((np.diff(index) > 1) | (pieces[1:, 0] != pieces[:-1, 1]).any(axis=1)) + 1
    return [np.concatenate([group[:1, 0], group[:, 1]]) for group in np.split(pieces, gaps)]


def _beyond(corners: Floats, axis: int, edge: float, sign: float) -> Floats:
    """The part of a polygon on the inner side of one edge of a box."""
    if not len(corners):
        return corners
    ahead = np.roll(corners, -1, axis=0)
    here, there = sign * (corners[:, axis] - edge), sign * (ahead[:, axis] - edge)
    crossing = (here >= 0) != (there >= 0)
    share = np.divide(here, here - there, out=np.zeros_like(here), where=crossing)
    met = corners + share[:, None] * (ahead - corners)
    met[:, axis] = edge
    pairs = np.stack([corners, met], axis=1)
    kept: Floats = pairs[np.stack([here >= 0, crossing], axis=1)]
    return kept
