"""Clipping of polylines and polygons to a rectangle in pixels, and their conversion to paths of Qt.

Qt cannot dash lines whose coordinates are as large as those of a view that is zoomed in by 1e12.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import shiboken6
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainterPath, QPolygonF

from vizml.field.arrays import Floats, Ints, Mask
from vizml.scene.marks import split_at_gaps

Box: TypeAlias = tuple[float, float, float, float]
"""Left, right, top, bottom in pixels."""
FAR = 1e9
"""Replaces infinite coordinates, in pixels."""
_reachable = partial(np.nan_to_num, nan=np.nan, posinf=FAR, neginf=-FAR)
"""Replace infinite coordinates by large finite ones."""
TOLERANCE, PASSES, FEW = 0.03, 4, 16
"""Thinning: tolerance in pixels, which cannot be seen, number of passes, and least number of points."""


def box_of(rect: QRectF, margin: float = 0.0) -> Box:
    """Return the edges of a rectangle extended by a margin."""
    return rect.left() - margin, rect.right() + margin, rect.top() - margin, rect.bottom() + margin


def near(lines: Sequence[Floats], box: Box, *, closed: bool = False) -> list[Floats]:
    """Split polylines at gaps, and return the parts whose bounding boxes meet a box."""
    lines = [line for line in lines if len(line) > 1]
    if lines and np.isnan(np.concatenate(lines)).any():
        lines = [part for line in lines for part in split_at_gaps(line)]
    if not lines:
        return []
    low, high = _corners(lines)
    left, right, top, bottom = box
    touch = (low[:, 0] <= right) & (high[:, 0] >= left) & (low[:, 1] <= bottom) & (high[:, 1] >= top)
    met = [lines[k] for k in np.flatnonzero(touch).tolist()]
    if not met:
        return []
    found = parted(_reachable(np.concatenate(met)), np.array([len(line) for line in met], dtype=int))
    return [_closed(line) for line in found] if closed else found


def visible(lines: Sequence[Floats], box: Box) -> list[Floats]:
    """Return the parts of polylines without gaps in a box; most lie in it entirely and need no cut."""
    if not lines:
        return []
    whole = np.logical_and(*(inside(corner, box) for corner in _corners(lines))).tolist()
    cut = iter(_cut([line for line, kept in zip(lines, whole) if not kept], box))
    return [run for line, kept in zip(lines, whole) for run in ([line] if kept else next(cut))]


def _corners(lines: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return the least and the greatest coordinates of each line."""
    points, starts = np.concatenate(lines), np.cumsum([0, *(len(line) for line in lines)])[:-1]
    return np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)


def _closed(line: Floats) -> Floats:
    """Return a line that ends at its first point."""
    return line if np.array_equal(line[0], line[-1]) else np.concatenate([line, line[:1]])


def inside(points: Floats, box: Box) -> Mask:
    """Mask of the points that lie in a box."""
    left, right, top, bottom = box
    x, y = points[..., 0], points[..., 1]
    return (x >= left) & (x <= right) & (y >= top) & (y <= bottom)


def segments(ends: Floats, box: Box) -> tuple[Floats, Mask]:
    """Clip straight lines (n, 2, 2) to a box (Liang and Barsky); also return the mask of visible ones."""
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
    """Clip a polygon to a box (Sutherland and Hodgman, an edge of the box at a time)."""
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
    """Simplify polylines in pixels: contours have a vertex at each pixel.

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
    """Split concatenated points into parts of the given sizes."""
    ends = np.cumsum(sizes).tolist()
    return [points[start:stop] for start, stop in zip([0, *ends], ends)]


def _cut(lines: Sequence[Floats], box: Box) -> list[list[Floats]]:
    """Return the visible pieces of each polyline, joined where one continues the other."""
    found: list[list[Floats]] = [[] for _ in lines]
    if not lines:
        return found
    points, sizes = np.concatenate(lines), np.array([len(line) for line in lines])
    own = np.ones(len(points) - 1, dtype=bool)
    own[np.cumsum(sizes)[:-1] - 1] = False  # from one line to the next
    pieces, seen = segments(np.stack([points[:-1], points[1:]], axis=1)[own], box)
    pieces, index = pieces[seen], np.flatnonzero(seen)
    owner = np.repeat(np.arange(len(lines)), sizes - 1)[seen]
    if len(pieces):
        apart = (np.diff(index) > 1) | (np.diff(owner) > 0) | (pieces[1:, 0] != pieces[:-1, 1]).any(axis=1)
        starts = np.flatnonzero(np.append(True, apart))
        for line, group in zip(owner[starts].tolist(), np.split(pieces, starts[1:])):
            found[line].append(np.concatenate([group[:1, 0], group[:, 1]]))
    return found


def _beyond(corners: Floats, axis: int, edge: float, sign: float) -> Floats:
    """Clip a polygon to the inner side of one edge of a box."""
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


PIECE, STRETCH = 10, 500.0
"""Most stretches of a short piece of a line, fewer where these are so many pixels long on average."""


def qpolygon(points: Floats) -> QPolygonF:
    """Convert points (n, 2) to a polygon of Qt by one copy of their memory."""
    made = QPolygonF()
    if len(points):
        made.resize(len(points))
        memory: Any = shiboken6.VoidPtr(made.data(), points.size * 8, True)  # type: ignore[arg-type, call-arg]
        np.frombuffer(memory, dtype=np.float64).reshape(-1, 2)[:] = points
    return made


def traces(
    lines: Sequence[Floats], box: Box, *, closed: bool = False, short: bool = False
) -> list[QPolygonF]:
    """Return the visible parts of polylines in pixels, on demand in short pieces that share their ends.

    They are simplified and split before they are clipped, so that panning keeps their vertices.
    """
    kept = thinned(near(lines, box, closed=closed))
    if short:
        mean = length_within(kept, box) / max(sum(map(len, kept)) - len(kept), 1)
        size = int(np.clip(STRETCH / max(mean, 1.0), 1, PIECE))
        if any(len(line) > size + 1 for line in kept):
            kept = near([piece for line in kept for piece in _short(line, size)], box)
    return [qpolygon(run) for run in visible(kept, box)]


def length_within(lines: Sequence[Floats], box: Box) -> float:
    """Return about the length of polylines in a box: their stretches end at the nearest points of the box."""
    if not lines:
        return 0.0
    points, low, high = np.concatenate(lines), np.array(box[::2]), np.array(box[1::2])
    steps = np.hypot(*np.diff(np.clip(points, low, high), axis=0).T)
    under, over = points < low, points > high
    away = (under[:-1] & under[1:]) | (over[:-1] & over[1:])
    steps[away.any(axis=1)] = 0.0
    between = np.cumsum([len(line) for line in lines[:-1]], dtype=np.int64) - 1
    steps[between[between >= 0]] = 0.0
    return float(np.nansum(steps))


def _short(line: Floats, size: int) -> Iterator[Floats]:
    return (line[at : at + size + 1] for at in range(0, len(line) - 1, size))


def area(lines: Iterable[Floats], box: Box) -> QPainterPath:
    """Return the inside of closed polylines in pixels, clipped to a box; one within another is a hole."""
    path = QPainterPath()
    for line in lines:
        corners = polygon(line, box)
        if len(corners):
            path.addPolygon(qpolygon(corners))
            path.closeSubpath()
    return path


def pieces(ends: Floats) -> QPainterPath:
    """Join straight lines (n, 2, 2) to one path."""
    path = QPainterPath()
    for x0, y0, x1, y1 in ends.reshape(-1, 4).tolist():
        path.moveTo(x0, y0)
        path.lineTo(x1, y1)
    return path


def joined(polylines: Iterable[QPolygonF]) -> QPainterPath:
    """Join polylines to one path."""
    path = QPainterPath()
    for polyline in polylines:
        path.addPolygon(polyline)
    return path
