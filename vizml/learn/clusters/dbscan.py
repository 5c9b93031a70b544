"""DBSCAN: core points have at least m points within eps; clusters are what they reach, eps by eps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.dataset import Mask
from vizml.field import Field, Raster
from vizml.field.discs import disc_depths, disc_field
from vizml.learn import CLUSTER, Clusterer, Model, integer, real, register
from vizml.learn.clusters.vicinity import Kept, Vicinity, kth_distances, sampled
from vizml.learn.state import Floats, Ints
from vizml.learn.telling import counted
from vizml.learn.training_data import TrainingData
from vizml.scene import Axis, Chart, Dots, Mark, Path, Rings, Rule, Series, Words

CORE, NOISE, FRONT, CIRCLE = "Core points", "Noise", "Front", "Neighbourhood"
USUAL = 0.98
"""The share of points that the radius from the data makes core points."""
CIRCLES = 80
FOUND = 1 << 18
"""Neighbours that are found between two moments of counting them."""
TURN = np.linspace(0.0, 2 * np.pi, 73)[:-1]
UNIT = np.column_stack([np.cos(TURN), np.sin(TURN)])


@dataclass(frozen=True, eq=False, kw_only=True)
class Vicinities:
    """What all moments of a run share."""

    points: Floats
    eps: float
    least: int
    core: Mask
    distances: Floats
    """From some points to the m-th nearest, rising."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Reached(Clusterer):
    """Within eps of a core point is that point's cluster, elsewhere is noise."""

    around: Vicinities
    labels: Ints
    front: Ints
    """The points that were reached last."""
    found: int
    floor: ClassVar[float] = 0.0

    @property
    def assigned(self) -> Ints:
        return self.labels

    @cached_property
    def _discs(self) -> tuple[Floats, Ints]:
        """The core points that were reached, by cluster."""
        reached = np.flatnonzero(self.around.core & (self.labels >= 0))
        reached = reached[np.argsort(self.labels[reached], kind="stable")]
        return self.around.points[reached], self.labels[reached]

    def scores(self, X: ArrayLike) -> Floats:
        """1 - (distance to the nearest core point / eps)^2 of each cluster, at least -1."""
        return disc_depths(np.asarray(X, dtype=np.float64), *self._discs, self.around.eps, self.clusters)

    def field(self, raster: Raster) -> Field:
        return disc_field(raster, *self._discs, self.around.eps, self.clusters)

    def marks(self) -> tuple[Mark, ...]:
        around = self.around
        core = around.points[around.core]
        rings = Rings(
            layer=CORE,
            points=core,
            radii=np.full(len(core), 7.0),
            width=1.0,
            legend="core point",
            opacity=0.7,
        )
        noise = around.points[self.labels < 0] if self.progress == 1.0 else around.points[:0]
        crosses = Dots(layer=NOISE, points=noise, size=7.0, ink="muted", legend="noise")
        front = around.points[self.front[around.core[self.front]]][:CIRCLES]
        lines = tuple(place + around.eps * UNIT for place in front)
        reach = Path(layer=FRONT, lines=lines, closed=True, ink="accent", width=1.0, opacity=0.6, fill=0.04)
        return (reach, rings, crosses)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        around = self.around
        near = ((around.points - point) ** 2).sum(axis=1) <= around.eps**2
        count, where = int(near.sum()), int(self.predict(point[None])[0])
        kind = f"of cluster {where + 1}" if where >= 0 else "noise"
        told = f"{counted(count, 'point')} within {around.eps:.3g}: {kind}"
        return (
            Path(layer=CIRCLE, lines=(point + around.eps * UNIT,), closed=True, ink="accent", fill=0.06),
            Words(layer=CIRCLE, points=point[None], texts=(told,)),
        )

    def charts(self) -> tuple[Chart, ...]:
        distances = self.around.distances
        share = np.arange(1, len(distances) + 1) / len(distances)
        title = f"distance to the {self.around.least}th nearest point"
        return (
            Chart(
                title="Core points against eps",
                x=Axis(title=title),
                y=Axis(title="share of points within it", low=0.0, high=1.0),
                series=(Series(name="share", x=distances, y=share, kind="step"),),
                rules=(Rule(name="eps", x=self.around.eps),),
                note="where the curve bends to the right, points begin to be far from others",
                sets=("eps",),
                choices=(tuple(distances.tolist()),),
            ),
        )

    def metrics(self) -> Mapping[str, float]:
        core, inside = self.around.core, self.labels >= 0
        return {
            "clusters": float(self.found),
            "core": float(core.sum()),
            "border": float((inside & ~core).sum()),
            "noise": float((~inside).sum()),
            "eps": self.around.eps,
        }


@register(
    "dbscan",
    task=CLUSTER,
    family="Densities",
    title="DBSCAN",
    about="Joins points that have many others near them, and what these reach; the rest is noise.",
    formula=(
        r"N(x) = \{\, i : \| x - x_i \| \leq \varepsilon \,\}",
        r"x_i \;\mathrm{core} \iff | N(x_i) | \geq m",
    ),
)
@dataclass(frozen=True)
class DBSCAN(Model):
    eps: float | str = real(
        "auto",
        1e-6,
        1e6,
        log=True,
        words=("auto",),
        help="how near a neighbour is; auto: so near that 98 points of 100 are core points",
        symbol="\\varepsilon",
        title="radius",
    )
    min_points: int = integer(
        5, 1, 200, log=True, help="how many points, itself among them, a core point has near it", symbol="m"
    )

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Reached]:
        points, n = data.points, len(data)
        distances = np.sort(kth_distances(points, self.min_points, sampled(n, rng)))
        eps = self.eps if isinstance(self.eps, float) else _usual(points, distances)
        vicinity = Vicinity(points, eps)
        counts = np.zeros(n, dtype=np.int64)
        around = Vicinities(
            points=points, eps=eps, least=self.min_points, core=np.zeros(n, dtype=bool), distances=distances
        )
        nowhere = np.empty(0, dtype=np.int64)
        state = Reached(
            clusters=1, found=0, around=around, labels=np.full(n, -1), front=nowhere, note="", progress=0.0
        )
        kept, done, found = Kept(n), 0, 0
        for near in vicinity.near(np.arange(n)):
            counts[near.own] = near.counts
            kept.add(near)
            done, found = done + len(near.own), found + len(near.others)
            if found > FOUND and done < n:
                found = 0
                yield replace(state, note=f"counting neighbours: {counted(done, 'point')} of {n:,}")
        around = replace(around, core=counts >= self.min_points)
        state = replace(state, around=around, note=_begun(around))
        yield state
        for wave in _waves(kept if kept.whole else vicinity, state):
            state = wave
            yield state
        yield replace(state, front=nowhere, note=_ended(state), progress=1.0)


def _waves(vicinity: Vicinity | Kept, state: Reached) -> Iterator[Reached]:
    """The clusters one after the other, from the first core point outwards, as far as eps each time."""
    core, n = state.around.core, len(state.labels)
    labels = state.labels.copy()
    found = 0
    for seed in np.flatnonzero(core):
        if labels[seed] >= 0:
            continue
        front, wave = np.array([seed]), 0
        labels[seed] = found
        found += 1
        while len(front):
            progress = min(float((labels >= 0).sum()) / n, 0.99)
            told = f"cluster {found}, step {wave}: {counted(len(front), 'point')} reached"
            yield replace(
                state,
                clusters=found,
                found=found,
                labels=labels.copy(),
                front=front,
                note=told,
                progress=progress,
            )
            reached = np.zeros(n, dtype=bool)
            for near in vicinity.near(front[core[front]]):
                reached[near.others] = True
            front = np.flatnonzero(reached & (labels < 0))
            labels[front] = found - 1
            wave += 1


def _usual(points: Floats, distances: Floats) -> float:
    eps = float(np.quantile(distances, USUAL))
    extent = float(np.ptp(points, axis=0).max())
    return eps or extent / 100 or 1.0


def _begun(around: Vicinities) -> str:
    core, n = int(around.core.sum()), len(around.core)
    return (
        f"{core:,} of {counted(n, 'point')} have at least {around.least} within {around.eps:.4g}: core points"
    )


def _ended(state: Reached) -> str:
    figures = state.metrics()
    if not state.found:
        return "no core point, so all is noise: a larger radius or fewer points would make some"
    each = ", ".join(f"{figures[name]:,.0f} {name}" for name in ("core", "border", "noise"))
    return f"{counted(state.found, 'cluster')}: {each}"
