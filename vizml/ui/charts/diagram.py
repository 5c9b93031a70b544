"""A diagram onto any painter: the same drawing for a dock, PNG, SVG and PDF."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QPainter

from vizml.scene import Diagram, Theme
from vizml.ui.charts.cut import paint_cut, paint_scale
from vizml.ui.charts.head import height, paint_head
from vizml.ui.charts.links import paint_links, paint_ways, paint_words
from vizml.ui.charts.nodes import Standing, paint_nodes, paint_standing
from vizml.ui.charts.sketch import EDGE, Aim, Sketch, sketch

NOBODY = Standing()


def paint_diagram(
    painter: QPainter,
    diagram: Diagram,
    theme: Theme,
    rect: QRectF,
    type_scale: float = 1.0,
    *,
    standing: Standing = NOBODY,
    titled: bool = True,
) -> None:
    """Draw a diagram into a rectangle."""
    laid = draft(diagram, rect.size(), type_scale, titled=titled)
    painter.save()
    painter.translate(rect.topLeft())
    paint_still(painter, laid, theme, titled=titled)
    paint_moving(painter, laid, theme, standing, None, strong=False)
    painter.restore()


def draft(
    diagram: Diagram, size: QSizeF, k: float, aim: Aim | None = None, *, titled: bool = False
) -> Sketch:
    """Lay a diagram out below its title and its note."""
    return sketch(diagram, size, k, aim, height(diagram.title if titled else "", diagram.note, k))


def paint_still(painter: QPainter, laid: Sketch, theme: Theme, *, titled: bool) -> None:
    """All but what follows the hand."""
    _smooth(painter)
    paint_links(painter, laid, theme)
    paint_words(painter, laid, theme)
    paint_nodes(painter, laid, theme)
    paint_scale(painter, laid, theme)
    edge = EDGE * laid.k
    room = QRectF(edge, 4 * laid.k, laid.size.width() - 2 * edge, 0)
    paint_head(painter, theme, room, laid.diagram.title if titled else "", laid.diagram.note, laid.k)


def paint_moving(
    painter: QPainter, laid: Sketch, theme: Theme, standing: Standing, held: float | None, *, strong: bool
) -> None:
    """The nodes that stand out, and the cut."""
    _smooth(painter)
    if standing.others:
        paint_ways(painter, laid, theme, standing)
    paint_standing(painter, laid, theme, standing)
    paint_cut(painter, laid, theme, held, strong=strong)


def _smooth(painter: QPainter) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
