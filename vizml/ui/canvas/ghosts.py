"""What a tool is about to do: symbols of points that are not there yet, rings around those it would take."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from vizml.data.dataset import Floats
from vizml.learn import Task
from vizml.paint import Geometry
from vizml.paint.pens import device_ratio
from vizml.paint.stamps import ring, stamp_all
from vizml.paint.symbols import SIZE, paint_symbol, style_of
from vizml.scene import Theme
from vizml.scene.figure import PLAIN

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
