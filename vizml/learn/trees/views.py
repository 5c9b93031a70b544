"""Decision trees on the canvas, as diagrams and as pruning charts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from vizml import scene
from vizml.data.wording import plural
from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints, Mask
from vizml.field.leaves import tiled_field
from vizml.field.raster import Section
from vizml.learn.line_views import ClassLineView, interval_marks
from vizml.learn.trees.pruning import PruningErrors, PruningPath
from vizml.learn.trees.structure import Tree, reachable
from vizml.learn.view import FittedCurveView, FittedMapView, Focus, PlaneView
from vizml.scene.marks import upright_ends

if TYPE_CHECKING:
    from vizml.learn.trees.tree_state import DecisionTreeState, RegressionTreeState, TreeState  # noqa: F401

FAINT, STRONG = 0.08, 0.42
"""Opacity of a diagram's node of no and of full confidence."""
NARROW, WIDE = 1.0, 5.0
"""Widths of a diagram's links to a node without points and with all points."""
SPLIT_OPACITY, FEW_SPLITS = 0.5, 12
"""Opacity of this many split lines of a regression tree; more lines are fainter, lest they cover all."""


class BoxView(PlaneView[Any]):
    """The nodes of a tree as boxes in the plane of a section.

    The state defines `box(node)` (d, 2), `path(X)` from the root to the leaf of a row, and `leaf_text(leaf)`.
    """

    def probe(self, point: Floats) -> tuple[scene.Mark, ...]:
        leaf = self._path(point)[-1]
        text = scene.TextLabels(layer="Leaf", points=point[None, :], texts=(self.state.leaf_text(leaf),))
        return (*self._outline(leaf, "Leaf", width=2.0), text)

    def focus(self, node: str) -> Focus:
        return Focus(self._outline(int(node), "Node", width=2.5, fill=0.12))

    def trail(self, point: Floats) -> tuple[str, ...]:
        return tuple(map(str, self._path(point)))

    def _path(self, point: Floats) -> list[int]:
        path: list[int] = self.state.path(self.section.lift(point[None, :]))
        return path

    def _outline(self, node: int, layer: str, width: float, fill: float = 0.0) -> tuple[scene.Mark, ...]:
        box = self.state.box(node)
        if self.section.axes is None or not crosses(self.section, box):
            return ()
        (left, right), (bottom, top) = box[list(self.section.axes)].tolist()
        corners = np.array([(left, bottom), (right, bottom), (right, top), (left, top)])
        outline = scene.Path(layer=layer, lines=(corners,), ink="accent", width=width, closed=True, fill=fill)
        return (outline,)


class TreeView(BoxView):
    """The leaves and splits of a binary tree in the plane of a section."""

    def field(self, raster: Raster) -> Field:
        if self.section.axes is None:
            return super().field(raster)
        leaves, boxes = self._leaf_boxes(self.section.axes)
        return tiled_field(boxes, self.state.grown.outputs[leaves], raster)

    def edges(self) -> tuple[Floats, Floats] | None:
        if self.section.axes is None:
            return None
        _, boxes = self._leaf_boxes(self.section.axes)
        x, y = (np.unique(boxes[:, [k, k + 1]]) for k in (0, 2))
        return x, y

    def _leaf_boxes(self, axes: Sequence[int]) -> tuple[Ints, Floats]:
        """Return the leaves that the section crosses, with their boxes (left, right, bottom, top)."""
        box, leaves = self.state.tree.box, self.state.leaves
        leaves = leaves[crosses(self.section, box[leaves])]
        return leaves, box[leaves][:, list(axes)].reshape(-1, 4)

    def marks(self) -> tuple[scene.Mark, ...]:
        if self.section.axes is None:
            return ()
        tree = self.state.tree
        shown = self.state.splits & crosses(self.section, tree.box) & np.isin(tree.feature, self.section.axes)
        return (split_marks(split_lines(tree, np.flatnonzero(shown), self.section.axes)),)


class RegressionTreeMapView(TreeView, FittedMapView["RegressionTreeState"]):
    """The leaves and splits of a regression tree in the plane of a section, with the residuals."""

    def marks(self) -> tuple[scene.Mark, ...]:
        return (*TreeView.marks(self), *FittedMapView.marks(self))


class RegressionTreeView(FittedCurveView["RegressionTreeState"]):
    """A regression tree on its only input; on a line through several inputs only the curve is drawn."""

    def whole_marks(self) -> tuple[scene.Mark, ...]:
        at = self.state.tree.threshold[self.state.splits]
        return (upright_splits(at), *super().whole_marks())

    def whole_focus(self, node: str) -> Focus:
        (low, high), value = self.state.tree.box[int(node)][0].tolist(), self.state.grown.values[int(node)]
        ends = upright_ends(np.array([end for end in (low, high) if math.isfinite(end)]))
        across = np.array([[[low, value], [high, value]]])
        return Focus(
            (
                scene.Segments(layer="Node", ends=ends, ink="accent", width=1.5, stroke="dash"),
                scene.Segments(layer="Node", ends=across, ink="accent", width=4.0, opacity=0.5),
            )
        )

    def trail(self, point: Floats) -> tuple[str, ...]:
        return tuple(map(str, self.state.path(self.section.lift(point[None, :1]))))


class SplitLineView(ClassLineView[Any]):
    """The thresholds at which a line through the input space enters another leaf."""

    def crossed(self, at: Floats, leaf: Callable[[Floats], Ints]) -> Floats:
        """Return those of rising thresholds at which the line enters another leaf of inputs (m, d)."""
        leaves = leaf(self.section.lift(np.append(at, np.nextafter(at[-1:], np.inf))[:, None]))
        return np.asarray(at[leaves[1:] != leaves[:-1]])


class TreeLineView(SplitLineView):
    """The thresholds of a tree, whose state defines `thresholds(feature)` and what a `BoxView` needs."""

    def probe(self, point: Floats) -> tuple[scene.Mark, ...]:
        if self.section.axes is None:
            return ()
        leaf = self.state.path(self.section.lift(point[None, :1]))[-1]
        return interval_marks(
            "Leaf", point, self.state.box(leaf)[self.section.axes[0]], self.state.leaf_text(leaf)
        )

    def marks(self) -> tuple[scene.Mark, ...]:
        if self.section.axes is None:
            return ()
        return (upright_splits(self.crossed(self.state.thresholds(self.section.axes[0]), self.state.apply)),)

    def trail(self, point: Floats) -> tuple[str, ...]:
        return tuple(map(str, self.state.path(self.section.lift(point[None, :1]))))


def crosses(section: Section, boxes: Floats) -> Mask:
    """Whether a section crosses boxes (..., d, 2)."""
    inside = (boxes[..., 0] < section.origin) & (section.origin <= boxes[..., 1])
    inside[..., list(section.axes or ())] = True
    return np.asarray(inside.all(axis=-1))


def cell_borders(cells: Ints | Mask, x: Floats, y: Floats) -> Floats:
    """Return the lines (m, 2, 2) between different neighbours among cells and a frame around them.

    The rising x and y are the edges of the cells without the frame.
    """
    upright, low, high = stretches((cells[1:-1, 1:] != cells[1:-1, :-1]).T)
    level, left, right = stretches(cells[1:, 1:-1] != cells[:-1, 1:-1])
    first = np.concatenate([[x[upright], y[low]], [x[left], y[level]]], axis=1)
    last = np.concatenate([[x[upright], y[high]], [x[right], y[level]]], axis=1)
    return np.array([first, last]).transpose(2, 0, 1)


def stretches(mask: Mask) -> tuple[Ints, Ints, Ints]:
    """Return row, first place and end of each stretch of neighbours in the rows of a mask.

    >>> stretches(np.array([[True, True, False], [False, False, True]]))
    (array([0, 1]), array([0, 2]), array([2, 3]))
    """
    change = np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    (row, first), end = np.nonzero(change == 1), np.nonzero(change == -1)[1]
    return row, first, end


def upright_splits(at: Floats) -> scene.Segments:
    """Return thresholds on the only input as vertical lines, the fainter the more there are."""
    opacity = SPLIT_OPACITY * min(1.0, math.sqrt(FEW_SPLITS / max(len(at), 1)))
    return replace(split_marks(upright_ends(at)), ink="muted", opacity=opacity, stroke="dot")


def split_lines(tree: Tree, nodes: Ints, axes: Sequence[int] = (0, 1)) -> Floats:
    """The lines (m, 2, 2) in the plane of two features along which nodes are split, within their boxes."""
    ends = np.swapaxes(tree.box[nodes][:, list(axes)], 1, 2)
    axis = (tree.feature[nodes] == axes[1]).astype(np.int64)
    ends[np.arange(len(nodes)), :, axis] = tree.threshold[nodes, None]
    return ends


def split_marks(ends: Floats) -> scene.Segments:
    """Lines (m, 2, 2) of splits as marks."""
    return scene.Segments(layer="Splits", ends=ends, ink="text", opacity=0.5, legend="split")


def tree_diagram(
    tree: Tree,
    splits: Mask,
    texts: Callable[[int], Sequence[str]],
    tint: Callable[[int], tuple[scene.Ink, float]],
    title: str = "Tree",
) -> scene.Diagram:
    """The nodes reached by splits; `tint` gives the ink of a node and the strength of a leaf, 0 to 1."""
    nodes = reachable(tree, splits)
    leaves = int((~splits[nodes]).sum())
    splits_text = f"splits: {len(nodes) - leaves}, leaves: {leaves}"
    parents = dict(zip(nodes.tolist(), tree.parent[nodes].tolist()))
    links = {node: tree.branch_text(node) for node in parents}
    note = f"{splits_text}; points that satisfy a condition go left"
    return node_diagram(parents, tree.count, texts, tint, title=title, note=note, links=links)


def node_diagram(
    parents: Mapping[int, int],
    counts: Ints | Floats,
    texts: Callable[[int], Sequence[str]],
    tint: Callable[[int], tuple[scene.Ink, float]],
    *,
    title: str,
    note: str,
    links: Mapping[int, str] | None = None,
) -> scene.Diagram:
    """A tree of nodes with their parents (the root first), children from left to right in their order.

    Leaves are spaced evenly, and inner nodes centred above their children. `links` has the text of the link
    to each node.
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
        fill, y = FAINT + (STRONG - FAINT) * strength * (not children[node]), 1.0 - depth[node] / deepest
        nodes.append(scene.Node(id=str(node), x=x[node], y=y, texts=tuple(texts(node)), ink=ink, fill=fill))
    share = (WIDE - NARROW) / max(float(counts[root]), 1.0)
    drawn = tuple(
        scene.Link(
            start=str(node), end=str(child), width=round(NARROW + share * float(counts[child]), 1),
            text=links[child] if links else "",
        )
        for node in parents
        for child in children[node]
    )  # fmt: skip
    return scene.Diagram(title=title, nodes=tuple(nodes), links=drawn, note=note)


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


def pruning_chart(
    state: TreeState, path: PruningPath, validation: PruningErrors | None, held: Floats | None
) -> scene.Chart:
    """Training, cross-validated and held-out errors against leaves; a handle, or an offer, sets alpha.

    `held` is the share of each node, as a leaf, in the mean error on held-out points.
    """
    grown, tree = state.grown, state.tree
    leaves = np.concatenate([[grown.leaves], path.leaves]).astype(np.float64)
    alphas = np.concatenate([[0.0], np.maximum.accumulate(path.alpha)])
    error = path.along(grown.training_errors, tree) / len(grown.data)
    now = min(state.collapsed, len(leaves) - 1)
    series = [scene.Series(name="training", x=leaves[::-1].copy(), y=error[::-1].copy())]
    if validation is not None:
        x = leaves[[path.until(float(alpha)) for alpha in validation.alphas]][::-1]
        y = validation.errors[::-1]
        series.append(scene.Series(name="cross-validated", x=x, y=y, ink="text", stroke="dash"))
    if held is not None:
        unseen = path.along(held, tree)[::-1].copy()
        series.append(scene.Series(name="held-out", x=leaves[::-1].copy(), y=unseen, ink="text"))
    handle: scene.Handle | None = None
    offers: tuple[scene.Offer, ...] = ()
    if grown.prune == "alpha":
        at = len(leaves) - 1 - now
        handle = scene.Handle(series=0, values=alphas[::-1].copy(), at=at, sets="alpha")
    else:
        offers = (_offer(alphas, validation, grown.prune),)
    return scene.Chart(
        title="Pruning path", x=scene.Axis(title="leaves", log=True),
        y=scene.Axis(title=grown.error_name, low=0), series=tuple(series),
        rules=(scene.Rule(name="current", x=float(leaves[now])),),
        note=f"{plural(int(leaves[now]), 'leaf', 'leaves')} for α ≥ {alphas[now]:.3g}",
        handle=handle, offers=offers,
    )  # fmt: skip


def _offer(alphas: Floats, validation: PruningErrors | None, prune: str) -> scene.Offer:
    """Offer the alpha of the lowest cross-validated error, or one half-way along the path."""
    best = float(alphas[len(alphas) // 2])
    if validation is not None and (validation.best > 0 or prune == "cv"):
        best = validation.best
    tip = "Prunes at this α; the chart then has a handle that changes it."
    return scene.Offer(text=f"Prune at α {best:.3g}", tip=tip, values={"prune": "alpha", "alpha": best})
