"""The title, the note and the message of a chart or diagram."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from vizml.paint.pens import BODY, HEADING, LABEL, colour, draw_text, font
from vizml.scene import Theme
from vizml.scene.palette import Rgb, contrast
from vizml.scene.typesetting import typeset

TITLE, LINE = 26.0, 18.0
"""Heights of the title and of a line of text below it, in pixels."""
MARGIN = 24.0
"""Least distance of a message to the edges, in pixels."""


def title_height(title: str, note: str, k: float) -> float:
    """Return the height of a title and a note, in pixels."""
    return (TITLE * bool(title) + LINE * bool(note)) * k


def paint_title(painter: QPainter, theme: Theme, room: QRectF, title: str, note: str, k: float) -> None:
    """Draw title and note at the top of a rectangle, elided at its right edge."""
    lines = (
        (title, TITLE * k, font(HEADING, k, bold=True), theme.text),
        (note, LINE * k, font(LABEL, k), theme.muted),
    )
    y = room.top()
    for text, height, face, rgb in lines:
        if text:
            cap = QFontMetricsF(face).capHeight()
            at = QPointF(room.left(), y + (height + cap) / 2)
            draw_text(painter, face, rgb, at, typeset(text), room.width())
            y += height


def paint_message(painter: QPainter, rect: QRectF, theme: Theme, k: float, text: str) -> None:
    """Draw a message in the middle of a rectangle, on as many lines as it needs."""
    painter.setFont(font(BODY, k))
    painter.setPen(colour(theme.muted))
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    painter.drawText(
        rect.adjusted(MARGIN * k, MARGIN * k / 2, -MARGIN * k, -MARGIN * k / 2), int(flags), text
    )


def legible_on(fill: Rgb, theme: Theme) -> Rgb:
    """Return the theme's text or ground, whichever has more contrast with a colour."""
    return max((theme.text, theme.ground), key=lambda rgb: contrast(rgb, fill))
