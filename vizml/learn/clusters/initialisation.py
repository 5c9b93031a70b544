"""Initial centroids of k-means and initial means of EM: random points, k-means++, or placed by hand.

Positions placed by hand are stored as a text parameter and dragged as anchors on the canvas.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vizml.data.params import Value
from vizml.field.arrays import Floats, Ints
from vizml.field.metrics import METRICS
from vizml.learn.params import text
from vizml.learn.training_data import CannotLearn
from vizml.learn.view import Anchor

PLACED = "placed"
"""Value of the parameter `init` that takes the positions from the parameter `starts`."""
MAX_POSITIONS = 20
"""Bound on the number of positions, so that each anchor can be told from the others on the canvas."""
DISTINCT_SAMPLE = 8
"""Random points inspected per centroid before all points are searched for distinct ones."""


def initial_centroids(X: Floats, k: int, init: str, rng: Generator) -> Floats:
    """Choose at most k distinct points (k, d), by the method `init` ("random" or "kmeans++")."""
    return random_centroids(X, k, rng) if init == "random" else kmeans_plus_plus(X, k, rng)


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
    centroids = X[rng.integers(len(X), size=1)]
    squared = costs(centroids, X)
    trials = 2 + int(np.log(k))
    yield Pick(centroids, squared[0], 1 / len(X), 1)
    while len(centroids) < k and squared.any():
        cumulative = np.cumsum(squared)
        drawn = cumulative.searchsorted(rng.random(trials) * cumulative[-1], side="right")
        drawn = np.minimum(drawn, len(X) - 1)
        reduced = np.minimum(squared, costs(X[drawn], X))
        best = int(reduced.sum(axis=1).argmin())
        probability = float(squared[0, drawn[best]] / cumulative[-1])
        centroids, squared = np.vstack([centroids, X[drawn[best]][None]]), reduced[best : best + 1]
        yield Pick(centroids, squared[0], probability, trials)


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
