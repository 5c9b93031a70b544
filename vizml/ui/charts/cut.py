"""The line across a diagram that sets a parameter by its height, and the scale that it moves along."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter

from vizml.paint.letters import typeset
from vizml.paint.pens import LABEL, SMALL, colour, font, measure, pen
from vizml.paint.plates import paint_plate
from vizml.paint.ticks import ticks
from vizml.scene import Theme
from vizml.ui.charts.sketch import Sketch

TICK, GAP, UP, AXIS = 4.0, 3.0, 34.0, 46.0
"""Length of a tick, the gap to its label, the room of a tick, and where the scale stands."""
KNOB, REACH = 5.0, 6.0
PAD, ROW = 6.0, 18.0


def value_at(sketch: Sketch, height: float) -> float:
    """The parameter's value at a height of the diagram; never beyond its ends."""
    cut = sketch.diagram.cut
    return cut.low + min(max(height, 0.0), 1.0) * (cut.high - cut.low) if cut else 0.0


def grabbed(sketch: Sketch, y: float) -> bool:
    """Whether a place in pixels is on the line."""
    cut = sketch.diagram.cut
    return cut is not None and abs(sketch.level(cut.y) - y) <= REACH * sketch.k


def paint_scale(painter: QPainter, sketch: Sketch, theme: Theme) -> None:
    """Values to the left, as far as they are in sight."""
    cut = sketch.diagram.cut
    if cut is None or cut.high == cut.low:
        return
    k, face = sketch.k, font(SMALL, sketch.k)
    metrics, x = measure(face), AXIS * sketch.k
    low, high = sorted((cut.low, cut.high))
    length = abs(sketch.level(0.0) - sketch.level(1.0))
    scale = ticks(low, high, max(int(length / (UP * k)), 1))
    painter.setFont(face)
    painter.setPen(pen(theme.muted, k, 0.7))
    painter.drawLine(QLineF(x, sketch.level(0.0), x, sketch.level(1.0)))
    for value, label in zip(scale.values.tolist(), scale.labels):
        y = round(sketch.level((value - cut.low) / (cut.high - cut.low))) + 0.5
        painter.setPen(pen(theme.muted, k, 0.7))
        painter.drawLine(QLineF(x - TICK * k, y, x, y))
        painter.setPen(colour(theme.muted))
        left = x - (TICK + GAP) * k - metrics.horizontalAdvance(label)
        painter.drawText(QPointF(left, y + metrics.capHeight() / 2), label)


def paint_cut(painter: QPainter, sketch: Sketch, theme: Theme, height: float | None, *, strong: bool) -> None:
    """The line at its height, or at that where a hand holds it, with its value at the right end."""
    cut = sketch.diagram.cut
    if cut is None:
        return
    at = cut.y if height is None else height
    k, y = sketch.k, sketch.level(at)
    left, right = AXIS * k, sketch.size.width() - KNOB * k
    painter.setPen(pen(theme.accent, (2.0 if strong else 1.5) * k, stroke="dash"))
    painter.drawLine(QLineF(left, y, right, y))
    painter.setPen(pen(theme.ground, k))
    painter.setBrush(colour(theme.accent))
    knob = (KNOB + strong) * k
    painter.drawEllipse(QPointF(right - KNOB * k, y), knob, knob)
    _paint_value(
        painter, sketch, theme, typeset(f"{cut.sets} {value_at(sketch, at):.4g}"), right - 3 * KNOB * k, y
    )


def _paint_value(painter: QPainter, sketch: Sketch, theme: Theme, words: str, right: float, y: float) -> None:
    """Words above the line, or below it where there is no room above."""
    k, face = sketch.k, font(LABEL, sketch.k)
    metrics = measure(face)
    wide, high = metrics.horizontalAdvance(words) + 2 * PAD * k, ROW * k
    top = y - high - 3 * k if y - high - 3 * k > 0 else y + 3 * k
    rect = QRectF(right - wide, top, wide, high)
    paint_plate(painter, theme, rect, k)
    painter.setFont(face)
    painter.setPen(colour(theme.text))
    baseline = rect.center().y() + metrics.capHeight() / 2
    painter.drawText(QPointF(rect.left() + PAD * k, baseline), words)
