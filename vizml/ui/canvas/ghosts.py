"""Points that are not there yet: what a tool is about to add, and what one may choose from."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from vizml.data.dataset import Floats
from vizml.learn import Task
from vizml.scene import Theme
from vizml.ui.picture import Geometry
from vizml.ui.picture.symbols import PLAIN, paint_symbol, style_of


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
        paint_symbol(painter, style, x, y, geometry.type_scale)
    painter.restore()
