"""A moment of agglomeration: merges so far, or the cut at the end; the plane goes with the nearest point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.field.nearest import nearest_votes
from vizml.learn import Clusterer
from vizml.learn.clusters.dendrogram import Forest, drawn
from vizml.learn.neighbours.search import nearest
from vizml.learn.state import Floats, Focus, Ints
from vizml.scene import Axis, Chart, Diagram, Ink, Mark, Rings, Segments, Series

COLOURED = 30
"""So many clusters have colours and regions; more are not told apart by anyone."""
WITNESSES = 1 << 18
SHOWN = 20
"""Numbers of clusters in the chart of heights."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Cutting:
    """The merges below a cut, and the height to draw it at."""

    kept: Ints
    height: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Merged(Clusterer):
    """While merges are made points that are alone are noise; at the cut every cluster counts."""

    points: Floats
    forest: Forest
    linkage: str
    codes: Ints
    """The colour of each node of the forest, -1 for none."""
    cutting: Cutting | None = None
    floor: ClassVar[float] = 0.5

    @cached_property
    def _tops(self) -> tuple[Ints]:
        """The topmost node of each point (in a tuple: arrays of a state are fields)."""
        forest = self.forest
        return (forest.roots(np.arange(len(forest)) if self.cutting is None else self.cutting.kept),)

    @property
    def members(self) -> Ints:
        """The cluster of each point, however many there are, in the order of their first points."""
        _, first, place = np.unique(self._tops[0], return_index=True, return_inverse=True)
        ranks: Ints = np.argsort(np.argsort(first))[place]
        return ranks

    @property
    def assigned(self) -> Ints:
        if self.cutting is None:
            return self.codes[self._tops[0]]
        return largest(self.members)

    def scores(self, X: ArrayLike) -> Floats:
        """1 for the cluster of the nearest point."""
        places = np.asarray(X, dtype=np.float64)
        each = np.eye(self.clusters + 1)[self.assigned]
        out = np.empty((len(places), self.clusters))
        for found in nearest(places, self.points, 1):
            out[found.queries] = each[found.candidates[found.inside.argmax(axis=1)], :-1]
        return out

    def field(self, raster: Raster) -> Field:
        planes = self.clusters + 1
        votes = nearest_votes(raster, self.points, self.assigned % planes, 1, classes=planes)
        return votes[:-1].astype(np.float32)

    def marks(self) -> tuple[Mark, ...]:
        if not len(self.forest) or self.cutting is not None:
            return ()
        first, second = (self.forest.members(node) for node in self.forest.pairs[-1].tolist())
        ends = _bridge(self.points[first], self.points[second], self.linkage)
        ringed = self.points[np.concatenate([first, second])]
        return (
            Rings(layer="Merging", points=ringed, radii=np.full(len(ringed), 8.0), ink="accent", width=1.2),
            Segments(layer="Distance", ends=ends[None], width=2.5, ink="accent", legend="distance"),
        )

    def diagram(self) -> Diagram:
        coloured = dict(zip(self._tops[0].tolist(), self.assigned.tolist()))
        inks: dict[int, Ink] = {node: code for node, code in coloured.items() if code >= 0}
        height = None if self.cutting is None else self.cutting.height
        return drawn(self.forest, inks, height, self.note)

    def focus(self, node: str) -> Focus:
        inside = self.points[self.forest.members(int(node))]
        radii = np.full(len(inside), 9.0)
        return Focus((Rings(layer="Subtree", points=inside, radii=radii, ink="accent", width=2.0),))

    def trail(self, point: Floats) -> tuple[str, ...]:
        """The nearest point and all merges that it is in."""
        own = int(((self.points - point) ** 2).sum(axis=1).argmin())
        return tuple(map(str, self.forest.ancestors(own)))

    def charts(self) -> tuple[Chart, ...]:
        heights = self.forest.heights[::-1][:SHOWN]
        if self.cutting is None or not len(heights):
            return ()
        k = np.arange(2, len(heights) + 2)
        return (
            Chart(
                title="The merge that ends K clusters",
                x=Axis(title="clusters K"),
                y=Axis(title="distance", low=0.0),
                series=(Series(name=self.linkage, x=k.astype(float), y=heights, kind="stems"),),
                note="after the last long stem the clusters are near each other: stop there",
                sets=("k",),
                choices=(tuple(k.tolist()),),
            ),
        )

    def metrics(self) -> Mapping[str, float]:
        made = self.forest.heights
        height = float(made[-1]) if len(made) else 0.0
        return {
            "clusters": float(len(np.unique(self._tops[0]))),
            "height": height if self.cutting is None else self.cutting.height,
        }


def largest(members: Ints) -> Ints:
    """The numbers of the largest clusters, in the same order; -1 for the rest."""
    sizes = np.bincount(members)
    if len(sizes) <= COLOURED:
        return members
    kept = np.sort(np.argsort(-sizes, kind="stable")[:COLOURED])
    place = np.full(len(sizes), -1)
    place[kept] = np.arange(COLOURED)
    return place[members]


def _bridge(first: Floats, second: Floats, linkage: str) -> Floats:
    """The line whose length is the distance: between two points, or between the means."""
    if linkage in ("single", "complete") and len(first) * len(second) <= WITNESSES:
        apart = ((first[:, None] - second) ** 2).sum(axis=2)
        at = apart.argmin() if linkage == "single" else apart.argmax()
        i, j = np.unravel_index(at, apart.shape)
        return np.stack([first[i], second[j]])
    return np.stack([first.mean(axis=0), second.mean(axis=0)])
