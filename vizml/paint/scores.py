"""The scores of the model, in large type in a corner of the plot, or in a line above it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter

from vizml.paint.geometry import Geometry
from vizml.paint.overlay_placement import paint_plate
from vizml.paint.pens import BODY, HEADING, colour, font, measure
from vizml.scene import Theme

PAD, ROW = 10.0, 22.0
ABOVE, APART = 6.0, 16.0
"""How far a line of scores is from the plot below it, and one score from the next."""


def plate_of(geometry: Geometry, scores: Sequence[str]) -> QSizeF:
    """The room that scores take."""
    k = geometry.type_scale
    metrics = measure(font(HEADING, k, bold=True))
    wide = max(metrics.horizontalAdvance(words) for words in scores)
    return QSizeF(wide + 2 * PAD * k, (len(scores) * ROW + PAD) * k)


def paint_scores(
    painter: QPainter, geometry: Geometry, theme: Theme, rect: QRectF, scores: Sequence[str]
) -> None:
    """Draw them, aligned to the right so that their figures stand below each other."""
    k = geometry.type_scale
    face = font(HEADING, k, bold=True)
    metrics = measure(face)
    paint_plate(painter, theme, rect, k)
    painter.setFont(face)
    painter.setPen(colour(theme.text))
    for index, words in enumerate(scores):
        y = rect.top() + (PAD / 2 + (index + 0.5) * ROW) * k + metrics.capHeight() / 2
        painter.drawText(QPointF(rect.right() - PAD * k - metrics.horizontalAdvance(words), y), words)


def fit_above(geometry: Geometry, scores: Sequence[str], title: str = "") -> bool:
    """Whether there is room for all of them in a line over the plot."""
    k, metrics = geometry.type_scale, measure(font(BODY, geometry.type_scale, bold=True))
    wide = sum(metrics.horizontalAdvance(words) + APART * k for words in scores)
    return not geometry.low and wide + _taken(geometry, title) <= geometry.plot.width()


def _taken(geometry: Geometry, title: str) -> float:
    """The room over the plot that a title has."""
    k = geometry.type_scale
    return measure(font(HEADING, k, bold=True)).horizontalAdvance(title) + APART * k if title else 0.0


def paint_above(
    painter: QPainter, geometry: Geometry, theme: Theme, scores: Sequence[str], title: str = ""
) -> float:
    """Draw them over the plot, at its right end, as far as its title leaves room; where they begin."""
    k, x = geometry.type_scale, geometry.plot.right()
    low = _taken(geometry, title)
    face = font(BODY, k, bold=True)
    metrics = measure(face)
    painter.setFont(face)
    painter.setPen(colour(theme.text))
    for words in reversed(scores):
        x -= metrics.horizontalAdvance(words)
        if x >= geometry.plot.left() * bool(title) + low:
            painter.drawText(QPointF(x, geometry.plot.top() - ABOVE * k), words)
        x -= APART * k
    return x
