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
    >>> steps = list(iter(lambda: smo.step(1e-3), None))
    >>> smo.w, smo.bias
    (array([-0.5,  0.5]), -1.0)
    """

    def __init__(self, columns: KernelColumns, q: Floats, low: Floats, high: Floats) -> None:
        self.columns, self.low, self.high = columns, low, high
        self.w, self.dual, self.count = np.zeros(len(q)), 0.0, 0
        both = np.where([high > 0.0, low < 0.0], q, [[-math.inf], [math.inf]])
        self._rising, self._falling = both
        """v where w may rise, else -inf, and where it may fall, else inf."""
        self._gains, n = np.empty(len(q)), len(columns.diagonal)
        self._v_rows, self._gain_rows = [*both.reshape(-1, n)], [*self._gains.reshape(-1, n)]

    @property
    def v(self) -> Floats:
        """Minus the gradient q - Kw."""
        return np.asarray(np.where(self._rising > -math.inf, self._rising, self._falling))

    @property
    def free(self) -> Mask:
        """Coefficients between their bounds."""
        return np.asarray((self.w > self.low) & (self.w < self.high))

    @property
    def gap(self) -> float:
        """Largest violation of the KKT conditions, without errors of rounding."""
        return max(round(float(self._rising.max() - self._falling.min()), 12), 0.0)

    @property
    def bias(self) -> float:
        """The mean of v over the free coefficients; without any, the middle of what the conditions allow."""
        between = self._rising[self.free]
        return float(between.mean() if len(between) else (self._rising.max() + self._falling.min()) / 2.0)

    def step(self, tol: float) -> SmoStep | None:
        """Optimise the pair with the largest gain; None if no pair violates the conditions by tol."""
        columns, n, i = self.columns, len(self.columns.diagonal), int(self._rising.argmax())
        highest, distances = self._rising.item(i), columns.distances(i % n)
        np.subtract(highest, self._falling, self._gains)
        for gains in self._gain_rows:
            np.divide(gains, distances, gains)
        j = int(self._gains.argmax())
        lowest = self._falling.item(j)
        if not (slope := highest - lowest) >= 2.0 * tol and not self.gap >= tol:
            return None
        first, second = columns.column(i % n), columns.column(j % n)
        curvature = columns.diagonal.item(i % n) + columns.diagonal.item(j % n) - 2.0 * first.item(j % n)
        before, other = self.w.item(i), self.w.item(j)
        above, below = self.high.item(i) - before, other - self.low.item(j)
        shift = min(slope / max(curvature, CURVATURE), above, below)
        after = self.high.item(i) if shift == above else before + shift
        self._set(i, after, highest)
        self._set(j, self.low.item(j) if shift == below else other - shift, lowest)
        change = shift * (first - second)
        for row in self._v_rows:
            np.subtract(row, change, row)
        self.dual -= shift * (slope - 0.5 * shift * curvature)
        self.count += 1
        return SmoStep(i, j, before, after)

    def _set(self, i: int, w: float, v: float) -> None:
        self.w[i] = w
        self._rising[i] = v if w < self.high.item(i) else -math.inf
        self._falling[i] = v if w > self.low.item(i) else math.inf

    def set(self, some: Ints, w: Floats, change: Floats) -> None:
        """Set several coefficients, which changes Kw at the points (n,)."""
        v = self.v[some]
        self.w[some] = w
        self._rising[some] = np.where(w < self.high[some], v, -math.inf)
        self._falling[some] = np.where(w > self.low[some], v, math.inf)
        for row in self._v_rows:
            np.subtract(row, change, row)
