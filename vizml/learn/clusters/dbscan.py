"""DBSCAN: clusters are what core points reach; a core point has at least m points within eps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.wording import plural
from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints, Mask
from vizml.field.discs import disc_depths, disc_field
from vizml.learn import CLUSTER, Clusterer, Model, integer, real, register
from vizml.learn.clusters.neighbourhoods import RadiusIndex, StoredNeighbours, kth_distances, sample_rows
from vizml.learn.learned import PointValues
from vizml.learn.line_views import SIDES, ClusterLineView, interval_marks
from vizml.learn.outlines import circle
from vizml.learn.training_data import TrainingData
from vizml.learn.view import PlaneView
from vizml.scene import Axis, Chart, Dots, Mark, Path, Rings, Rule, Series, TextLabels

AUTO_CORE_SHARE = 0.98
"""Share of points that the automatic radius makes core points."""
STEP_NEIGHBOURS = 1 << 18
"""Neighbours found between two steps of counting: about 10 ms of work."""
MAX_CIRCLES, CIRCLE_CORNERS = 80, 72
"""Circles of eps drawn around the last core points, and their corners."""
NO_ROWS = np.empty(0, dtype=np.int64)


class ExpansionStep(NamedTuple):
    """Labels after a step of the expansion of a cluster, and the rows that were reached in this step."""

    cluster: int
    step: int
    labels: Ints
    frontier: Ints


def expand_clusters(neighbours: RadiusIndex | StoredNeighbours, core: Mask) -> Iterator[ExpansionStep]:
    """Grow each cluster from its first core point, in each step by the neighbours of the last core points.

    >>> X = np.array([[0.0], [1.0], [2.0], [9.0]])
    >>> *_, last = expand_clusters(RadiusIndex(X, radius=1.0), core=np.array([False, True, False, False]))
    >>> last.labels.tolist()
    [0, 0, 0, -1]
    """
    labels, cluster = np.full(len(core), -1), 0
    for seed in np.flatnonzero(core):
        if labels[seed] >= 0:
            continue
        frontier, step = np.array([seed]), 1
        labels[seed] = cluster
        while len(frontier):
            yield ExpansionStep(cluster, step, labels.copy(), frontier)
            reached = np.zeros(len(core), dtype=bool)
            for found in neighbours.query(frontier[core[frontier]]):
                reached[found.neighbours] = True
            frontier, step = np.flatnonzero(reached & (labels < 0)), step + 1
            labels[frontier] = cluster
        cluster += 1


class DbscanView(PlaneView["DbscanState"]):
    """Discs of radius eps around core points, core and noise points, and the frontier of the expansion."""

    def field(self, raster: Raster) -> Field:
        core, labels = self.state.reached_core
        points, beside = self.section.project(core)
        skew = self.section.skew
        return disc_field(raster, points, labels, self.state.eps, self.state.clusters, beside, skew)

    def whole_marks(self) -> tuple[Mark, ...]:
        state, X = self.state, self.state.X
        core = X[state.core]
        noise = X[state.labels < 0] if state.progress == 1.0 else X[:0]
        frontier = X[state.frontier[state.core[state.frontier]]][:MAX_CIRCLES]
        circles = tuple(circle(point, state.eps, CIRCLE_CORNERS) for point in frontier)
        return (
            Path(layer="Front", lines=circles, closed=True, ink="accent", width=1.0, opacity=0.6, fill=0.04),
            core_rings(core),
            Dots(layer="Noise", points=noise, size=7.0, ink="muted", legend="noise"),
        )  # fmt: skip

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        lines, text = (circle(point, self.state.eps, CIRCLE_CORNERS),), neighbours_text(self.state, point)
        return (
            Path(layer="Neighbourhood", lines=lines, closed=True, ink="accent", fill=0.06),
            TextLabels(layer="Neighbourhood", points=point[None], texts=(text,)),
        )


class DbscanLineView(ClusterLineView["DbscanState"]):
    """Membership, with rings around core points."""

    def marks(self) -> tuple[Mark, ...]:
        return (core_rings(self.places[self.state.core]),)

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        text = neighbours_text(self.state, point[:1])
        return interval_marks("Neighbourhood", point, point[0] + self.state.eps * SIDES, text)


def core_rings(points: Floats) -> Rings:
    """Return rings around core points."""
    radii = np.full(len(points), 7.0)
    return Rings(layer="Core points", points=points, radii=radii, width=1.0, opacity=0.7, legend="core point")


def neighbours_text(state: DbscanState, point: Floats) -> str:
    """Return the number of neighbours of a point (d,), and what it belongs to."""
    count = int((((state.X - point) ** 2).sum(axis=1) <= state.eps**2).sum())
    return f"{plural(count, 'point')} within {state.eps:.3g}: {state.description(point)}"


@dataclass(frozen=True, eq=False, kw_only=True)
class DbscanState(Clusterer):
    """Points within eps of a core point belong to its cluster, all others are noise."""

    plane_view_class = DbscanView
    line_view_class = DbscanLineView
    X: Floats
    eps: float
    min_points: int
    core: Mask
    """Mask of the core points."""
    kth_distances: Floats
    """Distances from some points to their m-th nearest point, rising."""
    labels: Ints
    frontier: Ints = field(default_factory=lambda: NO_ROWS)
    """Rows reached in the last step."""
    found: int = 0
    """Number of clusters so far; `clusters` is at least 1."""
    floor: ClassVar[float] = 0.0

    @property
    def assigned(self) -> Ints:
        return self.labels

    @property
    def outside(self) -> str:
        """Noise at the end: before it, an expansion may still reach the point."""
        return "noise" if self.progress == 1.0 else "not visited"

    @cached_property
    def reached_core(self) -> tuple[Floats, Ints]:
        """Core points of the clusters so far and their clusters, cluster by cluster."""
        reached = np.flatnonzero(self.core & (self.labels >= 0))
        reached = reached[np.argsort(self.labels[reached], kind="stable")]
        return self.X[reached], self.labels[reached]

    def training_values(self) -> PointValues:
        border = np.where(self.labels >= 0, "border point", self.outside)
        return {"kind": np.where(self.core, "core point", border)}

    def scores(self, X: ArrayLike) -> Floats:
        """1 - (distance to the nearest core point / eps)^2 for each cluster, at least -1."""
        return disc_depths(np.asarray(X, dtype=np.float64), *self.reached_core, self.eps, self.clusters)

    def charts(self) -> tuple[Chart, ...]:
        distances = self.kth_distances
        share = np.arange(1, len(distances) + 1) / len(distances)
        curve = Series(name="share", x=distances, y=share, kind="step")
        return (
            Chart(
                title="Share of core points by eps",
                x=Axis(title=f"distance to the {self.min_points}-th nearest point"),
                y=Axis(title="share of core points", low=0.0, high=1.0),
                series=(curve,), rules=(Rule(name="eps", x=self.eps),),
                note="Choose eps at the knee, where the curve bends to the right. Click to set eps.",
                sets=("eps",), choices=(tuple(distances.tolist()),),
            ),
        )  # fmt: skip

    def metrics(self) -> Mapping[str, float]:
        inside = self.labels >= 0
        return {
            "clusters": float(self.found), "core": float(self.core.sum()),
            "border": float((inside & ~self.core).sum()), self.outside: float((~inside).sum()),
            "eps": self.eps,
        }  # fmt: skip


@register(
    "dbscan", CLUSTER, "Clustering", "DBSCAN",
    symbols={"N": ("Points within the radius around a point.",)},
    synonyms=("density-based clustering",),
)  # fmt: skip
class DBSCAN(Model):
    r"""Density-based clustering: points with many neighbours within a radius are core points. Connected core
    points and their neighbours form a cluster; all other points are noise.

    .. math::
        N(x) = \{\, i : \| x - x_i \| \leq \varepsilon \,\}
        x_i \;\mathrm{core} \iff | N(x_i) | \geq m
    """

    uses_distances = True

    eps: float | str = real(
        "auto", 1e-6, 1e6, log=True, words=("auto",), symbol="\\varepsilon", title="radius",
        help="Radius of the neighbourhood of a point. With 'auto', 98 % of the points become core points.",
    )  # fmt: skip
    min_points: int = integer(
        5, 1, 200, log=True, symbol="m", title="minimum points",
        help="Minimum number of points within the radius of a core point, including the point itself.",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[DbscanState]:
        X, n = data.X, len(data)
        distances = np.sort(kth_distances(X, self.min_points, sample_rows(n, rng)))
        eps = self.eps if isinstance(self.eps, float) else _automatic_eps(X, distances)
        state = DbscanState(
            clusters=1, X=X, eps=eps, min_points=self.min_points, core=np.zeros(n, dtype=bool),
            kth_distances=distances, labels=np.full(n, -1), progress=0.0,
        )  # fmt: skip
        index, stored = RadiusIndex(X, eps), StoredNeighbours(n)
        done = pending = 0
        for found in index.query(np.arange(n)):
            stored.add(found)
            done, pending = done + len(found.rows), pending + len(found.neighbours)
            if pending > STEP_NEIGHBOURS and done < n:
                pending = 0
                yield replace(state, note=f"counting neighbours: {done:,} of {plural(n, 'point')}")
        core = stored.counts >= self.min_points
        count = f"{int(core.sum()):,} of {plural(n, 'point')}"
        note = f"core points: {count} with at least {plural(self.min_points, 'point')} within {eps:.4g}"
        state = replace(state, core=core, note=note)
        yield state
        for step in expand_clusters(stored if stored.complete else index, core):
            number = step.cluster + 1
            note = (
                f"cluster {number}, expansion step {step.step}: {plural(len(step.frontier), 'point')} reached"
            )
            state = replace(
                state, clusters=number, found=number, labels=step.labels, frontier=step.frontier, note=note,
                progress=min(float((step.labels >= 0).mean()), 0.99),
            )  # fmt: skip
            yield state
        last = replace(state, frontier=NO_ROWS, progress=1.0)
        yield replace(last, note=_summary(last))


def _automatic_eps(X: Floats, distances: Floats) -> float:
    eps = float(np.quantile(distances, AUTO_CORE_SHARE))
    extent = float(np.ptp(X, axis=0).max())
    return eps or extent / 100 or 1.0


def _summary(state: DbscanState) -> str:
    if not state.found:
        return (
            "no core points, so all points are noise: increase eps or decrease the minimum number of points"
        )
    figures = state.metrics()
    parts = ", ".join(f"{figures[name]:,.0f} {name}" for name in ("core", "border", "noise"))
    return f"{plural(state.found, 'cluster')}: {parts} points"
