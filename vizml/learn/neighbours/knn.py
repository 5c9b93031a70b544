"""k nearest neighbours: p_c(x) = sum of w_i over those of class c / sum of w_i; w_i = 1 or 1 / d(x, x_i)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.field import Field, Raster
from vizml.field.metrics import METRICS
from vizml.field.nearest import nearest_shares, nearest_votes
from vizml.field.raster import BandCache
from vizml.field.rivals import weigh
from vizml.learn import CLASSIFY, Classifier, Model, Scale, choice, integer, register
from vizml.learn.neighbours.kdtree import KdTree
from vizml.learn.neighbours.search import nearest
from vizml.learn.state import Floats, Ints
from vizml.learn.training_data import TrainingData
from vizml.scene import Mark, Path, Segments, Words

LAYER = "Neighbours"


@dataclass(frozen=True, eq=False, kw_only=True)
class Neighbours(Classifier):
    """The points themselves, and how many of them are asked."""

    points: Floats
    codes: Ints
    """The place of each point's label in `classes`."""
    names: tuple[str, ...]
    k: int
    metric: str
    weighted: bool
    scale: ClassVar[Scale] = Scale.SHARE

    @cached_property
    def tree(self) -> KdTree:
        """For the pointer, which asks about one place at a time."""
        return KdTree(self.points, self.metric)

    @cached_property
    def _band_cache(self) -> BandCache:
        return BandCache()

    def scores(self, X: ArrayLike) -> Floats:
        places = np.asarray(X, dtype=np.float64)
        members = (self.codes[:, None] == np.arange(len(self.classes))).astype(float)
        out = np.empty((len(places), len(self.classes)))
        for asked in nearest(places, self.points, self.k, self.metric):
            away = np.where(asked.inside, asked.distances, np.inf)
            weights = weigh(away.T).T if self.weighted else asked.inside
            out[asked.places] = weights @ members[asked.points]
        return np.asarray(out / out.sum(axis=1, keepdims=True))

    def field(self, raster: Raster) -> Field:
        return self._band_cache.band(raster, len(self.classes), self._painted)

    def _painted(self, raster: Raster) -> Field:
        rasterise = nearest_shares if self.weighted else nearest_votes
        found = rasterise(
            raster, self.points, self.codes, self.k, classes=len(self.classes), metric=self.metric
        )
        return found if self.weighted else np.divide(found, np.float32(self.k), dtype=np.float32)

    def probe(self, point: Floats) -> tuple[Mark, ...]:
        place = np.asarray(point, dtype=np.float64)
        chosen = self.tree.nearest(place, self.k)
        rule = METRICS[self.metric]
        reach = float(rule.length(rule.ranks(place[None], self.points[chosen[-1:]]))[0, 0])
        ball = place + reach * _ball(self.metric)
        edge = Path(layer=LAYER, lines=(ball,), closed=True, ink="muted", width=1.0)
        lines = [self._lines(place, chosen, int(code)) for code in np.unique(self.codes[chosen])]
        return (edge, *lines, Words(layer=LAYER, points=place[None], texts=(self._vote(chosen),)))

    def metrics(self) -> dict[str, float]:
        return {"points": float(len(self.points)), "voters": float(self.k)}

    def _lines(self, place: Floats, chosen: Ints, code: int) -> Mark:
        far = self.points[chosen[self.codes[chosen] == code]]
        ends = np.stack([np.broadcast_to(place, far.shape), far], axis=1)
        return Segments(layer=LAYER, ends=ends, ink=int(self.classes[code]), width=1.5)

    def _vote(self, chosen: Ints) -> str:
        counts = np.bincount(self.codes[chosen], minlength=len(self.classes))
        return ", ".join(f"{name} {count}" for name, count in zip(self.names, counts) if count)


@register(
    "knn",
    task=CLASSIFY,
    family="Neighbours",
    title="k nearest neighbours",
    about="Asks the k points nearest to a place for their class; the majority has it.",
    formula=(r"p_c(x) = \frac{\sum_{i \in N} w_i\, [y_i = c]}{\sum_{i \in N} w_i}",),
)
@dataclass(frozen=True)
class NearestNeighbours(Model):
    k: int = integer(
        5, 1, 200, log=True, symbol="k", title="neighbours", help="how many are asked: more make it smoother"
    )
    metric: str = choice(
        "l2",
        ("l1", "l2", "linf"),
        symbol="d",
        title="distance",
        labels={"l1": "city block", "l2": "Euclidean", "linf": "largest coordinate"},
        help="what near means: |Δx| + |Δy|, the straight line, or the larger of |Δx| and |Δy|",
    )
    weights: str = choice(
        "uniform", ("uniform", "distance"), symbol="w",
        labels={"uniform": "one vote each", "distance": "nearer ones count more"},
        help="how much each vote counts: all the same, or 1 / distance",
    )  # fmt: skip

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Neighbours]:
        del rng
        classes, k = data.present, min(self.k, len(data))
        yield Neighbours(
            classes=classes, points=data.points, codes=np.searchsorted(classes, data.labels),
            names=tuple(data.name(int(label)) for label in classes),
            k=k, metric=self.metric, weighted=self.weights == "distance",
            note=_note(self.k, len(data)), progress=1.0,
        )  # fmt: skip


def _note(k: int, count: int) -> str:
    if k > count:
        return f"k = {k}, but there are only {count} points: all of them vote everywhere"
    return f"nothing to train: of {count} points the nearest {k} vote at each place"


def _ball(metric: str) -> Floats:
    """The outline of all places at distance 1."""
    turn = np.linspace(0.0, 2 * np.pi, 129)[:-1]
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    if metric == "l2":
        return circle
    size = np.abs(circle).sum(axis=1) if metric == "l1" else np.abs(circle).max(axis=1)
    return np.asarray(circle / size[:, None])
