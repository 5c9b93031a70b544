"""Drawing of a diagram on any painter: links, nodes, the highlighted ones, and the line that cuts it."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from vizml.paint.axes import ticks
from vizml.paint.export import Painting, Paper
from vizml.paint.figure import image_of
from vizml.paint.pens import (
    LABEL,
    SMALL,
    SMOOTH,
    colour,
    draw_text,
    font,
    legible_on,
    paint_panel,
    paint_title,
    pen,
    typeface,
)
from vizml.scene import Diagram, Ink, Link, Node, Region, Theme
from vizml.scene.palette import Rgb, contrast, mixed
from vizml.scene.typesetting import typeset
from vizml.ui.charts.diagram_layout import EDGE, LINE, DiagramLayout, PlacedNode, lay_out_diagram

ROUNDING, OUTLINE, RING = 4.0, 1.2, 2.4
"""Radius of a box's corners, and the widths of outlines and of rings around highlighted nodes, in pixels."""
LEAST_EDGE = 0.75
"""Least share of its ink in the outline of a node."""
CIRCLE_TEXT = 0.86
"""Share of a circle's width that text inside it may take."""
PATH_WIDTH, LEAST_WIDTH, TEXT_PADDING = 2.0, 0.5, 3.0
"""Width of highlighted links, least width of links, and the padding of their texts, in pixels."""
TEXT_SCALE, TEXT_LENGTH = 0.65, 15.0
"""Least scale of nodes, and least length of the link between them, for text on the link."""
TICK, TICK_GAP, TICK_ROOM, AXIS = 4.0, 3.0, 34.0, 46.0
"""Of the cut's scale in pixels: length of a tick, distance to its label, room of a tick, and position."""
KNOB, PANEL_PADDING, PANEL_HEIGHT = 5.0, 6.0, 18.0
"""Radius of the cut's knob, and padding and height of the panel of its value, in pixels."""


@dataclass(frozen=True)
class DiagramHighlight:
    """Nodes that are highlighted (under the pointer, selected, on a path), and the state of the cut."""

    hover: str | None = None
    selected: str | None = None
    path: AbstractSet[str] = frozenset()
    on_cut: bool = False
    """Whether the pointer is on the cut."""
    held: float | None = None
    """Height at which the cut is held."""

    def has(self, id: str) -> bool:
        """Whether a node is highlighted."""
        return id in (self.hover, self.selected) or id in self.path


def diagram_painting(diagram: Diagram, paper: Paper, theme: Theme, k: float = 1.0) -> Painting:
    """Return the painting of a whole diagram with its title, for the formats of files."""
    size = QSizeF(paper.width, paper.height)

    def paint(painter: QPainter) -> None:
        layout = lay_out_diagram(diagram, size, k, titled=True)
        painter.fillRect(QRectF(QPointF(), size), colour(theme.ground))
        paint_still(painter, layout, theme, titled=True)
        paint_highlight(painter, layout, theme, DiagramHighlight())

    return paint


def paint_still(painter: QPainter, layout: DiagramLayout, theme: Theme, *, titled: bool) -> None:
    """Draw all that does not follow the pointer."""
    painter.setRenderHints(SMOOTH)
    _paint_links(painter, layout, theme)
    _paint_link_texts(painter, layout, theme)
    paint_nodes(painter, layout, theme)
    _paint_scale(painter, layout, theme)
    edge = EDGE * layout.k
    room = QRectF(edge, 4 * layout.k, layout.size.width() - 2 * edge, 0)
    title = layout.diagram.title if titled else ""
    paint_title(painter, theme, room, title, layout.diagram.note, layout.k)


def paint_highlight(
    painter: QPainter, layout: DiagramLayout, theme: Theme, highlight: DiagramHighlight
) -> None:
    """Draw rings around the highlighted nodes, and the cut, which may be held at a height."""
    painter.setRenderHints(SMOOTH)
    if highlight.path:
        on_path = (link for link in layout.diagram.links if {link.start, link.end} <= highlight.path)
        painter.setPen(_stroke(theme, "accent", PATH_WIDTH * layout.k, 1.0))
        painter.drawLines([line for link in on_path for line in _lines(layout, link)])
    paint_rings(painter, layout, theme, highlight)
    _paint_cut(painter, layout, theme, highlight)


def _paint_links(painter: QPainter, layout: DiagramLayout, theme: Theme) -> None:
    """Draw all links, those of one style at once."""
    k = layout.k
    alike: dict[tuple[Ink, float, float], list[QLineF]] = {}
    for link in layout.diagram.links:
        alike.setdefault((link.ink, link.width, link.opacity), []).extend(_lines(layout, link))
    for (ink, width, opacity), lines in alike.items():
        painter.setPen(_stroke(theme, ink, max(width, LEAST_WIDTH) * k, opacity))
        painter.drawLines(lines)


def _paint_link_texts(painter: QPainter, layout: DiagramLayout, theme: Theme) -> None:
    """Draw the texts of links between nodes with legible texts."""
    k = layout.k
    face, metrics = typeface(SMALL, k)
    painter.setFont(face)
    for link in layout.diagram.links:
        start, end = layout.placed[link.start], layout.placed[link.end]
        if not link.text or not _has_room(start, end):
            continue
        text = typeset(link.text)
        line, high = QLineF(_docking_point(start, end), _docking_point(end, start)), metrics.height()
        drop = line.dy() if end.node.shape == "box" else 0.0
        at = line.pointAt(max(0.5, 1 - high / 2 / max(drop, high)))  # siblings are apart above a box
        wide = metrics.horizontalAdvance(text) + 2 * TEXT_PADDING * k
        rect = QRectF(at.x() - wide / 2, at.y() - high / 2, wide, high)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(theme.ground, 0.85))
        painter.drawRoundedRect(rect, TEXT_PADDING * k, TEXT_PADDING * k)
        painter.setPen(colour(theme.muted))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


def _has_room(start: PlacedNode, end: PlacedNode) -> bool:
    """Whether two nodes are large enough for text on the link between them."""
    whole = all(
        placed.size > TEXT_SCALE and len(placed.texts) == len(placed.node.texts) for placed in (start, end)
    )
    return whole and QLineF(_docking_point(start, end), _docking_point(end, start)).length() > TEXT_LENGTH


def _stroke(theme: Theme, ink: Ink, width: float, opacity: float) -> QPen:
    """Return a pen whose lines meet at a full corner."""
    stroke = pen(theme.stroke(ink), width, opacity)
    stroke.setCapStyle(Qt.PenCapStyle.SquareCap if opacity >= 1 else Qt.PenCapStyle.FlatCap)
    return stroke


def _lines(layout: DiagramLayout, link: Link) -> list[QLineF]:
    """Return a link as one line, or as two that meet at a right angle."""
    start, end = layout.placed[link.start], layout.placed[link.end]
    first, last = _docking_point(start, end), _docking_point(end, start)
    corner = QPointF(last.x(), first.y())
    return [QLineF(first, corner), QLineF(corner, last)] if link.bent else [QLineF(first, last)]


def _docking_point(one: PlacedNode, other: PlacedNode) -> QPointF:
    """Return the end of a link: the middle of a box's upper or lower edge, the middle of other nodes."""
    rect, towards = one.rect, other.rect.center()
    if one.node.shape != "box" or rect.top() <= towards.y() <= rect.bottom():
        return rect.center()
    return QPointF(rect.center().x(), rect.bottom() if towards.y() > rect.bottom() else rect.top())


def paint_nodes(painter: QPainter, layout: DiagramLayout, theme: Theme) -> None:
    """Draw all visible nodes."""
    view = QRectF(QPointF(), layout.size)
    for placed in layout.placed.values():
        if placed.rect.intersects(view):
            _paint_node(painter, placed, theme, layout.k)


def paint_rings(painter: QPainter, layout: DiagramLayout, theme: Theme, highlight: DiagramHighlight) -> None:
    """Draw a ring around each highlighted node, and a glow around the selected one."""
    k = layout.k
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for id, placed in layout.placed.items():
        if not highlight.has(id):
            continue
        if id == highlight.selected:
            painter.setPen(pen(theme.accent, 7 * k, 0.28))
            _outline(painter, placed, k, 3 * k)
        painter.setPen(pen(theme.accent, RING * k))
        _outline(painter, placed, k, 1.5 * k)


def fill_of(node: Node, theme: Theme) -> Rgb:
    """Return the colour inside a node: its ink over the ground, as opaque as its fill."""
    return mixed(theme.ground, theme.colour(node.ink), min(max(node.fill, 0.0), 1.0))


def _paint_node(painter: QPainter, placed: PlacedNode, theme: Theme, k: float) -> None:
    """Draw a node with its texts: inside a box, and inside a circle where they fit, else below."""
    node, words = placed.node, " ".join(placed.texts)
    face = font(SMALL, k * placed.size)
    if node.shape == "picture":
        _paint_picture(painter, placed, theme, k)
    else:
        dot = node.shape == "dot"
        edge = mixed(theme.ground, theme.stroke(node.ink), max(node.fill, LEAST_EDGE))
        painter.setPen(Qt.PenStyle.NoPen if dot else pen(edge, OUTLINE * k))
        painter.setBrush(colour(theme.colour(node.ink) if dot else fill_of(node, theme)))
        _outline(painter, placed, k, 0.0)
    if not words:
        return
    room = placed.rect.width() * CIRCLE_TEXT
    if node.shape == "box":
        _paint_lines(painter, placed, theme, k)
    elif node.shape == "circle" and QFontMetricsF(face).horizontalAdvance(words) <= room:
        painter.setFont(face)
        painter.setPen(colour(legible_on(fill_of(node, theme), theme)))
        painter.drawText(placed.rect, Qt.AlignmentFlag.AlignCenter, words)
    else:
        _paint_below(painter, placed, theme, words, k)


def _outline(painter: QPainter, placed: PlacedNode, k: float, beyond: float) -> None:
    rect = placed.rect.adjusted(-beyond, -beyond, beyond, beyond)
    if placed.node.shape in ("circle", "dot"):
        painter.drawEllipse(rect)
    else:
        corner = min(ROUNDING * k * placed.size + beyond, rect.height() / 2)
        painter.drawRoundedRect(rect, corner, corner)


def _paint_lines(painter: QPainter, placed: PlacedNode, theme: Theme, k: float) -> None:
    """Draw the texts of a box, the first in the text colour, the others muted where that is legible."""
    fill, high = fill_of(placed.node, theme), LINE * k * placed.size
    painter.setFont(font(SMALL, k * placed.size))
    top = placed.rect.center().y() - len(placed.texts) * high / 2
    for number, text in enumerate(placed.texts):
        quiet = number > 0 and contrast(theme.muted, fill) >= 4.5
        painter.setPen(colour(theme.muted if quiet else legible_on(fill, theme)))
        row = QRectF(placed.rect.left(), top + number * high, placed.rect.width(), high)
        painter.drawText(row, Qt.AlignmentFlag.AlignCenter, text)


def _paint_below(painter: QPainter, placed: PlacedNode, theme: Theme, words: str, k: float) -> None:
    rect, wide = placed.rect, QFontMetricsF(font(SMALL, k)).horizontalAdvance(words)
    narrow = rect.width() / max(wide, 1.0) if placed.node.shape == "picture" else 1.0
    face, metrics = typeface(SMALL, k * min(max(narrow, placed.size), 1.0))
    left = rect.center().x() - metrics.horizontalAdvance(words) / 2
    draw_text(painter, face, theme.muted, QPointF(left, rect.bottom() + 2 * k + metrics.ascent()), words)


def _paint_picture(painter: QPainter, placed: PlacedNode, theme: Theme, k: float) -> None:
    node, rect = placed.node, placed.rect
    painter.fillRect(rect, colour(theme.ground))  # links run to its middle, and a thumbnail may be clear
    if node.picture is not None and node.picture.size:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(rect, image_of(Region(node.picture, (0.0, 1.0, 0.0, 1.0))))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(mixed(theme.ground, theme.stroke(node.ink), LEAST_EDGE), OUTLINE * k))
    painter.drawRect(rect)


def _paint_scale(painter: QPainter, layout: DiagramLayout, theme: Theme) -> None:
    """Draw the scale of the cut to the left."""
    cut = layout.diagram.cut
    if cut is None or cut.high == cut.low:
        return
    k, x = layout.k, AXIS * layout.k
    face, metrics = typeface(SMALL, k)
    length = abs(layout.level(0.0) - layout.level(1.0))
    low, high = sorted((cut.low, cut.high))
    scale = ticks(low, high, max(int(length / (TICK_ROOM * k)), 1))
    lines = [QLineF(x, layout.level(0.0), x, layout.level(1.0))]
    for value, label in zip(scale.values.tolist(), scale.labels):
        y = round(layout.level((value - cut.low) / (cut.high - cut.low))) + 0.5
        lines.append(QLineF(x - TICK * k, y, x, y))
        left = x - (TICK + TICK_GAP) * k - metrics.horizontalAdvance(label)
        draw_text(painter, face, theme.muted, QPointF(left, y + metrics.capHeight() / 2), label)
    painter.setPen(pen(theme.muted, k, 0.7))
    painter.drawLines(lines)


def _paint_cut(painter: QPainter, layout: DiagramLayout, theme: Theme, highlight: DiagramHighlight) -> None:
    """Draw the cut at its height, or at the one where it is held, with its value at the right end."""
    cut = layout.diagram.cut
    if cut is None:
        return
    at = cut.y if highlight.held is None else highlight.held
    strong = highlight.on_cut or highlight.held is not None
    k, y = layout.k, layout.level(at)
    left, right = AXIS * k, layout.size.width() - KNOB * k
    painter.setPen(pen(theme.accent, (2.0 if strong else 1.5) * k, stroke="dash"))
    painter.drawLine(QLineF(left, y, right, y))
    painter.setPen(pen(theme.ground, k))
    painter.setBrush(colour(theme.accent))
    knob = (KNOB + strong) * k
    painter.drawEllipse(QPointF(right - KNOB * k, y), knob, knob)
    text = typeset(f"{cut.symbol or cut.sets} {cut.value_at(at):.4g}")
    paint_label(painter, layout, theme, text, QPointF(right - 3 * KNOB * k, y))


def paint_label(painter: QPainter, layout: DiagramLayout, theme: Theme, text: str, end: QPointF) -> None:
    """Draw text left of a point, above the line, or below it where there is no room above."""
    k = layout.k
    face, metrics = typeface(LABEL, k)
    wide, high = metrics.horizontalAdvance(text) + 2 * PANEL_PADDING * k, PANEL_HEIGHT * k
    above = end.y() - high - 3 * k
    rect = QRectF(end.x() - wide, above if above > 0 else end.y() + 3 * k, wide, high)
    paint_panel(painter, theme, rect, k)
    baseline = rect.center().y() + metrics.capHeight() / 2
    draw_text(painter, face, theme.text, QPointF(rect.left() + PANEL_PADDING * k, baseline), text)
