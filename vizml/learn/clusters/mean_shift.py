"""Mean shift: points move to the mean of their neighbourhood until they reach a mode of the density."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.wording import plural
from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints
from vizml.field.distances import squared_distances
from vizml.learn import CLUSTER, Clusterer, Model, choice, real, register
from vizml.learn.clusters.kmeans_solver import assign, centroid_field, closeness
from vizml.learn.clusters.neighbourhoods import kth_distances, sample_rows
from vizml.learn.learned import Learned
from vizml.learn.line_views import SIDES, ClusterLineView, interval_marks
from vizml.learn.outlines import circle
from vizml.learn.training_data import TrainingData
from vizml.learn.view import PlaneView
from vizml.scene import Dots, Mark, Path, Segments, TextLabels

AUTO_SHARE = 0.3
"""Share of the points within the automatic bandwidth, on average, as in scikit-learn."""
MAX_ITERATIONS = 300
TOLERANCE = {"flat": 1e-3, "gaussian": 1e-4}
"""Points that move by a smaller share of the bandwidth have converged."""
MAX_PATHS = 1000
"""Paths that are drawn."""
PAIRS, MIN_MOVING = 1 << 21, 100
"""Distances per iteration (about 20 ms): of many points only a sample moves, to the modes of all."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Shifts:
    """Positions of the points that move, after each iteration, with the data and the kernel they follow."""

    X: Floats
    bandwidth: float
    kernel: str
    rows: Ints
    """Rows of the training data that move: all, or a sample."""
    path: tuple[Floats, ...]

    def means(self, positions: Floats) -> tuple[Floats, Floats]:
        """Weighted mean of the training data around each position (m, d), and the sum of weights (m,).

        A position without neighbours is its own mean.
        """
        squared = squared_distances(positions, self.X) / self.bandwidth**2
        weights = (squared <= 1.0).astype(float) if self.kernel == "flat" else np.exp(-squared / 2)
        total = weights.sum(axis=1)
        centre = self.X.mean(axis=0)
        means = centre + weights @ (self.X - centre) / np.where(total > 0, total, 1.0)[:, None]
        return np.where(total[:, None] > 0, means, positions), total


class Iteration(NamedTuple):
    """Paths, density at the positions, positions still moving and the largest shift of an iteration."""

    shifts: Shifts
    weights: Floats
    moving: Ints
    largest: float


def mean_shift(shifts: Shifts) -> Iterator[Iteration]:
    """Move all positions to their weighted means until none moves."""
    weights, moving = np.zeros(len(shifts.rows)), np.arange(len(shifts.rows))
    for _ in range(MAX_ITERATIONS):
        positions = shifts.path[-1].copy()
        positions[moving], weights[moving] = shifts.means(positions[moving])
        lengths = np.linalg.norm((positions - shifts.path[-1])[moving], axis=1)
        shifts = replace(shifts, path=(*shifts.path, positions))
        moving = moving[lengths > TOLERANCE[shifts.kernel] * shifts.bandwidth]
        yield Iteration(shifts, weights, moving, float(lengths.max()))
        if not len(moving):
            return


def merge_modes(positions: Floats, weights: Floats, bandwidth: float) -> Floats:
    """Modes (k, d) by falling density: each absorbs the less dense positions within the bandwidth."""
    order = np.lexsort((*positions.T[::-1], weights))[::-1]
    left, modes = positions[order], []
    while len(left):
        modes.append(left[0])
        left = left[((left - left[0]) ** 2).sum(axis=1) > bandwidth * bandwidth]
    return np.array(modes)


def window_marks(shifts: Shifts, point: Floats) -> tuple[Mark, ...]:
    """The kernel's window around a point and the shift to its weighted mean."""
    means, total = shifts.means(point[None])
    ends = np.stack([point, means[0]])
    return (
        Path(layer="Window", lines=(circle(point, shifts.bandwidth),), closed=True, ink="accent", fill=0.06),
        Segments(layer="Window", ends=ends[None], ink="accent", width=2.0),
        TextLabels(layer="Window", points=point[None], texts=(f"weight {total[0]:.3g}",)),
    )


def path_lines(shifts: Shifts, which: Floats | slice) -> tuple[Floats, ...]:
    """Paths of some of the points that move."""
    return tuple(np.stack([positions[which] for positions in shifts.path], axis=1))


class ShiftingView(PlaneView["ShiftingState"]):
    """Points on their way to the modes, with the paths that they have come."""

    def field(self, raster: Raster) -> Field:
        return np.full((1, *raster.shape), -1.0, dtype=np.float32)

    def whole_marks(self) -> tuple[Mark, ...]:
        shifts = self.state.shifts
        lines = path_lines(shifts, slice(MAX_PATHS))
        return (
            Path(layer="Paths", lines=lines, ink="muted", width=1.0, opacity=0.6, legend="path"),
            Dots(layer="Walkers", points=shifts.path[-1], size=6.0, shape="circle", ink="accent"),
        )

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        return window_marks(self.state.shifts, point)


class MeanShiftView(PlaneView["MeanShiftState"]):
    """Cells of the nearest mode, modes and the paths that led to them."""

    def field(self, raster: Raster) -> Field:
        return centroid_field(self.state.centred_modes, self.state.centre, self.section, raster)

    def whole_marks(self) -> tuple[Mark, ...]:
        shifts, drawn = self.state.shifts, np.arange(len(self.state.shifts.rows))[:MAX_PATHS]
        own = self.state.labels[shifts.rows[drawn]]
        inks = tuple(range(self.state.clusters))
        paths = (
            Path(layer="Paths", lines=path_lines(shifts, drawn[own == k]), ink=k, width=1.0, opacity=0.6)
            for k in inks
        )
        return (*paths, Dots(layer="Modes", points=self.state.modes, inks=inks, legend="mode"))

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        return window_marks(self.state.shifts, point)


class ShiftingLineView(ClusterLineView["ShiftingState"]):
    """Points on their way to the modes, at the height of their class."""

    def marks(self) -> tuple[Mark, ...]:
        shifts = self.state.shifts
        start = self.places[shifts.rows]
        now = np.column_stack([self.section.project(shifts.path[-1])[0][:, 0], start[:, 1]])
        return (
            Segments(
                layer="Paths", ends=np.stack([start, now], axis=1)[:MAX_PATHS], ink="muted", width=1.0,
                opacity=0.6, legend="path",
            ),
            Dots(layer="Walkers", points=now, size=6.0, shape="circle", ink="accent"),
        )  # fmt: skip

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        return window_interval(self.state.shifts, point)


class MeanShiftLineView(ClusterLineView["MeanShiftState"]):
    """Membership, with the modes."""

    def marks(self) -> tuple[Mark, ...]:
        return self.uprights(self.state.modes, "Modes", "mode", range(self.state.clusters))

    def whole_probe(self, point: Floats) -> tuple[Mark, ...]:
        return window_interval(self.state.shifts, point)


def window_interval(shifts: Shifts, point: Floats) -> tuple[Mark, ...]:
    """Return the kernel's window around a place on the only input, and the shift to its weighted mean."""
    means, total = shifts.means(point[None, :1])
    ends = np.stack([point, [means[0, 0], point[1]]])
    shift = Segments(layer="Window", ends=ends[None], ink="accent", width=2.0)
    window = point[0] + shifts.bandwidth * SIDES
    return (*interval_marks("Window", point, window, f"weight {total[0]:.3g}"), shift)


@dataclass(frozen=True, eq=False, kw_only=True)
class ShiftingState(Clusterer):
    """Points on their way to the modes; no point has a cluster yet."""

    plane_view_class = ShiftingView
    line_view_class = ShiftingLineView
    shifts: Shifts
    clusters: int = 1
    floor: ClassVar[float] = 0.0

    @property
    def assigned(self) -> Ints:
        return np.full(len(self.shifts.X), -1)

    @property
    def outside(self) -> str:
        return "no cluster yet"

    def scores(self, X: ArrayLike) -> Floats:
        return np.full((len(np.asarray(X)), 1), -1.0)

    def metrics(self) -> Mapping[str, float]:
        return {"iterations": float(len(self.shifts.path) - 1), "bandwidth": self.shifts.bandwidth}


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanShiftState(Clusterer):
    """Modes of the density; every point belongs to the nearest."""

    plane_view_class = MeanShiftView
    line_view_class = MeanShiftLineView
    shifts: Shifts
    centre: Floats
    """Mean of the training data, subtracted to avoid cancellation."""
    centred_modes: Floats
    """Modes (k, d) relative to `centre`."""
    labels: Ints

    @property
    def modes(self) -> Floats:
        """Modes (k, d) in data units."""
        return np.asarray(self.centred_modes + self.centre)

    @property
    def assigned(self) -> Ints:
        return self.labels

    def learned(self) -> Learned:
        return {"mu": self.modes, "h": float(self.shifts.bandwidth)}

    def scores(self, X: ArrayLike) -> Floats:
        """2 m.x - |m|^2, highest for the nearest mode."""
        return closeness(np.asarray(X, dtype=np.float64) - self.centre, self.centred_modes)

    def metrics(self) -> Mapping[str, float]:
        iterations = float(len(self.shifts.path) - 1)
        return {"clusters": self.clusters, "iterations": iterations, "bandwidth": self.shifts.bandwidth}


@register(
    "mean_shift", CLUSTER, "Clustering", "Mean shift",
    symbols={
        "x": ("Position that moves to a mode of the density.", "Modes"),
    },
    synonyms=("mode seeking",),
)  # fmt: skip
class MeanShift(Model):
    r"""Moves every point to the mean of its neighbourhood until it reaches a mode of the density. Points that
    reach the same mode form a cluster.

    .. math::
        x \leftarrow \frac{\sum_{i} K(x - x_i)\, x_i}{\sum_{i} K(x - x_i)}
    """

    uses_distances = True

    bandwidth: float | str = real(
        "auto", 1e-6, 1e6, log=True, words=("auto",), symbol="h",
        help="Bandwidth of the kernel. With 'auto', a neighbourhood holds 30 % of the points on average.",
    )  # fmt: skip
    kernel: str = choice(
        "flat", ("flat", "gaussian"), symbol="K",
        labels={"flat": "flat: equal weights within h", "gaussian": "Gaussian"},
        help="Kernel that weights the points of a neighbourhood by their distance.",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[ShiftingState | MeanShiftState]:
        X, n = data.X, len(data)
        bandwidth = self.bandwidth if isinstance(self.bandwidth, float) else _automatic_bandwidth(X, rng)
        most = max(PAIRS // n, MIN_MOVING)
        rows = np.arange(n) if n <= most else np.sort(rng.permutation(n)[:most])
        shifts = Shifts(X=X, bandwidth=bandwidth, kernel=self.kernel, rows=rows, path=(X[rows],))
        who = plural(n, "point") if len(rows) == n else f"a sample of {len(rows):,} of {n:,} points"
        yield ShiftingState(shifts=shifts, note=f"start: {who}, bandwidth {bandwidth:.4g}")
        for t, last in enumerate(mean_shift(shifts), start=1):
            if moving := len(last.moving):
                note = (
                    f"iteration {t}: {plural(moving, 'point')} still moving, largest shift {last.largest:.3g}"
                )
                yield ShiftingState(shifts=last.shifts, note=note, progress=1 - moving / (len(rows) + 1))
        centre = X.mean(axis=0)
        modes = merge_modes(last.shifts.path[-1], last.weights, bandwidth) - centre
        converged = plural(len(rows) - len(last.moving), "point")
        yield MeanShiftState(
            clusters=len(modes), shifts=last.shifts, centre=centre, centred_modes=modes,
            labels=assign(X - centre, modes), progress=1.0,
            note=f"iteration {t}: {converged} converged to {plural(len(modes), 'mode')}",
        )  # fmt: skip


def _automatic_bandwidth(X: Floats, rng: Generator) -> float:
    k = max(int(len(X) * AUTO_SHARE), 1)
    bandwidth = float(kth_distances(X, k, sample_rows(len(X), rng)).mean())
    return bandwidth or float(np.linalg.norm(np.ptp(X, axis=0))) / 4 or 1.0
