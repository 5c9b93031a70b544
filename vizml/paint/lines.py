"""Qt's polygons and paths out of arrays, without a Python loop over their points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import shiboken6
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainterPath, QPolygonF

from vizml.field.arrays import Floats
from vizml.paint.clip import Box, near, parted, polygon, thinned, visible

LONG, PIECE = 4000.0, 10
"""Pixels of a line that winds, and the stretches of a short piece of it."""


def qpolygon(points: Floats) -> QPolygonF:
    """Points (n, 2) as Qt's polygon: one copy of their memory."""
    made = QPolygonF()
    if len(points):
        made.resize(len(points))
        memory: Any = shiboken6.VoidPtr(made.data(), points.size * 8, True)  # type: ignore[arg-type, call-arg]
        np.frombuffer(memory, dtype=np.float64).reshape(-1, 2)[:] = points
    return made


def traces(
    lines: Sequence[Floats], box: Box, *, closed: bool = False, short: bool = False
) -> list[QPolygonF]:
    """The visible parts of polylines (in pixels), on demand in short pieces that share their ends.

    They are thinned and parted before they are cut, so that a view that pans shows the same vertices again.
    """
    kept = thinned(near(lines, box, closed=closed))
    if short:
        kept = near([piece for line in kept for piece in _short(line)], box)
    return [qpolygon(run) for run in visible(kept, box)]


def together(work: Callable[[Floats], Floats], lines: Sequence[Floats]) -> list[Floats]:
    """Something done to the points of many lines at once."""
    if len(lines) < 2:
        return [work(line) for line in lines]
    return parted(work(np.concatenate(lines)), np.array([len(line) for line in lines]))


def winds(lines: Sequence[Floats]) -> bool:
    """Whether lines are so long that they go up and down: Qt looks at all of one for each row of pixels."""
    if not lines:
        return False
    with np.errstate(invalid="ignore", over="ignore"):
        steps = np.hypot(*np.diff(np.concatenate(lines), axis=0).T)
    between = np.cumsum([len(line) for line in lines[:-1]], dtype=np.int64) - 1
    steps[between[between >= 0]] = 0.0
    return float(steps[np.isfinite(steps)].sum()) > LONG


def _short(line: Floats) -> Iterator[Floats]:
    return (line[at : at + PIECE + 1] for at in range(0, len(line) - 1, PIECE))


def joined(polylines: Iterable[QPolygonF]) -> QPainterPath:
    """All of them as one path, for a stroke that is not twice as dense where they cross."""
    path = QPainterPath()
    for polyline in polylines:
        path.addPolygon(polyline)
    return path


def area(lines: Iterable[Floats], box: Box) -> QPainterPath:
    """The inside of closed polylines (in pixels), cut to a box; one within another is a hole."""
    path = QPainterPath()
    for line in lines:
        corners = polygon(line, box)
        if len(corners):
            path.addPolygon(qpolygon(corners))
            path.closeSubpath()
    return path


def pieces(ends: Floats) -> QPainterPath:
    """One path of straight lines (n, 2, 2)."""
    path = QPainterPath()
    for x0, y0, x1, y1 in ends.reshape(-1, 4).tolist():
        path.moveTo(x0, y0)
        path.lineTo(x1, y1)
    return path


def rounded(rect: QRectF, radius: float) -> QPainterPath:
    """A rectangle with round corners."""
    path = QPainterPath()
    path.addRoundedRect(rect, radius, radius)
    return path
