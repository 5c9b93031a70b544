"""Colour bar of a lens: name, unit, colours, contour levels and numbers on a panel."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QLinearGradient, QPainter

from vizml.field.arrays import Floats
from vizml.paint.axes import Ticks, log_ticks, ticks
from vizml.paint.geometry import Geometry
from vizml.paint.pens import LABEL, SMALL, colour, draw_text, font, paint_panel, pen, typeface
from vizml.scene import Lens, Theme
from vizml.scene.shading import colours

PAD = 10.0
"""Padding of the panel in pixels."""
NAME, BAR, GAP, NUMBERS = 20.0, 10.0, 3.0, 16.0
"""Heights of a lens's name, the colour bar, a gap and the numbers, in pixels."""
BAR_WIDTH, WIDEST = 176.0, 0.45
"""Width of the panel of a colour bar in pixels, and the largest share of the plot's width that it takes."""
STOPS = 17
"""Colours of the gradient."""
MOST_TICKS, TICK, BETWEEN = 4, 3.0, 8.0
"""Most ticks of a colour bar, the length of each, and the least distance between their numbers."""
BESIDE = 20.0
"""Least distance between name and unit, in pixels."""


def bar_size(geometry: Geometry, lens: Lens) -> QSizeF:
    """Return the size of the panel of a colour bar."""
    k = geometry.type_scale
    wide = QFontMetricsF(font(LABEL, k)).horizontalAdvance(f"{lens.name}{lens.unit}")
    wanted = max(BAR_WIDTH * k, wide + (2 * PAD + BESIDE) * k)
    width = min(wanted, max(geometry.plot.width() * WIDEST, 80 * k))
    return QSizeF(width, (PAD + NAME + BAR + GAP + NUMBERS + PAD / 2) * k)


def paint_colour_bar(painter: QPainter, geometry: Geometry, theme: Theme, rect: QRectF, lens: Lens) -> None:
    """Draw name, unit, colours, contour levels and numbers of a lens on their panel."""
    k = geometry.type_scale
    paint_panel(painter, theme, rect, k)
    inside = rect.adjusted(PAD * k, PAD / 2 * k, -PAD * k, 0)
    bar = QRectF(inside.left(), inside.top() + NAME * k, inside.width(), BAR * k)
    scale = _bar_ticks(bar, lens, k)
    unit = " ".join(filter(None, (scale.scale, lens.unit)))
    _paint_name(painter, theme, inside, lens.name, unit, k)
    _paint_gradient(painter, bar, lens, theme)
    painter.setPen(pen(theme.text, k))
    levels = _positions(bar, lens, np.array(lens.levels))
    painter.drawLines([QLineF(x, bar.top(), x, bar.bottom()) for x in levels])
    _paint_numbers(painter, theme, bar, lens, scale, k)


def _paint_gradient(painter: QPainter, bar: QRectF, lens: Lens, theme: Theme) -> None:
    gradient, table = QLinearGradient(bar.topLeft(), bar.topRight()), colours(lens, theme)
    for share in np.linspace(0.0, 1.0, STOPS):
        red, green, blue, _ = table[round(share * (len(table) - 1))].tolist()
        gradient.setColorAt(share, colour((red, green, blue)))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.fillRect(bar, gradient)


def _paint_numbers(painter: QPainter, theme: Theme, bar: QRectF, lens: Lens, scale: Ticks, k: float) -> None:
    face, metrics = typeface(SMALL, k)
    painter.setPen(colour(theme.muted))
    for x in _positions(bar, lens, scale.values):
        painter.drawLine(QLineF(x, bar.bottom(), x, bar.bottom() + TICK * k))
    baseline = bar.bottom() + (TICK + GAP) * k + metrics.capHeight() + k
    for (left, _), label in zip(_label_spans(bar, lens, scale, metrics), scale.labels):
        draw_text(painter, face, theme.muted, QPointF(left, baseline), label)


def _bar_ticks(bar: QRectF, lens: Lens, k: float) -> Ticks:
    """Return as many ticks as have room for their labels."""
    metrics = QFontMetricsF(font(SMALL, k))
    for most in range(MOST_TICKS, 1, -1):
        found = _ticks(lens, most)
        spans = _label_spans(bar, lens, found, metrics)
        if all(right + BETWEEN * k <= left for (_, right), (left, _) in pairwise(spans)):
            return found
    return _ticks(lens, 1)


def _ticks(lens: Lens, most: int) -> Ticks:
    if not lens.log:
        return ticks(lens.low, lens.high, most)
    found = log_ticks(math.log10(lens.low), math.log10(lens.high), most)
    return replace(found, values=10.0**found.values)


def _label_spans(bar: QRectF, lens: Lens, scale: Ticks, metrics: QFontMetricsF) -> list[tuple[float, float]]:
    """Return left and right ends of the labels of ticks: centred, but not beyond the bar."""
    spans = []
    for x, label in zip(_positions(bar, lens, scale.values), scale.labels):
        wide = metrics.horizontalAdvance(label)
        left = min(max(x - wide / 2, bar.left()), bar.right() - wide)
        spans.append((left, left + wide))
    return spans


def _paint_name(painter: QPainter, theme: Theme, inside: QRectF, name: str, unit: str, k: float) -> None:
    """Draw the name to the left and the unit to the right, which is elided first."""
    face, metrics = typeface(LABEL, k)
    baseline = inside.top() + (NAME * k + metrics.capHeight()) / 2
    name = metrics.elidedText(name, Qt.TextElideMode.ElideRight, inside.width())
    rest = inside.width() - metrics.horizontalAdvance(name) - BESIDE / 2 * k
    unit = metrics.elidedText(unit, Qt.TextElideMode.ElideRight, max(rest, 0.0))
    right = QPointF(inside.right() - metrics.horizontalAdvance(unit), baseline)
    draw_text(painter, face, theme.muted, right, unit)
    draw_text(painter, face, theme.text, QPointF(inside.left(), baseline), name)


def _positions(bar: QRectF, lens: Lens, values: Floats) -> list[float]:
    """Return the positions of the values that lie on a bar."""
    seen = values[(values >= lens.low) & (values <= lens.high)]
    along: list[float] = (bar.left() + lens.shares(seen) * bar.width()).tolist()
    return along
