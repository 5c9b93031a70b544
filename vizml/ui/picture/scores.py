"""How good the model is, in large type in the corner of the plot."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter

from vizml.scene import Theme
from vizml.ui.picture.geometry import Geometry
from vizml.ui.picture.pens import HEADING, colour, font, measure
from vizml.ui.picture.plates import paint_plate

PAD, ROW = 10.0, 22.0


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
