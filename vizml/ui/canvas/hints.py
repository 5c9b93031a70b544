"""Words and frames over the plot: the invitation of an empty plane, the welcome of a drop, the focus ring."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from vizml.data import MAX_CLASSES
from vizml.learn import Task
from vizml.scene import Theme
from vizml.ui.canvas.ghosts import paint_ghosts
from vizml.ui.picture import Geometry

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


def paint_invitation(painter: QPainter, geometry: Geometry, theme: Theme, task: Task) -> None:
    """What to do with an empty plane, in its middle; under it the classes that there are to pick."""
    _paint_lines(painter, geometry, (INVITATION, NEXT[task]), (theme.text, theme.muted))
    if task is Task.CLASSIFY:
        _paint_classes(painter, geometry, theme)


def paint_welcome(painter: QPainter, geometry: Geometry, theme: Theme, names: str) -> None:
    """A frame and words while files are held over the canvas."""
    plot = geometry.plot
    veil = QColor(*theme.ground)
    veil.setAlphaF(0.85)
    painter.fillRect(plot, veil)
    painter.setPen(QPen(QColor(*theme.accent), 2.0, Qt.PenStyle.DashLine))
    tint = QColor(*theme.accent)
    tint.setAlphaF(0.08)
    painter.setBrush(tint)
    painter.drawRoundedRect(plot.adjusted(10, 10, -10, -10), RADIUS, RADIUS)
    _paint_lines(painter, geometry, ("Drop to open", names), (theme.accent, theme.muted))


def paint_focus(painter: QPainter, geometry: Geometry, theme: Theme) -> None:
    """A ring around the plot while the keyboard works on it."""
    painter.setPen(QPen(QColor(*theme.accent), 2.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(geometry.plot.adjusted(-1, -1, 1, 1))


def _paint_classes(painter: QPainter, geometry: Geometry, theme: Theme) -> None:
    """The symbols of all classes, faint, side by side."""
    middle, k = geometry.plot.center(), geometry.type_scale
    for label in range(MAX_CLASSES):
        x = middle.x() + (label - (MAX_CLASSES - 1) / 2) * GAP * k
        paint_ghosts(painter, geometry, theme, np.array([[x, middle.y() + BELOW * k]]), label, FAINT)


def _paint_lines(
    painter: QPainter, geometry: Geometry, lines: tuple[str, str], colours: tuple[tuple[int, int, int], ...]
) -> None:
    middle, k = geometry.plot.center(), geometry.type_scale
    font = QFont(painter.font())
    y = middle.y() - LARGE * k * 2.2
    for text, pixels, colour in zip(lines, (LARGE, SMALL), colours):
        font.setPixelSize(round(pixels * k))
        painter.setFont(font)
        painter.setPen(QColor(*colour))
        box = QRectF(geometry.plot.left() + 8, y, geometry.plot.width() - 16, pixels * k * 1.6)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        y += box.height()
