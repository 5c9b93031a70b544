"""Axes of a plot: frame, ticks, labels, titles, and the grid behind them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from vizml.field.arrays import Floats
from vizml.paint.geometry import RIGHT, Geometry, Margins
from vizml.paint.pens import BODY, HEADING, SMALL, colour, draw_text, font, pen
from vizml.paint.ticks import Ticks, log_ticks, ticks
from vizml.scene import Theme

TICK, GAP, EDGE = 4.0, 3.0, 6.0
"""Length of a tick, gap to its label, and least distance of text to the edge of the picture, in pixels."""
ACROSS, UP, MOST = 76.0, 44.0, 10
"""Room that a tick takes on either axis in pixels, and how many there are at most."""
CLOSE, ENOUGH = 0.55, 3
"""Factor by which ticks may be closer where there would be fewer than ENOUGH."""


@dataclass(frozen=True)
class Axes:
    """The ticks of both axes."""

    x: Ticks
    y: Ticks

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, geometry: Geometry) -> Axes:
        """Choose as many ticks as there is room for; most frames have the axes of the one before."""
        left, right, bottom, top = geometry.range
        k, plot = geometry.type_scale, geometry.plot
        across = _enough(left, right, plot.width() / (ACROSS * k), log=geometry.log[0])
        return cls(across, _enough(bottom, top, plot.height() / (UP * k), log=geometry.log[1]))

    def pixels(self, geometry: Geometry) -> tuple[Floats, Floats]:
        """Return the pixel columns and rows of the ticks, in the middle of pixels so that lines are crisp."""
        plot, (left, _, bottom, _) = geometry.plot, geometry.bounds
        columns = geometry.to_pixels([(x, bottom) for x in self.x.values] or np.empty((0, 2)))[:, 0]
        rows = geometry.to_pixels([(left, y) for y in self.y.values] or np.empty((0, 2)))[:, 1]
        return (
            np.clip(np.floor(columns), plot.left(), plot.right() - 1) + 0.5,
            np.clip(np.floor(rows), plot.top(), plot.bottom() - 1) + 0.5,
        )


def _enough(low: float, high: float, room: float, *, log: bool) -> Ticks:
    """Return as many ticks as there is room for; where that is hardly one, a few that are closer."""
    if log:
        decades = log_ticks(low, high, int(np.clip(room, 1, MOST)))
        return replace(decades, values=10.0**decades.values)
    found = ticks(low, high, int(np.clip(room, 1, MOST)))
    for most in range(int(np.clip(room, 1, MOST)) + 1, int(room / CLOSE) + 1):
        if len(found.values) >= ENOUGH:
            break
        found = ticks(low, high, most)
    return found


def margins_for(axes: Axes, titles: tuple[str, str], k: float, above: float) -> Margins:
    """Return the margins of a plot that fit labels and titles, with room above it."""
    small, body = QFontMetricsF(font(SMALL, k)), QFontMetricsF(font(BODY, k))
    wide = max((small.horizontalAdvance(label) for label in axes.y.labels), default=0.0)
    left = (1 + TICK + GAP + EDGE) * k + wide
    if titles[1]:
        left += 5 * k + (body.horizontalAdvance(titles[1]) if len(titles[1]) <= 2 else body.height())
    bottom = (1 + TICK + GAP + EDGE) * k + small.height() + (body.height() if titles[0] else 0.0)
    top = above + (small.height() if axes.y.scale else 0.0)
    return Margins(left, RIGHT * k, max(top, small.height() / 2), bottom)


def paint_grid(painter: QPainter, geometry: Geometry, theme: Theme, axes: Axes | None = None) -> None:
    """Draw a line at each tick."""
    plot = geometry.plot
    columns, rows = (axes or Axes.of(geometry)).pixels(geometry)
    lines = [QLineF(x, plot.top(), x, plot.bottom()) for x in columns]
    lines += [QLineF(plot.left(), y, plot.right(), y) for y in rows]
    painter.setPen(pen(theme.muted, geometry.type_scale, 0.22))
    painter.drawLines(lines)


def paint_axes(
    painter: QPainter, geometry: Geometry, theme: Theme, titles: tuple[str, str], axes: Axes | None = None
) -> None:
    """Draw frame, ticks, labels and titles."""
    axes, k = axes or Axes.of(geometry), geometry.type_scale
    columns, rows = axes.pixels(geometry)
    _paint_frame(painter, geometry, theme, columns, rows)
    painter.setFont(font(SMALL, k))
    painter.setPen(colour(theme.muted))
    reach = _paint_labels(painter, geometry, axes, columns, rows)
    beside = QFontMetricsF(painter.font()).horizontalAdvance(axes.x.scale)
    painter.setFont(font(BODY, k))
    painter.setPen(colour(theme.text))
    _paint_titles(painter, geometry, titles, reach, beside)


def paint_heading(painter: QPainter, geometry: Geometry, theme: Theme, title: str) -> None:
    """Draw the title above the plot."""
    face = font(HEADING, geometry.type_scale, bold=True)
    metrics, plot = QFontMetricsF(face), geometry.plot
    at = QPointF(plot.left(), plot.top() - 8 * geometry.type_scale - metrics.descent())
    draw_text(
        painter, face, theme.text, at, metrics.elidedText(title, Qt.TextElideMode.ElideRight, plot.width())
    )


def _paint_frame(painter: QPainter, geometry: Geometry, theme: Theme, columns: Floats, rows: Floats) -> None:
    plot, k = geometry.plot, geometry.type_scale
    painter.setBrush(Qt.BrushStyle.NoBrush)
    frame = pen(theme.line, k)
    frame.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(frame)
    half = k / 2
    painter.drawRect(plot.adjusted(-half, -half, half, half))
    foot, side = plot.bottom() + k, plot.left() - k
    lines = [QLineF(x, foot, x, foot + TICK * k) for x in columns]
    lines += [QLineF(side, y, side - TICK * k, y) for y in rows]
    stroke = pen(theme.muted, k, 0.7)
    stroke.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(stroke)
    painter.drawLines(lines)


def _paint_labels(painter: QPainter, geometry: Geometry, axes: Axes, columns: Floats, rows: Floats) -> float:
    """Draw the labels of both axes and the factors or offsets that they share; return the left end of y's.

    The scale of x is right below its labels, that of y above them.
    """
    plot, k, metrics = geometry.plot, geometry.type_scale, QFontMetricsF(painter.font())
    baseline = plot.bottom() + (1 + TICK + GAP) * k + metrics.ascent()
    for x, label in zip(columns, axes.x.labels):
        wide = metrics.horizontalAdvance(label)
        left = min(max(x - wide / 2, 0.0), geometry.width - wide)
        painter.drawText(QPointF(left, baseline), label)
    edge, reach = plot.left() - (1 + TICK + GAP) * k, plot.left()
    for y, label in zip(rows, axes.y.labels):
        left = edge - metrics.horizontalAdvance(label)
        painter.drawText(QPointF(left, y + metrics.capHeight() / 2), label)
        reach = min(reach, left)
    if axes.x.scale:
        left = plot.right() - metrics.horizontalAdvance(axes.x.scale)
        painter.drawText(QPointF(left, baseline + metrics.height()), axes.x.scale)
    if axes.y.scale:
        painter.drawText(QPointF(EDGE * k, plot.top() - GAP * k - metrics.descent()), axes.y.scale)
    return reach


def _paint_titles(
    painter: QPainter, geometry: Geometry, titles: tuple[str, str], reach: float, beside: float
) -> None:
    """Draw the titles along the middles of the axes, elided; one or two letters of y are upright.

    The title of y is left of the labels; that of x leaves room for the scale of its labels.
    """
    plot, k, metrics = geometry.plot, geometry.type_scale, QFontMetricsF(painter.font())
    low, high = EDGE * k, plot.right() - beside - 8 * k if beside else geometry.width - EDGE * k
    across = metrics.elidedText(titles[0], Qt.TextElideMode.ElideRight, high - low)
    wide = metrics.horizontalAdvance(across)
    left = min(max(plot.center().x() - wide / 2, low), high - wide)
    painter.drawText(QPointF(left, geometry.height - EDGE * k - metrics.descent()), across)
    up = metrics.elidedText(titles[1], Qt.TextElideMode.ElideRight, plot.height())
    long = metrics.horizontalAdvance(up)
    right = reach - 5 * k
    if len(up) <= 2:
        painter.drawText(QPointF(max(right - long, 0.0), plot.center().y() + metrics.xHeight() / 2), up)
        return
    painter.save()
    painter.translate(max(right - metrics.descent(), metrics.ascent()), plot.center().y() + long / 2)
    painter.rotate(-90)
    painter.drawText(QPointF(0, 0), up)
    painter.restore()
