"""Initial centroids, and k-means by Lloyd's algorithm: no step increases J = sum_i min_k |x_i - c_k|^2.

Initial centroids are random points, picked by k-means++, or placed by hand: these positions are stored as a
text parameter and dragged as anchors on the canvas. Lloyd's algorithm alternates assignment (each point to
its nearest centroid) and update (each centroid to the mean of its points). With the L1 distance, J is the sum
of distances, and medians of coordinates replace the mean (k-medians).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.params import Value
from vizml.field import Field, Raster
from vizml.field.arrays import Floats, Ints
from vizml.field.distances import METRICS
from vizml.field.polynomial import affine_section_field
from vizml.field.raster import Section
from vizml.learn.params import text
from vizml.learn.training_data import CannotLearn
from vizml.learn.view import Anchor
from vizml.scene import Mark, Path

PLACED = "placed"
"""Value of the parameter `init` that takes the positions from the parameter `starts`."""
MAX_POSITIONS = 20
"""Bound on the number of positions, so that each anchor can be told from the others on the canvas."""
DISTINCT_SAMPLE = 8
"""Random points inspected per centroid before all points are searched for distinct ones."""


MAX_ITERATIONS = 300
"""Guard only: Lloyd's algorithm terminates by itself, in practice after a few dozen iterations."""


def random_centroids(X: Floats, k: int, rng: Generator) -> Floats:
    """Choose k distinct points at random, fewer if there are fewer."""
    shuffled = X[rng.permutation(len(X))]
    first = np.empty(0, dtype=np.int64)
    for size in (DISTINCT_SAMPLE * k, len(X)):
        if len(first) < k:
            first = np.unique(shuffled[:size], axis=0, return_index=True)[1]
    return np.asarray(shuffled[np.sort(first)[:k]])


class Pick(NamedTuple):
    """The centroids of k-means++ after a pick, and the squared distance D^2 of each point to the nearest."""

    centroids: Floats
    squared: Floats
    probability: float
    """Probability of the pick among all points: D^2 / sum of D^2."""
    candidates: int
    """Number of points that were drawn, of which the best was picked."""


def picks(X: Floats, k: int, rng: Generator, metric: str = "l2") -> Iterator[Pick]:
    """Pick at most k distinct points, each with probability proportional to its squared distance D^2.

    As in scikit-learn, the best of 2 + log k candidates is kept each time (greedy k-means++). With the L1
    distance, D replaces D^2.
    """
    costs = METRICS[metric].ranks
    chosen = rng.integers(len(X), size=1).tolist()
    squared = costs(X[chosen], X)
    trials = 2 + int(np.log(k))
    yield Pick(X[chosen], squared[0], 1 / len(X), 1)
    while len(chosen) < k and squared.any():
        cumulative = np.cumsum(squared)
        drawn = cumulative.searchsorted(rng.random(trials) * cumulative[-1], side="right")
        drawn = np.minimum(drawn, len(X) - 1)
        reduced = np.minimum(squared, costs(X[drawn], X))
        best = int(reduced.sum(axis=1).argmin())
        probability = float(squared[0, drawn[best]] / cumulative[-1])
        chosen, squared = [*chosen, int(drawn[best])], reduced[best : best + 1]
        yield Pick(X[chosen], squared[0], probability, trials)


def kmeans_plus_plus(X: Floats, k: int, rng: Generator) -> Floats:
    """Choose at most k distinct points by k-means++."""
    *_, last = picks(X, k, rng)
    return last.centroids


def random_labels(X: Floats, k: int, rng: Generator) -> Ints:
    """Assign each point to a random one of k clusters, none of them empty, as far as there are points."""
    labels = rng.integers(k, size=len(X))
    labels[rng.permutation(len(X))[:k]] = np.arange(min(k, len(X)))
    return labels


def parse_positions(starts: str) -> Floats:
    """Parse '0.1,0.2;1.5,2' as positions (k, 2); raise ValueError if one is not a pair of finite numbers."""
    pairs = [[float(number) for number in pair.split(",")] for pair in starts.split(";") if pair.strip()]
    positions = np.array(pairs, dtype=np.float64).reshape(len(pairs), 2)
    if not np.isfinite(positions).all() or len(positions) > MAX_POSITIONS:
        raise ValueError
    return positions


STARTS: Any = text(
    "", check=parse_positions, title="initial centroids", when={"init": (PLACED,)},
    allowed="positions such as '0.1,0.2;1.5,2': two numbers each, separated by semicolons",
    help="Initial centroids as x,y pairs separated by semicolons. Dragging one on the canvas sets them.",
)  # fmt: skip


def format_positions(positions: Floats) -> str:
    """Format positions as the text that `parse_positions` reads, without loss of digits."""
    return ";".join(f"{x!r},{y!r}" for x, y in positions.tolist())


def placed_positions(init: str, starts: str, d: int) -> Floats:
    """Positions placed by hand for d inputs; none (0, d) if another initialisation method is chosen."""
    positions = parse_positions(starts if init == PLACED else "")
    if len(positions) and d != 2:
        raise CannotLearn(f"initial positions have two coordinates, but the data have {d} inputs")
    return positions.reshape(-1, d)


def numbered_anchors(noun: str, positions: Floats) -> tuple[Anchor, ...]:
    """Anchors 'mean 1', 'mean 2', ... in the colours of their clusters."""
    return tuple(Anchor(f"{noun} {k + 1}", (x, y), k) for k, (x, y) in enumerate(positions.tolist()))


def restart_parameters(anchors: tuple[Anchor, ...], name: str, at: ArrayLike) -> Mapping[str, Value]:
    """Parameters that restart from all anchors with one of them moved; raise KeyError for an unknown name."""
    positions = {anchor.name: anchor.at for anchor in anchors}
    positions[name]
    x, y = np.asarray(at, dtype=np.float64).tolist()
    moved = positions | {name: (x, y)}
    return {"init": PLACED, "starts": format_positions(np.array([*moved.values()]))}


class LloydStep(NamedTuple):
    """Result of a half-step; `changed` counts relocated clusters (update) or reassigned points (assign)."""

    phase: str
    iteration: int
    centroids: Floats
    labels: Ints
    changed: int
    converged: bool = False


def lloyd(X: Floats, centroids: Floats, metric: str = "l2") -> Iterator[LloydStep]:
    """Run Lloyd's algorithm from initial centroids (k, d) until no point changes its cluster.

    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [9.0, 0.0], [10.0, 0.0]])
    >>> *_, last = lloyd(X, centroids=X[:2])
    >>> last.centroids[:, 0].tolist(), last.labels.tolist()
    ([0.5, 9.5], [0, 0, 1, 1])
    """
    labels = assign(X, centroids, metric)
    yield LloydStep("start", 0, centroids, labels, 0)
    for t in range(1, MAX_ITERATIONS + 1):
        centroids, labels, relocated = update(X, centroids, labels, metric)
        yield LloydStep("update", t, centroids, labels, relocated)
        previous, labels = labels, assign(X, centroids, metric)
        changed = int(np.count_nonzero(labels != previous))
        yield LloydStep("assign", t, centroids, labels, changed, not changed or t == MAX_ITERATIONS)
        if not changed:
            return


def closeness(X: Floats, centroids: Floats, metric: str = "l2") -> Floats:
    """Scores (n, k), highest for the nearest centroid: by L2, 2 c.x - |c|^2 = |x|^2 - |x - c|^2."""
    if metric != "l2":
        return -METRICS[metric].ranks(X, centroids)
    scores = (2.0 * centroids) @ X.T
    scores -= np.vecdot(centroids, centroids)[:, None]
    return np.asarray(scores.T)


def assign(X: Floats, centroids: Floats, metric: str = "l2") -> Ints:
    """Index of the nearest centroid of each point, the first of equals."""
    scores, k = closeness(X, centroids, metric).T, len(centroids)
    falling = np.arange(k, 0, -1, dtype=np.min_scalar_type(k))[:, None]
    highest = (scores == scores.max(axis=0)) * falling  # argmax takes seven times as long
    return np.asarray(k - highest.max(axis=0).astype(np.int64))


def update(X: Floats, centroids: Floats, labels: Ints, metric: str = "l2") -> tuple[Floats, Ints, int]:
    """Move centroids to the means or medians of their points; return them, labels, and number of relocations.

    An empty cluster is relocated to the point farthest from its centroid, if there is one.
    """
    k, relocated, means = len(centroids), 0, centroids.copy()
    counts = np.bincount(labels, minlength=k)
    if 0 in counts.tolist():
        empty = np.flatnonzero(counts == 0)
        distances = METRICS[metric].part(X - centroids[labels]).sum(axis=1)
        farthest = distances.argsort(kind="stable")[::-1][: len(empty)]
        farthest = farthest[distances[farthest] > 0]
        relocated, labels = len(farthest), labels.copy()
        labels[farthest] = empty[:relocated]
        counts = np.bincount(labels, minlength=k)
    if metric == "l1":
        for cluster in np.flatnonzero(counts):
            means[cluster] = np.median(X[labels == cluster], axis=0)
        return means, labels, relocated
    members = (labels == np.arange(k)[:, None]).astype(np.float64)
    np.divide(members @ X, counts[:, None], out=means, where=counts[:, None] > 0)
    return means, labels, relocated


def inertia(X: Floats, centroids: Floats, labels: Ints, metric: str = "l2") -> float:
    """J: sum of squared distances of points to their centroids, or of L1 distances."""
    part, columns = METRICS[metric].part, zip(X.T, centroids.T)  # takes a quarter of the time of rows
    return float(sum(part(x - means[labels]).sum() for x, means in columns))


def centroid_field(centroids: Floats, centre: Floats, section: Section, raster: Raster) -> Field:
    """2 c.(x - centre) - |c|^2 of centroids (k, d) relative to `centre`, highest for the nearest."""
    return affine_section_field(2.0 * centroids, -(centroids**2).sum(axis=1), centre, section, raster)


def trail_marks(path: Floats) -> tuple[Mark, ...]:
    """Trails of positions (t, k, 2) in the colours of the clusters, once they have moved."""
    if len(path) == 1:
        return ()
    lines = np.swapaxes(path, 0, 1)
    return tuple(Path(layer="Trails", lines=(line,), ink=k, opacity=0.7) for k, line in enumerate(lines))
