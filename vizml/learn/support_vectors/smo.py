"""Sequential minimal optimisation (Platt 1998) with second-order pair selection (Fan, Chen and Lin 2005)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from vizml.field.arrays import Floats, Ints, Mask
from vizml.learn.support_vectors.kernels import CURVATURE, KernelColumns


class SmoStep(NamedTuple):
    """The change of the first coefficient of a pair, and how far the pair violated the KKT conditions."""

    i: int
    j: int
    before: float
    after: float
    gap: float


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
        self.w, self.v = np.zeros(len(q)), q.copy()
        self.dual, self.count, self.gap = 0.0, 0, math.inf
        self._may_rise = np.where(high > 0.0, 0.0, -math.inf)
        self._may_fall = np.where(low < 0.0, 0.0, -math.inf)
        self._points = len(columns.diagonal)
        self._zero, self._room, self._gain = np.zeros(len(q)), np.empty(len(q)), np.empty(len(q))
        self._change, self._other_change = np.empty(self._points), np.empty(self._points)
        shape = (self._points,) if len(q) == self._points else (-1, self._points)
        self._v_of_points, self._gain_of_points = self.v.reshape(shape), self._gain.reshape(shape)

    @property
    def free(self) -> Mask:
        """Coefficients between their bounds."""
        return np.asarray((self.w > self.low) & (self.w < self.high))

    @property
    def bias(self) -> float:
        """The mean of v over the free coefficients; without any, the middle of what the conditions allow."""
        free = self.free
        if free.any():
            return float(self.v[free].mean())
        return float((self.v + self._may_rise).max() - (self._may_fall - self.v).max()) / 2.0

    def step(self, tol: float) -> SmoStep | None:
        """Optimise the pair with the largest gain; None if no pair violates the conditions by tol."""
        room = np.add(self.v, self._may_rise, out=self._room)
        i = int(room.argmax())
        np.subtract(room.item(i), self.v, out=room)
        room += self._may_fall
        self.gap = room.item(room.argmax())
        if not self.gap >= 2.0 * tol:
            self.gap = max(round(self.gap, 12), 0.0)
            if not self.gap >= tol:
                return None
        np.maximum(room, self._zero, out=room)
        np.multiply(room, room, out=self._gain)
        self._gain_of_points /= self.columns.curvatures(i % self._points)
        j = int(self._gain.argmax())
        return self._move(i, j, room.item(j))

    def _move(self, i: int, j: int, slope: float) -> SmoStep:
        """Add to w_i what is taken from w_j: up to the minimum along the pair, or to a bound."""
        curvature = self.columns.curvature(i % self._points, j % self._points)
        first, second = self.columns[i % self._points], self.columns[j % self._points]
        before, other = self.w.item(i), self.w.item(j)
        rise, fall = self.high.item(i) - before, other - self.low.item(j)
        shift = min(slope / max(curvature, CURVATURE), rise, fall)
        self.set(i, self.high.item(i) if shift == rise else before + shift)
        self.set(j, self.low.item(j) if shift == fall else other - shift)
        change = np.multiply(first, self.w.item(i) - before, out=self._change)
        change += np.multiply(second, self.w.item(j) - other, out=self._other_change)
        self.update_gradient(change)
        self.dual -= shift * (slope - 0.5 * shift * curvature)
        self.count += 1
        return SmoStep(i, j, before, self.w.item(i), self.gap)

    def set(self, i: int, w: float) -> None:
        """Set a coefficient, without its effect on v."""
        self.w[i] = w
        self._may_rise[i] = 0.0 if w < self.high.item(i) else -math.inf
        self._may_fall[i] = 0.0 if w > self.low.item(i) else -math.inf

    def set_all(self, free: Ints, w: Floats) -> None:
        """Set several coefficients, without their effect on v."""
        self.w[free] = w
        self._may_rise[free] = np.where(w < self.high[free], 0.0, -math.inf)
        self._may_fall[free] = np.where(w > self.low[free], 0.0, -math.inf)

    def update_gradient(self, change: Floats) -> None:
        """Take a change of Kw at the points (n,) into v, after coefficients were set."""
        self._v_of_points -= change
