"""Layout of a diagram in a rectangle: where its nodes lie, and how large they may be without touching."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF
from PySide6.QtGui import QFontMetricsF

from vizml.field.arrays import Floats, Ints
from vizml.paint.pens import SMALL, font, title_height
from vizml.scene import Diagram, Node
from vizml.scene.typesetting import typeset

LINE, PAD_X, PAD_Y = 15.0, 8.0, 4.0
"""Height of a line of text in a box, and the padding around it, in pixels."""
CIRCLE, DOT, PICTURE, BARE = 30.0, 5.0, 84.0, 12.0
"""Sizes of nodes in pixels; BARE is that of a box without its texts."""
GAP, NARROW, LINK = 6.0, 0.2, 8.0
"""Least distance of nodes side by side, or such a share of the distance of their middles if that is less; and
least length of a visible link."""
READABLE = 7.5
"""Smallest legible type, in pixels."""
EDGE, SCALE = 10.0, 44.0
"""Margin around a diagram, and the room of a cut's scale to the left, in pixels."""
MANY = 400
"""With more nodes than this, only neighbours in a row are kept apart."""
TINY = 3.0
"""Least size of a node, in pixels."""
LEVEL = 1e-6
"""Difference of heights up to which nodes are in one row, but for rounding, in pixels."""
NEAR = 0.4
"""Share of the width or height within which a node is near an edge of its diagram."""
PICTURE_GAP = 16.0
"""Most pixels between pictures side by side, and between their texts."""
BELOW = ("dot", "circle", "picture")
"""Shapes whose texts may be below them."""


@dataclass(frozen=True)
class PanZoom:
    """Magnification of a diagram, how much more it is stretched downwards, and the shift in pixels."""

    zoom: float = 1.0
    dx: float = 0.0
    dy: float = 0.0
    stretch: float = 1.0

    def within(self, inner: QRectF) -> PanZoom:
        """Return the nearest view in which the diagram does not leave a rectangle."""
        across = (self.zoom - 1) / 2 * inner.width()
        up = (self.zoom * self.stretch - 1) / 2 * inner.height()
        dx, dy = min(max(self.dx, -across), across), min(max(self.dy, -up), up)
        return replace(self, dx=dx, dy=dy)


WHOLE = PanZoom()
"""The whole diagram, in the middle."""


@dataclass(frozen=True, eq=False)
class PlacedNode:
    """A node in pixels."""

    node: Node
    rect: QRectF
    size: float
    """Scale: 1 is the full size."""
    texts: tuple[str, ...]
    """Texts that are legible at this size."""


@dataclass(frozen=True, eq=False)
class DiagramLayout:
    """A diagram laid out for a size."""

    diagram: Diagram
    size: QSizeF
    k: float
    inner: QRectF
    pan_zoom: PanZoom = WHOLE

    @cached_property
    def places(self) -> Floats:
        """Middles of the nodes (n, 2) in pixels."""
        unit = np.array([(node.x, 1.0 - node.y) for node in self.diagram.nodes]).reshape(-1, 2)
        return self._seen(unit)

    def level(self, y: float) -> float:
        """Return the pixel of a height in the diagram, 0 to 1."""
        return float(self._seen(np.array([[0.0, 1.0 - y]]))[0, 1])

    def height_at(self, pixel: float) -> float:
        """Return the height in the diagram at a pixel."""
        low, high = self.level(0.0), self.level(1.0)
        return (pixel - low) / (high - low)

    @cached_property
    def placed(self) -> Mapping[str, PlacedNode]:
        """Nodes by their ids: with all their texts, or the first, or none, as their row has room."""
        nodes = self.diagram.nodes
        if not nodes:
            return {}
        sizes, lines = self._sizes(nodes)
        return {
            node.id: self._place(node, at, size, texts)
            for node, at, size, texts in zip(nodes, self.places, sizes, lines)
        }

    def node_at(self, x: float, y: float) -> str | None:
        """Return the id of the node under a place in pixels, or close to it."""
        reach, at = 4.0 * self.k, QPointF(x, y)
        near = [
            (QLineF(placed.rect.center(), at).length(), id)
            for id, placed in self.placed.items()
            if placed.rect.adjusted(-reach, -reach, reach, reach).contains(at)
        ]
        return min(near)[1] if near else None

    def _seen(self, unit: Floats) -> Floats:
        """Map positions in the unit square, y downwards, to pixels of the magnified diagram."""
        inner, view = self.inner, self.pan_zoom
        size = np.array([inner.width(), inner.height()])
        zoom = view.zoom * np.array([1.0, view.stretch])
        moved = (unit * size - size / 2) * zoom + size / 2 + (view.dx, view.dy)
        return np.asarray(moved + np.array([inner.left(), inner.top()]))

    def _sizes(self, nodes: tuple[Node, ...]) -> tuple[Floats, list[tuple[str, ...]]]:
        """Return the scale of each node, and its texts."""
        scale = np.full(len(nodes), -1.0)
        texts: list[tuple[str, ...]] = [()] * len(nodes)
        for count in (None, 1):
            given = [tuple(map(typeset, node.texts[:count])) for node in nodes]
            fitting = self._together(self._limits(nodes, given), nodes)
            readable = (fitting * SMALL * self.k >= READABLE) & (scale < 0)
            for index in np.flatnonzero(readable).tolist():
                scale[index], texts[index] = fitting[index], given[index]
        if self._crowded(nodes):
            texts = [() if node.shape == "dot" else given for node, given in zip(nodes, texts)]
        bare = self._together(self._limits(nodes, texts), nodes)
        return np.where(scale < 0, bare, np.minimum(scale, bare)), texts

    def _crowded(self, nodes: tuple[Node, ...]) -> bool:
        """Whether the texts below dots would overlap."""
        labelled = [index for index, node in enumerate(nodes) if node.shape == "dot" and node.texts]
        words = ((" ".join(nodes[index].texts),) for index in labelled)
        widest = max((text_width(line, self.k) for line in words), default=0.0)
        gaps = np.diff(np.sort(self.places[labelled, 0]))
        return bool(gaps.min(initial=np.inf) < widest + 3 * self.k)

    def _limits(self, nodes: tuple[Node, ...], texts: list[tuple[str, ...]]) -> Floats:
        """Return the factor (1 at most) by which each node must shrink to leave a gap to each other one.

        Where all links go down, nodes shrink until each link is visible.
        """
        sizes = np.array([full_size(node, given, self.k) for node, given in zip(nodes, texts)])
        limits, (first, second), (upper, lower) = np.ones(len(sizes)), self._neighbours(), self._ends.T
        apart = np.abs(self.places[first] - self.places[second])
        apart -= np.minimum(GAP * self.k, NARROW * apart)
        aside = (apart / ((sizes[first] + sizes[second]) / 2)).max(axis=1, initial=0.0)
        pairs = [(first, second, aside)]
        drop = self.places[lower, 1] - self.places[upper, 1]
        if (drop > LEVEL).all():
            half = (sizes[upper, 1] + sizes[lower, 1]) / 2
            pairs.append((upper, lower, (drop - LINK * self.k) / half))
        for one, other, share in pairs:
            np.minimum.at(limits, one, np.clip(share, 0.0, 1.0))
            np.minimum.at(limits, other, np.clip(share, 0.0, 1.0))
        return limits

    def _neighbours(self) -> tuple[Ints, Ints]:
        """Return the pairs of nodes that might touch: all, or of many the neighbours in a row."""
        places = self.places
        if len(places) <= MANY:
            return np.triu_indices(len(places), 1)
        order = np.lexsort((places[:, 0], places[:, 1]))
        same = np.diff(places[order, 1]) < 1.0
        return order[:-1][same], order[1:][same]

    @cached_property
    def _ends(self) -> Ints:
        """Indices of the nodes (m, 2) that links start and end at."""
        number = {node.id: index for index, node in enumerate(self.diagram.nodes)}
        links = [(number[link.start], number[link.end]) for link in self.diagram.links]
        return np.array(links, dtype=np.int64).reshape(-1, 2)

    def _together(self, limits: Floats, nodes: tuple[Node, ...]) -> Floats:
        """Give the boxes of a row one scale, as well as all circles, and all pictures."""
        keys = [node.shape if node.shape != "box" else f"{node.y:.3f}" for node in nodes]
        least: dict[str, float] = {}
        for key, limit in zip(keys, limits.tolist()):
            least[key] = min(least.get(key, 1.0), limit)
        return np.array([least[key] for key in keys])

    def _place(self, node: Node, at: Floats, size: float, texts: tuple[str, ...]) -> PlacedNode:
        wide, high = shape_size(node, texts, self.k) * size
        wide, high = max(wide, TINY * self.k), max(high, TINY * self.k)
        rect = QRectF(QPointF(at[0] - wide / 2, at[1] - high / 2), QSizeF(wide, high))
        return PlacedNode(node, rect, size, texts)


def lay_out_diagram(
    diagram: Diagram, size: QSizeF, k: float, pan_zoom: PanZoom = WHOLE, *, titled: bool = False
) -> DiagramLayout:
    """Lay out a diagram for a size, below its title and note; the outermost nodes stay whole."""
    above = title_height(diagram.title if titled else "", diagram.note, k)
    room = QRectF(QPointF((EDGE + SCALE * (diagram.cut is not None)) * k, above + EDGE * k), size)
    room.setBottomRight(QPointF(size.width() - EDGE * k, size.height() - EDGE * k))
    diagram = arrange_pictures(diagram, room, k)
    largest = _overhang(((node, node.texts, 1.0) for node in diagram.nodes), room, k)
    upright = PanZoom(stretch=pan_zoom.stretch)
    first = DiagramLayout(diagram, size, k, _within(room, *largest), upright).placed.values()
    inner = _within(room, *_overhang(((each.node, each.texts, each.size) for each in first), room, k))
    return DiagramLayout(diagram, size, k, inner, pan_zoom.within(inner))


def readable(diagram: Diagram, size: QSizeF, k: float) -> PanZoom:
    """Return the view from the top in which the rows of a tree leave room for a line of text in its boxes."""
    y = {node.id: node.y for node in diagram.nodes if node.shape == "box"}
    drop = min((y.get(link.start, 0.0) - y.get(link.end, 1.0) for link in diagram.links), default=0.0)
    row, height = (LINE + 2 * PAD_Y + LINK) * k, size.height() - (2 * EDGE + LINE) * k
    if drop <= 0 or drop * height >= row:
        return WHOLE
    return PanZoom(stretch=row / (drop * max(height, row)), dy=math.inf)


def _within(room: QRectF, across: float, up: float) -> QRectF:
    """Shrink a rectangle by a margin, to half its size at the least."""
    x, y = min(across, room.width() / 4), min(up, room.height() / 4)
    return QRectF(
        room.left() + x, room.top() + y, max(room.width() - 2 * x, 1.0), max(room.height() - 2 * y, 1.0)
    )


def _overhang(
    nodes: Iterable[tuple[Node, tuple[str, ...], float]], room: QRectF, k: float
) -> tuple[float, float]:
    """Return the margins of a rectangle that keep nodes with such texts and scales within it."""
    nodes = list(nodes)
    sizes = np.array([shape_size(node, texts, k) * scale / 2 for node, texts, scale in nodes]).reshape(-1, 2)
    at = np.array([(node.x, node.y) for node, *_ in nodes]).reshape(-1, 2)
    edge = np.minimum(np.minimum(at, 1 - at), NEAR)
    beyond = (sizes - edge * (room.width(), room.height())) / (1 - 2 * edge)
    across, up = np.where(edge < NEAR, beyond, 0.0).max(axis=0, initial=0.0).tolist()
    return across, up + LINE * k * any(node.shape in BELOW and texts for node, texts, _ in nodes)


def full_size(node: Node, texts: tuple[str, ...], k: float) -> Floats:
    """Return width and height of a node at its full size, with the text below a picture."""
    below = LINE * k if node.shape == "picture" and texts else 0.0
    return np.asarray(shape_size(node, texts, k) + np.array([0.0, below]))


def shape_size(node: Node, texts: tuple[str, ...], k: float) -> Floats:
    """Return width and height of a node at its full size, without text below it, in pixels."""
    if node.shape == "dot":
        return np.full(2, DOT * k)
    if node.shape == "circle":
        return np.full(2, CIRCLE * k)
    if node.shape == "picture":
        shape = node.picture.shape if node.picture is not None else (1, 1)
        longest = max(shape[:2])
        return np.array([shape[1] / longest, shape[0] / longest]) * PICTURE * k
    if not texts:
        return np.full(2, BARE * k)
    return np.array([text_width(texts, k) + 2 * PAD_X * k, (len(texts) * LINE + 2 * PAD_Y) * k])


@lru_cache(maxsize=4096)
def text_width(texts: tuple[str, ...], k: float) -> float:
    """Return the width of the longest line."""
    metrics = QFontMetricsF(font(SMALL, k))
    return max(metrics.horizontalAdvance(text) for text in texts)


def arrange_pictures(diagram: Diagram, room: QRectF, k: float) -> Diagram:
    """Arrange unlinked pictures in the columns that make them largest; leave other diagrams as they are."""
    nodes = diagram.nodes
    if not nodes or diagram.links or any(node.shape != "picture" for node in nodes):
        return diagram
    cell = np.max([full_size(node, node.texts, k) for node in nodes], axis=0)
    across, size = _columns(len(nodes), cell, room, k)
    down = -(-len(nodes) // across)
    labels = max(text_width(node.texts, k) if node.texts else 0.0 for node in nodes)
    wide = max(shape_size(nodes[0], (), k)[0] * size, labels) + PICTURE_GAP * k
    pitch = min(wide, room.width() / across) / max(room.width(), 1.0)
    places = [(place % across - (across - 1) / 2, place // across) for place in range(len(nodes))]
    moved = (
        replace(node, x=0.5 + column * pitch, y=1.0 - (row + 0.5) / down)
        for node, (column, row) in zip(nodes, places, strict=True)
    )
    return replace(diagram, nodes=tuple(moved))


def _columns(count: int, cell: np.ndarray, room: QRectF, k: float) -> tuple[int, float]:
    """Return the number of columns that makes pictures largest, and their scale then."""
    best = 1, 0.0
    for across in range(1, count + 1):
        each = np.array([room.width() / across, room.height() / -(-count // across)])
        size = min(float(((each - PICTURE_GAP / 2 * k) / cell).min()), 1.0)
        if size > best[1] + 1e-9 or size >= 1.0:
            best = across, size
    return best
