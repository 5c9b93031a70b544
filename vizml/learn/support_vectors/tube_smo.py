"""SMO for regression: 1/2 b'Kb - y'b + eps |b|_1 over -C <= b <= C, sum b = 0, where b = alpha - alpha*."""

from __future__ import annotations

import math

import numpy as np

from vizml.learn.state import Floats, Ints
from vizml.learn.support_vectors.smo import TAU, Columns, Step, face_minimum

FACE, FACE_WORK, BOUNDS = 200, 400_000, 20
"""More free weights (or free weights times points) are left to pairs; so many bounds are met at a time."""


class TubeSmo:
    """Weights b and v = y - Kb; at the optimum v + rise <= bias <= v + fall.

    `rise` is -eps where more b costs eps (b >= 0), +eps where it saves as much, and minus infinity at C;
    `fall` likewise for less b.
    """

    def __init__(self, columns: Columns, y: Floats, C: float, epsilon: float) -> None:
        self.columns, self.C, self.epsilon = columns, C, epsilon
        self.weights = np.zeros(len(y))
        self.v = y.copy()
        self.rise = np.full(len(y), -epsilon)
        self.fall = np.full(len(y), epsilon)
        self.dual, self.count, self.gap = 0.0, 0, math.inf
        self._room, self._spare = np.empty(len(y)), np.empty(len(y))

    @property
    def bias(self) -> float:
        """What the free weights agree on; without any, the middle of what the conditions allow."""
        free = self.free
        if len(free):
            return float((self.v[free] - self.epsilon * np.sign(self.weights[free])).mean())
        return float((self.v + self.rise).max() + (self.v + self.fall).min()) / 2

    @property
    def free(self) -> Ints:
        """Neither 0 nor at a bound: points on the edge of the tube."""
        size = np.abs(self.weights)
        return np.flatnonzero((size > 0) & (size < self.C))

    def step(self, tol: float) -> Step | None:
        """Improve the pair that promises most; None where no pair breaks the conditions by tol."""
        room = np.add(self.v, self.rise, out=self._room)
        i = int(room.argmax())
        top = room.item(i)
        column, curvature = self.columns[i], self.columns.curvature(i)
        np.subtract(top, self.v, out=room)
        room -= self.fall
        self.gap = max(room.item(room.argmax()), 0.0)
        if not self.gap >= tol:
            return None
        np.maximum(room, 0.0, out=room)
        np.multiply(room, room, out=self._spare)
        self._spare /= curvature
        j = int(self._spare.argmax())
        return self._move(i, j, room.item(j), column, curvature.item(j))

    def settle(self) -> None:
        """Go to the minimum over all free weights at once, giving up those that meet 0 or C on the way."""
        most = min(FACE, FACE_WORK // len(self.v))
        for _ in range(BOUNDS):
            free = self.free
            if not 2 <= len(free) <= most or self._slide(free):
                return

    def _slide(self, free: Ints) -> bool:
        """One straight way over the face of the free; False where a bound cut it short."""
        columns = np.stack([self.columns[int(i)] for i in free])
        here = self.weights[free]
        pull = self.v[free] - self.epsilon * np.sign(here)
        way = face_minimum(columns[:, free], pull)
        way -= way.mean()  # a long way has lost the digits that keep the sum at 0
        gain, bend = float(way @ pull), float(way @ columns[:, free] @ way)
        if not gain > 0:
            return True
        outward = (way > 0) == (here > 0)
        share = np.abs(way) / np.where(outward, self.C - np.abs(here), np.abs(here))
        part = min(1.0 / max(float(share.max()), TAU), gain / bend if bend > 0 else math.inf)
        moved = here + part * way
        full = part * share >= 1.0
        moved[full] = np.where(outward, np.copysign(self.C, here), 0.0)[full]
        for i, weight in zip(free.tolist(), moved.tolist()):
            self._set(i, weight)
        self.v -= part * (way @ columns)
        self.dual -= part * (gain - 0.5 * part * bend)
        return bool(part * share.max() < 1.0)

    def _move(self, i: int, j: int, slope: float, column: Floats, curvature: float) -> Step:
        """Shift weight from j to i to the minimum along the pair, or to where one meets 0 or C."""
        before, other = self.weights.item(i), self.weights.item(j)
        most = self.C - before if before >= 0 else -before
        least = self.C + other if other <= 0 else other
        shift = min(slope / curvature, most, least)
        self._set(i, (self.C if before >= 0 else 0.0) if shift == most else before + shift)
        self._set(j, (-self.C if other <= 0 else 0.0) if shift == least else other - shift)
        change = np.subtract(column, self.columns[j], out=self._spare)
        change *= shift
        self.v -= change
        self.dual -= shift * (slope - 0.5 * shift * curvature)
        self.count += 1
        return Step(i, j, before, self.weights.item(i), self.gap)

    def _set(self, i: int, weight: float) -> None:
        self.weights[i] = weight
        self.rise[i] = -math.inf if weight >= self.C else -self.epsilon if weight >= 0 else self.epsilon
        self.fall[i] = math.inf if weight <= -self.C else self.epsilon if weight <= 0 else -self.epsilon
