"""k-means clustering: parameters, model and state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.wording import plural
from vizml.field.arrays import Floats, Ints
from vizml.learn import CLUSTER, Clusterer, Model, choice, integer, register
from vizml.learn.clusters.initialisation import (
    MAX_POSITIONS,
    PLACED,
    STARTS,
    initial_centroids,
    placed_positions,
)
from vizml.learn.clusters.kmeans_solver import MAX_ITERATIONS, LloydStep, inertia, lloyd, similarity
from vizml.learn.clusters.views import KMeansLineView, KMeansView
from vizml.learn.formatting import shortfall
from vizml.learn.learned import Learned, PointValues
from vizml.learn.training_data import TrainingData

INIT_METHODS = {"random": "random points", "kmeans++": "k-means++"}
EQUAL_INERTIA = 1e-9
"""Relative difference below which two runs have the same inertia: rounding differs with the order of sums."""


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

    @property
    def centroids(self) -> Floats:
        """Centroids (k, d) in data units."""
        return np.asarray(self.path[-1] + self.centre)

    @property
    def assigned(self) -> Ints:
        return self.labels

    def scores(self, X: ArrayLike) -> Floats:
        """2 c.x - |c|^2, highest for the nearest centroid."""
        return similarity(np.asarray(X, dtype=np.float64) - self.centre, self.path[-1])

    def learned(self) -> Learned:
        return {"mu": self.centroids}

    def row_values(self, data: TrainingData) -> PointValues:
        nearest = self.centroids[self.predict(data.X)]
        return {"distance": np.sqrt(((data.X - nearest) ** 2).sum(axis=1))}

    def metrics(self) -> dict[str, float]:
        return {"inertia": self.loss, "clusters": self.clusters, "iterations": len(self.path) - 1}


@register(
    "kmeans", CLUSTER, "Clustering", "k-means",
    symbols={"c": ("Centroid of a cluster.", "Centroids"), "J": ("Inertia: the sum that is minimised.",)},
    synonyms=("Lloyd's algorithm", "centroids", "k-means++"),
)  # fmt: skip
class KMeans(Model):
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
        help="Initial centroids: random points, points far from each other (k-means++), or placed by hand.",
    )  # fmt: skip
    starts: str = STARTS
    restarts: int = integer(
        1, 1, 20,
        help="Number of runs with different initial centroids. The run with the lowest inertia is kept.",
        when={"init": tuple(INIT_METHODS)},
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[KMeansState]:
        return self._states(data, rng, watched=True)

    def coarse_steps(self, data: TrainingData, rng: Generator) -> Iterator[KMeansState]:
        return self._states(data, rng, watched=False)

    def _states(self, data: TrainingData, rng: Generator, *, watched: bool) -> Iterator[KMeansState]:
        """Yield each half-step of each run, or the end of each run, and the best run of several."""
        centre, results = data.X.mean(axis=0), []
        X = np.asfortranarray(data.X - centre)  # columns are summed one by one
        starts, remark = self._starts(X, centre, rng)
        for run, start in enumerate(starts):
            path, before = np.empty((MAX_ITERATIONS + 1, *start.shape)), np.nan
            for step in lloyd(X, start):
                path[step.iteration] = step.centroids
                if not (watched or step.converged):
                    continue
                J = inertia(X, step.centroids, step.labels)
                note = f"{_run_prefix(run, starts)}{_note(step, before, J)}{remark}"
                state = KMeansState(
                    clusters=len(start), centre=centre, path=path[: step.iteration + 1], labels=step.labels,
                    loss=J, note=note, progress=_progress(run, starts, converged=step.converged),
                )  # fmt: skip
                before = J
                yield state
            results.append(state)
        if len(results) > 1:
            yield _best(results)

    def _starts(self, X: Floats, centre: Floats, rng: Generator) -> tuple[Floats, str]:
        """Initial centroids of each run (r, k, d) in centred inputs X, and a remark for notes."""
        placed = placed_positions(self.init, self.starts, X.shape[1])
        if len(placed):
            return placed[None] - centre, ""
        runs = 1 if self.init == PLACED else self.restarts
        starts = np.stack([initial_centroids(X, self.k, self.init, rng) for _ in range(runs)])
        remark = " (no centroid is placed: k-means++ is used)" if self.init == PLACED else ""
        return starts, shortfall(self.k, starts.shape[1], "clusters") + remark


def _run_prefix(run: int, starts: Floats) -> str:
    return f"run {run + 1} of {len(starts)}, " if len(starts) > 1 else ""


def _progress(run: int, starts: Floats, *, converged: bool) -> float | None:
    return 1.0 if converged and run == len(starts) - 1 else run / len(starts) or None


def _note(step: LloydStep, before: float, J: float) -> str:
    k = len(step.centroids)
    change = f"inertia {J:.4g}" if np.isnan(before) else f"inertia {before:.4g} → {J:.4g}"
    if step.phase == "start":
        return f"start: {plural(k, 'centroid')}, each point assigned to the nearest, {change}"
    if step.phase == "update":
        note = f"iteration {step.iteration}, update: centroids moved to the cluster means, {change}"
        relocated = f"; {plural(step.changed, 'empty cluster')} relocated to the farthest points"
        return note + relocated if step.changed else note
    note = f"iteration {step.iteration}, assignment: {plural(step.changed, 'point')} reassigned, {change}"
    if not step.converged:
        return note
    empty = k - len(np.unique(step.labels))
    return f"{note}: converged" + (f"; {plural(empty, 'cluster')} without points" if empty else "")


def _best(results: list[KMeansState]) -> KMeansState:
    """The first of the runs with the lowest inertia."""
    lowest = min(state.loss for state in results) * (1 + EQUAL_INERTIA)
    best = next(run for run, state in enumerate(results) if state.loss <= lowest)
    others = ", ".join(f"{state.loss:.4g}" for run, state in enumerate(results) if run != best)
    note = f"run {best + 1} of {len(results)} kept: inertia {results[best].loss:.4g}, the others {others}"
    return replace(results[best], note=note, progress=1.0)
