"""Several runs of Lloyd's half-steps at once: many small sums take as long as one that is larger.

A point's nearest centroid has the highest 2 c.x - |c|^2, so J = sum |x|^2 - sum of the highest; moving the
centroids of n_k points by d_k to the means takes sum n_k |d_k|^2 off it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.learn.clusters.blocks import filtered
from vizml.learn.clusters.lloyd import (
    ROUNDS,
    Half,
    assigned,
    begun,
    ended,
    inertia,
    lloyd,
    moved_on,
    updated,
)
from vizml.learn.state import Floats, Ints

Mask: TypeAlias = NDArray[np.bool_]

TOGETHER = 60_000
"""Runs are made at once while they have so few pairs of a point and a centroid."""
AT_ONCE = 2_000_000
"""So many of those pairs, block by block."""
CLEAR = 1e-3
"""A J below this share of the sum of squares has lost digits to it, and is summed up from the points."""


def runs(points: Floats, starts: Floats, unit: float) -> Iterator[tuple[int, Half]]:
    """The half-steps from several starts (r, k, 2), run after run, each with the number of its run."""
    r, k, _ = starts.shape
    together = r > 1 and len(points) * r * k <= TOGETHER
    told = Race(points, starts, unit).told() if together else (lloyd(points, start, unit) for start in starts)
    for run, halves in enumerate(told):
        for half in halves:
            yield run, half


def ends(points: Floats, starts: Floats, unit: float) -> Iterator[tuple[int, Half]]:
    """The last half-step from each of several starts (r, k, 2), with the number of its run."""
    r, k, _ = starts.shape
    if len(points) * r * k <= TOGETHER:
        yield from enumerate(Race(points, starts, unit).ends())
        return
    together = max(AT_ONCE // (len(points) * k), 1)
    for first in range(0, r, together):
        found = filtered(points, starts[first : first + together], unit)
        for run, end in enumerate(found, start=first):
            yield run, end or Race(points, starts[run : run + 1], unit).ends()[0]


class Turn(NamedTuple):
    """After a half-step of all runs that still go: who belongs to which centroid is 1 among the members."""

    centroids: Floats
    members: Floats
    labels: Ints
    J: Floats


class Round(NamedTuple):
    """A round of the runs that still go: after the update (which may move empty clusters) and after both."""

    t: int
    going: Ints
    middle: Turn
    moved: dict[int, int]
    after: Turn
    changed: Ints


class Race:
    """Runs from starts (r, k, 2); in turns the centroid comes first, (k, r, ...): so sums are fast."""

    def __init__(self, points: Floats, starts: Floats, unit: float) -> None:
        self.points, self.unit = points, unit
        self.basis = np.column_stack([points, np.ones(len(points))])
        self.across = np.stack([*points.T, np.full(len(points), -0.5)])
        self.squares = float((points * points).sum())
        r, k, _ = starts.shape
        self.codes = np.arange(k, dtype=np.float64)
        self.history = np.empty((ROUNDS + 1, k, r, 2))
        self.history[0] = starts.transpose(1, 0, 2)
        self.start = self._assign(self.history[0])

    def told(self) -> list[list[Half]]:
        """The half-steps of each run."""
        ends = zip(self.start.labels, (self.start.J * self.unit).tolist())
        told = [[begun(self.history[:1, :, run], *end)] for run, end in enumerate(ends)]
        for now in self.rounds():
            each = (now.going, now.changed, now.middle.J * self.unit, now.after.J * self.unit)
            for i, (run, moves, lower, lowest) in enumerate(zip(*(every.tolist() for every in each))):
                halves, way = told[run], self.history[: now.t + 1, :, run]
                first = moved_on(halves[-1], way, now.middle.labels[i], lower, now.moved.get(i, 0))
                J = lowest if moves else first.J
                halves += (first, assigned(first, way, now.after.labels[i], J, moves))
        return told

    def ends(self) -> list[Half]:
        """The last half-step of each run, without those before it."""
        found: dict[int, Half] = {}
        least = self.start.J * self.unit
        for now in self.rounds():
            last = np.where(now.changed, now.after.J, now.middle.J) * self.unit
            least[now.going] = np.minimum(np.minimum(least[now.going], now.middle.J * self.unit), last)
            for i in np.flatnonzero((now.changed == 0) | (now.t == ROUNDS)).tolist():
                run = int(now.going[i])
                J, way, labels = float(least[run]), self.history[: now.t + 1, :, run], now.after.labels[i]
                found[run] = ended(way, labels, J)
        return [found[run] for run in range(len(found))]

    def rounds(self) -> Iterator[Round]:
        """Update and assign by turns, of the runs in which points still change hands."""
        turn, going = self.start, np.arange(self.history.shape[2])
        for t in range(1, ROUNDS + 1):
            middle, moved = self._update(turn)
            self.history[t][:, going] = middle.centroids
            turn = self._assign(middle.centroids)
            changed = (turn.labels != middle.labels).sum(axis=1)
            yield Round(t, going, middle, moved, turn, changed)
            on = np.flatnonzero(changed)
            if not len(on):
                return
            if len(on) < len(changed):
                going = going[on]
                turn = Turn(turn.centroids[:, on], turn.members[:, on], turn.labels[on], turn.J[on])

    def _assign(self, centroids: Floats) -> Turn:
        """Each point to the nearest centroid, the first of equals."""
        (k, r, _), n = centroids.shape, len(self.points)
        lifted = np.empty((k, r, 3))
        lifted[:, :, :2] = centroids
        np.einsum("krd,krd->kr", centroids, centroids, out=lifted[:, :, 2])
        scores = (lifted.reshape(k * r, 3) @ self.across).reshape(k, r, n)
        highest = scores.max(axis=0)
        first = scores >= highest
        if np.count_nonzero(first) > r * n:
            first = first.argmax(axis=0) == np.arange(k)[:, None, None]
        members = first.astype(np.float64)
        labels = (self.codes @ members.reshape(k, r * n)).astype(np.int64).reshape(r, n)
        J = self._clear(self.squares - 2 * highest.sum(axis=1), centroids, labels)
        return Turn(centroids, members, labels, J)

    def _update(self, turn: Turn) -> tuple[Turn, dict[int, int]]:
        """Centroids to the means; in which runs how many had no points, and got the farthest."""
        k, r, n = turn.members.shape
        sums = (turn.members.reshape(k * r, n) @ self.basis).reshape(k, r, 3)
        counts = sums[:, :, 2]
        if not counts.all():
            return self._revived(turn, (counts == 0).any(axis=0))
        means = sums[:, :, :2] / counts[:, :, None]
        shift = means - turn.centroids
        fall = np.einsum("krd,krd,kr->r", shift, shift, counts)
        return turn._replace(centroids=means, J=self._clear(turn.J - fall, means, turn.labels)), {}

    def _revived(self, turn: Turn, empty: Mask) -> tuple[Turn, dict[int, int]]:
        each = zip(turn.centroids.swapaxes(0, 1), turn.labels)
        found = [updated(self.points, centroids, labels) for centroids, labels in each]
        means = np.stack([centroids for centroids, _, _ in found], axis=1)
        labels = np.stack([own for _, own, _ in found])
        moved = {i: found[i][2] for i in np.flatnonzero(empty).tolist()}
        return turn._replace(centroids=means, labels=labels, J=self._summed(means, labels)), moved

    def _clear(self, J: Floats, centroids: Floats, labels: Ints) -> Floats:
        return self._summed(centroids, labels) if J.min() < CLEAR * self.squares else J

    def _summed(self, centroids: Floats, labels: Ints) -> Floats:
        each = zip(centroids.swapaxes(0, 1), labels)
        return np.array([inertia(self.points, own, whose) for own, whose in each])
