"""Hint on an empty canvas, drop target, focus frame, and previews of points."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from vizml.data import MAX_CLASSES
from vizml.field.arrays import Floats
from vizml.learn import Task
from vizml.paint import Geometry
from vizml.paint.pens import colour, font, pen
from vizml.paint.symbols import SIZE, paint_symbol, ring, stamp, style_of
from vizml.scene import Theme
from vizml.scene.palette import Rgb

INVITATION = "Click to add points"
RING_GAP, RING_WIDTH = 4.5, 2.0
"""Pixels between a symbol and the ring around it, and width of the ring."""
LARGE, SMALL = 20, 14
"""Pixels of the two lines at the normal type size."""
RADIUS = 6.0
SYMBOL_SPACING, SYMBOLS_BELOW, FAINT = 26, 40, 0.6
TEXT_WIDTH, TEXT_HEIGHT = 310, 150
"""Room that the text needs at the normal type size."""


def paint_symbols(
    painter: QPainter, geometry: Geometry, theme: Theme, pixels: Floats, kind: int, opacity: float
) -> None:
    """Paint translucent symbols at positions in pixels."""
    style = style_of(kind, theme)
    painter.save()
    painter.setOpacity(opacity)
    for x, y in pixels.tolist():
        paint_symbol(painter, style, x, y, geometry.symbol_scale)
    painter.restore()


def paint_rings(painter: QPainter, geometry: Geometry, theme: Theme, pixels: Floats) -> None:
    """Paint a ring around each point at positions in pixels."""
    scale, ratio = geometry.type_scale, painter.device().devicePixelRatioF()
    radius = SIZE / 2 * geometry.symbol_scale + RING_GAP * scale
    stamp(painter, ring(radius, RING_WIDTH * scale, theme.accent, 1.0, ratio), pixels)


def paint_hint(painter: QPainter, geometry: Geometry, theme: Theme, task: Task) -> None:
    """Paint the first steps in the centre of an empty canvas, and the symbols of the classes below."""
    _paint_lines(painter, geometry, (INVITATION, task.hint), (theme.text, theme.muted))
    if task.point_colours == "class":
        centre, scale = geometry.plot.center(), _scale(geometry)
        for label in range(MAX_CLASSES):
            x = centre.x() + (label - (MAX_CLASSES - 1) / 2) * SYMBOL_SPACING * scale
            position = np.array([[x, centre.y() + SYMBOLS_BELOW * scale]])
            paint_symbols(painter, geometry, theme, position, label, FAINT)


def paint_drop_target(painter: QPainter, geometry: Geometry, theme: Theme, names: str) -> None:
    """Paint a frame and a text while files are dragged over the canvas."""
    painter.fillRect(geometry.plot, colour(theme.ground, 0.85))
    painter.setPen(pen(theme.accent, 2.0, stroke="dash"))
    painter.setBrush(colour(theme.accent, 0.08))
    painter.drawRoundedRect(geometry.plot.adjusted(10, 10, -10, -10), RADIUS, RADIUS)
    _paint_lines(painter, geometry, ("Drop to open", names), (theme.accent, theme.muted))


def paint_focus(painter: QPainter, geometry: Geometry, theme: Theme) -> None:
    """Paint a frame around the plot while the keyboard works on it."""
    painter.setPen(pen(theme.accent, 2.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(geometry.plot.adjusted(-1, -1, 1, 1))


def _scale(geometry: Geometry) -> float:
    """Return the type scale, reduced where the text would not fit."""
    plot = geometry.plot
    return min(geometry.type_scale, plot.width() / TEXT_WIDTH, plot.height() / TEXT_HEIGHT)


def _paint_lines(
    painter: QPainter, geometry: Geometry, lines: tuple[str, str], colours: tuple[Rgb, Rgb]
) -> None:
    plot, scale = geometry.plot, _scale(geometry)
    y = plot.center().y() - 2.2 * LARGE * scale
    for text, size, rgb in zip(lines, (LARGE, SMALL), colours):
        painter.setFont(font(size, scale))
        painter.setPen(colour(rgb))
        box = QRectF(plot.left() + 8, y, plot.width() - 16, 1.6 * size * scale)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        y += box.height()
