"""Dendrograms: the tree of merges of an agglomerative clustering, and its diagram."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.scene import CutLine, Diagram, Ink, Link, Node

MAX_LEAVES = 48
"""Leaves that are drawn: more would be narrower than a number. A leaf shows how many points it holds."""
HEADROOM = 1.06
"""Height of the diagram in heights of the tree, so that the topmost line keeps off the edge."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Dendrogram:
    """Tree of merges so far: nodes 0 ... n - 1 are points, n + m is the union made by merge m."""

    n: int
    pairs: Ints
    """The two nodes of each merge (m, 2)."""
    heights: Floats
    peaks: Floats
    """Greatest height at or below each merge: heights of centroid linkage may fall (inversions)."""
    sizes: Ints
    """Number of points of each union."""

    def __len__(self) -> int:
        return len(self.pairs)

    @classmethod
    def without_merges(cls, n: int) -> Dendrogram:
        """Points before the first merge."""
        none = np.empty(0, dtype=np.int64)
        return cls(n=n, pairs=none.reshape(0, 2), heights=np.empty(0), peaks=np.empty(0), sizes=none)

    def first(self, merges: int) -> Dendrogram:
        """Tree of the first merges."""
        return Dendrogram(
            n=self.n, pairs=self.pairs[:merges], heights=self.heights[:merges], peaks=self.peaks[:merges],
            sizes=self.sizes[:merges],
        )  # fmt: skip

    def roots(self, merges: Ints) -> Ints:
        """Topmost node (n,) of each point if only the given merges were made."""
        parent = np.arange(self.n + len(self))
        parent[self.pairs[merges]] = (self.n + merges)[:, None]
        while True:
            above = parent[parent]
            if np.array_equal(above, parent):
                return above[: self.n]
            parent = above

    def below(self, tau: float) -> Ints:
        """Merges whose subtree has no height above a threshold."""
        return np.flatnonzero(self.peaks <= tau)

    def members(self, node: int) -> Ints:
        """Points below a node."""
        if node < self.n:
            return np.array([node])
        return np.flatnonzero(self.roots(np.arange(node - self.n + 1)) == node)

    def ancestors(self, point: int) -> list[int]:
        """A point and the nodes above it, upwards."""
        path = [point]
        for merge, pair in enumerate(self.pairs.tolist()):
            if path[-1] in pair:
                path.append(self.n + merge)
        return path

    def size(self, node: int) -> int:
        """Number of points below a node."""
        return 1 if node < self.n else int(self.sizes[node - self.n])

    def peak(self, node: int) -> float:
        """Greatest height at or below a node."""
        return 0.0 if node < self.n else float(self.peaks[node - self.n])

    def height(self, node: int) -> float:
        """Distance between the two clusters that a node merged."""
        return 0.0 if node < self.n else float(self.heights[node - self.n])

    def children(self, node: int) -> tuple[int, int]:
        """The two nodes that were merged."""
        first, second = self.pairs[node - self.n].tolist()
        return first, second


def dendrogram_diagram(tree: Dendrogram, inks: Mapping[int, Ink], cut: float | None, note: str) -> Diagram:
    """Draw the upper part of a dendrogram, coloured at and below some nodes."""
    high = float(tree.peaks.max(initial=0.0)) * HEADROOM or 1.0
    tops = sorted(np.unique(tree.roots(np.arange(len(tree)))).tolist(), reverse=True)[:MAX_LEAVES]
    leaves = _leaves(tree, tops)
    inner = sorted(_inner_nodes(tree, tops, set(leaves)))
    x = {node: (i + 0.5) / len(leaves) for i, node in enumerate(leaves)}
    for node in inner:
        x[node] = sum(x[child] for child in tree.children(node)) / 2
    colour = _colours(tree, [*leaves, *inner], inks)
    line = None
    if cut is not None:
        also = (("cut", "tau"),)
        line = CutLine(sets="tau", y=min(cut / high, 1.0), low=0.0, high=high, symbol="τ", also=also)
    return Diagram(
        title="Dendrogram",
        nodes=(
            *(_node(tree, node, (x[node], 0.0), colour[node]) for node in leaves),
            *(_node(tree, node, (x[node], tree.height(node) / high), colour[node]) for node in inner),
        ),
        links=tuple(_link(node, child, colour) for node in inner for child in tree.children(node)),
        cut=line,
        note=note,
    )


def _leaves(tree: Dendrogram, tops: list[int]) -> list[int]:
    """Split the topmost nodes into at most MAX_LEAVES nodes from left to right, the smaller child first."""
    leaves = list(tops)
    while len(leaves) < MAX_LEAVES:
        node = max(leaves)
        if node < tree.n:
            break
        at = leaves.index(node)
        leaves[at : at + 1] = sorted(tree.children(node), key=tree.size)
    return leaves


def _inner_nodes(tree: Dendrogram, tops: list[int], leaves: set[int]) -> list[int]:
    """Nodes from the topmost ones down to the leaves."""
    found, waiting = [], list(tops)
    while waiting:
        node = waiting.pop()
        if node not in leaves:
            found.append(node)
            waiting.extend(tree.children(node))
    return found


def _colours(tree: Dendrogram, nodes: list[int], inks: Mapping[int, Ink]) -> dict[int, Ink]:
    """Colour of each node: its own, or that of the node above it."""
    colour: dict[int, Ink] = {}
    for node in sorted(nodes, reverse=True):
        own = inks.get(node, colour.get(node, "muted"))
        colour[node] = own
        if node >= tree.n:
            colour.update(dict.fromkeys(tree.children(node), own))
    return colour


def _node(tree: Dendrogram, node: int, at: tuple[float, float], ink: Ink) -> Node:
    size = tree.size(node)
    texts = (f"{size:,}",) if at[1] == 0.0 and size > 1 else ()
    return Node(id=str(node), x=at[0], y=at[1], texts=texts, shape="dot", ink=ink, fill=1.0)


def _link(node: int, child: int, colour: Mapping[int, Ink]) -> Link:
    ink = colour[child] if colour[child] == colour[node] else "muted"
    return Link(start=str(node), end=str(child), ink=ink, bent=True, width=1.5)
