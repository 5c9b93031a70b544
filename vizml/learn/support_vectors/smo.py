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
        self.w, self.dual, self.count = np.zeros(len(q)), 0.0, 0
        self._rising, self._falling = np.where(high > 0.0, q, -math.inf), np.where(low < 0.0, q, math.inf)
        """v where w may rise, else -inf, and where it may fall, else inf."""
        self._points = n = len(columns.diagonal)
        self._gain, self._change = np.empty(len(q)), np.empty(n)
        self._gain_of_points = [*self._gain.reshape(-1, n)]
        self._v_of_points = [*self._rising.reshape(-1, n), *self._falling.reshape(-1, n)]
        self._highest, self._shift = np.empty(()), np.empty(())  # as arrays, twice as fast as floats

    @property
    def v(self) -> Floats:
        """Minus the gradient."""
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
        free = self.free
        if free.any():
            return float(self._rising[free].mean())
        return float(self._rising.max() + self._falling.min()) / 2.0

    def step(self, tol: float) -> SmoStep | None:
        """Optimise the pair with the largest gain; None if no pair violates the conditions by tol."""
        i = int(self._rising.argmax())
        highest = self._rising.item(i)
        self._highest.fill(highest)
        np.subtract(self._highest, self._falling, self._gain)
        distances = self.columns.distances(i % self._points)
        for gain in self._gain_of_points:
            np.divide(gain, distances, gain)
        j = int(self._gain.argmax())
        lowest = self._falling.item(j)
        if not highest - lowest >= 2.0 * tol and not self.gap >= tol:
            return None
        return self._move(i, j, highest, lowest)

    def _move(self, i: int, j: int, highest: float, lowest: float) -> SmoStep:
        """Add to w_i what is taken from w_j: up to the minimum along the pair, or to a bound."""
        p, q, columns = i % self._points, j % self._points, self.columns
        first, second, slope = columns.column(p), columns.column(q), highest - lowest
        curvature = columns.diagonal.item(p) + columns.diagonal.item(q) - 2.0 * first.item(q)
        before, other = self.w.item(i), self.w.item(j)
        top, bottom = self.high.item(i), self.low.item(j)
        shift = min(slope / max(curvature, CURVATURE), top - before, other - bottom)
        after = top if shift == top - before else before + shift
        self._set(i, after, highest)
        self._set(j, bottom if shift == other - bottom else other - shift, lowest)
        self._shift.fill(shift)
        self._update(np.multiply(np.subtract(first, second, self._change), self._shift, self._change))
        self.dual -= shift * (slope - 0.5 * shift * curvature)
        self.count += 1
        return SmoStep(i, j, before, after)

    def _set(self, i: int, w: float, v: float) -> None:
        """Set a coefficient, where v is known, without its effect on v."""
        self.w[i] = w
        self._rising[i] = v if w < self.high.item(i) else -math.inf
        self._falling[i] = v if w > self.low.item(i) else math.inf

    def set_all(self, some: Ints, w: Floats, change: Floats) -> None:
        """Set several coefficients, which changes Kw at the points (n,)."""
        v = self.v[some]
        self.w[some] = w
        self._rising[some] = np.where(w < self.high[some], v, -math.inf)
        self._falling[some] = np.where(w > self.low[some], v, math.inf)
        self._update(change)

    def _update(self, change: Floats) -> None:
        """Take a change of Kw at the points into v."""
        for v in self._v_of_points:
            np.subtract(v, change, v)
