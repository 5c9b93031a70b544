"""k-means: J = sum_i min_k |x_i - c_k|^2 falls with each assignment and with each move of the centroids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.params import Value
from vizml.field import Field, Raster
from vizml.field.linear import affine_field
from vizml.learn import CLUSTER, Clusterer, Model, integer, register
from vizml.learn.clusters.lloyd import Half, affinity
from vizml.learn.clusters.placed import (
    PLACED,
    anchors,
    continued,
    count_parameter,
    put,
    start_parameter,
    starts_parameter,
)
from vizml.learn.clusters.race import ends, runs
from vizml.learn.clusters.seeding import chosen_each
from vizml.learn.frame import Frame
from vizml.learn.state import Anchor, Floats, Ints
from vizml.learn.telling import fewer
from vizml.learn.training_data import TrainingData
from vizml.scene import Dots, Mark, Path, Segments, Words

Way = Callable[[Floats, Floats, float], Iterator[tuple[int, Half]]]
"""Of points, starts and the unit of J: half-steps, with the number of their run."""
WAYS = {"random": "random points", "kmeans++": "k-means++"}


@dataclass(frozen=True, eq=False, kw_only=True)
class Partition(Clusterer):
    """Each point belongs to its nearest centroid."""

    frame: Frame
    history: Floats
    """Where the centroids have been, in the frame, (t, k, 2)."""
    labels: Ints

    @property
    def rounds(self) -> int:
        """How often the centroids have moved."""
        return len(self.history) - 1

    @property
    def centroids(self) -> Floats:
        """The centroids (k, 2) in data units."""
        return self.frame.outside(self.history[-1])

    @property
    def assigned(self) -> Ints:
        return self.labels

    def scores(self, X: ArrayLike) -> Floats:
        """2 c.x - |c|^2: the least squared distance has the highest, and it is affine."""
        return affinity(self.frame.inside(np.asarray(X, dtype=np.float64)), self.history[-1])

    def field(self, raster: Raster) -> Field:
        at = self.history[-1]
        return affine_field(2 * at / self.frame.spread, -(at**2).sum(axis=1), raster, self.frame.centre)

    def marks(self) -> tuple[Mark, ...]:
        dots = Dots(
            layer="Centroids", points=self.centroids, inks=tuple(range(self.clusters)), legend="centroid"
        )
        if len(self.history) == 1:
            return (dots,)
        lines = self.frame.outside(self.history).transpose(1, 0, 2)
        trails = (Path(layer="Trails", lines=(line,), ink=k, opacity=0.7) for k, line in enumerate(lines))
        return (*trails, dots)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        nearest = self.centroids[int(self.predict(point[None])[0])]
        told = f"{float(np.hypot(*(nearest - point))):.3g}"
        return (
            Segments(layer="Distance", ends=np.stack([point, nearest])[None], ink="accent", width=1.5),
            Words(layer="Distance", points=(point + nearest)[None] / 2, texts=(told,)),
        )

    def anchors(self) -> tuple[Anchor, ...]:
        return anchors("centroid", self.centroids)

    def moved(self, anchor: str, at: Floats) -> Mapping[str, Value]:
        return continued(self.anchors(), anchor, at)

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
    k: int = count_parameter("clusters", "clusters", WAYS)
    init: str = start_parameter(
        "kmeans++", WAYS, "where the first centroids are: at any points, at points far from each other"
    )
    starts: str = starts_parameter("first centroids", "where the first centroids are: drag one on the canvas")
    restarts: int = integer(
        1,
        1,
        20,
        help="how often to start afresh; the run with the lowest J is kept",
        when={"init": tuple(WAYS)},
    )

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Partition]:
        return self._run(data, rng, runs)

    def strides(self, data: TrainingData, rng: Generator) -> Iterator[Partition]:
        return self._run(data, rng, ends)

    def _run(self, data: TrainingData, rng: Generator, way: Way) -> Iterator[Partition]:
        frame = Frame.of(data.points)
        points = frame.inside(data.points)
        placed = put(self.init, self.starts)
        by_hand = len(placed) > 0
        init = "kmeans++" if self.init == PLACED else self.init
        many = 1 if self.init == PLACED else self.restarts
        starts = frame.inside(placed)[None] if by_hand else chosen_each(points, self.k, init, rng, many)
        why = "" if by_hand else fewer(self.k, len(starts[0]), "clusters")
        if init != self.init and not by_hand:
            why += " (no centroid is placed: k-means++ chose)"
        yield from _told(frame, way(points, starts, frame.spread**2), many, why)


def _told(frame: Frame, halves: Iterator[tuple[int, Half]], many: int, why: str) -> Iterator[Partition]:
    """The half-steps as states, and at the end the best of several runs."""
    last: dict[int, Partition] = {}
    for run, half in halves:
        words = f"run {run + 1} of {many}, {half.words}" if many > 1 else half.words
        over = half.done and run == many - 1
        state = shown(half, frame, words + why, 1.0 if over else run / many or None)
        last[run] = state
        yield state
    if many > 1:
        losses = [end.loss for end in last.values()]
        best = _best(losses)
        yield replace(last[best], note=_kept(losses, best), progress=1.0)


def shown(half: Half, frame: Frame, note: str, progress: float | None) -> Partition:
    """A half-step as a state."""
    return Partition(
        clusters=half.history.shape[1],
        frame=frame,
        history=half.history,
        labels=half.labels,
        loss=half.J,
        note=note,
        progress=progress,
    )


def _best(losses: list[float]) -> int:
    """The first of the runs that came to the lowest J, whose last digits depend on how it was summed up."""
    lowest = min(losses) * (1 + 1e-9)
    return next(run for run, loss in enumerate(losses) if loss <= lowest)


def _kept(losses: list[float], best: int) -> str:
    others = ", ".join(f"{J:.4g}" for run, J in enumerate(losses) if run != best)
    return f"kept run {best + 1} of {len(losses)}: J {losses[best]:.4g}, the others {others}"
