"""Where legend and scores go: into corners of the plot that hide no points, or hardly any."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter

from vizml.data.dataset import Floats
from vizml.scene import Theme
from vizml.ui.picture.clip import box_of, inside
from vizml.ui.picture.geometry import Geometry
from vizml.ui.picture.lines import rounded
from vizml.ui.picture.pens import colour, pen
from vizml.ui.picture.veil import fill

MARGIN = 10.0
FEW, SOME = 0.02, 0.05
"""Where no corner is free, a plate may cover this share of the points before it looks for another one; and
no plate covers more than that of them."""
CORNERS = ("top right", "top left", "bottom left", "bottom right")


def corner(geometry: Geometry, size: QSizeF, name: str) -> QRectF:
    """A plate of a size in a corner of the plot."""
    gap, plot = MARGIN * geometry.type_scale, geometry.plot
    x = plot.right() - gap - size.width() if "right" in name else plot.left() + gap
    y = plot.top() + gap if "top" in name else plot.bottom() - gap - size.height()
    return QRectF(QPointF(x, y), size)


def settle(
    geometry: Geometry, size: QSizeF, points: Floats, taken: Sequence[QRectF], first: str
) -> QRectF | None:
    """The first corner that hides nothing; where each does, the first one if few, else where it is fewest."""
    names = (first, *(name for name in CORNERS if name != first))
    places = [corner(geometry, size, name) for name in names]
    free = [rect for rect in places if not any(rect.intersects(other) for other in taken)]
    free = [rect for rect in free if geometry.plot.contains(rect)]
    if not free:
        return None
    hidden = [covered(rect, points) for rect in free]
    best = 0 if min(hidden) and covers_few(free[0], points) else int(np.argmin(hidden))
    return free[best]


def covered(rect: QRectF, points: Floats) -> int:
    """How many points (in pixels) a plate would hide."""
    return int(inside(points, box_of(rect, MARGIN / 2)).sum())


def covers_few(rect: QRectF, points: Floats, share: float = FEW) -> bool:
    """Whether hardly any would be missed."""
    return covered(rect, points) <= share * len(points)


def paint_plate(painter: QPainter, theme: Theme, rect: QRectF, scale: float) -> None:
    """A ground to read on that lets a little of the picture through."""
    half = scale / 2
    outline = rounded(rect.adjusted(half, half, -half, -half), 4 * scale)
    fill(painter, outline, colour(theme.ground, 0.88))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(theme.line, scale))
    painter.drawPath(outline)
