"""Invitation on an empty canvas, drop target, focus frame, and previews of points."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from vizml.data import MAX_CLASSES
from vizml.data.dataset import Floats
from vizml.learn import Task
from vizml.paint import Geometry
from vizml.paint.pens import colour, device_ratio, font, pen
from vizml.paint.symbol_atlas import ring, stamp_all
from vizml.paint.symbols import SIZE, paint_symbol, style_of
from vizml.scene import Theme
from vizml.scene.figure import PLAIN
from vizml.scene.palette import Rgb

AIR, WIDTH = 4.5, 2.0
"""How far a ring is from its symbol, and how wide."""


def kind_of(label: int, task: Task) -> int:
    """The symbol of a new point: its class's, or the plain one where a task knows no classes."""
    if task is Task.CLASSIFY:
        return label
    return -1 if task is Task.CLUSTER else PLAIN


def paint_ghosts(
    painter: QPainter, geometry: Geometry, theme: Theme, places: Floats, kind: int, opacity: float
) -> None:
    """Symbols at places in pixels, translucent."""
    style = style_of(kind, theme)
    painter.save()
    painter.setOpacity(opacity)
    for x, y in places.tolist():
        paint_symbol(painter, style, x, y, geometry.symbol_scale)
    painter.restore()


def paint_rings(painter: QPainter, geometry: Geometry, theme: Theme, places: Floats) -> None:
    """A ring around each point at these places in pixels."""
    k, ratio = geometry.type_scale, device_ratio(painter)
    radius = SIZE / 2 * geometry.symbol_scale + AIR * k
    stamp_all(painter, ring(radius, WIDTH * k, theme.accent, 1.0, ratio), places, ratio)


INVITATION = "Click to add points"
NEXT = {
    Task.CLASSIFY: "1-8 picks the class. Or Data > Moons.",
    Task.REGRESS: "A curve will follow them. Or Data > Sine.",
    Task.CLUSTER: "They need no class. Or Data > Blobs.",
    Task.DENSITY: "They need no class. Or Data > Blobs.",
}
LARGE, SMALL = 20, 14
"""Pixels of the two lines at the ordinary size of type."""
RADIUS = 6.0
GAP, BELOW, FAINT = 26, 40, 0.6
WIDE, HIGH = 310, 150
"""The room that words of the ordinary size need."""


def paint_invitation(painter: QPainter, geometry: Geometry, theme: Theme, task: Task) -> None:
    """What to do with an empty plane, in its middle; under it the classes that there are to pick."""
    _paint_lines(painter, geometry, (INVITATION, NEXT[task]), (theme.text, theme.muted))
    if task is Task.CLASSIFY:
        _paint_classes(painter, geometry, theme)


def paint_welcome(painter: QPainter, geometry: Geometry, theme: Theme, names: str) -> None:
    """A frame and words while files are held over the canvas."""
    painter.fillRect(geometry.plot, colour(theme.ground, 0.85))
    painter.setPen(pen(theme.accent, 2.0, stroke="dash"))
    painter.setBrush(colour(theme.accent, 0.08))
    painter.drawRoundedRect(geometry.plot.adjusted(10, 10, -10, -10), RADIUS, RADIUS)
    _paint_lines(painter, geometry, ("Drop to open", names), (theme.accent, theme.muted))


def paint_focus(painter: QPainter, geometry: Geometry, theme: Theme) -> None:
    """A ring around the plot while the keyboard works on it."""
    painter.setPen(pen(theme.accent, 2.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(geometry.plot.adjusted(-1, -1, 1, 1))


def _scale(geometry: Geometry) -> float:
    """That of the type, as far as the words fit in."""
    return min(geometry.type_scale, geometry.plot.width() / WIDE, geometry.plot.height() / HIGH)


def _paint_classes(painter: QPainter, geometry: Geometry, theme: Theme) -> None:
    """The symbols of all classes, faint, side by side."""
    middle, k = geometry.plot.center(), _scale(geometry)
    for label in range(MAX_CLASSES):
        x = middle.x() + (label - (MAX_CLASSES - 1) / 2) * GAP * k
        paint_ghosts(painter, geometry, theme, np.array([[x, middle.y() + BELOW * k]]), label, FAINT)


def _paint_lines(
    painter: QPainter, geometry: Geometry, lines: tuple[str, str], colours: tuple[Rgb, Rgb]
) -> None:
    plot, k = geometry.plot, _scale(geometry)
    y = plot.center().y() - 2.2 * LARGE * k
    for text, size, rgb in zip(lines, (LARGE, SMALL), colours):
        painter.setFont(font(size, k))
        painter.setPen(colour(rgb))
        box = QRectF(plot.left() + 8, y, plot.width() - 16, 1.6 * size * k)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        y += box.height()
