"""Placement of legends, scores, colour bars and text labels where they cover as little data as possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPainterPath

from vizml.field.arrays import Floats, Ints, Mask
from vizml.paint.clipping import box_of, inside
from vizml.paint.geometry import Geometry
from vizml.paint.pens import SMALL, colour, fill_path, pen, typeface
from vizml.paint.symbols import SIZE
from vizml.scene import Ink, TextLabels, Theme
from vizml.scene.typesetting import typeset

NO_POINTS = np.empty((0, 2))
MARGIN = 10.0
"""Distance of a panel to the edges of the plot, in pixels."""
FEW, SOME = 0.02, 0.05
"""Shares of the points: a first corner that covers at most FEW is taken; no panel covers more than SOME."""
CORNERS = ("top right", "top left", "bottom left", "bottom right")
ALONG = 12
"""Candidate places along an edge of the plot."""
MANY = 5000
"""With more points than this only the corners are candidates: counting takes too long elsewhere."""
DISTANCES = (9.0, 15.0, 24.0, 36.0, 52.0)
"""Candidate distances of a label to its point, in pixels."""
LEADER = 20.0
"""Labels farther away than this are connected with their point by a line."""
SIDE = 3.0
"""Padding of a label to the left and right, in pixels."""
AROUND = np.array([(1, -1), (1, 0), (-1, -1), (-1, 0), (1, 1), (-1, 1), (0, -1), (0, 1)], dtype=np.float64)
"""Directions of a label from its point, the most usual first."""


def corner(geometry: Geometry, size: QSizeF, name: str) -> QRectF:
    """Return a panel in a corner of the plot."""
    gap, plot = MARGIN * geometry.type_scale, geometry.plot
    x = plot.right() - gap - size.width() if "right" in name else plot.left() + gap
    y = plot.top() + gap if "top" in name else plot.bottom() - gap - size.height()
    return QRectF(QPointF(x, y), size)


def place(
    geometry: Geometry, size: QSizeF, points: Floats, taken: Sequence[QRectF], first: str, share: float = 1.0
) -> QRectF | None:
    """Return the first corner that covers no point, or the nearest such place along the edges.

    Where every place covers points, return the first corner if they are few, else the corner with the fewest;
    None where it would cover more than a share of the points, or where no corner is free.
    """
    corners = {name: corner(geometry, size, name) for name in (first, *CORNERS)}
    free = _free(geometry, corners.values(), taken)
    if not free:
        return None
    hidden = _counts(free, points, geometry.type_scale)
    best = int(np.argmin(hidden))
    if hidden[best] and len(points) <= MANY:
        between = _free(geometry, _edges(geometry, size, first), taken)
        clear = np.flatnonzero(_counts(between, points, geometry.type_scale) == 0)
        if len(clear):
            return between[int(clear[0])]
    if hidden[best] and hidden[0] <= FEW * len(points):
        best = 0
    return free[best] if hidden[best] <= share * len(points) else None


def paint_panel(painter: QPainter, theme: Theme, rect: QRectF, scale: float) -> None:
    """Draw the translucent ground and the outline of a panel."""
    half, outline = scale / 2, QPainterPath()
    outline.addRoundedRect(rect.adjusted(half, half, -half, -half), 4 * scale, 4 * scale)
    fill_path(painter, outline, colour(theme.ground, 0.88))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(theme.line, scale))
    painter.drawPath(outline)


def _free(geometry: Geometry, places: Iterable[QRectF], taken: Sequence[QRectF]) -> list[QRectF]:
    """Return the places within the plot that keep a distance to what is there already."""
    gap = MARGIN / 2 * geometry.type_scale
    around = [other.adjusted(-gap, -gap, gap, gap) for other in taken]
    inner = [rect for rect in places if geometry.plot.contains(rect)]
    return [rect for rect in inner if not any(rect.intersects(other) for other in around)]


def _edges(geometry: Geometry, size: QSizeF, first: str) -> list[QRectF]:
    """Return places along the edges of the plot, the nearest to a corner first."""
    low, high = corner(geometry, size, "top left").topLeft(), corner(geometry, size, "bottom right").topLeft()
    x, y = (np.linspace(*ends, ALONG).round().tolist() for ends in ((low.x(), high.x()), (low.y(), high.y())))
    places = [QPointF(at, edge) for at in x for edge in (low.y(), high.y())]
    places += [QPointF(edge, at) for at in y for edge in (low.x(), high.x())]
    home = corner(geometry, size, first).topLeft()
    return [QRectF(at, size) for at in sorted(places, key=lambda at: (at - home).manhattanLength())]


def _counts(rects: Sequence[QRectF], points: Floats, k: float) -> Ints:
    """Return how many points each panel covers."""
    left, right, top, bottom = np.array([box_of(rect, MARGIN / 2 * k) for rect in rects]).reshape(-1, 4).T
    x, y = points.T[:, :, None]
    return np.asarray(((x >= left) & (x <= right) & (y >= top) & (y <= bottom)).sum(axis=0))


class LabelPlacement:
    """Free space of a plot for text labels, which keep off points, panels and each other."""

    def __init__(
        self, plot: QRectF, points: Floats = NO_POINTS, clear: float = 0.0, panels: Sequence[QRectF] = ()
    ) -> None:
        self._box = np.array(box_of(plot, -2.0))
        self._points = points
        self._clear = clear
        self._taken = np.array([box_of(panel) for panel in panels]).reshape(-1, 4)

    def find(self, anchor: Floats, width: float, height: float, scale: float) -> QRectF | None:
        """Take and return the nearest free place beside an anchor, if there is one."""
        boxes = _candidates(anchor, width, height, scale)
        free = boxes[self._free(boxes)][:1]
        self._taken = np.concatenate([self._taken, free])
        for left, right, top, bottom in free.tolist():
            return QRectF(left, top, right - left, bottom - top)
        return None

    def _free(self, boxes: Floats) -> Mask:
        left, right, top, bottom = boxes.T[:, :, None]
        low_x, high_x, low_y, high_y = self._box
        within = (left >= low_x) & (right <= high_x) & (top >= low_y) & (bottom <= high_y)
        x0, x1, y0, y1 = self._taken.T
        meets = (left < x1) & (right > x0) & (top < y1) & (bottom > y0)
        reach = self._clear
        around = (left.min() - reach, right.max() + reach, top.min() - reach, bottom.max() + reach)
        x, y = self._points[inside(self._points, around)].T
        hit = (x > left - reach) & (x < right + reach) & (y > top - reach) & (y < bottom + reach)
        return np.asarray(within[:, 0] & ~meets.any(axis=1) & ~hit.any(axis=1))


def paint_labels(
    painter: QPainter, geometry: Geometry, theme: Theme, marks: Sequence[TextLabels], room: LabelPlacement
) -> None:
    """Draw the labels for which there is room."""
    k = geometry.type_scale
    face, metrics = typeface(SMALL, k)
    painter.setFont(face)
    for mark in marks:
        places = geometry.to_pixels(mark.points.reshape(-1, 2))
        seen = inside(places, box_of(geometry.plot))
        for anchor, text in zip(places[seen], np.array(mark.texts, dtype=object)[seen].tolist()):
            words = typeset(text)
            lines = words.split("\n")
            wide = max(map(metrics.horizontalAdvance, lines)) + 2 * SIDE * k
            rect = room.find(anchor, wide, len(lines) * metrics.height(), k)
            if rect is not None:
                _paint_label(painter, theme, anchor, rect, words, mark.ink, k)


def _paint_label(
    painter: QPainter, theme: Theme, anchor: Floats, rect: QRectF, text: str, ink: Ink, k: float
) -> None:
    """Draw text on a ground of its own, legible on any tint, with a thin line from a point farther off."""
    x, y = anchor.tolist()
    end = QPointF(min(max(x, rect.left()), rect.right()), min(max(y, rect.top()), rect.bottom()))
    line = QLineF(QPointF(x, y), end)
    if line.length() > LEADER * k:
        painter.setPen(pen(theme.muted, k, 0.8))
        painter.drawLine(QLineF(line.pointAt(SIZE / 2 / line.length()), end))
    ground, several = QPainterPath(), "\n" in text
    ground.addRoundedRect(rect, 3 * k, 3 * k)
    fill_path(painter, ground, colour(theme.ground, 0.92 if several else 0.75))
    painter.setPen(colour(theme.stroke(ink)))
    across = Qt.AlignmentFlag.AlignLeft if several else Qt.AlignmentFlag.AlignHCenter
    inner = rect.adjusted(SIDE * k, 0, 0, 0) if several else rect
    painter.drawText(inner, int(across | Qt.AlignmentFlag.AlignVCenter), text)


def _candidates(anchor: Floats, width: float, height: float, scale: float) -> Floats:
    """Return boxes (left, right, top, bottom) around an anchor, the nearest and most usual first."""
    steps = np.array(DISTANCES)[:, None, None] * scale * AROUND
    diagonal = np.where(np.abs(AROUND).sum(axis=1, keepdims=True) > 1, 0.75, 1.0)
    corners = (anchor + steps * diagonal).reshape(-1, 2)
    direction = np.tile(AROUND, (len(DISTANCES), 1))
    left, top = (corners - np.array([width, height]) * (1 - direction) / 2).T
    return np.column_stack([left, left + width, top, top + height])
