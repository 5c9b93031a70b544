"""Where centroids start: k different points by chance, or k-means++: P(x) ~ min_k |x - c_k|^2."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from vizml.learn.state import Floats

MOST = 20
"""Places that can be put by hand."""
TRIALS = 2
"""Candidates for each centroid are this and log k; the one that lowers J most is kept, as is usual."""


def chosen(points: Floats, k: int, init: str, rng: Generator) -> Floats:
    """At most k different points (k, 2) to start from; fewer where there are no more."""
    return plus_plus(points, k, rng) if init == "kmeans++" else at_random(points, k, rng)


def at_random(points: Floats, k: int, rng: Generator) -> Floats:
    """The first k different points of a shuffled deck."""
    deck = points[rng.permutation(len(points))]
    for size in (8 * k, len(deck)):
        _, first = np.unique(deck[:size], axis=0, return_index=True)
        if len(first) >= k:
            break
    start: Floats = deck[np.sort(first)[:k]]
    return start


def plus_plus(points: Floats, k: int, rng: Generator) -> Floats:
    """One point after the other, far ones more likely."""
    start = points[rng.integers(len(points))]
    found, distance = [start], _squares(points, start)
    trials = TRIALS + int(np.log(k))
    while len(found) < k:
        reach = np.cumsum(distance)
        if not reach[-1] > 0:
            break
        drawn = np.searchsorted(reach, rng.random(trials) * reach[-1], side="right")
        drawn = np.minimum(drawn, len(points) - 1)
        left = np.minimum(distance, [_squares(points, points[i]) for i in drawn])
        best = int(np.argmin(left.sum(axis=1)))
        found.append(points[drawn[best]])
        distance = left[best]
    return np.array(found)


def _squares(points: Floats, centre: Floats) -> Floats:
    apart = points - centre
    squares: Floats = np.einsum("ij,ij->i", apart, apart)
    return squares


def parsed(starts: str) -> Floats:
    """'0.1,0.2;1.5,2' as places (k, 2); ValueError where a place is not two numbers."""
    places = [[float(each) for each in place.split(",")] for place in starts.split(";") if place.strip()]
    found = np.array(places, dtype=np.float64).reshape(len(places), 2)
    if not np.isfinite(found).all() or len(found) > MOST:
        raise ValueError
    return found


def written(places: Floats) -> str:
    """Places as the text that `parsed` reads."""
    return ";".join(f"{x!r},{y!r}" for x, y in places.tolist())
