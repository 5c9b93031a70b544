"""k-means clustering: parameters, model and state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.params import Value
from vizml.data.wording import plural
from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints
from vizml.field.distances import METRICS, section_offsets
from vizml.learn import CLUSTER, Clusterer, choice, integer, register
from vizml.learn.clusters.kmeans_solver import (
    MAX_ITERATIONS,
    MAX_POSITIONS,
    PLACED,
    STARTS,
    LloydStep,
    Pick,
    assign,
    centroid_field,
    closeness,
    inertia,
    lloyd,
    numbered_anchors,
    picks,
    placed_positions,
    random_centroids,
    random_labels,
    restart_parameters,
    trail_marks,
    update,
)
from vizml.learn.formatting import shortfall
from vizml.learn.learned import Learned, PointValues
from vizml.learn.line_views import ClusterLineView
from vizml.learn.model import WatchedModel
from vizml.learn.training_data import TrainingData
from vizml.learn.view import Anchor, PlaneView
from vizml.scene import Dots, Mark, Rings, Segments, TextLabels

RANDOM_PARTITION = "random_partition"
INIT_METHODS = {
    "random": "random points", "kmeans++": "k-means++", RANDOM_PARTITION: "random assignment",
}  # fmt: skip
METRIC_LABELS = {"l2": "Euclidean (means)", "l1": "Manhattan (medians)"}
OBJECTIVES = {"l2": "inertia", "l1": "sum of distances"}
LARGEST_RING = 16.0
"""Radius of the ring around the point that is farthest from all centroids, in pixels."""
EQUAL_INERTIA = 1e-9
"""Relative difference below which two runs have the same inertia: rounding differs with the order of sums."""


@dataclass(frozen=True, eq=False)
class KMeansStart:
    """Initial centroids, with the picks of k-means++ or the labels of a random assignment."""

    centroids: Floats
    picks: tuple[Pick, ...] = ()
    labels: Ints | None = None


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


def _manhattan_field(centroids: Floats, offsets: Floats | None, raster: Raster) -> Field:
    """Minus the L1 distance (K, H, W) of each pixel to centroids (k, 2), with distances beside the plane."""
    across, up = (np.abs(at - values[:, None]) for at, values in zip((raster.x, raster.y), centroids.T))
    if offsets is not None:
        up = up + offsets[:, None]
    return np.asarray(-across[:, None, :] - up[:, :, None], dtype=np.float32)


@dataclass(frozen=True, eq=False, kw_only=True)
class KMeansState(Clusterer):
    """Centroids after a half-step of Lloyd's algorithm."""

    plane_view_class = KMeansView
    line_view_class = KMeansLineView
    centre: Floats
    """Mean of the training data, subtracted to avoid cancellation."""
    path: Floats
    """Centroids after each iteration (t, k, d), relative to `centre`."""
    labels: Ints
    metric: str = "l2"
    squared: Floats | None = None
    """Squared distance D(x)² of each point to the nearest centroid while k-means++ picks them."""

    @property
    def centroids(self) -> Floats:
        """Centroids (k, d) in data units."""
        return np.asarray(self.path[-1] + self.centre)

    @property
    def assigned(self) -> Ints:
        return self.labels

    def scores(self, X: ArrayLike) -> Floats:
        """2 c.x - |c|^2, or minus the L1 distance, highest for the nearest centroid."""
        return closeness(np.asarray(X, dtype=np.float64) - self.centre, self.path[-1], self.metric)

    def learned(self) -> Learned:
        return {"mu": self.centroids}

    def row_values(self, data: TrainingData) -> PointValues:
        nearest = self.centroids[self.predict(data.X)]
        measure = METRICS[self.metric]
        return {"distance": measure.length(measure.part(data.X - nearest).sum(axis=1))}

    def metrics(self) -> dict[str, float]:
        return {
            OBJECTIVES[self.metric]: self.loss,
            "clusters": self.clusters,
            "iterations": len(self.path) - 1,
        }


@register(
    "kmeans", CLUSTER, "Clustering", "k-means",
    symbols={"c": ("Centroid of a cluster.", "Centroids"), "J": ("Inertia: the sum that is minimised.",)},
    synonyms=("Lloyd's algorithm", "centroids", "k-means++", "k-medians", "random partition"),
)  # fmt: skip
class KMeans(WatchedModel):
    r"""Assigns each point to its nearest centroid and moves each centroid to the mean of its points, in turn,
    which reduces the within-cluster sum of squares (inertia) until nothing changes.

    .. math::
        J = \sum_{i=1}^{n} \min_{k} \| x_i - c_k \|^2
        c_k = \frac{1}{n_k} \sum_{i:\, z_i = k} x_i
    """

    uses_distances = True

    k: int = integer(
        3, 1, MAX_POSITIONS, help="Number of clusters.", symbol="K", title="clusters",
        when={"init": tuple(INIT_METHODS)},
    )  # fmt: skip
    init: str = choice(
        "kmeans++", (*INIT_METHODS, PLACED), labels={**INIT_METHODS, PLACED: "placed by hand"},
        title="initialisation",
        help="Initial centroids: random points, points far from each other (k-means++), "
        "means of a random assignment, or placed by hand.",
    )  # fmt: skip
    starts: str = STARTS
    restarts: int = integer(
        1, 1, 20,
        help="Number of runs with different initial centroids. The run with the lowest inertia is kept.",
        when={"init": tuple(INIT_METHODS)},
    )  # fmt: skip

    metric: str = choice(
        "l2", tuple(METRIC_LABELS), labels=METRIC_LABELS, title="distance",
        help="Distance metric: Euclidean with means as centroids, or Manhattan with medians (k-medians).",
    )  # fmt: skip

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[KMeansState]:
        """Yield each half-step of each run, or the end of each run, and the best run of several."""
        centre, results = data.X.mean(axis=0), []
        X = np.asfortranarray(data.X - centre)  # its transpose is multiplied, column by column
        starts, remark = self._starts(X, centre, rng)
        for run, start in enumerate(starts):
            prefix, path = _run_prefix(run, starts), np.empty((MAX_ITERATIONS + 1, *start.centroids.shape))
            if every:
                yield from (
                    replace(each, centre=centre, note=prefix + each.note) for each in self._prelude(X, start)
                )
            before = np.nan
            for step in lloyd(X, start.centroids, self.metric):
                path[step.iteration] = step.centroids
                if not (every or step.converged):
                    continue
                J = inertia(X, step.centroids, step.labels, self.metric)
                state = KMeansState(
                    clusters=len(step.centroids), centre=centre, path=path[: step.iteration + 1],
                    labels=step.labels, metric=self.metric, loss=J,
                    note=f"{prefix}{_note(step, before, J, OBJECTIVES[self.metric])}{remark}",
                    progress=_progress(run, starts, converged=step.converged),
                )  # fmt: skip
                before = J
                yield state
            results.append(state)
        if len(results) > 1:
            yield _best(results)

    def _prelude(self, X: Floats, start: KMeansStart) -> Iterator[KMeansState]:
        """Yield the picks of k-means++, or the random assignment, with centroids relative to the centre."""
        name, power = OBJECTIVES[self.metric], "²" if self.metric == "l2" else ""
        k = len(start.centroids)
        for number, pick in enumerate(start.picks, start=1):
            total = float(pick.squared.sum())
            how = f"picked with probability {pick.probability:.3g}, the best of {pick.candidates} candidates"
            how = "a random point" if number == 1 else how
            yield self._before(
                X, pick.centroids, assign(X, pick.centroids, self.metric), total, squared=pick.squared,
                note=f"k-means++: centroid {number} of {k} is {how}; Σ D(x){power} {total:.4g}",
            )  # fmt: skip
        if start.labels is not None:
            J = inertia(X, start.centroids, start.labels, self.metric)
            note = f"random assignment: each point is in a random cluster, {name} {J:.4g}"
            yield self._before(X, start.centroids, start.labels, J, note=note)

    def _before(
        self, X: Floats, centroids: Floats, labels: Ints, loss: float, *, note: str,
        squared: Floats | None = None,
    ) -> KMeansState:  # fmt: skip
        """Return a state before the first half-step."""
        return KMeansState(
            clusters=len(centroids), centre=np.zeros(X.shape[1]), path=centroids[None], labels=labels,
            metric=self.metric, squared=squared, loss=loss, note=note,
        )  # fmt: skip

    def _starts(self, X: Floats, centre: Floats, rng: Generator) -> tuple[list[KMeansStart], str]:
        """Start of each run in centred inputs X, and a remark for notes."""
        placed = placed_positions(self.init, self.starts, X.shape[1])
        if len(placed):
            return [KMeansStart(placed - centre)], ""
        runs = 1 if self.init == PLACED else self.restarts
        starts = [self._start(X, rng) for _ in range(runs)]
        remark = " (no centroid is placed: k-means++ is used)" if self.init == PLACED else ""
        return starts, shortfall(self.k, len(starts[0].centroids), "clusters") + remark

    def _start(self, X: Floats, rng: Generator) -> KMeansStart:
        """Choose initial centroids."""
        if self.init == "random":
            return KMeansStart(random_centroids(X, self.k, rng))
        if self.init == RANDOM_PARTITION:
            centroids = random_centroids(X, self.k, rng)
            labels = random_labels(X, len(centroids), rng)
            return KMeansStart(update(X, centroids, labels, self.metric)[0], labels=labels)
        found = tuple(picks(X, self.k, rng, self.metric))
        return KMeansStart(found[-1].centroids, picks=found)


def _run_prefix(run: int, starts: list[KMeansStart]) -> str:
    return f"run {run + 1} of {len(starts)}, " if len(starts) > 1 else ""


def _progress(run: int, starts: list[KMeansStart], *, converged: bool) -> float | None:
    return 1.0 if converged and run == len(starts) - 1 else run / len(starts) or None


def _note(step: LloydStep, before: float, J: float, objective: str) -> str:
    k = len(step.centroids)
    change = f"{objective} {J:.4g}" if np.isnan(before) else f"{objective} {before:.4g} → {J:.4g}"
    if step.phase == "start":
        return f"start: {plural(k, 'centroid')}, each point assigned to the nearest, {change}"
    if step.phase == "update":
        middle = "means" if objective == OBJECTIVES["l2"] else "medians"
        note = f"iteration {step.iteration}, update: centroids moved to the cluster {middle}, {change}"
        relocated = f"; {plural(step.changed, 'empty cluster')} relocated to the farthest points"
        return note + relocated if step.changed else note
    note = f"iteration {step.iteration}, assignment: {plural(step.changed, 'point')} reassigned, {change}"
    if not step.converged:
        return note
    n, T = len(step.labels), step.iteration + 1
    empty = k - len(np.unique(step.labels))
    cost = f"T K N = {T} · {k} · {n:,} = {T * k * n:,} distances"
    without = f"; {plural(empty, 'cluster')} without points" if empty else ""
    return f"{note}: converged{without}; {cost}"


def _best(results: list[KMeansState]) -> KMeansState:
    """The first of the runs with the lowest inertia."""
    lowest = min(state.loss for state in results) * (1 + EQUAL_INERTIA)
    best = next(run for run, state in enumerate(results) if state.loss <= lowest)
    others = ", ".join(f"{state.loss:.4g}" for run, state in enumerate(results) if run != best)
    kept = results[best]
    objective = f"{OBJECTIVES[kept.metric]} {kept.loss:.4g}"
    note = f"run {best + 1} of {len(results)} kept: {objective}, the others {others}"
    return replace(kept, note=note, progress=1.0)
