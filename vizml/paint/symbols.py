"""The eight shapes of points as paths of equal area, and how points of a class are coloured and outlined."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPen, QPolygonF

from vizml.field.arrays import Floats
from vizml.paint.pens import colour, pen
from vizml.scene import CLASSES, Theme
from vizml.scene.figure import PLAIN, Fill
from vizml.scene.palette import Rgb, Shape, mixed

SIZE = 9.0
"""The diameter of the circle whose area all shapes have, in logical pixels."""
HALO, OUTLINE = 0.9, 1.1
EMPTY, DOT = 0.58, 0.3
"""Sizes of the hole in a held-out point and of the dot in a test point, as shares of the symbol's size."""
ARM, WAIST = 0.36, 0.5
"""Width of the arms of plus and cross, and radius of a star's inner corners, as shares of their size."""


@dataclass(frozen=True)
class Style:
    """Shape, colours and size of the symbol of a point."""

    shape: Shape
    fill: Rgb
    outline: Rgb
    halo: Rgb
    size: float
    weight: float = OUTLINE
    rim: float = HALO
    """Widths of the outline and of the halo around it."""


def style_of(label: int, theme: Theme) -> Style:
    """Return the style of a class; unlabelled points are grey, plain ones as the text, both smaller."""
    dark = theme.name == "dark"
    if label < 0:
        fill = theme.muted if label > PLAIN else mixed(theme.text, theme.ground, 0.25)
        edge = mixed(fill, theme.ground, 0.0 if dark else 0.35)
        return Style("circle", fill, edge, theme.ground, SIZE * 0.82)
    style = CLASSES[label % len(CLASSES)]
    outline = mixed(style.colour, theme.text, 0.55) if dark else mixed(style.colour, (0, 0, 0), 0.45)
    return Style(style.shape, style.colour, outline, theme.ground, SIZE)


@cache
def corners(shape: Shape) -> Floats:
    """Return the corners of a polygonal shape whose area is that of a circle of diameter 1."""
    around = _RAW[shape]()
    x, y = around.T
    area = 0.5 * abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))
    return np.asarray(around * math.sqrt(math.pi / 4 / area))


def outline_of(shape: Shape, size: float) -> QPainterPath:
    """Return a shape as a path around the origin."""
    path = QPainterPath()
    if shape == "circle":
        path.addEllipse(QPointF(0, 0), size / 2, size / 2)
        return path
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in (corners(shape) * size).tolist()]))
    path.closeSubpath()
    return path


def paint_symbol(
    painter: QPainter, style: Style, x: float, y: float, scale: float = 1.0, inside: int = Fill.FILLED
) -> None:
    """Draw a symbol: halo, outline and fill; a hole for held-out points, and a dot in it for test points."""
    path = outline_of(style.shape, style.size * scale).translated(x, y)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_mitred(pen(style.halo, (style.weight + 2 * style.rim) * scale, 0.85)))
    painter.drawPath(path)
    painter.setPen(_mitred(pen(style.outline, style.weight * scale)))
    painter.setBrush(QBrush(colour(style.fill)))
    painter.drawPath(path)
    if inside == Fill.FILLED:
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(colour(style.halo)))
    painter.drawPath(outline_of(style.shape, style.size * scale * EMPTY).translated(x, y))
    if inside == Fill.DOTTED:
        painter.setBrush(QBrush(colour(style.outline)))
        painter.drawEllipse(QPointF(x, y), style.size * scale * DOT / 2, style.size * scale * DOT / 2)


def _mitred(made: QPen) -> QPen:
    """Return a pen with sharp corners."""
    made.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    made.setMiterLimit(3.0)
    return made


def _regular(count: int, turn: float = 0.0) -> Floats:
    angles = np.arange(count) * (2 * math.pi / count) - math.pi / 2 + turn
    return np.column_stack([np.cos(angles), np.sin(angles)])


def _plus() -> Floats:
    a = ARM
    quarter = np.array([(a, 1.0), (a, a), (1.0, a)])
    around = [quarter, quarter[::-1] * (1, -1), quarter * (-1, -1), quarter[::-1] * (-1, 1)]
    return np.concatenate(around)


def _cross() -> Floats:
    half = math.sqrt(0.5)
    return np.asarray(_plus() @ np.array([[half, half], [-half, half]]))


def _star() -> Floats:
    around = np.empty((10, 2))
    around[0::2] = _regular(5)
    around[1::2] = _regular(5, math.pi / 5) * WAIST
    return around


_RAW: dict[Shape, Callable[[], Floats]] = {
    "square": lambda: _regular(4, math.pi / 4),
    "triangle": lambda: _regular(3),
    "diamond": lambda: _regular(4) * (0.86, 1.0),
    "plus": _plus,
    "cross": _cross,
    "star": _star,
    "pentagon": lambda: _regular(5),
}
