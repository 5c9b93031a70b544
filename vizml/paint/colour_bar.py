"""The colour bar of a lens: its name, its colours, and the values along it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QLinearGradient, QPainter

from vizml.paint.geometry import Geometry
from vizml.paint.overlay_placement import paint_plate
from vizml.paint.pens import LABEL, SMALL, colour, font, measure, pen
from vizml.paint.ticks import Ticks, ticks
from vizml.scene import Lens, Theme
from vizml.scene.lens import Table, colours
from vizml.scene.palette import Rgb

PAD, NAME, BAR, GAP, FIGURES = 10.0, 20.0, 10.0, 3.0, 16.0
WIDTH, WIDEST = 176.0, 0.45
"""The width of its plate in pixels, and the share of the plot's that it takes at the most."""
STOPS = 17
MOST = 4
TICK = 3.0
APART, BESIDE = 8.0, 20.0


def plate_of(geometry: Geometry, lens: Lens) -> QSizeF:
    """The room that the bar of a lens takes."""
    k = geometry.type_scale
    wide = measure(font(LABEL, k)).horizontalAdvance(f"{lens.name}{lens.unit}")
    wanted = max(WIDTH * k, wide + (2 * PAD + BESIDE) * k)
    width = min(wanted, max(geometry.plot.width() * WIDEST, 80 * k))
    return QSizeF(width, (PAD + NAME + BAR + GAP + FIGURES + PAD / 2) * k)


def paint_lens(painter: QPainter, geometry: Geometry, theme: Theme, rect: QRectF, lens: Lens) -> None:
    """Draw the bar of a lens onto its plate."""
    k = geometry.type_scale
    paint_plate(painter, theme, rect, k)
    inside = rect.adjusted(PAD * k, PAD / 2 * k, -PAD * k, 0)
    bar = QRectF(inside.left(), inside.top() + NAME * k, inside.width(), BAR * k)
    scale = _spread(bar, lens, k)
    unit = " ".join(filter(None, (scale.scale, lens.unit)))
    _paint_name(painter, theme, inside, (lens.name, unit), k)
    paint_ramp(painter, bar, colours(lens, theme))
    paint_notches(painter, bar, theme.text, _places(bar, lens.low, lens.high, np.array(lens.levels)), k)
    paint_figures(painter, theme, bar, lens.low, lens.high, scale, k)


def paint_ramp(painter: QPainter, bar: QRectF, table: Table) -> None:
    """Colours from the left to the right of a rectangle."""
    gradient = QLinearGradient(bar.topLeft(), bar.topRight())
    for share in np.linspace(0.0, 1.0, STOPS):
        red, green, blue, _ = table[round(share * (len(table) - 1))].tolist()
        gradient.setColorAt(share, colour((red, green, blue)))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.fillRect(bar, gradient)


def paint_notches(painter: QPainter, bar: QRectF, rgb: Rgb, places: list[float], k: float) -> None:
    """Lines across a bar, where there are contour lines in the picture."""
    painter.setPen(pen(rgb, k))
    painter.drawLines([QLineF(x, bar.top(), x, bar.bottom()) for x in places])


def paint_figures(
    painter: QPainter, theme: Theme, bar: QRectF, low: float, high: float, scale: Ticks, k: float
) -> None:
    """Values below a bar that runs from low to high."""
    face = font(SMALL, k)
    metrics = measure(face)
    painter.setFont(face)
    painter.setPen(colour(theme.muted))
    baseline = bar.bottom() + (TICK + GAP) * k + metrics.capHeight() + k
    for x in _places(bar, low, high, scale.values):
        painter.drawLine(QLineF(x, bar.bottom(), x, bar.bottom() + TICK * k))
    for (left, _), label in zip(_spans(bar, low, high, scale, metrics), scale.labels):
        painter.drawText(QPointF(left, baseline), label)


def _spread(bar: QRectF, lens: Lens, k: float) -> Ticks:
    """As many ticks as have room for their labels."""
    metrics = measure(font(SMALL, k))
    for most in range(MOST, 1, -1):
        found = ticks(lens.low, lens.high, most)
        spans = _spans(bar, lens.low, lens.high, found, metrics)
        if all(right + APART * k <= left for (_, right), (left, _) in pairwise(spans)):
            return found
    return ticks(lens.low, lens.high, 1)


def _spans(
    bar: QRectF, low: float, high: float, scale: Ticks, metrics: QFontMetricsF
) -> list[tuple[float, float]]:
    """Left and right ends of the labels: below their ticks, but not beyond the bar."""
    spans = []
    for x, label in zip(_places(bar, low, high, scale.values), scale.labels):
        wide = metrics.horizontalAdvance(label)
        left = min(max(x - wide / 2, bar.left()), bar.right() - wide)
        spans.append((left, left + wide))
    return spans


def _paint_name(painter: QPainter, theme: Theme, inside: QRectF, words: tuple[str, str], k: float) -> None:
    """The name to the left, the unit to the right: it gives way first."""
    face = font(LABEL, k)
    metrics = measure(face)
    baseline = inside.top() + (NAME * k + metrics.capHeight()) / 2
    cut = Qt.TextElideMode.ElideRight
    name = metrics.elidedText(words[0], cut, inside.width())
    rest = inside.width() - metrics.horizontalAdvance(name) - BESIDE / 2 * k
    unit = metrics.elidedText(words[1], cut, max(rest, 0.0))
    painter.setFont(face)
    painter.setPen(colour(theme.muted))
    painter.drawText(QPointF(inside.right() - metrics.horizontalAdvance(unit), baseline), unit)
    painter.setPen(colour(theme.text))
    painter.drawText(QPointF(inside.left(), baseline), name)


def _places(bar: QRectF, low: float, high: float, values: np.ndarray) -> list[float]:
    """Positions along the bar of the values in its range."""
    span = (high - low) or 1.0
    seen = values[(values >= low) & (values <= high)]
    along: list[float] = (bar.left() + (seen - low) / span * bar.width()).tolist()
    return along
