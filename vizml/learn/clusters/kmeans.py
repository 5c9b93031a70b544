"""k-means: J = sum_i min_k |x_i - c_k|^2 falls with each assignment and with each move of the centroids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data import Dataset
from vizml.field import Field, Raster
from vizml.field.linear import affine_field
from vizml.learn import CLUSTER, Clusterer, Model, choice, integer, register
from vizml.learn.clusters.frame import Frame
from vizml.learn.clusters.seeding import chosen
from vizml.learn.clusters.telling import counted, fewer
from vizml.learn.state import Floats, Ints
from vizml.scene import Dots, Mark, Path

ROUNDS = 300
"""Far more than Lloyd's rounds take in practice; their number is finite but has no small bound."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Partition(Clusterer):
    """Each point belongs to its nearest centroid."""

    frame: Frame
    trail: Floats
    """Where the centroids have been, in the frame, (t, k, 2)."""
    labels: Ints
    rounds: int

    @property
    def centroids(self) -> Floats:
        """The centroids (k, 2) in data units."""
        return self.frame.outside(self.trail[-1])

    @property
    def assigned(self) -> Ints:
        return self.labels

    def scores(self, X: ArrayLike) -> Floats:
        """2 c.x - |c|^2: the least squared distance has the highest, and it is affine."""
        return affinity(self.frame.inside(np.asarray(X, dtype=np.float64)), self.trail[-1])

    def field(self, raster: Raster) -> Field:
        at = self.trail[-1]
        return affine_field(2 * at / self.frame.spread, -(at**2).sum(axis=1), raster, self.frame.centre)

    def marks(self) -> tuple[Mark, ...]:
        dots = Dots(
            layer="Centroids", points=self.centroids, inks=tuple(range(self.clusters)), legend="centroid"
        )
        if len(self.trail) == 1:
            return (dots,)
        lines = self.frame.outside(self.trail).transpose(1, 0, 2)
        trails = (Path(layer="Trails", lines=(line,), ink=k, opacity=0.7) for k, line in enumerate(lines))
        return (*trails, dots)

    def metrics(self) -> dict[str, float]:
        return {"J": self.loss, "clusters": self.clusters, "rounds": self.rounds}


@register(
    "kmeans",
    task=CLUSTER,
    family="Centroids",
    title="k-means",
    about="Gives each point to its nearest centroid, moves centroids to the means of their points, repeats.",
    formula=(
        r"J = \sum_{i=1}^{n} \min_{k} \| x_i - c_k \|^2",
        r"c_k = \frac{1}{n_k} \sum_{i:\, z_i = k} x_i",
    ),
)
@dataclass(frozen=True)
class KMeans(Model):
    k: int = integer(3, 1, 20, help="number of clusters", symbol="K", title="clusters")
    init: str = choice(
        "kmeans++",
        ("random", "kmeans++"),
        labels={"random": "random points", "kmeans++": "k-means++"},
        help="how the first centroids are chosen: any points, or points far from each other",
        title="start",
    )
    restarts: int = integer(1, 1, 20, help="how often to start afresh; the run with the lowest J is kept")

    def steps(self, data: Dataset, rng: Generator) -> Iterator[Partition]:
        frame = Frame.of(data.points)
        points = frame.inside(data.points)
        ends: list[Partition] = []
        for run in range(self.restarts):
            start = chosen(points, self.k, self.init, rng)
            last = run == self.restarts - 1
            words = f"run {run + 1} of {self.restarts}, " if self.restarts > 1 else ""
            for half in lloyd(points, start, frame.spread**2):
                progress = 1.0 if last and half.done else run / self.restarts or None
                state = half.shown(frame, words, fewer(self.k, len(start), "clusters"), progress)
                yield state
            ends.append(state)
        if self.restarts > 1:
            losses = [end.loss for end in ends]
            yield replace(ends[int(np.argmin(losses))], note=_kept(losses), progress=1.0)


class Half(NamedTuple):
    """Where the centroids have been and whose the points are, after a half-step."""

    trail: Floats
    labels: Ints
    J: float
    words: str
    done: bool = False

    def shown(self, frame: Frame, before: str, after: str, progress: float | None) -> Partition:
        """It as a state, with more words around its own."""
        return Partition(
            clusters=self.trail.shape[1],
            frame=frame,
            trail=self.trail,
            labels=self.labels,
            rounds=len(self.trail) - 1,
            loss=self.J,
            note=f"{before}{self.words}{after}",
            progress=progress,
        )


def from_centroids(data: Dataset, start: ArrayLike) -> Iterator[Partition]:
    """The half-steps from centroids (k, 2) put by hand."""
    frame = Frame.of(data.points)
    centroids = frame.inside(np.asarray(start, dtype=np.float64))
    for half in lloyd(frame.inside(data.points), centroids, frame.spread**2):
        yield half.shown(frame, "", "", 1.0 if half.done else None)


def lloyd(points: Floats, start: Floats, unit: float) -> Iterator[Half]:
    """Assign and update by turns, until no point changes hands; J is the sum of squares times the unit."""
    trail = np.empty((ROUNDS + 1, *start.shape))
    trail[0], labels = start, nearest(points, start)
    J = inertia(points, start, labels) * unit
    yield Half(
        trail[:1],
        labels,
        J,
        f"start: {counted(len(start), 'centroid')}, each point to the nearest, J {J:.4g}",
    )
    for t in range(1, ROUNDS + 1):
        trail[t], labels, moved = updated(points, trail[t - 1], labels)
        before, J = J, min(J, inertia(points, trail[t], labels) * unit)
        words = f"round {t}, update: centroids to the means, J {before:.4g} → {J:.4g}"
        yield Half(trail[: t + 1], labels, J, words + _moved(moved))
        found = nearest(points, trail[t])
        changed = int(np.count_nonzero(found != labels))
        before, J, labels = J, min(J, inertia(points, trail[t], found) * unit) if changed else J, found
        words = f"round {t}, assign: {counted(changed, 'point')} changed hands, J {before:.4g} → {J:.4g}"
        yield Half(
            trail[: t + 1], labels, J, words + ("" if changed else ": done"), t == ROUNDS or not changed
        )
        if not changed:
            return


def affinity(points: Floats, centroids: Floats) -> Floats:
    """2 c.x - |c|^2 of each point and centroid (n, k)."""
    scores: Floats = points @ (2 * centroids.T) - (centroids**2).sum(axis=1)
    return scores


def nearest(points: Floats, centroids: Floats) -> Ints:
    """The nearest centroid of each point, the first of equals."""
    best: Ints = affinity(points, centroids).argmax(axis=1)
    return best


def inertia(points: Floats, centroids: Floats, labels: Ints) -> float:
    """J: the sum of squared distances to the own centroid."""
    apart = points - centroids[labels]
    # not a product of vectors: that one would wake the threads of the linear algebra for a small sum
    return float((apart * apart).sum())


def updated(points: Floats, centroids: Floats, labels: Ints) -> tuple[Floats, Ints, int]:
    """Each centroid at the mean of its points, the labels, and how many clusters had none.

    Those get the points that lie farthest from their centroids.
    """
    k = len(centroids)
    counts = np.bincount(labels, minlength=k)
    empty = np.flatnonzero(counts == 0)
    if len(empty):
        far = ((points - centroids[labels]) ** 2).sum(axis=1).argsort(kind="stable")[::-1][: len(empty)]
        labels = labels.copy()
        labels[far] = empty[: len(far)]
        counts = np.bincount(labels, minlength=k)
    sums = np.column_stack([np.bincount(labels, points[:, axis], minlength=k) for axis in (0, 1)])
    means = sums / np.maximum(counts, 1)[:, None]
    return np.where((counts > 0)[:, None], means, centroids), labels, len(empty)


def _kept(ends: list[float]) -> str:
    best = int(np.argmin(ends))
    others = ", ".join(f"{J:.4g}" for i, J in enumerate(ends) if i != best)
    return f"kept run {best + 1} of {len(ends)}: J {ends[best]:.4g}, the others {others}"


def _moved(empty: int) -> str:
    return f"; {counted(empty, 'empty cluster')} moved to the farthest points" if empty else ""
