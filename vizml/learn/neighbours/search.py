"""The k nearest of n points, for a batch of places: all distances, in chunks that stay in the cache."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.data.dataset import Mask
from vizml.field.metrics import METRICS
from vizml.learn.state import Floats

CHUNK = 1 << 18


def nearest(X: Floats, points: Floats, k: int, metric: str) -> Iterator[tuple[slice, Floats, Mask]]:
    """Chunk by chunk: rows of X, their distances (m, n), and which are the k nearest, of equals the first."""
    measure = METRICS[metric]
    size = max(CHUNK // max(len(points), 1), 1)
    for start in range(0, len(X), size):
        part = slice(start, start + size)
        ranks = measure.ranks(X[part], points)
        yield part, measure.length(ranks), _lowest(ranks, k)


def _lowest(ranks: Floats, k: int) -> Mask:
    """Which k of each row (m, n) are the lowest; of equals the first."""
    if k >= ranks.shape[1]:
        return np.ones(ranks.shape, dtype=bool)
    last = np.partition(ranks, k - 1, axis=1)[:, k - 1 : k]
    within = ranks <= last
    crowded = np.flatnonzero(within.sum(axis=1) > k)
    level = ranks[crowded] == last[crowded]
    room = k - (ranks[crowded] < last[crowded]).sum(axis=1, keepdims=True)
    within[crowded] &= ~level | (np.cumsum(level, axis=1) <= room)
    return np.asarray(within)
