"""Which of a few rivals are the nearest, pixel by pixel, in many small tiles at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field.metrics import Metric
from vizml.field.raster import Floats

Ints: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]
DUELS = 16
"""Up to so many rivals each meets each other; more are sorted."""


@dataclass(frozen=True, eq=False)
class Rivals:
    """Pixels x (t, T) and y (t, T) of t tiles, and m rivals (t, m) for each: place and class."""

    x: Floats
    y: Floats
    px: Floats
    py: Floats
    codes: Ints

    def ranks(self, metric: Metric) -> Floats:
        """The ranks (m, t, T, T) of their distances."""
        across = metric.part(self.x - self.px.T[:, :, None])
        down = metric.part(self.y - self.py.T[:, :, None])
        return metric.join(across[:, :, None, :], down[:, :, :, None])


def contest(rivals: Rivals, need: Ints, base: Ints, metric: Metric) -> NDArray[np.uint16]:
    """Votes (K, t, T, T): those that stand already, and those of the `need` nearest rivals."""
    inside = nearest(rivals.ranks(metric), need)
    votes = np.empty((base.shape[1], *inside.shape[1:]), dtype=np.uint16)
    votes[:] = base.T[:, :, None, None]
    tiles = np.arange(len(base))
    for won, code in zip(inside, rivals.codes.T):
        votes[code, tiles] += won
    return votes


def weighted_contest(rivals: Rivals, need: Ints, classes: int, metric: Metric) -> Floats:
    """Shares (K, t, T, T) of the `need` nearest rivals, each weighing 1 / distance."""
    ranks = rivals.ranks(metric)
    inside = nearest(ranks, need)
    lengths = metric.length(ranks)
    lengths[~inside] = np.inf
    weights = weigh(lengths)
    shares, tiles = np.zeros((classes, *weights.shape[1:])), np.arange(weights.shape[1])
    for weight, code in zip(weights, rivals.codes.T):
        shares[code, tiles] += weight
    return np.asarray(shares / weights.sum(axis=0))


def weigh(distances: Floats) -> Floats:
    """1 / distance; points at no distance, along the first axis, take all the weight."""
    with np.errstate(divide="ignore", over="ignore"):
        weights = 1.0 / distances
    if weights.max(initial=0.0) < np.inf:
        return np.asarray(weights)
    hit = np.isinf(weights)
    return np.where(hit.any(axis=0), hit, weights)


def nearest(ranks: Floats, need: Ints) -> Mask:
    """Which of m rivals (m, t, T, T) are among the need (t,) lowest; of equals the first."""
    return _by_duels(ranks, need) if len(ranks) <= DUELS else _by_sorting(ranks, need)


def _by_duels(ranks: Floats, need: Ints) -> Mask:
    losses = np.zeros(ranks.shape, dtype=np.int8)
    for i, first in enumerate(ranks):
        for j in range(i + 1, len(ranks)):
            won = (first <= ranks[j]).view(np.int8)
            losses[j] += won
            losses[i] -= won
        losses[i] += np.int8(len(ranks) - 1 - i)
    return np.asarray(losses < need[:, None, None])


def _by_sorting(ranks: Floats, need: Ints) -> Mask:
    most = int(need.max())
    lowest = np.partition(ranks, most - 1, axis=0)[:most] if most < len(ranks) else ranks
    last = np.take_along_axis(np.sort(lowest, axis=0), (need - 1)[None, :, None, None], axis=0)
    below, level = ranks < last, ranks == last
    room = need[:, None, None] - below.sum(axis=0)
    return np.asarray(below | (level & (np.cumsum(level, axis=0) <= room)))
