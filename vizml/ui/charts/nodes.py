"""The nodes of a diagram: boxes with words, circles, dots, thumbnails; and what stands out among them."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from vizml.paint.pens import SMALL, colour, font, measure, pen
from vizml.paint.region import image_of
from vizml.scene import Node, Region, Theme
from vizml.scene.palette import Rgb, contrast, mixed
from vizml.ui.charts.head import readable
from vizml.ui.charts.sizes import LINE
from vizml.ui.charts.sketch import Placed, Sketch, visible

ROUND, OUTLINE = 4.0, 1.2
STRONG = 2.4
EDGE = 0.75
"""How much of its ink the outline of a node has at the least."""
FIT = 0.86


@dataclass(frozen=True)
class Standing:
    """The nodes that stand out: under the pointer, chosen, and those that something else is on."""

    hover: str | None = None
    chosen: str | None = None
    others: AbstractSet[str] = frozenset()

    def strong(self, id: str) -> bool:
        return id in (self.hover, self.chosen) or id in self.others


def paint_nodes(painter: QPainter, sketch: Sketch, theme: Theme) -> None:
    """All nodes in sight."""
    for placed in sketch.placed.values():
        if visible(placed, sketch.size):
            _paint(painter, placed, theme, sketch.k)


def paint_standing(painter: QPainter, sketch: Sketch, theme: Theme, standing: Standing) -> None:
    """A ring of the accent around each node that stands out; around the chosen one, a glow too."""
    k = sketch.k
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for id, placed in sketch.placed.items():
        if not standing.strong(id):
            continue
        if id == standing.chosen:
            painter.setPen(pen(theme.accent, 7 * k, 0.28))
            _outline(painter, placed, k, 3 * k)
        painter.setPen(pen(theme.accent, STRONG * k))
        _outline(painter, placed, k, 1.5 * k)


def fill_of(node: Node, theme: Theme) -> Rgb:
    """The colour inside a node: so much of its ink over the ground."""
    return mixed(theme.ground, theme.colour(node.ink), min(max(node.fill, 0.0), 1.0))


def _paint(painter: QPainter, placed: Placed, theme: Theme, k: float) -> None:
    node = placed.node
    ink = theme.colour(node.ink)
    if node.shape == "picture":
        _paint_picture(painter, placed, theme, k)
        return
    fill = ink if node.shape == "dot" else fill_of(node, theme)
    edge = mixed(theme.ground, theme.stroke(node.ink), max(node.fill, EDGE))
    painter.setPen(Qt.PenStyle.NoPen if node.shape == "dot" else pen(edge, OUTLINE * k))
    painter.setBrush(colour(fill))
    _outline(painter, placed, k, 0.0)
    if node.shape == "box" and placed.texts:
        _paint_lines(painter, placed, theme, k)
    elif node.shape == "circle" and placed.texts:
        _paint_beside(painter, placed, theme, k)
    elif placed.texts:
        _paint_below(painter, placed, theme, " ".join(placed.texts), k)


def _outline(painter: QPainter, placed: Placed, k: float, beyond: float) -> None:
    rect = placed.rect.adjusted(-beyond, -beyond, beyond, beyond)
    if placed.node.shape in ("circle", "dot"):
        painter.drawEllipse(rect)
    else:
        corner = min(ROUND * k * placed.size + beyond, rect.height() / 2)
        painter.drawRoundedRect(rect, corner, corner)


def _paint_lines(painter: QPainter, placed: Placed, theme: Theme, k: float) -> None:
    """The texts of a box, the first one in the text's colour, the others quieter where that can be read."""
    face = font(SMALL, k * placed.size)
    fill = fill_of(placed.node, theme)
    painter.setFont(face)
    high = LINE * k * placed.size
    top = placed.rect.center().y() - len(placed.texts) * high / 2
    for number, text in enumerate(placed.texts):
        quiet = number > 0 and contrast(theme.muted, fill) >= 4.5
        painter.setPen(colour(theme.muted if quiet else readable(fill, theme)))
        row = QRectF(placed.rect.left(), top + number * high, placed.rect.width(), high)
        painter.drawText(row, int(Qt.AlignmentFlag.AlignCenter), text)


def _paint_beside(painter: QPainter, placed: Placed, theme: Theme, k: float) -> None:
    """Words inside a circle where they fit, else below it."""
    face, words = font(SMALL, k * placed.size), " ".join(placed.texts)
    metrics = measure(face)
    painter.setFont(face)
    if metrics.horizontalAdvance(words) <= placed.rect.width() * FIT:
        painter.setPen(colour(readable(fill_of(placed.node, theme), theme)))
        painter.drawText(placed.rect, int(Qt.AlignmentFlag.AlignCenter), words)
        return
    _paint_below(painter, placed, theme, words, k)


def _paint_below(painter: QPainter, placed: Placed, theme: Theme, words: str, k: float) -> None:
    wide = measure(font(SMALL, k)).horizontalAdvance(words)
    narrow = placed.rect.width() / max(wide, 1.0) if placed.node.shape == "picture" else 1.0
    face = font(SMALL, k * min(max(narrow, placed.size), 1.0))
    metrics = measure(face)
    at = QPointF(
        placed.rect.center().x() - metrics.horizontalAdvance(words) / 2,
        placed.rect.bottom() + 2 * k + metrics.ascent(),
    )
    painter.setFont(face)
    painter.setPen(colour(theme.muted))
    painter.drawText(at, words)


def _paint_picture(painter: QPainter, placed: Placed, theme: Theme, k: float) -> None:
    node, rect = placed.node, placed.rect
    painter.fillRect(rect, colour(theme.ground))  # links run to its middle, and a thumbnail may be clear
    if node.picture is not None and node.picture.size:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(rect, image_of(Region(node.picture, (0.0, 1.0, 0.0, 1.0))))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    edge = mixed(theme.ground, theme.stroke(node.ink), EDGE)
    painter.setPen(pen(edge, OUTLINE * k))
    painter.drawRect(rect)
    if placed.texts:
        _paint_below(painter, placed, theme, " ".join(placed.texts), k)
