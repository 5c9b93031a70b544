"""Placement of legend and scores: in corners of the plot or along its edges, off the points if possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter

from vizml.field.arrays import Floats, Ints
from vizml.paint.clipping import box_of, inside, rounded
from vizml.paint.geometry import Geometry
from vizml.paint.pens import colour, fill_path, pen
from vizml.scene import Theme

MARGIN = 10.0
FEW, SOME = 0.02, 0.05
"""Where no corner is free, a plate may cover this share of the points before it looks for another one; and
no plate covers more than that of them."""
CORNERS = ("top right", "top left", "bottom left", "bottom right")
ALONG = 12
"""Places along an edge that are looked at."""
MANY = 5000
"""Among more points than that nobody looks for a free place between two corners."""


def corner(geometry: Geometry, size: QSizeF, name: str) -> QRectF:
    """A plate of a size in a corner of the plot."""
    gap, plot = MARGIN * geometry.type_scale, geometry.plot
    x = plot.right() - gap - size.width() if "right" in name else plot.left() + gap
    y = plot.top() + gap if "top" in name else plot.bottom() - gap - size.height()
    return QRectF(QPointF(x, y), size)


def settle(
    geometry: Geometry, size: QSizeF, points: Floats, taken: Sequence[QRectF], first: str
) -> QRectF | None:
    """The first corner that hides nothing, or the nearest place to it along the edges.

    Where each hides something, the first corner if those are few, else the one where they are fewest.
    """
    names = (first, *(name for name in CORNERS if name != first))
    free = _free(geometry, (corner(geometry, size, name) for name in names), taken)
    if not free:
        return None
    k = geometry.type_scale
    hidden = [covered(rect, points, k) for rect in free]
    if not min(hidden):
        return free[hidden.index(0)]
    if len(points) <= MANY:
        between = _free(geometry, _edges(geometry, size, first), taken)
        for rect, count in zip(between, _counts(between, points, k).tolist()):
            if not count:
                return rect
    return free[0 if hidden[0] <= FEW * len(points) else int(np.argmin(hidden))]


def _free(geometry: Geometry, places: Iterable[QRectF], taken: Sequence[QRectF]) -> list[QRectF]:
    """The places within the plot, and a little off what is there already."""
    gap = MARGIN / 2 * geometry.type_scale
    around = [other.adjusted(-gap, -gap, gap, gap) for other in taken]
    inner = [rect for rect in places if geometry.plot.contains(rect)]
    return [rect for rect in inner if not any(rect.intersects(other) for other in around)]


def _edges(geometry: Geometry, size: QSizeF, first: str) -> list[QRectF]:
    """Places of a plate between the corners, the nearest to a corner first."""
    low, high = corner(geometry, size, "top left").topLeft(), corner(geometry, size, "bottom right").topLeft()
    x, y = (np.linspace(*ends, ALONG).round().tolist() for ends in ((low.x(), high.x()), (low.y(), high.y())))
    places = [QPointF(at, edge) for at in x for edge in (low.y(), high.y())]
    places += [QPointF(edge, at) for at in y for edge in (low.x(), high.x())]
    home = corner(geometry, size, first).topLeft()
    return [QRectF(at, size) for at in sorted(places, key=lambda at: (at - home).manhattanLength())]


def covered(rect: QRectF, points: Floats, k: float = 1.0) -> int:
    """Number of points (in pixels) that a plate would hide, with symbols as large as the type."""
    return int(inside(points, box_of(rect, MARGIN / 2 * k)).sum())


def _counts(rects: Sequence[QRectF], points: Floats, k: float) -> Ints:
    """The same of many places at once."""
    left, right, top, bottom = np.array([box_of(rect, MARGIN / 2 * k) for rect in rects]).reshape(-1, 4).T
    x, y = points.T[:, :, None]
    return np.asarray(((x >= left) & (x <= right) & (y >= top) & (y <= bottom)).sum(axis=0))


def covers_few(rect: QRectF, points: Floats, share: float = FEW, k: float = 1.0) -> bool:
    """Whether hardly any would be missed."""
    return covered(rect, points, k) <= share * len(points)


def paint_plate(painter: QPainter, theme: Theme, rect: QRectF, scale: float) -> None:
    """A ground to read on that lets a little of the picture through."""
    half = scale / 2
    outline = rounded(rect.adjusted(half, half, -half, -half), 4 * scale)
    fill_path(painter, outline, colour(theme.ground, 0.88))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(theme.line, scale))
    painter.drawPath(outline)
