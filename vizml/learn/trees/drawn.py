"""A tree as a diagram: splits above their leaves, and what each node is on the plane."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.structure import Mask, Tree
from vizml.scene import Diagram, Ink, Link, Mark, Node, Path

FAINT, SURE = 0.08, 0.42
"""How much of its ink fills a node that votes for everything, and one that votes for one class."""
NARROW, WIDE = 1.0, 5.0
"""Widths of links to a node without points and with all of them."""


def drawn(
    tree: Tree, splits: Mask, texts: Callable[[int], Sequence[str]], tint: Callable[[int], tuple[Ink, float]]
) -> Diagram:
    """The nodes reached by splits; `tint` gives the ink of a node and how sure it is, 0 to 1."""
    nodes = reached(tree, splits)
    place = _places(tree, splits, nodes)
    deepest = max(int(tree.depth[nodes].max()), 1)
    shown = []
    for node in nodes.tolist():
        ink, sure = tint(node)
        y = 1.0 - float(tree.depth[node]) / deepest
        fill = FAINT + (SURE - FAINT) * sure
        shown.append(
            Node(id=str(node), x=float(place[node]), y=y, texts=tuple(texts(node)), ink=ink, fill=fill)
        )
    leaves = int((~splits[nodes]).sum())
    splitting = len(nodes) - leaves
    counts = f"{splitting} split{'s' * (splitting != 1)}, {leaves} {'leaf' if leaves == 1 else 'leaves'}"
    note = f"{counts}; what holds goes left"
    return Diagram(title="Tree", nodes=tuple(shown), links=_links(tree, splits, nodes), note=note)


def outlined(tree: Tree, node: int) -> tuple[Mark, ...]:
    """The box of a node on the plane."""
    (left, right), (bottom, top) = tree.box[node].tolist()
    corners = np.array([(left, bottom), (right, bottom), (right, top), (left, top)])
    return (Path(layer="Node", lines=(corners,), ink="accent", width=2.5, closed=True, fill=0.12),)


def way_to(tree: Tree, node: int) -> Ints:
    """The nodes from the root to one of them."""
    way = [node]
    while tree.depth[way[-1]] > 0:
        way.append(int(tree.parent[way[-1]]))
    return np.array(way[::-1], dtype=np.int64)


def reached(tree: Tree, splits: Mask) -> Ints:
    """The root, and all children of nodes that are split."""
    held = splits[tree.parent]
    held[0] = True
    return np.flatnonzero(held)


def _places(tree: Tree, splits: Mask, nodes: Ints) -> Floats:
    """Where each node stands from left to right: leaves side by side, splits midway above their children."""
    place, open_, ends = np.zeros(len(tree)), [0], []
    while open_:
        node = open_.pop()
        if splits[node]:
            open_ += [int(tree.right[node]), int(tree.left[node])]
        else:
            ends.append(node)
    place[ends] = (np.arange(len(ends)) + 0.5) / len(ends)
    for node in nodes[::-1][splits[nodes[::-1]]].tolist():
        place[node] = (place[tree.left[node]] + place[tree.right[node]]) / 2
    return place


def _links(tree: Tree, splits: Mask, nodes: Ints) -> tuple[Link, ...]:
    """To both children of each split, wide where many points go."""
    total = max(int(tree.count[0]), 1)
    return tuple(
        Link(
            start=str(node),
            end=str(child),
            width=round(NARROW + (WIDE - NARROW) * int(tree.count[child]) / total, 1),
        )
        for node in nodes[splits[nodes]].tolist()
        for child in (int(tree.left[node]), int(tree.right[node]))
    )
