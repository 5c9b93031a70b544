"""Pegasos (Shalev-Shwartz, Singer and Srebro 2007): stochastic subgradient descent of a linear SVM's primal.

One point at a time, w <- (1 - eta_t lam) w + eta_t y x [y f(x) < 1] and b <- b + eta_t y [y f(x) < 1] with
eta_t = 1 / (lam (t + t0)), and t0 such that eta = 1 at first. With v = lam (t + t0) w a step is v <- v + y x,
so that nothing happens at a point beyond the margin.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from vizml.field.arrays import Floats, Ints

Steps: TypeAlias = Callable[[Floats, Ints, float], tuple[Floats, Ints]]


class Pegasos:
    """A linear machine on points (n, d) with signs y (n,); it records where each run of steps ended.

    >>> machine = Pegasos(np.array([[-1.0], [1.0]]), np.array([-1.0, 1.0]), lam=0.1)
    >>> for _ in range(100):
    ...     machine.run(np.array([0, 1]))
    >>> machine.weights(1, average=True).round(2)
    array([[ 1.05, -0.  ]])
    """

    def __init__(self, points: Floats, y: Floats, lam: float) -> None:
        self.signed, self.lam = np.vstack([points.T * y, y]), lam
        self.steps = 0
        plane = points.shape[1] == 2
        self._advance = self._plane_steps if plane else self._general_steps
        self._samples: list[Any] = (
            self.signed.T.tolist() if plane else [*zip(points * y[:, None], y.tolist())]
        )
        """Each point times its sign, and its sign."""
        self._ends = [np.zeros(len(self.signed))]
        """v and b after each run."""
        self._counts, self._sums = [0], np.zeros((1, len(self.signed)))
        """Steps so far and the sums of w and b over them, after each run."""
        self._pending: list[tuple[Ints, Ints]] = []
        """Points of runs that are not in the sums yet, and which of their steps changed something."""

    def run(self, order: Ints) -> None:
        """Take a step at each of these points."""
        end, hits = self._advance(self._ends[-1], order, 1.0 + self.lam * self.steps)
        self.steps += len(order)
        self._ends.append(end)
        self._counts.append(self.steps)
        self._pending.append((order, hits))

    def weights(self, runs: int, *, average: bool) -> Floats:
        """Return w and b (k, d + 1) after each of the last runs, or their averages over the later half."""
        if average:
            return self._averages(runs)
        ends, counts = np.array(self._ends[-runs:]), np.array(self._counts[-runs:])
        ends[:, :-1] /= (1.0 + self.lam * counts)[:, None]
        return ends

    def _general_steps(self, start: Floats, order: Ints, scale: float) -> tuple[Floats, Ints]:
        """Return v and b after the steps, and the numbers of those that changed them."""
        end, hits = start.copy(), []
        v, b = end[:-1], float(end[-1])
        product = v.dot
        for number, (x, s) in enumerate(map(self._samples.__getitem__, order.tolist())):
            if product(x) < scale * (1.0 - s * b):
                v += x
                b += s / (scale + self.lam)
                hits.append(number)
            scale += self.lam
        end[-1] = b
        return end, np.array(hits, dtype=np.int64)

    def _plane_steps(self, start: Floats, order: Ints, scale: float) -> tuple[Floats, Ints]:
        """The same for two inputs, four times as fast without arrays."""
        (p, q, b), lam, hits = start.tolist(), self.lam, bytearray(len(order))
        for number, (x, y, s) in enumerate(map(self._samples.__getitem__, order.tolist())):
            if p * x + q * y < scale * (1.0 - s * b):
                p += x
                q += y
                b += s / (scale + lam)
                hits[number] = 1
            scale += lam
        return np.array([p, q, b]), np.flatnonzero(np.frombuffer(hits, dtype=np.uint8))

    def _averages(self, runs: int) -> Floats:
        self._sum_up()
        counts = np.array(self._counts)
        last = np.arange(len(counts) - runs, len(counts))
        since = np.minimum(np.searchsorted(counts, counts[last] // 2), last - 1)
        return np.asarray((self._sums[last] - self._sums[since]) / (counts[last] - counts[since])[:, None])

    def _sum_up(self) -> None:
        """Add the latest runs to the sums.

        After step T the sum of v / scale is v_T P_T minus each hit's y x times P at the step before it,
        P_t the sum of 1 / scale up to t; that of b alike, with t in the place of P.
        """
        if not self._pending:
            return
        begun = self._counts[len(self._sums) - 1]
        ends = np.array(self._ends[len(self._sums) :])
        stops = np.array(self._counts[len(self._sums) :]) - begun
        starts = [0, *stops[:-1].tolist()]
        hits = np.concatenate([hits + start for (_, hits), start in zip(self._pending, starts)])
        points = np.concatenate([order[hits] for order, hits in self._pending])
        scales = 1.0 + self.lam * np.arange(begun + 1.0, begun + stops[-1] + 1.0)
        before = np.concatenate([[0.0], np.cumsum(1.0 / scales)])
        late = np.zeros((len(self.signed), len(hits) + 1))
        moved = self.signed.take(points, axis=1)
        np.multiply(moved[:-1], before[hits], out=late[:-1, 1:])
        np.multiply(moved[-1], hits / scales[hits], out=late[-1, 1:])
        late = np.cumsum(late, axis=1)[:, np.searchsorted(hits, stops)]
        whole = ends * before[stops, None]
        whole[:, -1] = ends[:, -1] * stops
        self._sums = np.concatenate([self._sums, self._sums[-1] + whole - late.T])
        self._pending = []
