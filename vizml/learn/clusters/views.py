"""Views of clusterings: regions, centroids with their trails, dendrograms, principal axes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from vizml.data.params import Value
from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Plane
from vizml.field.metrics import METRICS, section_offsets
from vizml.field.nearest import nearest_votes
from vizml.field.polynomial import affine_field
from vizml.field.raster import Section
from vizml.learn.clusters.initialisation import numbered_anchors, restart_parameters
from vizml.learn.clusters.linkage import Dendrogram
from vizml.learn.line_views import ClusterLineView
from vizml.learn.view import Anchor, Focus, PlaneView
from vizml.scene import CutLine, Diagram, Dots, Ink, Lens, Link, Mark, Node, Path, Rings, Segments, TextLabels
from vizml.scene.typesetting import without_rounding

if TYPE_CHECKING:
    from vizml.learn.clusters.agglomerative import AgglomerativeState  # noqa: F401
    from vizml.learn.clusters.kmeans import KMeansState  # noqa: F401
    from vizml.learn.clusters.pca import PcaState  # noqa: F401

MAX_LEAVES = 48
"""Leaves that are drawn: more would be narrower than a number. A leaf shows how many points it holds."""
HEADROOM = 1.06
"""Height of the diagram in heights of the tree, so that the topmost line keeps off the edge."""
LARGEST_RING = 16.0
"""Radius of the ring around the point that is farthest from all centroids, in pixels."""
WITNESS_PAIRS = 1 << 18
"""Pairs of points searched for the two that give the distance of a merge."""


def affine_section_field(
    weights: Floats, intercepts: Floats, centre: Floats, section: Section, raster: Raster
) -> Field:
    """w_k.(x - centre) + b_k for weights (K, d) at each pixel of a section."""
    offset = section.origin - centre
    middle = -section.basis @ offset
    residual = offset + middle @ section.basis
    return affine_field(weights @ section.basis.T, weights @ residual + intercepts, raster, middle)


def centroid_field(centroids: Floats, centre: Floats, section: Section, raster: Raster) -> Field:
    """2 c.(x - centre) - |c|^2 of centroids (k, d) relative to `centre`, highest for the nearest."""
    return affine_section_field(2.0 * centroids, -(centroids**2).sum(axis=1), centre, section, raster)


def trail_marks(path: Floats) -> tuple[Mark, ...]:
    """Trails of positions (t, k, 2) in the colours of the clusters, once they have moved."""
    if len(path) == 1:
        return ()
    lines = np.swapaxes(path, 0, 1)
    return tuple(Path(layer="Trails", lines=(line,), ink=k, opacity=0.7) for k, line in enumerate(lines))


def _manhattan_field(centroids: Floats, offsets: Floats | None, raster: Raster) -> Field:
    """Minus the L1 distance (K, H, W) of each pixel to centroids (k, 2), with distances beside the plane."""
    across, up = (np.abs(at - values[:, None]) for at, values in zip((raster.x, raster.y), centroids.T))
    if offsets is not None:
        up = up + offsets[:, None]
    return np.asarray(-across[:, None, :] - up[:, :, None], dtype=np.float32)


class KMeansView(PlaneView["KMeansState"]):
    """Voronoi cells, centroids and their trails."""

    def field(self, raster: Raster) -> Field:
        if self.state.metric == "l2":
            return centroid_field(self.state.path[-1], self.state.centre, self.section, raster)
        found = section_offsets(self.section, self.state.centroids, self.state.metric)
        return super().field(raster) if found is None else _manhattan_field(*found, raster)

    def whole_marks(self) -> tuple[Mark, ...]:
        inks = tuple(range(self.state.clusters))
        dots = Dots(layer="Centroids", points=self.state.centroids, inks=inks, legend="centroid")
        return (*self._picking(), *trail_marks(self.state.path + self.state.centre), dots)

    def _picking(self) -> tuple[Mark, ...]:
        """Rings whose areas are proportional to D(x)² while k-means++ picks centroids."""
        squared = self.state.squared
        if squared is None or not squared.any():
            return ()
        radii = LARGEST_RING * np.sqrt(squared / squared.max())
        power = "²" if self.state.metric == "l2" else ""
        points = self.state.trained_on.X
        return (
            Rings(layer="D(x)²", points=points, radii=radii, ink="accent", width=1.2, legend=f"D(x){power}"),
        )

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        nearest = self.state.centroids[int(self.state.predict(point[None])[0])]
        corners, distance = [point, nearest], float(np.hypot(*(nearest - point)))
        if self.state.metric == "l1":
            corners.insert(1, np.array([nearest[0], point[1]]))
            distance = float(np.abs(nearest - point).sum())
        ends = np.array([*pairwise(corners)])
        middle = (corners[0] + corners[1])[None] / 2
        return (
            Segments(layer="Distance", ends=ends, ink="accent", width=1.5),
            TextLabels(layer="Distance", points=middle, texts=(f"{distance:.3g}",)),
        )

    def whole_anchors(self) -> tuple[Anchor, ...]:
        return numbered_anchors("centroid", self.state.centroids)

    def moved(self, anchor: str, at: Floats) -> Mapping[str, Value]:
        return restart_parameters(self.anchors(), anchor, at)


class KMeansLineView(ClusterLineView["KMeansState"]):
    """Memberships, with the centroids."""

    def marks(self) -> tuple[Mark, ...]:
        return self.uprights(self.state.centroids, "Centroids", "centroid", range(self.state.clusters))


class AgglomerativeView(PlaneView["AgglomerativeState"]):
    """Cells of the nearest training points in the colours of their clusters, and the last merge."""

    def field(self, raster: Raster) -> Field:
        planes, metric = self.state.clusters + 1, self.state.metric
        found = section_offsets(self.section, self.state.X, metric)
        if found is None:
            return super().field(raster)
        points, beside = found
        codes = self.state.assigned % planes
        votes = nearest_votes(
            raster, points, codes, 1, classes=planes, metric=metric, offsets=beside, skew=self.section.skew
        )
        return votes[:-1].astype(np.float32)

    def whole_marks(self) -> tuple[Mark, ...]:
        tree, X = self.state.dendrogram, self.state.X
        if not len(tree) or self.state.cut is not None:
            return ()
        first, second = (tree.members(node) for node in tree.pairs[-1].tolist())
        ends = merge_segment(X[first], X[second], self.state.linkage, self.state.metric)
        merged = X[np.concatenate([first, second])]
        return (
            Rings(layer="Merging", points=merged, radii=np.full(len(merged), 8.0), ink="accent", width=1.2),
            Segments(layer="Distance", ends=ends[None], width=2.5, ink="accent", legend="distance"),
        )

    def whole_focus(self, node: str) -> Focus:
        members = self.state.X[self.state.dendrogram.members(int(node))]
        radii = np.full(len(members), 9.0)
        return Focus((Rings(layer="Subtree", points=members, radii=radii, ink="accent", width=2.0),))

    def trail(self, point: Floats) -> tuple[str, ...]:
        """Return the training point nearest to a point and all nodes above it."""
        nearest = METRICS[self.state.metric].ranks(self.section.lift(point[None]), self.state.X).argmin()
        return tuple(map(str, self.state.dendrogram.ancestors(int(nearest))))


def merge_segment(first: Floats, second: Floats, linkage: str, metric: str = "l2") -> Floats:
    """Segment (2, 2) as long as the distance of two clusters: between two points, or between the means."""
    if linkage in ("single", "complete") and len(first) * len(second) <= WITNESS_PAIRS:
        distances = METRICS[metric].ranks(first, second)
        at = distances.argmin() if linkage == "single" else distances.argmax()
        i, j = np.unravel_index(at, distances.shape)
        return np.stack([first[i], second[j]])
    return np.stack([first.mean(axis=0), second.mean(axis=0)])


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


class PcaView(PlaneView["PcaState"]):
    """Coordinate along the first axis, principal axes and the projection of the points."""

    def field(self, raster: Raster) -> Field:
        return self._coordinate(0, raster)

    def _coordinate(self, k: int, raster: Raster) -> Field:
        return affine_section_field(
            self.state.axes[k : k + 1], np.zeros(1), self.state.mean, self.section, raster
        )

    def whole_marks(self) -> tuple[Mark, ...]:
        state = self.state
        reaches = 2 * np.sqrt(state.variances)[:, None, None]
        ends = state.mean + reaches * np.stack([-state.axes, state.axes], axis=1)
        extent = 1e3 * (float(np.abs(state.X - state.mean).max()) or 1.0) * state.axes[0]
        line = np.stack([state.mean - extent, state.mean + extent])
        labels = tuple(f"{share:.1%}" for share in state.explained_variance_ratio)
        axes: tuple[Mark, ...] = (
            Path(layer="First axis", lines=(line,), ink="muted", stroke="dash", width=1.0),
            Segments(
                layer="Principal axes", ends=ends, ink="accent", width=2.5,
                legend="axis, 2 standard deviations",
            ),
            TextLabels(layer="Principal axes", points=ends[:, 1], texts=labels),
        )  # fmt: skip
        if not state.projection:
            return axes
        feet = state.mean + np.outer(state.transform(state.X)[:, 0], state.axes[0])
        projected = state.X + state.projection * (feet - state.X)
        segments = np.stack([state.X, projected], axis=1)
        return (
            Segments(layer="Distances", ends=segments, ink="muted", width=0.8),
            *axes,
            Dots(layer="Projected points", points=projected, size=7.0, shape="circle", ink="accent"),
        )

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        place = self.state.transform(point[None])[0]
        first, second = without_rounding(place, place)
        foot = self.state.mean + first * self.state.axes[0]
        ends = np.array([[point, foot], [foot, self.state.mean]])
        return (
            Segments(layer="Coordinates", ends=ends, ink="accent"),
            TextLabels(layer="Coordinates", points=point[None], texts=(f"({first:.3g}, {second:.3g})",)),
        )

    def lenses(self) -> tuple[Lens, ...]:
        return tuple(
            Lens(name=name, plane=partial(self._component_plane, k), low=-reach, high=reach, diverging=True)
            for k, (name, reach) in enumerate(zip(("First component", "Second component"), self._reaches()))
        )

    def _component_plane(self, k: int, raster: Raster) -> Plane:
        return np.asarray(self._coordinate(k, raster)[0])

    def _reaches(self) -> list[float]:
        extent = float(np.abs(self.state.X - self.state.mean).max()) or 1.0
        return [reach or extent for reach in (3 * np.sqrt(self.state.variances)).tolist()]
