"""A tree as a diagram: splits above their leaves, and what each node is on the plane."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vizml.learn.state import Floats, Ints
from vizml.learn.trees.structure import Mask, Tree, reachable
from vizml.scene import Diagram, Ink, Link, Mark, Node, Path

FAINT, SURE = 0.08, 0.42
"""How much of its ink fills a node that votes for everything, and one that votes for one class."""
NARROW, WIDE = 1.0, 5.0
"""Widths of links to a node without points and with all of them."""


def tree_diagram(
    tree: Tree, splits: Mask, texts: Callable[[int], Sequence[str]], tint: Callable[[int], tuple[Ink, float]]
) -> Diagram:
    """The nodes reached by splits; `tint` gives the ink of a node and how sure it is, 0 to 1."""
    nodes = reachable(tree, splits)
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


def box_outline(tree: Tree, node: int) -> tuple[Mark, ...]:
    """The box of a node on the plane."""
    (left, right), (bottom, top) = tree.box[node].tolist()
    corners = np.array([(left, bottom), (right, bottom), (right, top), (left, top)])
    return (Path(layer="Node", lines=(corners,), ink="accent", width=2.5, closed=True, fill=0.12),)


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


def split_lines(tree: Tree, nodes: Ints) -> Floats:
    """The line (m, 2, 2) along which each of some nodes is split, from edge to edge of its box."""
    ends = np.swapaxes(tree.box[nodes], 1, 2)
    ends[np.arange(len(nodes)), :, tree.feature[nodes]] = tree.threshold[nodes, None]
    return ends


def box_edges(box: Floats) -> Floats:
    """The finite edges (n, 2, 2) of a box."""
    (left, right), (bottom, top) = box
    edges = np.array(
        [
            [[left, bottom], [left, top]],
            [[right, bottom], [right, top]],
            [[left, bottom], [right, bottom]],
            [[left, top], [right, top]],
        ]
    )
    across = np.array([left, right, bottom, top])
    finite: Floats = edges[np.isfinite(across)]
    return finite
