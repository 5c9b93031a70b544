"""k-means on many points: a block of neighbours that is far from every border goes to its centroid as one.

A block within rho of its middle m belongs to centroid c as a whole where 2 (c - d).m - |c|^2 + |d|^2 is at
least 2 rho |c - d| for each other centroid d. Only points of blocks at borders are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.learn.clusters.lloyd import ROUNDS, Half, ended, inertia
from vizml.learn.state import Floats, Ints

Mask: TypeAlias = NDArray[np.bool_]

SHARE = 0.8
"""Blocks have so many points for the cube root of all: larger ones are more often at a border."""
SLACK = 1e-8
"""What rounding may do to a length where the points spread over 1."""
CLOSE = 1e-6
"""Centroids that are closer to each other part no block."""


class Dealt(NamedTuple):
    """Who belongs to which centroid, of several runs (r, k): whole blocks, and points of some."""

    sums: Floats
    """How many points each centroid has and the sums of their coordinates, (r, k, 3)."""
    whole: Ints
    """The centroid of each block, (r, m); of no account where the block is at a border."""
    run: Ints
    block: Ints
    own: Ints
    """The blocks at borders (q), and the centroid of each of their points (size, q): long rows are fast."""

    def only(self, kept: Mask) -> Dealt:
        """That of some of the runs."""
        if kept.all():
            return self
        here = kept[self.run]
        run = (np.cumsum(kept) - 1)[self.run[here]]
        return Dealt(self.sums[kept], self.whole[kept], run, self.block[here], self.own[:, here])

    def labels(self, run: int) -> Ints:
        """The centroid of each point of a run, block by block (m, size)."""
        labels = np.repeat(self.whole[run][:, None], len(self.own), axis=1)
        here = slice(*self.run.searchsorted((run, run + 1)).tolist())
        labels[self.block[here]] = self.own[:, here].T
        return labels


class Blocks:
    """Points in blocks of equal size; the last one is filled up with points of no weight."""

    def __init__(self, points: Floats) -> None:
        n = len(points)
        self.size = size = max(round(SHARE * n ** (1 / 3)), 2)
        self.order = _in_blocks(points, size)
        m = -(-n // size)
        filled = points[np.minimum(np.pad(self.order, (0, m * size - n), mode="edge"), n - 1)]
        self.x, self.y = np.ascontiguousarray(filled.reshape(m, size, 2).transpose(2, 1, 0))
        self.weight = np.ascontiguousarray((np.arange(m * size) < n).reshape(m, size).T, dtype=np.float64)
        low, high = (np.array([f(axis, axis=0) for axis in (self.x, self.y)]) for f in (np.min, np.max))
        self.reach = np.hypot(*(high - low)) / 2 + SLACK
        self.across = np.concatenate([(low + high) / 2, np.full((1, m), -1.0)])
        parts = self.weight, self.weight * self.x, self.weight * self.y
        self.sums = np.stack([part.sum(axis=0) for part in parts], axis=1)

    def deal(self, centroids: Floats) -> Dealt:
        """Each point to the nearest of the centroids (r, k, 2), the first of equals."""
        (r, k, _), m = centroids.shape, len(self.reach)
        lifted = np.empty((k, r, 3))
        lifted[:, :, :2] = 2 * centroids.transpose(1, 0, 2)
        lifted[:, :, 2] = (centroids * centroids).sum(axis=2).T
        scores = (lifted.reshape(k * r, 3) @ self.across).reshape(k, r, m)
        whole, highest = _first(scores)
        border = self._at_border(centroids, scores, whole, highest)
        run, block = np.nonzero(border)
        x, y, weight = (each.take(block, axis=1) for each in (self.x, self.y, self.weight))
        own, _ = _first([x * a + y * b - c for a, b, c in lifted[:, run].transpose(0, 2, 1)])
        members = ((whole == np.arange(k)[:, None, None]) & ~border).astype(np.float64)
        sums = (members.reshape(k * r, m) @ self.sums).reshape(k, r, 3).transpose(1, 0, 2)
        codes = (own + run * k).ravel()
        for axis, part in enumerate((weight, weight * x, weight * y)):
            sums[:, :, axis] += np.bincount(codes, part.ravel(), minlength=r * k).reshape(r, k)
        return Dealt(sums, whole, run, block, own)

    def labels(self, dealt: Dealt, run: int) -> Ints:
        """The centroid of each point of a run, in the order of the points."""
        labels = np.empty(len(self.order), dtype=np.int64)
        labels[self.order] = dealt.labels(run).ravel()[: len(self.order)]
        return labels

    def _at_border(self, centroids: Floats, scores: Floats, whole: Ints, highest: Floats) -> Mask:
        """Which blocks may have points that are nearer to another centroid than their middle is (r, m)."""
        r, k, _ = centroids.shape
        apart = np.sqrt(((centroids[:, :, None] - centroids[:, None]) ** 2).sum(axis=3))
        falls = np.maximum(2 * apart, CLOSE)
        falls[:, range(k), range(k)] = -1.0  # none is ahead of itself
        steep = np.ascontiguousarray(falls.reshape(r * k, k).T)
        codes = whole + k * np.arange(r)[:, None]
        border = np.zeros(whole.shape, dtype=bool)
        for fall, others in zip(steep, scores):
            border |= highest - others < fall.take(codes) * self.reach
        return border


def filtered(points: Floats, starts: Floats, unit: float) -> list[Half | None]:
    """The last half-step of each run from starts (r, k, 2); None where a cluster was empty on the way."""
    blocks = Blocks(points)
    history = np.empty((ROUNDS + 1, *starts.shape))
    history[0] = starts
    found: list[Half | None] = [None] * len(starts)
    dealt, going = blocks.deal(starts), np.arange(len(starts))
    for t in range(1, ROUNDS + 1):
        full = np.asarray(dealt.sums[:, :, 0].min(axis=1) > 0)
        dealt, going = dealt.only(full), going[full]
        history[t, going] = dealt.sums[:, :, 1:] / dealt.sums[:, :, :1]
        before, dealt = dealt, blocks.deal(history[t, going])
        over = [i for i in range(len(going)) if t == ROUNDS or _alike(before, dealt, i)]
        for i in over:
            way, labels = history[: t + 1, going[i]], blocks.labels(dealt, i)
            found[going[i]] = ended(way, labels, inertia(points, way[-1], labels) * unit)
        on = np.ones(len(going), dtype=bool)
        on[over] = False
        dealt, going = dealt.only(on), going[on]
        if not len(going):
            break
    return found


def _alike(before: Dealt, after: Dealt, run: int) -> bool:
    """Whether no point of a run has changed hands."""
    if not np.array_equal(before.sums[run, :, 0], after.sums[run, :, 0]):
        return False
    return np.array_equal(before.labels(run), after.labels(run))


def _first(scores: Iterable[Floats]) -> tuple[Ints, Floats]:
    """Which of some scores is the highest, the first of equals, and how high it is."""
    (_, highest), *others = enumerate(scores)
    best = np.zeros(highest.shape, dtype=np.int64)
    for code, score in others:
        np.copyto(best, code, where=score > highest)
        highest = np.maximum(highest, score)
    return best, highest


def _in_blocks(points: Floats, size: int) -> Ints:
    """An order of points in which so many that follow one another are neighbours: strips of x, then by y."""
    blocks = -(-len(points) // size)
    strips = max(int(np.sqrt(blocks)), 1)
    by_x = points[:, 0].argsort(kind="stable")
    strip = np.arange(len(points)) // size * strips // blocks
    order: Ints = by_x[np.lexsort((points[by_x, 1], strip))]
    return order
