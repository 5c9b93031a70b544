"""The links of a diagram: straight or right-angled, as wide as they say, with words half-way."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from vizml.paint.pens import SMALL, colour, font, measure, pen
from vizml.scene import Ink, Link, Theme
from vizml.ui.charts.nodes import Standing
from vizml.ui.charts.sketch import Placed, Sketch

ACCENT = 2.0
LEAST = 0.5
SIDE = 3.0
NEARLY, FAR = 0.85, 24.0


def paint_links(painter: QPainter, sketch: Sketch, theme: Theme) -> None:
    """All links, those that look alike in one go."""
    k = sketch.k
    alike: dict[tuple[Ink, float, float], list[QLineF]] = {}
    for link in sketch.diagram.links:
        alike.setdefault((link.ink, link.width, link.opacity), []).extend(_lines(sketch, link))
    for (ink, width, opacity), lines in alike.items():
        painter.setPen(_stroke(theme, ink, max(width, LEAST) * k, opacity))
        painter.drawLines(lines)


def paint_words(painter: QPainter, sketch: Sketch, theme: Theme) -> None:
    """What is written on links, where both of their nodes have words that can be read."""
    k = sketch.k
    face = font(SMALL, k)
    metrics = measure(face)
    painter.setFont(face)
    for link in sketch.diagram.links:
        start, end = sketch.placed.get(link.start), sketch.placed.get(link.end)
        if not link.text or start is None or end is None or not _told(start, end):
            continue
        middle = (_leaves(start, end) + _leaves(end, start)) / 2
        wide = metrics.horizontalAdvance(link.text) + 2 * SIDE * k
        rect = QRectF(middle.x() - wide / 2, middle.y() - metrics.height() / 2, wide, metrics.height())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(theme.ground, 0.85))
        painter.drawRoundedRect(rect, SIDE * k, SIDE * k)
        painter.setPen(colour(theme.muted))
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), link.text)


def paint_ways(painter: QPainter, sketch: Sketch, theme: Theme, standing: Standing) -> None:
    """The links between nodes that something else is on, in the accent."""
    painter.setPen(_stroke(theme, "accent", ACCENT * sketch.k, 1.0))
    for link in sketch.diagram.links:
        if link.start in standing.others and link.end in standing.others:
            painter.drawLines(_lines(sketch, link))


def _told(start: Placed, end: Placed) -> bool:
    """Whether two nodes are large enough for words between them."""
    whole = all(
        placed.size > NEARLY and len(placed.texts) == len(placed.node.texts) for placed in (start, end)
    )
    return whole and QLineF(_leaves(start, end), _leaves(end, start)).length() > FAR


def _stroke(theme: Theme, ink: Ink, width: float, opacity: float) -> QPen:
    """A pen whose lines meet at a full corner."""
    stroke = pen(theme.stroke(ink), width, opacity)
    stroke.setCapStyle(Qt.PenCapStyle.SquareCap if opacity >= 1 else Qt.PenCapStyle.FlatCap)
    return stroke


def _lines(sketch: Sketch, link: Link) -> list[QLineF]:
    """A link in one piece, or in two that meet at a right angle."""
    start, end = sketch.placed.get(link.start), sketch.placed.get(link.end)
    if start is None or end is None:
        return []
    first, last = _leaves(start, end), _leaves(end, start)
    if not link.bent:
        return [QLineF(first, last)]
    corner = QPointF(last.x(), first.y())
    return [QLineF(first, corner), QLineF(corner, last)]


def _leaves(one: Placed, other: Placed) -> QPointF:
    """Where a link meets a node: a box at the middle of its upper or lower edge, others in their middle."""
    rect, towards = one.rect, other.rect.center()
    if one.node.shape != "box" or rect.top() <= towards.y() <= rect.bottom():
        return rect.center()
    return QPointF(rect.center().x(), rect.bottom() if towards.y() > rect.bottom() else rect.top())
