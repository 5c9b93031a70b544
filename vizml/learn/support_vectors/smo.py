"""Sequential minimal optimisation of 1/2 a'Qa - sum a over 0 <= a <= C, y'a = 0, Q_ij = y_i y_j k_ij."""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np

from vizml.learn.state import Floats, Ints
from vizml.learn.support_vectors.kernels import Kernel

TAU = 1e-12
"""Stands for the curvature along a pair that has none: two points on one spot."""
WHOLE = 1000
"""Up to so many points the kernel matrix is computed at once."""
RIDGE = 1e-11
FACE, FACE_WORK, BOUNDS = 200, 200_000, 20
"""More free alphas (or free alphas times points) are left to the pairs; so many bounds are met at a time."""
BUDGET = 256 << 20
"""Bytes of kernel columns to keep."""


class Columns:
    """Columns of the kernel matrix and the curvatures of their pairs; the least recently used go first.

    LIBSVM keeps them in single precision; `rounded` goes the same way to the same answer.
    """

    def __init__(self, kernel: Kernel, points: Floats, *, rounded: bool = False) -> None:
        self.kernel, self.points, self.rounded = kernel, points, rounded
        self.diagonal = kernel.diagonal(points)
        self.most = max(BUDGET // (16 * max(len(points), 1)), 2)
        self.kept: OrderedDict[int, Floats] = OrderedDict()
        self.apart: dict[int, Floats] = {}
        if len(points) <= WHOLE:
            self._keep_all()

    def __getitem__(self, i: int) -> Floats:
        """k(x_i, .)"""
        found = self.kept.get(i)
        if found is None:
            found = self.kept[i] = self._values(slice(i, i + 1))[0]
            if len(self.kept) > self.most:
                self.apart.pop(self.kept.popitem(last=False)[0], None)
        elif len(self.kept) == self.most:
            self.kept.move_to_end(i)
        return found

    def curvature(self, i: int) -> Floats:
        """|phi(x_i) - phi(.)|^2"""
        found = self.apart.get(i)
        if found is None:
            found = self.apart[i] = self._curvatures(self[i], self.diagonal[i])
        return found

    def _keep_all(self) -> None:
        matrix = self._values(slice(None))
        self.kept.update(enumerate(matrix))
        self.apart.update(enumerate(self._curvatures(matrix, self.diagonal[:, None])))

    def _values(self, i: slice) -> Floats:
        values = self.kernel(self.points[i], self.points)
        return values.astype(np.float32).astype(np.float64) if self.rounded else values

    def _curvatures(self, values: Floats, own: Floats) -> Floats:
        curvature = own + self.diagonal
        curvature -= 2.0 * values
        return np.maximum(curvature, TAU, out=curvature)


@dataclass(frozen=True)
class Step:
    """What one pair did."""

    i: int
    j: int
    before: float
    after: float
    gap: float
    """By how much the pair broke the KKT conditions: the worst there was."""


class Smo:
    """Alpha and v = -y * gradient; at the optimum v <= b wherever y a may grow, v >= b where it may shrink.

    Ties go to the last point, as in LIBSVM; arrays are kept backwards, for argmax takes the first.
    """

    def __init__(self, columns: Columns, y: Floats, C: float) -> None:
        self.columns, self.y, self.C = columns, y, C
        self.alpha = np.zeros(len(y))
        self.v = y.copy()
        self.up = np.where(y > 0, 0.0, -np.inf)
        """0 where y a may grow, else minus infinity."""
        self.low = np.where(y < 0, 0.0, -np.inf)
        """0 where y a may shrink, else minus infinity."""
        self.dual = 0.0
        self.count = 0
        self.gap = math.inf
        self._room, self._spare = np.empty(len(y)), np.empty(len(y))

    def step(self, tol: float) -> Step | None:
        """Improve the pair that promises most; None where no pair breaks the conditions by tol."""
        room = np.add(self.v, self.up, out=self._room)
        i = int(room.argmax())
        top = room.item(i)
        column, curvature = self.columns[i], self.columns.curvature(i)
        np.subtract(top, self.v, out=room)
        room += self.low
        self.gap = max(room.item(room.argmax()), 0.0)
        if not self.gap >= tol:
            return None
        np.maximum(room, 0.0, out=room)
        room *= room
        room /= curvature
        return self._move(i, int(room.argmax()), top, column)

    def settle(self) -> None:
        """Go to the minimum over all free alphas at once, giving up those that meet their bounds on the way.

        Where C is large and points outnumber dimensions, pairs alone take a million steps.
        """
        most = min(FACE, FACE_WORK // len(self.y))
        for _ in range(BOUNDS):
            free = np.flatnonzero((self.alpha > 0) & (self.alpha < self.C))
            if not 2 <= len(free) <= most or self._slide(free):
                return

    def _slide(self, free: Ints) -> bool:
        """One straight way over the face of the free; False where a bound cut it short."""
        columns = np.stack([self.columns[int(i)] for i in free])
        way = face_minimum(columns[:, free], self.v[free])
        gain, bend = float(way @ self.v[free]), float(way @ columns[:, free] @ way)
        if not gain > 0:
            return True
        rising = (way > 0) == (self.y[free] > 0)
        room = np.where(rising, self.C - self.alpha[free], self.alpha[free])
        share = np.divide(np.abs(way), room)
        part = min(1.0 / max(float(share.max()), TAU), gain / bend if bend > 0 else math.inf)
        for i, change, full in zip(free, part * way, part * share >= 1.0):
            self._shift(int(i), float(change), grows=bool(change > 0), full=bool(full))
        self.v -= part * (way @ columns)
        self.dual -= part * (gain - 0.5 * part * bend)
        return bool(part * share.max() < 1.0)

    def _move(self, i: int, j: int, top: float, column: Floats) -> Step:
        """Shift y a from j to i to the minimum along the pair, or to the box."""
        other, diagonal = self.columns[j], self.columns.diagonal
        slope = top - self.v.item(j)
        curvature = diagonal.item(i) + diagonal.item(j) - 2.0 * column.item(j)
        before = self.alpha.item(i)
        rise, fall = self._rise(i), self._fall(j)
        shift = min(slope / (curvature if curvature > 0 else TAU), rise, fall)
        gained = self._shift(i, shift, grows=True, full=shift == rise)
        lost = self._shift(j, -shift, grows=False, full=shift == fall)
        change = np.multiply(column, gained, out=self._room)
        change += np.multiply(other, lost, out=self._spare)
        self.v -= change
        self.dual -= shift * (slope - 0.5 * shift * curvature)
        self.count += 1
        return Step(i, j, before, self.alpha.item(i), self.gap)

    def _rise(self, i: int) -> float:
        alpha = self.alpha.item(i)
        return self.C - alpha if self.y.item(i) > 0 else alpha

    def _fall(self, i: int) -> float:
        alpha = self.alpha.item(i)
        return alpha if self.y.item(i) > 0 else self.C - alpha

    def _shift(self, i: int, shift: float, *, grows: bool, full: bool) -> float:
        """Change y a, to its bound exactly where that takes all the room; by how much it changed."""
        before = self.alpha.item(i)
        positive = self.y.item(i) > 0
        bound = self.C if grows == positive else 0.0
        alpha = bound if full else before + (shift if positive else -shift)
        self.alpha[i] = alpha
        above, below = alpha > 0.0, alpha < self.C
        self.up[i] = 0.0 if (below if positive else above) else -math.inf
        self.low[i] = 0.0 if (above if positive else below) else -math.inf
        return alpha - before if positive else before - alpha


def face_minimum(kernel: Floats, v: Floats) -> Floats:
    """The change of y a, sum zero, that makes v equal on a face.

    Where the face is flat nothing does; then a long way downhill, thanks to a ridge, until it meets a bound.
    """
    size, unit = len(v), float(np.abs(kernel).max())
    system = np.full((size + 1, size + 1), unit)
    system[:size, :size] = kernel + RIDGE * unit * np.eye(size)
    system[size, size] = 0.0
    try:
        return np.linalg.solve(system, np.append(v, 0.0))[:size]
    except np.linalg.LinAlgError:
        return np.zeros(size)
