"""The links of a diagram: straight or right-angled, as wide as they say, with words half-way."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath

from vizml.scene import Ink, Link, Theme
from vizml.ui.charts.nodes import Standing
from vizml.ui.charts.sketch import Placed, Sketch
from vizml.ui.picture.pens import SMALL, colour, font, measure, pen

ACCENT = 2.0
LEAST = 0.5
SIDE = 3.0
NEARLY, FAR = 0.85, 24.0


def paint_links(painter: QPainter, sketch: Sketch, theme: Theme) -> None:
    """All links, those that are drawn alike in one stroke."""
    k = sketch.k
    alike: dict[tuple[Ink, float, float], QPainterPath] = {}
    for link in sketch.diagram.links:
        path = alike.setdefault((link.ink, link.width, link.opacity), QPainterPath())
        _add(path, sketch, link)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for (ink, width, opacity), path in alike.items():
        stroke = pen(theme.colour(ink), max(width, LEAST) * k, opacity)
        stroke.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(stroke)
        painter.drawPath(path)


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
    path = QPainterPath()
    for link in sketch.diagram.links:
        if link.start in standing.others and link.end in standing.others:
            _add(path, sketch, link)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(theme.accent, ACCENT * sketch.k))
    painter.drawPath(path)


def _told(start: Placed, end: Placed) -> bool:
    """Whether two nodes are large enough for words between them."""
    whole = all(placed.size > NEARLY and placed.texts == placed.node.texts for placed in (start, end))
    return whole and QLineF(_leaves(start, end), _leaves(end, start)).length() > FAR


def _add(path: QPainterPath, sketch: Sketch, link: Link) -> None:
    start, end = sketch.placed.get(link.start), sketch.placed.get(link.end)
    if start is None or end is None:
        return
    first, last = _leaves(start, end), _leaves(end, start)
    path.moveTo(first)
    if link.bent:
        path.lineTo(QPointF(last.x(), first.y()))
    path.lineTo(last)


def _leaves(one: Placed, other: Placed) -> QPointF:
    """Where a link meets a node: a box at the middle of its upper or lower edge, others in their middle."""
    rect, towards = one.rect, other.rect.center()
    if one.node.shape != "box" or rect.top() <= towards.y() <= rect.bottom():
        return rect.center()
    return QPointF(rect.center().x(), rect.bottom() if towards.y() > rect.bottom() else rect.top())
