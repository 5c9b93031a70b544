"""Where the nodes of a diagram lie in a rectangle, and how large they may be without touching one another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF

from vizml.data.dataset import Floats, Ints, Mask
from vizml.paint.letters import typeset
from vizml.paint.pens import SMALL, font, measure
from vizml.scene import Diagram, Node
from vizml.ui.charts.sizes import LINE, natural, room_of
from vizml.ui.charts.strip import arranged

GAP, NARROW, LINK = 6.0, 0.2, 8.0
"""The least distances of nodes side by side, less where that is more than such a share of what there is; and
that of boxes below one another."""
READABLE = 7.5
"""The smallest type that is worth drawing, in pixels."""
EDGE, SCALE = 10.0, 44.0
"""Air around a diagram, and what the scale of a cut takes to the left."""
MANY = 400
"""With more nodes than this, only those next to one another in a row are kept apart."""
TINY = 3.0
BELOW = ("dot", "circle", "picture")
"""Shapes whose words may stand below them."""


@dataclass(frozen=True)
class Aim:
    """What part of a diagram is looked at: how much it is enlarged, and where its middle is moved to."""

    zoom: float = 1.0
    dx: float = 0.0
    dy: float = 0.0


@dataclass(frozen=True, eq=False)
class Placed:
    """A node in pixels."""

    node: Node
    rect: QRectF
    size: float
    """Its scale: 1 at its full size."""
    texts: tuple[str, ...]
    """Those that can be read at this size."""


@dataclass(frozen=True, eq=False)
class Sketch:
    """A diagram laid out for a size."""

    diagram: Diagram
    size: QSizeF
    k: float
    inner: QRectF
    aim: Aim = field(default_factory=Aim)

    @cached_property
    def places(self) -> Floats:
        """The middles of the nodes (n, 2) in pixels."""
        unit = np.array([(node.x, 1.0 - node.y) for node in self.diagram.nodes]).reshape(-1, 2)
        return self._seen(unit)

    def level(self, y: float) -> float:
        """The pixel of a height in the diagram, 0 to 1."""
        return float(self._seen(np.array([[0.0, 1.0 - y]]))[0, 1])

    def height_at(self, pixel: float) -> float:
        """The height in the diagram at a pixel."""
        low, high = self.level(0.0), self.level(1.0)
        return (pixel - low) / (high - low)

    @cached_property
    def placed(self) -> Mapping[str, Placed]:
        """The nodes by their ids: with all of their texts, or the first, or none, as their row has room."""
        nodes = self.diagram.nodes
        if not nodes:
            return {}
        sizes, lines = self._sizes(nodes)
        return {
            node.id: self._place(node, at, size, texts)
            for node, at, size, texts in zip(nodes, self.places, sizes, lines)
        }

    def node_at(self, x: float, y: float) -> str | None:
        """The node under a place in pixels, or close to it."""
        reach, best = 4.0 * self.k, None
        for id, placed in self.placed.items():
            near = placed.rect.adjusted(-reach, -reach, reach, reach)
            if near.contains(x, y):
                centre = placed.rect.center()
                distance = float(np.hypot(centre.x() - x, centre.y() - y))
                if best is None or distance < best[0]:
                    best = distance, id
        return best[1] if best else None

    def _seen(self, unit: Floats) -> Floats:
        """Places of the unit square, y downwards, in pixels of what is looked at."""
        inner, aim = self.inner, self.aim
        flat = unit * (inner.width(), inner.height())
        middle = np.array([inner.width() / 2, inner.height() / 2])
        moved = (flat - middle) * aim.zoom + middle + (aim.dx, aim.dy)
        return np.asarray(moved + np.array([inner.left(), inner.top()]))

    def _sizes(self, nodes: tuple[Node, ...]) -> tuple[Floats, list[tuple[str, ...]]]:
        """The scale of each node, and its texts."""
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
        """Whether the words below dots would run into one another."""
        told = [index for index, node in enumerate(nodes) if node.shape == "dot" and node.texts]
        metrics = measure(font(SMALL, self.k))
        widest = max((metrics.horizontalAdvance(" ".join(nodes[index].texts)) for index in told), default=0.0)
        apart = np.diff(np.sort(self.places[told, 0]))
        return bool(len(apart)) and float(apart.min()) < widest + 3 * self.k

    def _limits(self, nodes: tuple[Node, ...], texts: list[tuple[str, ...]]) -> Floats:
        """By how much each node must shrink (never grow) to leave a gap to each other one."""
        sizes = np.array([room_of(node, given, self.k) for node, given in zip(nodes, texts)])
        limits = self._below(sizes)
        first, second = self._neighbours()
        apart = np.abs(self.places[first] - self.places[second])
        apart -= np.minimum(GAP * self.k, NARROW * apart)
        half = (sizes[first] + sizes[second]) / 2
        each = np.clip((apart / half).max(axis=1, initial=0.0), 0.0, 1.0)
        np.minimum.at(limits, first, each)
        np.minimum.at(limits, second, each)
        return limits

    def _neighbours(self) -> tuple[Ints, Ints]:
        """The pairs of nodes that might touch: all, or of many those side by side in a row."""
        places = self.places
        if len(places) <= MANY:
            return np.triu_indices(len(places), 1)
        order = np.lexsort((places[:, 0], places[:, 1]))
        same = np.diff(places[order, 1]) < 1.0
        return order[:-1][same], order[1:][same]

    def _below(self, sizes: Floats) -> Floats:
        """Where all links go down, by how much nodes must shrink for something of each link to be seen."""
        links, limits = self._ends, np.ones(len(sizes))
        drop = self.places[links[:, 1], 1] - self.places[links[:, 0], 1]
        if len(links) and (drop > 0).all():
            half = (sizes[links[:, 0], 1] + sizes[links[:, 1], 1]) / 2
            each = np.clip((drop - LINK * self.k) / half, 0.0, 1.0)
            np.minimum.at(limits, links[:, 0], each)
            np.minimum.at(limits, links[:, 1], each)
        return limits

    @cached_property
    def _ends(self) -> Ints:
        """The numbers of the nodes (m, 2) that links go from and to."""
        number = {node.id: index for index, node in enumerate(self.diagram.nodes)}
        links = [(number[link.start], number[link.end]) for link in self.diagram.links]
        return np.array(links, dtype=np.int64).reshape(-1, 2)

    def _together(self, limits: Floats, nodes: tuple[Node, ...]) -> Floats:
        """Boxes of one row are of one scale, as are all circles and all pictures."""
        keys = [node.shape if node.shape != "box" else f"{node.y:.3f}" for node in nodes]
        least: dict[str, float] = {}
        for key, limit in zip(keys, limits.tolist()):
            least[key] = min(least.get(key, 1.0), limit)
        return np.array([least[key] for key in keys])

    def _place(self, node: Node, at: Floats, size: float, texts: tuple[str, ...]) -> Placed:
        wide, high = natural(node, texts, self.k) * size
        wide, high = max(wide, TINY * self.k), max(high, TINY * self.k)
        rect = QRectF(QPointF(at[0] - wide / 2, at[1] - high / 2), QSizeF(wide, high))
        return Placed(node, rect, size, texts)


def sketch(diagram: Diagram, size: QSizeF, k: float, aim: Aim | None = None, above: float = 0.0) -> Sketch:
    """Lay a diagram out for a size, with so many pixels free above it; the outermost nodes stay whole."""
    room = QRectF(QPointF((EDGE + SCALE * (diagram.cut is not None)) * k, above + EDGE * k), size)
    room.setBottomRight(QPointF(size.width() - EDGE * k, size.height() - EDGE * k))
    diagram = arranged(diagram, room, k)
    first = Sketch(diagram, size, k, _within(room, *_overhang(diagram, k)))
    inner = _within(room, *_overhang(diagram, k, first.placed))
    return Sketch(diagram, size, k, inner, aim or Aim())


def _within(room: QRectF, across: float, up: float) -> QRectF:
    """A rectangle without a rim, of which a good part is left in any case."""
    x, y = min(across, room.width() / 4), min(up, room.height() / 4)
    return QRectF(
        room.left() + x, room.top() + y, max(room.width() - 2 * x, 1.0), max(room.height() - 2 * y, 1.0)
    )


def visible(placed: Placed, size: QSizeF) -> bool:
    """Whether any of a node is in sight."""
    return placed.rect.intersects(QRectF(QPointF(0, 0), size))


def _overhang(diagram: Diagram, k: float, placed: Mapping[str, Placed] | None = None) -> tuple[float, float]:
    """How far the nodes at the edges of the unit square reach beyond it, at full size or as placed."""
    texts = {node.id: placed[node.id].texts if placed else node.texts for node in diagram.nodes}
    scale = {node.id: placed[node.id].size if placed else 1.0 for node in diagram.nodes}
    given = [natural(node, texts[node.id], k) * scale[node.id] / 2 for node in diagram.nodes]
    sizes = np.array(given).reshape(-1, 2)
    at = np.array([(node.x, node.y) for node in diagram.nodes]).reshape(-1, 2)
    told = any(node.shape in BELOW and texts[node.id] for node in diagram.nodes)
    return _reach(sizes[:, 0], at[:, 0]), _reach(sizes[:, 1], at[:, 1]) + LINE * k * told


def _reach(half: Floats, at: Floats) -> float:
    edge: Mask = (at < 0.05) | (at > 0.95)
    return float(half[edge].max(initial=0.0))
