"""Sequential minimal optimisation (Platt 1998) with second-order pair selection (Fan, Chen and Lin 2005)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from vizml.field.arrays import Floats, Ints, Mask
from vizml.learn.support_vectors.kernels import CURVATURE, KernelColumns


class SmoStep(NamedTuple):
    """The change of the first coefficient of a pair."""

    i: int
    j: int
    before: float
    after: float


class Smo:
    """Minimise w'Kw / 2 - q'w over low <= w <= high, sum w = 0, by two coefficients at a time.

    For classification w = y alpha, q = y; for regression w holds alpha, then -alpha* of the same points.
    v = q - Kw is minus the gradient: at the optimum v <= b wherever w < high, v >= b wherever w > low.

    >>> from vizml.learn.support_vectors.kernels import LinearKernel
    >>> columns, y = KernelColumns(LinearKernel(), np.array([[0.0], [2.0]])), np.array([-1.0, 1.0])
    >>> smo = Smo(columns, q=y, low=np.array([-10.0, 0.0]), high=np.array([0.0, 10.0]))
    >>> while smo.step(1e-3):
    ...     pass
    >>> smo.w, smo.bias
    (array([-0.5,  0.5]), -1.0)
    """

    def __init__(self, columns: KernelColumns, q: Floats, low: Floats, high: Floats) -> None:
        self.columns, self.low, self.high = columns, low, high
        self.w, self.v, self.dual, self.count = np.zeros(len(q)), q.copy(), 0.0, 0
        self._v_of_points = self.v.reshape(-1, len(columns.diagonal))
        self._at_high, self._at_low = np.empty((2, len(q)))
        """-inf where w is at its upper bound, inf where at its lower one, else 0."""
        self.set(np.arange(len(q)), self.w, np.zeros(len(columns.diagonal)))

    @property
    def free(self) -> Mask:
        """Coefficients between their bounds."""
        return np.asarray((self.w > self.low) & (self.w < self.high))

    @property
    def gap(self) -> float:
        """Largest violation of the KKT conditions, without errors of rounding."""
        return max(round(float((self.v + self._at_high).max() - (self.v + self._at_low).min()), 12), 0.0)

    @property
    def bias(self) -> float:
        """The mean of v over the free coefficients; without any, the middle of what the conditions allow."""
        if (free := self.free).any():
            return float(self.v[free].mean())
        return float((self.v + self._at_high).max() + (self.v + self._at_low).min()) / 2.0

    def step(self, tol: float) -> SmoStep | None:
        """Optimise the pair with the largest gain; None if no pair violates the conditions by tol."""
        columns, n = self.columns, self._v_of_points.shape[1]
        rising, falling = self.v + self._at_high, self.v + self._at_low
        i = int(rising.argmax())
        gains = (rising[i] - falling).reshape(-1, n) / columns.distances(i % n)
        j = int(gains.argmax())
        slope = rising.item(i) - falling.item(j)
        if not slope >= 2.0 * tol and not self.gap >= tol:
            return None
        first, second = columns.column(i % n), columns.column(j % n)
        curvature = columns.diagonal.item(i % n) + columns.diagonal.item(j % n) - 2.0 * first.item(j % n)
        before, other = self.w.item(i), self.w.item(j)
        above, below = self.high.item(i) - before, other - self.low.item(j)
        shift = min(slope / max(curvature, CURVATURE), above, below)
        after = self.high.item(i) if shift == above else before + shift
        self._set(i, after)
        self._set(j, self.low.item(j) if shift == below else other - shift)
        self._v_of_points -= shift * (first - second)
        self.dual -= shift * (slope - 0.5 * shift * curvature)
        self.count += 1
        return SmoStep(i, j, before, after)

    def _set(self, i: int, w: float) -> None:
        self.w[i] = w
        self._at_high[i] = 0.0 if w < self.high.item(i) else -math.inf
        self._at_low[i] = 0.0 if w > self.low.item(i) else math.inf

    def set(self, some: Ints, w: Floats, change: Floats) -> None:
        """Set several coefficients, which changes Kw at the points (n,)."""
        self.w[some] = w
        self._at_high[some] = np.where(w < self.high[some], 0.0, -math.inf)
        self._at_low[some] = np.where(w > self.low[some], 0.0, math.inf)
        self._v_of_points -= change
