"""Drawing of a dendrogram: its upper part as a diagram, coloured by clusters, with the line of the cut."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from vizml.learn.clusters.linkage import Dendrogram
from vizml.scene import Cut, Diagram, Ink, Link, Node

MAX_LEAVES = 48
"""Leaves that are drawn: more would be narrower than a number. A leaf shows how many points it holds."""
HEADROOM = 1.06
"""Height of the diagram in heights of the tree, so that the topmost line keeps off the edge."""


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
        line = Cut(sets="tau", y=min(cut / high, 1.0), low=0.0, high=high, also=(("cut", "tau"),))
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
