"""The tree of merges: who is together after so many of them or below a height, and how it is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from vizml.learn.state import Floats, Ints
from vizml.scene import Cut, Diagram, Ink, Link, Node

LEAVES = 48
"""Ends of the drawn tree at the most; what is below them is told by its number of points."""
HEADROOM = 1.06


@dataclass(frozen=True, eq=False, kw_only=True)
class Forest:
    """Merges so far: nodes 0..n-1 are points, n + m is what merge m made."""

    n: int
    pairs: Ints
    """The two nodes of each merge (m, 2)."""
    heights: Floats
    peaks: Floats
    """The greatest height at or below each merge: centroids may come nearer by merging."""
    sizes: Ints
    """Points of each merge."""

    def __len__(self) -> int:
        return len(self.pairs)

    def roots(self, merged: Ints) -> Ints:
        """The topmost node (n,) of each point when only some merges, by their number, were made."""
        parent = np.arange(self.n + len(self))
        parent[self.pairs[merged]] = (self.n + merged)[:, None]
        while True:
            above = parent[parent]
            if np.array_equal(above, parent):
                return above[: self.n]
            parent = above

    def below(self, tau: float) -> Ints:
        """The merges with nothing farther apart than tau in them."""
        return np.flatnonzero(self.peaks <= tau)

    def members(self, node: int) -> Ints:
        """The points of a node."""
        if node < self.n:
            return np.array([node])
        return np.flatnonzero(self.roots(np.arange(node - self.n + 1)) == node)

    def ancestors(self, point: int) -> list[int]:
        """A point and what it is in, upwards."""
        found = [point]
        for number, pair in enumerate(self.pairs.tolist()):
            if found[-1] in pair:
                found.append(self.n + number)
        return found

    def size(self, node: int) -> int:
        """How many points a node has."""
        return 1 if node < self.n else int(self.sizes[node - self.n])

    def height(self, node: int) -> float:
        """The distance that a node bridges."""
        return 0.0 if node < self.n else float(self.heights[node - self.n])

    def children(self, node: int) -> tuple[int, int]:
        """The two nodes that were merged."""
        first, second = self.pairs[node - self.n].tolist()
        return first, second


def drawn(forest: Forest, inks: Mapping[int, Ink], cut: float | None, note: str) -> Diagram:
    """The upper part of a forest, coloured at and below some nodes."""
    high = float(forest.peaks.max(initial=0.0)) * HEADROOM or 1.0
    tops = sorted(np.unique(forest.roots(np.arange(len(forest)))).tolist(), reverse=True)[:LEAVES]
    ends = _ends(forest, tops)
    above = sorted(_above(forest, tops, set(ends)))
    place = {node: (i + 0.5) / len(ends) for i, node in enumerate(ends)}
    for node in above:
        place[node] = sum(place[child] for child in forest.children(node)) / 2
    colour = _inherited(forest, [*ends, *above], inks)
    line = None
    if cut is not None:
        line = Cut(sets="tau", y=min(cut / high, 1.0), low=0.0, high=high, also=(("cut", "tau"),))
    return Diagram(
        title="Dendrogram",
        nodes=(
            *(_node(forest, node, (place[node], 0.0), colour[node]) for node in ends),
            *(_node(forest, node, (place[node], forest.height(node) / high), colour[node]) for node in above),
        ),
        links=tuple(_link(node, child, colour) for node in above for child in forest.children(node)),
        cut=line,
        note=note,
    )


def _ends(forest: Forest, tops: list[int]) -> list[int]:
    """At most LEAVES nodes from left to right, so that no node above them is missing."""
    ends = list(tops)
    while len(ends) < LEAVES:
        node = max(ends)
        if node < forest.n:
            break
        at = ends.index(node)
        ends[at : at + 1] = sorted(forest.children(node), key=forest.size)
    return ends


def _above(forest: Forest, tops: list[int], ends: set[int]) -> list[int]:
    """The nodes between the tops and the ends."""
    found, open_ = [], list(tops)
    while open_:
        node = open_.pop()
        if node not in ends:
            found.append(node)
            open_.extend(forest.children(node))
    return found


def _inherited(forest: Forest, nodes: list[int], inks: Mapping[int, Ink]) -> dict[int, Ink]:
    """The ink of each node: its own, or that of the node above it."""
    colour: dict[int, Ink] = {}
    for node in sorted(nodes, reverse=True):
        own = inks.get(node, colour.get(node, "muted"))
        colour[node] = own
        if node >= forest.n:
            colour.update(dict.fromkeys(forest.children(node), own))
    return colour


def _node(forest: Forest, node: int, place: tuple[float, float], ink: Ink) -> Node:
    size = forest.size(node)
    texts = (f"{size:,}",) if place[1] == 0.0 and size > 1 else ()
    return Node(id=str(node), x=place[0], y=place[1], texts=texts, shape="dot", ink=ink, fill=1.0)


def _link(node: int, child: int, colour: Mapping[int, Ink]) -> Link:
    ink = colour[child] if colour[child] == colour[node] else "muted"
    return Link(start=str(node), end=str(child), ink=ink, bent=True, width=1.5)
