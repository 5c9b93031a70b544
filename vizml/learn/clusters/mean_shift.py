"""Mean shift: points climb to the mean of what is near, m(x) = sum_i K(x - x_i) x_i / sum_i K(x - x_i)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.field.linear import affine_field
from vizml.learn import CLUSTER, Clusterer, Model, choice, real, register
from vizml.learn.clusters.lloyd import affinity, nearest
from vizml.learn.clusters.vicinity import kth_distances, sampled
from vizml.learn.frame import Frame
from vizml.learn.mixtures.gaussians import CIRCLE
from vizml.learn.state import Floats, Ints
from vizml.learn.telling import counted
from vizml.learn.training_data import TrainingData
from vizml.scene import Dots, Mark, Path, Segments, Words

QUANTILE = 0.3
"""The bandwidth from the data: the mean distance within which this share of the points lies."""
ROUNDS = 300
STILL = {"flat": 1e-3, "gaussian": 1e-4}
"""A point that moves by no more than this share of the bandwidth has arrived."""
PAIRS, FEWEST = 1 << 21, 100
"""A round may look at so many pairs: of many points only some walk, to the peaks of all."""
LINES = 1000
"""Paths to draw at the most."""
PATHS, WALKERS, MODES = "Paths", "Walkers", "Modes"


@dataclass(frozen=True, eq=False, kw_only=True)
class Climb:
    """Where the points that walk have been, and what they follow."""

    frame: Frame
    points: Floats
    walking: Ints
    trail: tuple[Floats, ...]
    h: float
    kernel: str

    def paths(self, which: Ints) -> tuple[Floats, ...]:
        """The ways of some that walk, in data units."""
        way = np.stack([places[which] for places in self.trail], axis=1)
        return tuple(self.frame.outside(way))

    def mean(self, places: Floats) -> tuple[Floats, Floats]:
        """The means that places (m, 2) are drawn to, and the weight there."""
        square = (places[:, :1] - self.points[:, 0]) ** 2 + (places[:, 1:] - self.points[:, 1]) ** 2
        if self.kernel == "flat":
            weights = (square <= self.h**2).astype(float)
        else:
            weights = np.exp(-square / (2 * self.h**2))
        total = weights.sum(axis=1)
        means = weights @ self.points
        some = total > 0
        means[some] /= total[some, None]
        means[~some] = places[~some]
        return means, total

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        """The window around a point, and the mean that it is drawn to."""
        means, total = self.mean(self.frame.inside(point[None]))
        ends = np.stack([point, self.frame.outside(means)[0]])
        edge = point + self.h * self.frame.spread * CIRCLE
        told = f"weight {total[0]:.3g}"
        return (
            Path(layer="Window", lines=(edge,), closed=True, ink="accent", fill=0.06),
            Segments(layer="Window", ends=ends[None], ink="accent", width=2.0),
            Words(layer="Window", points=point[None], texts=(told,)),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Climbing(Clusterer):
    """Points on their way: nobody knows yet whose they are."""

    climb: Climb
    clusters: int = 1
    floor: ClassVar[float] = 0.0

    @property
    def assigned(self) -> Ints:
        return np.full(len(self.climb.points), -1)

    def scores(self, X: ArrayLike) -> Floats:
        return np.full((len(np.asarray(X)), 1), -1.0)

    def field(self, raster: Raster) -> Field:
        return np.full((1, *raster.shape), -1.0, dtype=np.float32)

    def marks(self) -> tuple[Mark, ...]:
        lines = self.climb.paths(np.arange(len(self.climb.walking))[:LINES])
        here = self.climb.frame.outside(self.climb.trail[-1])
        return (
            Path(layer=PATHS, lines=lines, ink="muted", width=1.0, opacity=0.6, legend="path"),
            Dots(layer=WALKERS, points=here, size=6.0, shape="circle", ink="accent"),
        )

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        return self.climb.probe(point)

    def metrics(self) -> Mapping[str, float]:
        return {
            "rounds": float(len(self.climb.trail) - 1),
            "bandwidth": self.climb.h * self.climb.frame.spread,
        }


@dataclass(frozen=True, eq=False, kw_only=True)
class Arrived(Clusterer):
    """Each place belongs to its nearest mode."""

    climb: Climb
    modes: Floats
    """In the frame (k, 2)."""
    labels: Ints

    @property
    def centres(self) -> Floats:
        """The modes (k, 2) in data units."""
        return self.climb.frame.outside(self.modes)

    @property
    def assigned(self) -> Ints:
        return self.labels

    def scores(self, X: ArrayLike) -> Floats:
        """2 m.x - |m|^2 in the frame: the least distance has the highest."""
        return affinity(self.climb.frame.inside(np.asarray(X, dtype=np.float64)), self.modes)

    def field(self, raster: Raster) -> Field:
        frame, offsets = self.climb.frame, -(self.modes**2).sum(axis=1)
        return affine_field(2 * self.modes / frame.spread, offsets, raster, frame.centre)

    def marks(self) -> tuple[Mark, ...]:
        drawn = np.arange(len(self.climb.walking))[:LINES]
        own = self.labels[self.climb.walking[drawn]]
        paths = (
            Path(
                layer=PATHS,
                lines=self.climb.paths(drawn[own == k]),
                ink=k,
                width=1.0,
                opacity=0.6,
            )
            for k in range(self.clusters)
        )
        modes = Dots(layer=MODES, points=self.centres, inks=tuple(range(self.clusters)), legend="mode")
        return (*paths, modes)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        return self.climb.probe(point)

    def metrics(self) -> Mapping[str, float]:
        climb = self.climb
        return {
            "clusters": float(self.clusters),
            "rounds": float(len(climb.trail) - 1),
            "bandwidth": climb.h * climb.frame.spread,
        }


@register(
    "mean_shift",
    task=CLUSTER,
    family="Densities",
    title="Mean shift",
    about="Lets every point climb to a peak of the density; each place goes with the nearest peak.",
    formula=(r"x \leftarrow \frac{\sum_{i} K(x - x_i)\, x_i}{\sum_{i} K(x - x_i)}",),
)
@dataclass(frozen=True)
class MeanShift(Model):
    bandwidth: float | str = real(
        "auto",
        1e-6,
        1e6,
        log=True,
        words=("auto",),
        symbol="h",
        help="how far a point sees; auto: so far that it sees three points of ten on average",
    )
    kernel: str = choice(
        "flat",
        ("flat", "gaussian"),
        labels={"flat": "flat: all within h alike", "gaussian": "Gaussian: nearer ones more"},
        symbol="K",
        help="how much a point counts that is seen",
    )

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Climbing | Arrived]:
        frame = Frame.of(data.points)
        points, n = frame.inside(data.points), len(data)
        h = self.bandwidth / frame.spread if isinstance(self.bandwidth, float) else _usual(points, rng)
        most = max(PAIRS // n, FEWEST)
        walking = np.arange(n) if n <= most else np.sort(rng.permutation(n)[:most])
        climb = Climb(
            frame=frame, points=points, walking=walking, trail=(points[walking],), h=h, kernel=self.kernel
        )
        who = counted(n, "point") if len(walking) == n else f"{len(walking):,} of {n:,} points"
        yield Climbing(climb=climb, note=f"start: {who} walk, each sees as far as {h * frame.spread:.4g}")
        weights, moving = np.zeros(len(walking)), np.arange(len(walking))
        for turn in range(1, ROUNDS + 1):
            places = climb.trail[-1].copy()
            places[moving], weights[moving] = climb.mean(places[moving])
            moved = np.hypot(*(places - climb.trail[-1])[moving].T)
            climb = replace(climb, trail=(*climb.trail, places))
            far, moving = float(moved.max()) * frame.spread, moving[moved > STILL[self.kernel] * h]
            if not len(moving):
                break
            told = f"round {turn}: {counted(len(moving), 'point')} still moving, at most by {far:.3g}"
            yield Climbing(climb=climb, note=told, progress=1 - len(moving) / (len(walking) + 1))
        modes = merged(climb.trail[-1], weights, h)
        there = counted(len(walking) - len(moving), "point")
        yield Arrived(
            clusters=len(modes),
            climb=climb,
            modes=modes,
            labels=nearest(points, modes),
            note=f"after round {turn} {there} arrived: {counted(len(modes), 'mode')}",
            progress=1.0,
        )


def merged(places: Floats, weights: Floats, h: float) -> Floats:
    """The modes (k, 2), densest first: each takes those within h that are less dense."""
    order = np.lexsort((places[:, 1], places[:, 0], weights))[::-1]
    left, modes = places[order], []
    while len(left):
        modes.append(left[0])
        left = left[((left - left[0]) ** 2).sum(axis=1) > h * h]
    return np.array(modes)


def _usual(points: Floats, rng: Generator) -> float:
    k = max(int(len(points) * QUANTILE), 1)
    found = float(kth_distances(points, k, sampled(len(points), rng)).mean())
    return found or float(np.hypot(*np.ptp(points, axis=0))) / 4 or 1.0
