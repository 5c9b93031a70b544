"""Short labels beside their points: off the data, off each other, never over the edge; else left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from vizml.field.arrays import Floats
from vizml.paint.clipping import box_of, inside, rounded
from vizml.paint.geometry import Geometry
from vizml.paint.pens import SMALL, colour, fill_path, font, measure, pen
from vizml.paint.symbols import SIZE
from vizml.paint.text import typeset
from vizml.scene import Ink, TextLabels, Theme

DISTANCES = (9.0, 15.0, 24.0, 36.0, 52.0)
"""How far from its point a label may be, in pixels; from the third on a thin line leads to it."""
LEADER = 20.0
SIDE = 3.0
AROUND = np.array([(1, -1), (1, 0), (-1, -1), (-1, 0), (1, 1), (-1, 1), (0, -1), (0, 1)], dtype=np.float64)


class LabelPlacement:
    """The free space of a plot: what has been put there takes it."""

    def __init__(self, plot: QRectF, points: Floats, clear: float) -> None:
        self._box = np.array(box_of(plot, -2.0))
        self._points = points
        self._clear = clear
        self._taken = np.empty((0, 4))

    def take(self, rect: QRectF) -> None:
        """Keep others out of a rectangle."""
        self._taken = np.concatenate([self._taken, [box_of(rect)]])

    def find(self, anchor: Floats, width: float, height: float, scale: float) -> QRectF | None:
        """The nearest free place beside an anchor, taken from now on; None where there is none."""
        boxes = _candidates(anchor, width, height, scale)
        for box in boxes[self._free(boxes)]:
            left, right, top, bottom = box.tolist()
            found = QRectF(left, top, right - left, bottom - top)
            self.take(found)
            return found
        return None

    def _free(self, boxes: Floats) -> np.ndarray:
        left, right, top, bottom = boxes.T
        low_x, high_x, low_y, high_y = self._box
        free = (left >= low_x) & (right <= high_x) & (top >= low_y) & (bottom <= high_y)
        taken = self._taken
        meets = (left[:, None] < taken[:, 1]) & (right[:, None] > taken[:, 0])
        meets &= (top[:, None] < taken[:, 3]) & (bottom[:, None] > taken[:, 2])
        free &= ~meets.any(axis=1)
        reach = self._clear
        around = (left.min() - reach, right.max() + reach, top.min() - reach, bottom.max() + reach)
        x, y = self._points[inside(self._points, around)].T
        hit = (x > left[:, None] - reach) & (x < right[:, None] + reach)
        hit &= (y > top[:, None] - reach) & (y < bottom[:, None] + reach)
        return np.asarray(free & ~hit.any(axis=1))


def paint_labels(
    painter: QPainter, geometry: Geometry, theme: Theme, marks: Sequence[TextLabels], room: LabelPlacement
) -> None:
    """Draw all labels for which there is room."""
    face = font(SMALL, geometry.type_scale)
    metrics = measure(face)
    painter.setFont(face)
    for mark in marks:
        places = geometry.to_pixels(mark.points.reshape(-1, 2))
        texts = map(typeset, mark.texts)
        for anchor, text, seen in zip(places, texts, inside(places, box_of(geometry.plot)).tolist()):
            wide = metrics.horizontalAdvance(text) + 2 * SIDE * geometry.type_scale
            rect = room.find(anchor, wide, metrics.height(), geometry.type_scale) if seen else None
            if rect is not None:
                _lead(painter, geometry, theme, anchor, rect)
                _paint_label(painter, geometry, theme, rect, text, mark.ink)


def _paint_label(
    painter: QPainter, geometry: Geometry, theme: Theme, rect: QRectF, text: str, ink: Ink
) -> None:
    """Words on a ground of their own, so that they can be read on any tint."""
    fill_path(painter, rounded(rect, 3 * geometry.type_scale), colour(theme.ground, 0.75))
    painter.setPen(colour(theme.stroke(ink)))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


def _lead(painter: QPainter, geometry: Geometry, theme: Theme, anchor: Floats, rect: QRectF) -> None:
    """A thin line from a point to the nearest place of a label that is not right beside it."""
    x, y = anchor.tolist()
    end = QPointF(min(max(x, rect.left()), rect.right()), min(max(y, rect.top()), rect.bottom()))
    line = QLineF(QPointF(x, y), end)
    if line.length() > LEADER * geometry.type_scale:
        painter.setPen(pen(theme.muted, geometry.type_scale, 0.8))
        painter.drawLine(QLineF(line.pointAt(SIZE / 2 / line.length()), end))


def _candidates(anchor: Floats, width: float, height: float, scale: float) -> Floats:
    """Boxes (left, right, top, bottom) around an anchor, the nearest and most usual first."""
    steps = np.array(DISTANCES)[:, None, None] * scale * AROUND
    near = np.where(np.abs(AROUND).sum(axis=1, keepdims=True) > 1, 0.75, 1.0)
    corner = (anchor + steps * near).reshape(-1, 2)
    way = np.tile(AROUND, (len(DISTANCES), 1))
    left = corner[:, 0] - width * (1 - way[:, 0]) / 2
    top = corner[:, 1] - height * (1 - way[:, 1]) / 2
    return np.column_stack([left, left + width, top, top + height])
