"""The title over a chart or a diagram, and the quieter line of words below it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from vizml.paint.letters import typeset
from vizml.paint.pens import HEADING, LABEL, colour, font, measure
from vizml.scene import Theme
from vizml.scene.palette import Rgb, contrast

HEAD, LINE = 26.0, 18.0
"""Pixels of the title and of a line of words below it."""


def height(title: str, note: str, k: float) -> float:
    """The room that they take, in pixels."""
    return (HEAD * bool(title) + LINE * bool(note)) * k


def paint_head(painter: QPainter, theme: Theme, room: QRectF, title: str, note: str, k: float) -> None:
    """Draw them at the top of a rectangle, cut where it ends."""
    lines = (
        (title, HEAD * k, font(HEADING, k, bold=True), theme.text),
        (note, LINE * k, font(LABEL, k), theme.muted),
    )
    y = room.top()
    for words, high, face, rgb in lines:
        if words:
            metrics = measure(face)
            short = metrics.elidedText(typeset(words), Qt.TextElideMode.ElideRight, room.width())
            painter.setFont(face)
            painter.setPen(colour(rgb))
            painter.drawText(QPointF(room.left(), y + (high + metrics.capHeight()) / 2), short)
            y += high


def readable(fill: Rgb, theme: Theme) -> Rgb:
    """The theme's text or ground: what can be read better on a colour."""
    return max((theme.text, theme.ground), key=lambda rgb: contrast(rgb, fill))
