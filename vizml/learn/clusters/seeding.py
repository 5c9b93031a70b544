"""Where centroids start: k different points by chance, or k-means++: P(x) ~ min_k |x - c_k|^2."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from vizml.learn.state import Floats

TOGETHER = 60_000
"""Runs are started at once while they have no more points than this together."""
TRIALS = 2
"""Candidates for each centroid are this and log k; the one that lowers J most is kept, as is usual."""


def chosen(points: Floats, k: int, init: str, rng: Generator) -> Floats:
    """At most k different points (k, 2) to start from; fewer where there are no more."""
    found: Floats = chosen_each(points, k, init, rng, 1)[0]
    return found


def chosen_each(points: Floats, k: int, init: str, rng: Generator, runs: int) -> Floats:
    """The same for several runs (r, k, 2)."""
    if init != "kmeans++":
        return np.stack([at_random(points, k, rng) for _ in range(runs)])
    together = runs if runs * len(points) <= TOGETHER else 1
    return np.concatenate([plus_plus(points, k, rng, together) for _ in range(runs // together)])


def at_random(points: Floats, k: int, rng: Generator) -> Floats:
    """The first k different points of a shuffled deck."""
    deck = points[rng.permutation(len(points))]
    for size in (8 * k, len(deck)):
        _, first = np.unique(deck[:size], axis=0, return_index=True)
        if len(first) >= k:
            break
    start: Floats = deck[np.sort(first)[:k]]
    return start


def plus_plus(points: Floats, k: int, rng: Generator, runs: int) -> Floats:
    """For each of several runs one point after the other, far ones more likely (r, k, 2)."""
    across = np.ascontiguousarray(points.T)
    found = [points[rng.integers(len(points), size=runs)]]
    distance = _squares(across, found[0])
    trials = TRIALS + int(np.log(k))
    each = np.arange(runs)
    while len(found) < k:
        reach = np.cumsum(distance, axis=1)
        if not reach[:, -1].min() > 0:
            break
        aims = rng.random((runs, trials)) * reach[:, -1:]
        drawn = np.array([row.searchsorted(aim, side="right") for row, aim in zip(reach, aims)])
        drawn = np.minimum(drawn, len(points) - 1)
        left = np.minimum(distance[:, None], _squares(across, points[drawn]))
        best = left.sum(axis=2).argmin(axis=1)
        found.append(points[drawn[each, best]])
        distance = left[each, best]
    return np.stack(found, axis=1)


def _squares(across: Floats, places: Floats) -> Floats:
    """The squared distances (..., n) from places (..., 2) to points (2, n)."""
    x, y = across[0] - places[..., :1], across[1] - places[..., 1:]
    x *= x
    y *= y
    x += y
    return np.asarray(x)
