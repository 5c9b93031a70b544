"""The k nearest of n points, for a batch of places: those that lie together ask the same few points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from vizml.data.dataset import Mask
from vizml.field.cancellation import check_cancelled
from vizml.field.metrics import METRICS, Metric
from vizml.learn.state import Floats, Ints

CHUNK = 1 << 18
"""Distances at a time: they stay in the cache."""
TOGETHER = 64
"""Places that ask the same points."""
MANY = 2000
"""Among more of them the few that matter are looked for at each halving."""
FEW = 400
"""Among so few points it is quicker to ask all of them."""


class Asked(NamedTuple):
    """Some places, the points that may be near any of them, the distances (m, c), and which are nearest."""

    places: Ints
    points: Ints
    distances: Floats
    inside: Mask


def nearest(X: Floats, points: Floats, k: int, metric: str) -> Iterator[Asked]:
    """The k nearest of each row of X, of equals the first."""
    measure = METRICS[metric]
    if len(points) <= max(FEW, 4 * k):
        everyone, size = np.arange(len(points)), max(CHUNK // max(len(points), 1), 1)
        parts = np.split(np.arange(len(X)), range(size, len(X), size))
        groups: Iterator[tuple[Ints, Ints]] = ((rows, everyone) for rows in parts)
    else:
        reach = max(float(np.abs(each).max(initial=0.0)) for each in (X, points))
        blur = 16 * np.finfo(float).eps * reach
        groups = _together(X, points, k, measure, blur)
    for rows, asked in groups:
        check_cancelled()
        ranks = measure.ranks(X[rows], points[asked])
        yield Asked(rows, asked, measure.length(ranks), _lowest(ranks, k))


def _near(X: Floats, points: Floats, k: int, measure: Metric, blur: float) -> Ints:
    """The points that may be among the k nearest of any of X: with r the reach of X from its middle, those
    no farther from there than the k-th and 2 r.
    """
    low, high = X.min(axis=0), X.max(axis=0)
    middle = (low + high)[None] / 2
    away = measure.length(measure.ranks(middle, points))[0]
    reach = float(measure.length(measure.ranks(middle, high[None]))[0, 0])
    last = float(np.partition(away, k - 1)[k - 1])
    return np.flatnonzero(away <= (last + 2 * reach) * (1 + 1e-9) + blur)


def _together(X: Floats, points: Floats, k: int, measure: Metric, blur: float) -> Iterator[tuple[Ints, Ints]]:
    """The rows of X in groups that lie together, halved at the median of their longer side, and the points
    that may be among their nearest: those of a half are among those of the whole.
    """
    waiting = [(np.arange(len(X)), np.arange(len(points)), points)] if len(X) else []
    while waiting:
        rows, asked, there = waiting.pop()
        mine = X[rows]
        if len(rows) <= TOGETHER or len(asked) > MANY:
            near = _near(mine, there, k, measure, blur)
            asked, there = asked[near], there[near]
        if len(rows) <= TOGETHER:
            yield np.sort(rows), asked
            continue
        half = len(rows) // 2
        order = np.argpartition(mine[:, int(np.argmax(np.ptp(mine, axis=0)))], half)
        waiting += [(rows[order[:half]], asked, there), (rows[order[half:]], asked, there)]


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
