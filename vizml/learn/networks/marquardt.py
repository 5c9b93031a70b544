"""Levenberg and Marquardt's steps -(H + mu I)^-1 grad J, where H is the curvature of Gauss and Newton."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from vizml.learn.networks.objective import Objective
from vizml.learn.state import Floats

FIRST = 0.1
"""The damping of the first step, as a share of the greatest curvature along a weight."""
LEAST, STUCK = 1e-12, 1e12
"""What it stays above, as such a share; so many times the first and no step leads further down."""
WORK = 1 << 28
"""Multiplications between two breaths: some 10 ms."""
NOTHING = 1e-28
"""A J of standardised targets that is smaller is rounding."""


class Trial(NamedTuple):
    """A step, with J before it and where it leads, and by what it was found."""

    before: float
    after: float
    damping: float
    slope: float
    """The length of the gradient."""

    @property
    def taken(self) -> bool:
        """Whether it leads down; else it is refused and damped more."""
        return self.after < self.before


class Marquardt:
    """Weights on their way, damped by Nielsen's rule: less after good steps, more after bad."""

    def __init__(self, objective: Objective, theta: Floats) -> None:
        self.place = objective.at(theta)
        self.damping = 0.0
        self._objective, self._growth, self._first = objective, 2.0, 0.0
        self._matrix, self._gradient = np.empty((0, 0)), np.empty(0)
        self._known = False

    @property
    def lowest(self) -> bool:
        """Whether nothing is left to gain."""
        return self.place.J <= NOTHING or (self._known and not self._gradient.any())

    @property
    def stuck(self) -> bool:
        """Whether steps have been refused until they were too short to count."""
        return self.damping > STUCK * self._first

    def survey(self) -> Iterator[int]:
        """Find curvature and gradient where it stands; tells how many points are done, between two parts."""
        if self._known:
            return
        objective, n, size = self._objective, len(self._objective.sample), len(self.place.theta)
        penalty = objective.l2 * objective.plan.weighing
        part = max(WORK // (size * size * len(objective.sample.targets)), 1)
        matrix, gradient = objective.curvature(self.place, 0, part)
        for begin in range(part, n, part):
            yield begin
            more, slope = objective.curvature(self.place, begin, begin + part)
            matrix += more
            gradient += slope
        matrix.flat[:: size + 1] += penalty
        gradient += penalty * self.place.theta
        matrix /= n
        gradient /= n
        self._matrix, self._gradient, self._known = matrix, gradient, True
        if not self.damping:
            self.damping = self._first = FIRST * float(self._matrix.diagonal().max())

    def attempt(self) -> Trial:
        """Take the step if it leads down, and damp the next one by how far the promise was kept."""
        here, damping = self.place, self.damping
        move = self._move()
        there = self._objective.at(here.theta + move)
        trial = Trial(here.J, there.J, damping, float(np.linalg.norm(self._gradient)))
        if trial.taken:
            promised = 0.5 * float(move @ (damping * move - self._gradient))
            kept = (here.J - there.J) / max(promised, NOTHING)
            self.place, self._known, self._growth = there, False, 2.0
            self.damping = max(damping * max(1 / 3, 1 - (2 * kept - 1) ** 3), LEAST * self._first)
        else:
            self.damping *= self._growth
            self._growth *= 2.0
        return trial

    def _move(self) -> Floats:
        damped = self._matrix.copy()
        damped.flat[:: len(damped) + 1] += self.damping
        return np.asarray(np.linalg.solve(damped, -self._gradient), dtype=np.float64)
