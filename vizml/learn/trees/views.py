"""Decision trees on the canvas, as diagrams and as pruning charts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints, Mask
from vizml.field.boxes import tiled_field
from vizml.field.section import Section
from vizml.learn.trees.pruning import PruningErrors, PruningPath
from vizml.learn.trees.structure import Tree, path_to, reachable
from vizml.learn.view import CurveView, Focus, PlaneView
from vizml.scene import (
    Axis,
    Chart,
    Diagram,
    Handle,
    Ink,
    Link,
    Mark,
    Node,
    Offer,
    Path,
    Rule,
    Segments,
    Series,
)
from vizml.scene import Words as Text

if TYPE_CHECKING:
    from vizml.learn.trees.tree_state import RegressionTreeState, TreeState  # noqa: F401

FAINT, STRONG = 0.08, 0.42
"""Opacity of a diagram's node of no and of full confidence."""
NARROW, WIDE = 1.0, 5.0
"""Widths of a diagram's links to a node without points and with all points."""
SPLIT_OPACITY, FEW_SPLITS = 0.5, 12
"""Opacity of this many split lines of a regression tree; more lines are fainter, lest they cover all."""


def section_axes(section: Section) -> Ints | None:
    """The inputs along the axes of a section, None for an oblique one."""
    axes = section.basis.argmax(axis=1)
    aligned = (section.basis == np.eye(len(section.origin))[axes]).all() and not section.origin[axes].any()
    return axes if aligned else None


@dataclass(frozen=True, eq=False)
class TreeView(PlaneView["TreeState"]):
    """The leaves, splits and nodes of a tree in the plane of a section."""

    @cached_property
    def axes(self) -> Ints | None:
        """The inputs along the axes, None for an oblique section."""
        return section_axes(self.section)

    @cached_property
    def crossed(self) -> Mask:
        """The nodes whose boxes the section crosses."""
        box, held = self.state.tree.box, np.ones(len(self.section.origin), dtype=np.bool_)
        held[[] if self.axes is None else self.axes] = False
        origin = self.section.origin[held]
        return np.asarray(((box[:, held, 0] < origin) & (origin <= box[:, held, 1])).all(axis=1))

    def field(self, raster: Raster) -> Field:
        if self.axes is None:
            return super().field(raster)
        leaves = self.state.leaves[self.crossed[self.state.leaves]]
        boxes = self.state.tree.box[leaves][:, self.axes].reshape(-1, 4)
        return tiled_field(boxes, self.state.outputs(leaves), raster)

    def marks(self) -> tuple[Mark, ...]:
        if self.axes is None:
            return ()
        tree = self.state.tree
        nodes = np.flatnonzero(self.state.splits & self.crossed & np.isin(tree.feature, self.axes))
        ends = split_lines(tree, nodes, self.axes)
        return (Segments(layer="Splits", ends=ends, ink="text", opacity=0.5, legend="split"),)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        leaf = self._leaf(point)
        text = Text(layer="Leaf", points=point[None, :], texts=(self.state.leaf_text(leaf),))
        if self.axes is None:
            return (text,)
        ends = box_edges(self.state.tree.box[leaf][self.axes])
        return (Segments(layer="Leaf", ends=ends, ink="accent", width=2.0), text)

    def focus(self, node: str) -> Focus:
        if self.axes is None or not self.crossed[int(node)]:
            return Focus()
        return Focus(box_outline(self.state.tree, int(node), self.axes))

    def trail(self, point: Floats) -> tuple[str, ...]:
        return tuple(str(node) for node in path_to(self.state.tree, self._leaf(point)))

    def _leaf(self, point: Floats) -> int:
        return int(self.state.apply(self.section.lift(point[None, :]))[0])


@dataclass(frozen=True, eq=False)
class RegressionTreeView(CurveView["RegressionTreeState"]):
    """A regression tree on its only input; on a line through several inputs only the curve is drawn."""

    def marks(self) -> tuple[Mark, ...]:
        if not self.section.whole:
            return ()
        data, at = self.state.grown.data, self.state.tree.threshold[self.state.splits]
        ends = np.stack([np.stack([at, at], 1), np.tile([-np.inf, np.inf], (len(at), 1))], axis=2)
        x = data.X[:, 0]
        residuals = np.stack([x, data.y, x, self.curve(x)], axis=1).reshape(-1, 2, 2)
        opacity = SPLIT_OPACITY * min(1.0, math.sqrt(FEW_SPLITS / max(len(at), 1)))
        return (
            Segments(layer="Splits", ends=ends, ink="muted", opacity=opacity, stroke="dot", legend="split"),
            Segments(layer="Residuals", ends=residuals, ink="muted", opacity=0.6, legend="residual"),
        )

    def focus(self, node: str) -> Focus:
        if not self.section.whole:
            return Focus()
        (low, high), value = self.state.tree.box[int(node)][0].tolist(), self.state.grown.values[int(node)]
        ends = np.array([[[low, -np.inf], [low, np.inf]], [[high, -np.inf], [high, np.inf]]])
        ends = ends[np.isfinite(ends[:, 0, 0])]
        across = np.array([[[low, value], [high, value]]])
        return Focus(
            (
                Segments(layer="Node", ends=ends, ink="accent", width=1.5, stroke="dash"),
                Segments(layer="Node", ends=across, ink="accent", width=4.0, opacity=0.5),
            )
        )

    def trail(self, point: Floats) -> tuple[str, ...]:
        leaf = int(self.state.apply(self.section.lift(point[None, :1]))[0])
        return tuple(str(node) for node in path_to(self.state.tree, leaf))


def split_lines(tree: Tree, nodes: Ints, axes: Ints | Sequence[int] = (0, 1)) -> Floats:
    """The lines (m, 2, 2) in the plane of two features along which nodes are split, within their boxes."""
    ends = np.swapaxes(tree.box[nodes][:, list(axes)], 1, 2)
    axis = (tree.feature[nodes] == axes[1]).astype(np.int64)
    ends[np.arange(len(nodes)), :, axis] = tree.threshold[nodes, None]
    return ends


def box_edges(box: Floats) -> Floats:
    """The finite edges (n, 2, 2) of a box (2, 2)."""
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


def box_outline(tree: Tree, node: int, axes: Ints | Sequence[int] = (0, 1)) -> tuple[Mark, ...]:
    """The outline of a node's box in the plane of two features."""
    (left, right), (bottom, top) = tree.box[node][list(axes)].tolist()
    corners = np.array([(left, bottom), (right, bottom), (right, top), (left, top)])
    return (Path(layer="Node", lines=(corners,), ink="accent", width=2.5, closed=True, fill=0.12),)


def tree_diagram(
    tree: Tree,
    splits: Mask,
    texts: Callable[[int], Sequence[str]],
    tint: Callable[[int], tuple[Ink, float]],
    title: str = "Tree",
) -> Diagram:
    """The nodes reached by splits; `tint` gives the ink of a node and its strength from 0 to 1."""
    nodes = reachable(tree, splits)
    leaves = int((~splits[nodes]).sum())
    note = f"{_count(len(nodes) - leaves, 'split', 'splits')}, {_count(leaves, 'leaf', 'leaves')}"
    return node_diagram(
        dict(zip(nodes.tolist(), tree.parent[nodes].tolist())),
        tree.count,
        texts,
        tint,
        title=title,
        note=f"{note}; points that satisfy a condition go left",
    )


def node_diagram(
    parents: Mapping[int, int],
    counts: Ints | Floats,
    texts: Callable[[int], Sequence[str]],
    tint: Callable[[int], tuple[Ink, float]],
    *,
    title: str,
    note: str,
) -> Diagram:
    """A tree of nodes with their parents (the root first), children from left to right in their order.

    Leaves are spaced evenly, and inner nodes centred above their children.
    """
    root, *others = parents
    children: dict[int, list[int]] = {node: [] for node in parents}
    depth = {root: 0}
    for node in others:
        children[parents[node]].append(node)
        depth[node] = depth[parents[node]] + 1
    x, deepest = _positions(root, children), max(*depth.values(), 1)
    nodes = []
    for node in parents:
        ink, strength = tint(node)
        fill, y = FAINT + (STRONG - FAINT) * strength, 1.0 - depth[node] / deepest
        nodes.append(Node(id=str(node), x=x[node], y=y, texts=tuple(texts(node)), ink=ink, fill=fill))
    total = max(float(counts[root]), 1.0)
    links = [
        Link(
            start=str(node),
            end=str(child),
            width=round(NARROW + (WIDE - NARROW) * float(counts[child]) / total, 1),
        )
        for node in parents
        for child in children[node]
    ]
    return Diagram(title=title, nodes=tuple(nodes), links=tuple(links), note=note)


def _positions(root: int, children: Mapping[int, Sequence[int]]) -> dict[int, float]:
    """The horizontal position of each node from 0 to 1."""
    order, stack = [], [root]
    while stack:
        node = stack.pop()
        order.append(node)
        stack += children[node][::-1]
    leaves = [node for node in order if not children[node]]
    x = {leaf: (rank + 0.5) / len(leaves) for rank, leaf in enumerate(leaves)}
    for node in reversed(order):
        if children[node]:
            x[node] = (x[children[node][0]] + x[children[node][-1]]) / 2
    return x


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def pruning_chart(
    state: TreeState, path: PruningPath, validation: PruningErrors | None, held: Floats | None
) -> Chart:
    """Training, cross-validated and held-out errors against leaves; a handle, or an offer, sets alpha.

    `held` is the share of each node, as a leaf, in the mean error on held-out points.
    """
    grown, tree = state.grown, state.tree
    leaves = np.concatenate([[grown.leaves], path.leaves]).astype(np.float64)
    alphas = np.concatenate([[0.0], np.maximum.accumulate(path.alpha)])
    error = path.along(grown.training_errors, tree) / len(grown.data)
    now = min(state.collapsed, len(leaves) - 1)
    series = [Series(name="training", x=leaves[::-1].copy(), y=error[::-1].copy())]
    if validation is not None:
        tried = leaves[[path.until(float(alpha)) for alpha in validation.alphas]]
        errors = validation.errors[::-1]
        series.append(Series(name="cross-validated", x=tried[::-1], y=errors, ink="text", stroke="dash"))
    if held is not None:
        unseen = path.along(held, tree)[::-1].copy()
        series.append(Series(name="held-out", x=leaves[::-1].copy(), y=unseen, ink="text"))
    handle: Handle | None = None
    offers: tuple[Offer, ...] = ()
    if grown.prune == "alpha":
        at = len(leaves) - 1 - now
        handle = Handle(series=0, values=alphas[::-1].copy(), at=at, sets="alpha")
    else:
        offers = (_offer(alphas, validation, grown.prune),)
    return Chart(
        title="Pruning path",
        x=Axis(title="leaves", log=True),
        y=Axis(title=grown.error_name, low=0),
        series=tuple(series),
        rules=(Rule(name="current", x=float(leaves[now])),),
        note=f"{leaves[now]:g} leaves for α ≥ {alphas[now]:.3g}",
        handle=handle,
        offers=offers,
    )


def _offer(alphas: Floats, validation: PruningErrors | None, prune: str) -> Offer:
    """Offer the alpha of the lowest cross-validated error, or one half-way along the path."""
    best = float(alphas[len(alphas) // 2])
    if validation is not None and (validation.best > 0 or prune == "cv"):
        best = validation.best
    tip = "Prunes at this α; the chart then has a handle that changes it."
    return Offer(words=f"Prune at α {best:.3g}", tip=tip, values={"prune": "alpha", "alpha": best})
