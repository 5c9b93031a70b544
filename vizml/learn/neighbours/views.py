"""Neighbours on the canvas: the points that a prediction uses, with their weights."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints
from vizml.field.distances import section_offsets
from vizml.field.nearest import nearest_means, nearest_shares, nearest_votes
from vizml.learn.line_views import ClassLineView
from vizml.learn.neighbours.search import nearest
from vizml.learn.outlines import CORNERS, circle
from vizml.learn.view import FittedCurveView, FittedMapView, PlaneView
from vizml.scene import LazyLines, Mark, Path, Rings, Segments, TextLabels
from vizml.scene.marks import upright_ends

if TYPE_CHECKING:
    from vizml.learn.neighbours.knn import KnnRegressorState, KnnState

NEIGHBOURS = "Neighbours"
CELLS = "k-d tree cells"
RING = 9.0
"""Radius in pixels of the rings around neighbours."""
VISITED = 8.0
"""Radius in pixels of the rings around visited nodes."""
DEPTHS, WIDEST, NARROWER = 10, 2.5, 0.75
"""Most depths of a k-d tree that are drawn, width of its first split, and of each further one as a share."""
MOST_NODES = 5000
"""With more points, which nobody could tell apart, there is no k-d tree."""


class KnnView(PlaneView["KnnState"]):
    """Votes of the nearest neighbours; the pointer shows them, and the ball that holds them."""

    def field(self, raster: Raster) -> Field:
        if self._plane is None:
            return super().field(raster)
        return self.state.band_cache.band(raster, len(self.state.classes), self._paint, self.section.key)

    def whole_marks(self) -> tuple[Mark, ...]:
        return tree_marks(self.state)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        if self._plane is None:
            return ()
        state, place = self.state, np.asarray(point, dtype=np.float64)
        (found,) = nearest(self.section.lift(place[None]), state.X, state.k, state.metric)
        chosen, radius = found.candidates[found.inside[0]], float(found.distances[found.inside].max())
        outline = (place + radius * unit_ball(state.metric),) if self.section.whole else ()
        ball = Path(layer=NEIGHBOURS, lines=outline, closed=True, ink="muted", width=1.0)
        lines = [self._lines(place, chosen, int(code)) for code in np.unique(state.codes[chosen])]
        visited = visited_marks(state, place) if self.section.whole else ()
        return (ball, *lines, votes(state, chosen, place), *visited)

    @cached_property
    def _plane(self) -> tuple[Floats, Floats | None] | None:
        """The points (n, 2) on the section and the ranks (n,) of their distances from it, if they add up.

        The Euclidean distance does so for every section, the others for sections along two inputs.
        """
        return section_offsets(self.section, self.state.X, self.state.metric)

    def _paint(self, raster: Raster) -> Field:
        state, classes = self.state, len(self.state.classes)
        points, offsets = self._plane or (state.X, None)
        rasterise = nearest_shares if state.weighted else nearest_votes
        found = rasterise(
            raster, points, state.codes, state.k, classes=classes, metric=state.metric, offsets=offsets,
            skew=self.section.skew,
        )  # fmt: skip
        return found if state.weighted else np.divide(found, np.float32(state.k), dtype=np.float32)

    def _lines(self, place: Floats, chosen: Ints, code: int) -> Mark:
        points, _ = self._plane or (self.state.X, None)
        far = points[chosen[self.state.codes[chosen] == code]]
        ends = np.stack([np.broadcast_to(place, far.shape), far], axis=1)
        return Segments(layer=NEIGHBOURS, ends=ends, ink=int(self.state.classes[code]), width=1.5)


class KnnLineView(ClassLineView["KnnState"]):
    """Shares of the classes among the neighbours, which are ringed for the pointer with their interval."""

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        state = self.state
        (found,) = nearest(self.section.lift(point[None, :1]), state.X, state.k, state.metric)
        chosen, reach = found.candidates[found.inside[0]], float(found.distances[found.inside].max())
        ends = point[0] + np.array([-reach, reach]) if self.section.whole else np.empty(0)
        radii = np.full(len(chosen), RING)
        return (
            Segments(layer=NEIGHBOURS, ends=upright_ends(ends), ink="muted", stroke="dot"),
            Rings(layer=NEIGHBOURS, points=self.places[chosen], radii=radii, ink="accent", width=2.0),
            votes(state, chosen, point),
        )


def votes(state: KnnState, chosen: Ints, place: Floats) -> TextLabels:
    """Return the number of neighbours of each class as text at a place."""
    counts = np.bincount(state.codes[chosen], minlength=len(state.classes))
    text = ", ".join(f"{name} {count}" for name, count in zip(state.names, counts) if count)
    return TextLabels(layer=NEIGHBOURS, points=place[None], texts=(text,))


def tree_marks(state: KnnState | KnnRegressorState) -> tuple[Mark, ...]:
    """Return the splits of the k-d tree of the points, the first ones wide."""
    if len(state.X) > MOST_NODES:
        return ()

    def lines(depth: int) -> list[Floats]:
        return [state.tree.split_line(node) for node in np.flatnonzero(state.tree.depth == depth).tolist()]

    return tuple(
        LazyLines(
            layer=CELLS, ink="muted", lines=partial(lines, depth), width=WIDEST * NARROWER**depth,
            off_by_default=True, legend="" if depth else "k-d tree, first split widest",
        )
        for depth in range(DEPTHS)
    )  # fmt: skip


def visited_marks(state: KnnState | KnnRegressorState, place: Floats) -> tuple[Mark, ...]:
    """Return the nodes of the k-d tree that a search for the neighbours of a place visits."""
    if len(state.X) > MOST_NODES:
        return ()
    tree, n = state.tree, len(state.X)
    visited = tree.search(place, state.k, state.metric).visited
    text = f"k-d tree of depth {tree.height}: {len(visited)} of {n} nodes visited"
    radii = np.full(len(visited), VISITED)
    return (
        Rings(layer=CELLS, points=tree.points[visited], radii=radii, ink="accent", off_by_default=True),
        TextLabels(layer=CELLS, points=place[None], texts=(text,), off_by_default=True),
    )


class KnnMapView(FittedMapView["KnnRegressorState"]):
    """Means of the nearest neighbours, with the residuals."""

    def field(self, raster: Raster) -> Field:
        return self.state.band_cache.band(raster, 1, self._paint, self.section.key)

    def marks(self) -> tuple[Mark, ...]:
        return (*(tree_marks(self.state) if self.section.whole else ()), *super().marks())

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        return visited_marks(self.state, np.asarray(point, dtype=np.float64))

    def _paint(self, raster: Raster) -> Field:
        state, (points, beside) = self.state, self.section.project(self.state.X)
        offsets = None if self.section.whole else beside
        return nearest_means(
            raster, points, state.y, state.k, weighted=state.weighted, offsets=offsets, skew=self.section.skew
        )


class KnnCurveView(FittedCurveView["KnnRegressorState"]):
    """Residuals; the pointer shows the neighbours and the interval that holds them."""

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        x = float(point[0])
        y = float(self.curve(np.array([x]))[0])
        line = self.state.sorted
        rows = line.rows(np.array([x]))[0]
        far = np.column_stack([line.x[rows], line.y[rows]])
        here = np.broadcast_to([x, y], far.shape)
        reach = float(np.abs(far[:, 0] - x).max())
        edges = upright_ends(np.array([x - reach, x + reach]))
        return (
            Segments(layer=NEIGHBOURS, ends=edges, ink="muted", stroke="dot"),
            Segments(layer=NEIGHBOURS, ends=np.stack([here, far], axis=1), ink="accent"),
            TextLabels(layer=NEIGHBOURS, points=np.array([[x, y]]), texts=(f"{y:.4g}",)),
        )


def unit_ball(metric: str) -> Floats:
    """The outline (m, 2) of the points at distance 1 from the origin."""
    if metric == "linf":
        return np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
    return circle(np.zeros(2), 1.0, 4 if metric == "l1" else CORNERS)
