"""Pegasos: w <- (1 - eta_t lam) w + eta_t y x [y f(x) < 1], b <- b + eta_t y [y f(x) < 1], a point at a time.

eta_t = 1 / (lam (t + t0)), t0 such that the first step is 1. With v = lam (t + t0) w a step is v <- v + y x
alone, so that nothing happens at a point beyond the margin.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from vizml.learn.state import Floats, Ints

Row: TypeAlias = tuple[float, float, float, int]


class Pegasos:
    """One machine on points (n, 2) with signs y (n,); it remembers where each stretch of its steps ended."""

    def __init__(self, points: Floats, y: Floats, lam: float) -> None:
        self.signed, self.lam = np.vstack([points.T * y, y]), lam
        self.steps = 0
        self._rows: list[Row] = list(zip(*self.signed.tolist(), range(len(y))))
        self._ends = [(0.0, 0.0, 0.0)]
        """v and b after each stretch."""
        self._taken, self._sums = [0], np.zeros((1, 3))
        """After each stretch, how many steps there were, and the sum of w and b over them."""
        self._orders: list[Ints] = []
        self._hits: list[bytearray] = []
        """The points of stretches that are not yet summed up; 1 for each that moved something."""

    @property
    def rate(self) -> float:
        """eta of the latest step."""
        return 1.0 / (1.0 + self.lam * self.steps)

    @property
    def latest(self) -> Floats:
        """w and b as they are."""
        return np.asarray(self.weights(1, average=False)[0])

    @property
    def average(self) -> Floats:
        """w and b on average over the later half of the steps: the early ones are far off."""
        return np.asarray(self.weights(1, average=True)[0])

    def run(self, order: Ints) -> None:
        """A step at each of these points, all different."""
        (p, q, b), lam, scale = self._ends[-1], self.lam, 1.0 + self.lam * self.steps
        hit = bytearray(len(self._rows))
        for x, y, s, point in map(self._rows.__getitem__, order.tolist()):
            if p * x + q * y < scale * (1.0 - s * b):
                p += x
                q += y
                b += s / (scale + lam)
                hit[point] = 1
            scale += lam
        self.steps += len(order)
        self._orders.append(order)
        self._hits.append(hit)
        self._ends.append((p, q, b))
        self._taken.append(self.steps)

    def weights(self, stretches: int, *, average: bool) -> Floats:
        """w and b after each of the last stretches (k, 3), or on average over the later half of the steps."""
        if average:
            return self._averages(stretches)
        ends, taken = np.array(self._ends[-stretches:]), np.array(self._taken[-stretches:])
        ends[:, :2] /= (1.0 + self.lam * taken)[:, None]
        return ends

    def _averages(self, stretches: int) -> Floats:
        self._sum_up()
        taken = np.array(self._taken)
        last = np.arange(len(taken) - stretches, len(taken))
        since = np.minimum(np.searchsorted(taken, taken[last] // 2), last - 1)
        count = taken[last] - taken[since]
        return np.asarray((self._sums[last] - self._sums[since]) / count[:, None])

    @property
    def _summed(self) -> int:
        """How many steps are in the sums."""
        return self._taken[len(self._sums) - 1]

    def _sum_up(self) -> None:
        """Take the latest stretches into the sums.

        After step T the sum of v / scale is v_T P_T less each hit's y x times P at the step before it,
        P_t the sum of 1 / scale up to t; that of b alike, with t in the place of P.
        """
        if not self._orders:
            return
        begun, order = self._summed, np.concatenate(self._orders)
        ends = np.array(self._ends[len(self._sums) :])
        stops = np.array(self._taken[len(self._sums) :]) - begun
        rows = np.repeat(np.arange(len(self._hits)) * len(self._rows), np.diff(stops, prepend=0))
        hits = np.flatnonzero(np.frombuffer(b"".join(self._hits), dtype=np.uint8).take(rows + order))
        scales = 1.0 + self.lam * np.arange(begun + 1.0, begun + stops[-1] + 1.0)
        before = np.concatenate([[0.0], np.cumsum(1.0 / scales)])
        late = np.zeros((3, len(hits) + 1))
        moved = self.signed.take(order[hits], axis=1)
        np.multiply(moved[:2], before[hits], out=late[:2, 1:])
        np.multiply(moved[2], hits / scales[hits], out=late[2, 1:])
        late = np.cumsum(late, axis=1)[:, np.searchsorted(hits, stops)]
        whole = ends * np.column_stack([before[stops], before[stops], stops])
        self._sums = np.concatenate([self._sums, self._sums[-1] + whole - late.T])
        self._orders, self._hits = [], []
