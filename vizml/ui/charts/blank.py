"""The words in the place of a chart or a diagram that is not there."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from vizml.paint.pens import BODY, colour, font
from vizml.ui.widgets.appearance import Appearance

INSET = 24.0


def paint_blank(painter: QPainter, rect: QRectF, look: Appearance, words: str) -> None:
    """In the middle, in as many lines as it takes."""
    inset = INSET * look.type_scale
    painter.setFont(font(BODY, look.type_scale))
    painter.setPen(colour(look.theme.muted))
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    painter.drawText(rect.adjusted(inset, inset / 2, -inset, -inset / 2), int(flags), words)
