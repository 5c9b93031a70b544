"""Agglomerative clustering: parameters, model and state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.wording import plural
from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints
from vizml.field.distances import METRICS, section_offsets
from vizml.field.nearest import nearest_votes
from vizml.learn import CLUSTER, CannotLearn, Clusterer, choice, integer, real, register
from vizml.learn.clusters.dendrogram import Dendrogram, dendrogram_diagram
from vizml.learn.clusters.linkage import Agglomeration
from vizml.learn.learned import Learned
from vizml.learn.model import WatchedModel
from vizml.learn.neighbours.search import averages
from vizml.learn.training_data import TrainingData
from vizml.learn.view import Focus, PlaneView
from vizml.scene import Axis, Chart, Diagram, Ink, Mark, Rings, Segments, Series

LINKAGES = {
    "single": "single: nearest points", "complete": "complete: farthest points",
    "average": "average: mean of all pairs", "centroid": "centroid: distance of the means",
    "ward": "Ward: increase of variance",
}  # fmt: skip
PAIRED = ("single", "complete", "average")
"""Linkages by the distances of pairs of points, which any metric gives."""
MAX_POINTS = 8000
"""Points whose distances fit into half a gigabyte."""
MAX_COLOURED = 30
"""Clusters with colours and regions: more cannot be told apart."""
WITNESS_PAIRS = 1 << 18
"""Pairs of points searched for the two that give the distance of a merge."""
CHARTED = 20
"""Numbers of clusters in the chart of merge heights."""


class AgglomerativeView(PlaneView["AgglomerativeState"]):
    """Cells of the nearest training points in the colours of their clusters, and the last merge."""

    def field(self, raster: Raster) -> Field:
        planes, metric = self.state.clusters + 1, self.state.metric
        found = section_offsets(self.section, self.state.X, metric)
        if found is None:
            return super().field(raster)
        points, beside = found
        codes = self.state.assigned % planes
        votes = nearest_votes(
            raster, points, codes, 1, classes=planes, metric=metric, offsets=beside, skew=self.section.skew
        )
        return votes[:-1].astype(np.float32)

    def whole_marks(self) -> tuple[Mark, ...]:
        tree, X = self.state.dendrogram, self.state.X
        if not len(tree) or self.state.cut is not None:
            return ()
        first, second = (tree.members(node) for node in tree.pairs[-1].tolist())
        ends = merge_segment(X[first], X[second], self.state.linkage, self.state.metric)
        merged = X[np.concatenate([first, second])]
        return (
            Rings(layer="Merging", points=merged, radii=np.full(len(merged), 8.0), ink="accent", width=1.2),
            Segments(layer="Distance", ends=ends[None], width=2.5, ink="accent", legend="distance"),
        )

    def whole_focus(self, node: str) -> Focus:
        members = self.state.X[self.state.dendrogram.members(int(node))]
        radii = np.full(len(members), 9.0)
        return Focus((Rings(layer="Subtree", points=members, radii=radii, ink="accent", width=2.0),))

    def trail(self, point: Floats) -> tuple[str, ...]:
        """Return the training point nearest to a point and all nodes above it."""
        nearest = METRICS[self.state.metric].ranks(self.section.lift(point[None]), self.state.X).argmin()
        return tuple(map(str, self.state.dendrogram.ancestors(int(nearest))))


def merge_segment(first: Floats, second: Floats, linkage: str, metric: str = "l2") -> Floats:
    """Segment (2, 2) as long as the distance of two clusters: between two points, or between the means."""
    if linkage in ("single", "complete") and len(first) * len(second) <= WITNESS_PAIRS:
        distances = METRICS[metric].ranks(first, second)
        at = distances.argmin() if linkage == "single" else distances.argmax()
        i, j = np.unravel_index(at, distances.shape)
        return np.stack([first[i], second[j]])
    return np.stack([first.mean(axis=0), second.mean(axis=0)])


@dataclass(frozen=True, eq=False, kw_only=True)
class DendrogramCut:
    """The merges that remain below a cut, and the height at which the cut is drawn."""

    merges: Ints
    height: float


@dataclass(frozen=True, eq=False, kw_only=True)
class AgglomerativeState(Clusterer):
    """Clusters after some merges, to which single points do not belong, or at the cut of the whole tree."""

    plane_view_class = AgglomerativeView
    X: Floats
    dendrogram: Dendrogram
    """All merges of the run."""
    linkage: str
    metric: str
    codes: Ints
    """Colour of each node, -1 for none."""
    cut: DendrogramCut | None = None
    floor: ClassVar[float] = 0.5

    @cached_property
    def roots(self) -> Ints:
        """Topmost node of each point."""
        merges = np.arange(len(self.dendrogram)) if self.cut is None else self.cut.merges
        roots = self.dendrogram.roots(merges)
        roots.flags.writeable = False
        return roots

    @property
    def members(self) -> Ints:
        """Cluster of each point, in the order of their first points, however many there are."""
        _, first, inverse = np.unique(self.roots, return_index=True, return_inverse=True)
        return np.asarray(np.argsort(np.argsort(first))[inverse])

    @property
    def assigned(self) -> Ints:
        return self.codes[self.roots] if self.cut is None else largest_clusters(self.members)

    @property
    def outside(self) -> str:
        return "no cluster yet" if self.cut is None else "smaller cluster"

    def learned(self) -> Learned:
        """Return the heights of the merges."""
        return {"height": self.dendrogram.heights}

    def scores(self, X: ArrayLike) -> Floats:
        """1 for the cluster of the nearest training point, else 0."""
        members = np.eye(self.clusters + 1)[self.assigned, :-1]
        return averages(np.asarray(X, dtype=np.float64), self.X, members, 1, metric=self.metric)

    def diagram(self) -> Diagram:
        codes = dict(zip(self.roots.tolist(), self.assigned.tolist()))
        inks: dict[int, Ink] = {node: code for node, code in codes.items() if code >= 0}
        height = None if self.cut is None else self.cut.height
        return dendrogram_diagram(self.dendrogram, inks, height, self.note)

    def charts(self) -> tuple[Chart, ...]:
        heights = self.dendrogram.heights[::-1][:CHARTED]
        if self.cut is None or not len(heights):
            return ()
        k = np.arange(2, len(heights) + 2)
        return (
            Chart(
                title="Merge distance by number of clusters",
                x=Axis(title="clusters K"), y=Axis(title="distance", low=0.0),
                series=(Series(name=self.linkage, x=k.astype(float), y=heights, kind="stems"),),
                note="Choose K where the distance drops most to the next K. Click to set K.",
                sets=("k",), choices=(tuple(k.tolist()),),
            ),
        )  # fmt: skip

    def metrics(self) -> Mapping[str, float]:
        heights = self.dendrogram.heights
        last = float(heights[-1]) if len(heights) else 0.0
        height = last if self.cut is None else self.cut.height
        return {"clusters": float(len(np.unique(self.roots))), "height": height}


@register(
    "agglomerative", CLUSTER, "Clustering", "Agglomerative clustering", short="Agglomerative",
    symbols={
        "A": ("Cluster that is merged with B.",), "B": ("Cluster that is merged with A.",),
        "μ": ("Mean of a cluster.",),
    },
    synonyms=("hierarchical clustering", "dendrogram", "HAC", "single link", "complete link", "Ward"),
)  # fmt: skip
class Agglomerative(WatchedModel):
    r"""Hierarchical clustering from the bottom up: merges the two nearest clusters until one is left, then
    cuts the dendrogram.

    .. math::
        d_{\mathrm{single}} = \min_{a \in A,\, b \in B} \| a - b \|
        d_{\mathrm{complete}} = \max_{a \in A,\, b \in B} \| a - b \|
        d_{\mathrm{average}} = \frac{1}{|A| |B|} \sum_{a \in A,\, b \in B} \| a - b \|
        d_{\mathrm{centroid}} = \| \mu_A - \mu_B \|
        d_{\mathrm{Ward}}^2 = \frac{2 |A| |B|}{|A| + |B|}\, \| \mu_A - \mu_B \|^2
    """

    uses_distances = True

    linkage: str = choice(
        "ward", tuple(LINKAGES), labels=LINKAGES, symbol="d",
        help="Linkage criterion: the distance between two clusters.",
    )  # fmt: skip
    metric: str = choice(
        "l2", ("l2", "l1"), labels={"l2": "Euclidean", "l1": "Manhattan"}, title="distance",
        when={"linkage": PAIRED},
        help="Distance metric of two points: Euclidean (L2) or Manhattan (L1).",
    )  # fmt: skip
    cut: str = choice(
        "k", ("k", "tau"), labels={"k": "number of clusters", "tau": "distance threshold"},
        help="Criterion by which the dendrogram is cut.",
    )  # fmt: skip
    k: int = integer(
        3, 1, MAX_COLOURED, help="Number of clusters.", symbol="K", title="clusters", when={"cut": ("k",)}
    )
    tau: float | str = real(
        "auto", 0.0, 1e9, words=("auto",), symbol="\\tau", title="threshold", when={"cut": ("tau",)},
        help="Distance threshold: clusters farther apart are not merged. With 'auto', the middle of the "
        "widest gap between merge distances.",
    )  # fmt: skip

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[AgglomerativeState]:
        X, n = data.X, len(data)
        if n > MAX_POINTS:
            raise CannotLearn(
                f"the distance matrix of {n:,} points is too large: at most {MAX_POINTS:,} points"
            )
        task = Agglomeration(X, self.linkage, self.metric if self.linkage in PAIRED else "l2")
        start = AgglomerativeState(
            clusters=1, X=X, dendrogram=Dendrogram.without_merges(n), codes=np.full(n, -1), progress=0.0,
            linkage=self.linkage, metric=task.metric,
            note=f"start: {plural(n, 'point')}, each a cluster of its own",
        )  # fmt: skip
        yield start.later()
        for done in task.compute_distances():
            if done < n:
                yield start.later(note=f"computing distances: {done:,} of {n:,} points")
        for made in task.merge():
            yield start.later(note=f"computing merges: {made:,} of {n - 1:,}")
        tree = task.dendrogram()
        if every:
            yield from _merge_states(start, tree)
        cut, criterion = self._cut(tree)
        clusters = n - len(cut.merges)
        shown = f", the largest {MAX_COLOURED} are coloured" if clusters > MAX_COLOURED else ""
        yield start.later(
            dendrogram=tree, clusters=min(clusters, MAX_COLOURED), cut=cut, progress=1.0,
            note=f"{criterion}: {plural(clusters, 'cluster')}{shown}",
        )  # fmt: skip

    def _cut(self, tree: Dendrogram) -> tuple[DendrogramCut, str]:
        """Cut the dendrogram; describe the criterion."""
        if self.cut == "tau":
            tau = self.tau if isinstance(self.tau, float) else _widest_gap(tree.heights)
            return DendrogramCut(merges=tree.below(tau), height=tau), f"cut at distance {tau:.4g}"
        n, k = tree.n, min(self.k, tree.n)
        remark = (
            f" ({self.k} clusters requested, but the data have only {plural(n, 'point')})"
            if self.k > n
            else ""
        )
        peaks = np.maximum.accumulate(np.concatenate([[0.0], tree.peaks]))
        below = float(peaks[n - k])
        above = float(peaks[n - k + 1]) if k > 1 else below * 1.05
        return DendrogramCut(merges=np.arange(n - k), height=(below + above) / 2), f"cut for K = {k}{remark}"


def _merge_states(start: AgglomerativeState, tree: Dendrogram) -> Iterator[AgglomerativeState]:
    """Yield the state after each merge."""
    codes = node_colours(tree)
    colours = np.maximum.accumulate(codes[tree.n :]) + 1
    for made, clusters in enumerate(colours.tolist(), start=1):
        yield start.later(
            clusters=clusters, dendrogram=tree.first(made), codes=codes[: tree.n + made],
            note=_merge_note, progress=made / tree.n,
        )  # fmt: skip


def node_colours(tree: Dendrogram) -> Ints:
    """Colour of each node, -1 for none.

    A union keeps the lower colour of the two and frees the other, so that few clusters use the first colours.
    """
    codes, free = [-1] * tree.n, list(range(MAX_COLOURED))
    for first, second in tree.pairs.tolist():
        low, high = sorted((codes[first], codes[second]))
        if high < 0:
            codes.append(heappop(free) if free else -1)
            continue
        if low >= 0:
            heappush(free, high)
        codes.append(low if low >= 0 else high)
    found = np.array(codes)
    found.flags.writeable = False
    return found


def _merge_note(state: AgglomerativeState) -> str:
    """Describe the last merge."""
    tree, made = state.dendrogram, len(state.dendrogram)
    below, height = tree.pairs[-1].tolist(), float(tree.heights[-1])
    a, b = map(tree.size, below)
    inversion = height < max(map(tree.peak, below)) * (1 - 1e-12)
    remark = ", below an earlier merge inside it (inversion)" if inversion else ""
    merge = f"merge {made}: clusters of {a:,} and {plural(b, 'point')} at distance {height:.4g}{remark}"
    return f"{merge}, {plural(tree.n - made, 'cluster')} left"


def largest_clusters(members: Ints) -> Ints:
    """Number the largest clusters in their order; -1 for the others."""
    sizes = np.bincount(members)
    if len(sizes) <= MAX_COLOURED:
        return members
    kept = np.sort(np.argsort(-sizes, kind="stable")[:MAX_COLOURED])
    number = np.full(len(sizes), -1)
    number[kept] = np.arange(MAX_COLOURED)
    return number[members]


def _widest_gap(heights: Floats) -> float:
    """The middle of the widest gap between heights."""
    rising = np.sort(np.concatenate([[0.0], heights]))
    if len(rising) < 2:
        return 0.0
    at = int(np.diff(rising).argmax())
    return float(rising[at] + rising[at + 1]) / 2
