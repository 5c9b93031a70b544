"""Agglomerative clustering: the nearest two clusters merge, from single points to one cluster; then a cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.random import Generator

from vizml.learn import CLUSTER, CannotLearn, Model, choice, integer, real, register
from vizml.learn.clusters.dendrogram import Forest
from vizml.learn.clusters.linkage import Agglomeration
from vizml.learn.clusters.merged import COLOURED, Cutting, Merged
from vizml.learn.state import Floats
from vizml.learn.telling import counted
from vizml.learn.training_data import TrainingData

LABELS = {
    "single": "single: the closest two points",
    "complete": "complete: the farthest two points",
    "average": "average of all pairs",
    "centroid": "between the means",
    "ward": "Ward: growth of the squares",
}
STRIDE = 64
"""Merges from one state to the next where nobody watches."""
MOST = 8000
"""Points whose distances fit into half a gigabyte."""


@register(
    "agglomerative",
    task=CLUSTER,
    family="Hierarchies",
    title="Agglomerative clustering",
    about="Merges the nearest two clusters again and again, and cuts the tree of merges.",
    formula=(
        r"d_{\mathrm{single}} = \min_{a \in A,\, b \in B} \| a - b \|",
        r"d_{\mathrm{complete}} = \max_{a \in A,\, b \in B} \| a - b \|",
        r"d_{\mathrm{Ward}}^2 = \frac{2 |A| |B|}{|A| + |B|}\, \| \mu_A - \mu_B \|^2",
    ),
)
@dataclass(frozen=True)
class Agglomerative(Model):
    linkage: str = choice(
        "ward", tuple(LABELS), labels=LABELS, help="what the distance of two clusters is", symbol="d"
    )
    cut: str = choice(
        "k",
        ("k", "tau"),
        labels={"k": "a number of clusters", "tau": "a distance"},
        help="where the tree is cut: so that K clusters are left, or at a distance",
    )
    k: int = integer(
        3, 1, COLOURED, help="number of clusters", symbol="K", title="clusters", when={"cut": ("k",)}
    )
    tau: float | str = real(
        "auto",
        0.0,
        1e9,
        words=("auto",),
        help="no clusters farther apart than this are joined; auto: the middle of the widest gap",
        symbol="\\tau",
        title="threshold",
        when={"cut": ("tau",)},
    )

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[Merged]:
        return self._run(data, rng, every=1)

    def strides(self, data: TrainingData, rng: Generator) -> Iterator[Merged]:
        return self._run(data, rng, every=STRIDE)

    def _run(self, data: TrainingData, rng: Generator, every: int) -> Iterator[Merged]:
        del rng
        n = len(data)
        if n > MOST:
            raise CannotLearn(f"{n:,} points have too many distances: at most {MOST:,} can be merged")
        story = _Story(data.points, self.linkage)
        yield story.moment(f"start: {counted(n, 'point')}, each a cluster of its own")
        task = Agglomeration(data.points, self.linkage)
        for done in task.measure():
            if done < n:
                yield story.moment(f"distances of {done:,} of {n:,} points")
        for merge in task.merges():
            story.add(*merge)
            if story.made % every == 0:
                yield story.moment(story.told())
        yield story.cut(*self._cutting(story.forest()))

    def _cutting(self, forest: Forest) -> tuple[Cutting, str]:
        """Where the tree is cut, and what to say of it."""
        if self.cut == "tau":
            tau = self.tau if isinstance(self.tau, float) else _widest(forest.heights)
            return Cutting(kept=forest.below(tau), height=tau), f"cut at {tau:.4g}"
        n = forest.n
        k = min(self.k, n)
        fewer = f" ({self.k} were asked for; there are only {counted(n, 'point')})" if self.k > n else ""
        peaks = np.maximum.accumulate(np.concatenate([[0.0], forest.peaks]))
        below = float(peaks[n - k])
        above = float(peaks[n - k + 1]) if k > 1 else below * 1.05
        return Cutting(kept=np.arange(n - k), height=(below + above) / 2), f"cut for K = {k}{fewer}"


class _Story:
    """What moments share while merges come in: arrays that grow, colours that are handed on."""

    def __init__(self, points: Floats, linkage: str) -> None:
        n = len(points)
        self.points, self.linkage, self.n, self.made = points, linkage, n, 0
        self.pairs = np.zeros((n - 1, 2), dtype=np.int64)
        self.heights, self.peaks = np.zeros(2 * n - 1), np.zeros(2 * n - 1)
        self.sizes, self.codes = np.ones(2 * n - 1, dtype=np.int64), np.full(2 * n - 1, -1)
        self.free = list(range(COLOURED))
        self.colours = 1

    def add(self, first: int, second: int, height: float) -> None:
        """One more merge."""
        node = self.n + self.made
        peak = max(float(self.peaks[first]), float(self.peaks[second]), height)
        self.pairs[self.made] = first, second
        self.heights[node], self.peaks[node] = height, peak
        self.sizes[node] = self.sizes[first] + self.sizes[second]
        self.codes[node] = code = self._colour(first, second)
        self.colours = max(self.colours, code + 1)
        self.made += 1

    def told(self) -> str:
        """What the last merge was."""
        node, left = self.n + self.made - 1, self.n - self.made
        (a, b), height = self.sizes[self.pairs[self.made - 1]].tolist(), float(self.heights[node])
        inside = float(self.peaks[self.pairs[self.made - 1]].max())
        inverted = ", nearer than a merge inside (an inversion)" if height < inside * (1 - 1e-12) else ""
        told = f"merge {self.made}: {a:,} + {counted(b, 'point')} at distance {height:.4g}{inverted}"
        return f"{told}, {counted(left, 'cluster')} left"

    def _colour(self, first: int, second: int) -> int:
        """The lower colour goes on, the other is free again: few clusters have the first colours."""
        held = sorted(int(self.codes[node]) for node in (first, second) if self.codes[node] >= 0)
        if not held:
            return heappop(self.free) if self.free else -1
        for code in held[1:]:
            heappush(self.free, code)
        return held[0]

    def forest(self) -> Forest:
        """The merges so far."""
        made = slice(self.n, self.n + self.made)
        return Forest(
            n=self.n,
            pairs=self.pairs[: self.made],
            heights=self.heights[made],
            peaks=self.peaks[made],
            sizes=self.sizes[made],
        )

    def moment(self, note: str) -> Merged:
        """The state after the merges so far."""
        return Merged(
            clusters=self.colours,
            points=self.points,
            forest=self.forest(),
            linkage=self.linkage,
            codes=self.codes[: self.n + self.made],
            note=note,
            progress=self.made / self.n,
        )

    def cut(self, cutting: Cutting, told: str) -> Merged:
        """The state at the end."""
        many = self.n - len(cutting.kept)
        more = f", the largest {COLOURED} coloured" if many > COLOURED else ""
        return Merged(
            clusters=min(many, COLOURED),
            points=self.points,
            forest=self.forest(),
            linkage=self.linkage,
            codes=self.codes,
            cutting=cutting,
            note=f"{told}: {counted(many, 'cluster')}{more}",
            progress=1.0,
        )


def _widest(heights: Floats) -> float:
    """The middle of the widest gap between heights."""
    rising = np.sort(np.concatenate([[0.0], heights]))
    if len(rising) < 2:
        return 0.0
    at = int(np.diff(rising).argmax())
    return float(rising[at] + rising[at + 1]) / 2
