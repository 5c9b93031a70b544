"""Pegasos: w <- (1 - eta_t lam) w + eta_t y x [y f(x) < 1], b <- b + eta_t y [y f(x) < 1], a point at a time.

eta_t = 1 / (lam (t + t0)), t0 such that the first step is 1. With v = lam (t + t0) w a step is v <- v + y x
alone, so that nothing happens at a point beyond the margin.
"""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from vizml.learn.state import Floats, Ints


class Pegasos:
    """One machine on points (n, 2) with signs y (n,), and what its latest steps were on average."""

    def __init__(self, points: Floats, y: Floats, lam: float) -> None:
        self.signed, self.lam = np.column_stack([points * y[:, None], y]), lam
        self.steps, self.scale = 0, 1.0
        self.v, self.b = (0.0, 0.0), 0.0
        self._taken, self._sums = [0], [np.zeros(3)]

    @property
    def rate(self) -> float:
        """eta of the latest step."""
        return 1.0 / self.scale

    @property
    def latest(self) -> Floats:
        """w and b as they are."""
        return np.array([self.v[0] / self.scale, self.v[1] / self.scale, self.b])

    @property
    def average(self) -> Floats:
        """w and b on average over the later half of the steps: the early ones are far off."""
        since = min(bisect_left(self._taken, self.steps // 2), len(self._taken) - 2)
        count = self.steps - self._taken[since]
        return np.asarray((self._sums[-1] - self._sums[since]) / count)

    def run(self, order: Ints) -> None:
        """A step at each of these points."""
        rows, lam = self.signed[order], self.lam
        before = self.scale + lam * np.arange(float(len(order)))
        p, q, b = *self.v, self.b
        hits = []
        for at, (x, y, s, scale) in enumerate(zip(*rows.T.tolist(), before.tolist())):
            if p * x + q * y < scale * (1.0 - s * b):
                p += x
                q += y
                b += s / (scale + lam)
                hits.append(at)
        scales = np.asarray(before + lam, dtype=np.float64)
        self._sum_up(rows, scales, np.array(hits, dtype=np.intp))
        self.v, self.b, self.scale = (p, q), b, float(scales[-1])

    def _sum_up(self, rows: Floats, scales: Floats, hits: Ints) -> None:
        """Add w and b after each step to the sums: each hit counts from its step on."""
        inverse = np.cumsum((1.0 / scales)[::-1])[::-1]
        ahead = np.arange(len(rows), 0.0, -1.0)
        w = np.array(self.v) * inverse[0] + inverse[hits] @ rows[hits, :2]
        b = self.b * len(rows) + float((rows[hits, 2] / scales[hits]) @ ahead[hits])
        self.steps += len(rows)
        self._taken.append(self.steps)
        self._sums.append(self._sums[-1] + [*w, b])
