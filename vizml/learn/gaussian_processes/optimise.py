"""Maximisation of the marginal likelihood over log hyperparameters: BFGS within a box."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Protocol, TypeVar

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.optimisers.newton import updated_inverse

FIRST, LONGEST = 0.3, 1.5
"""Longest first step and longest step of all in any coordinate. Coordinates are logarithms: 1.5 is a factor
of 4.5. The first step knows no curvature and could leap to another maximum.
"""
EVALUATIONS = 80
SUFFICIENT = 1e-4
"""Share of the predicted rise that a step must achieve (Armijo's condition)."""
SHRINK, SHORTEST = 3.0, 1e-4
"""Divisor of the step after a failure, and the share of it that ends the search."""
CONVERGED, FLAT = 1e-7, 1e-6
"""A smaller relative rise, or a smaller gradient, ends the search."""


class Evaluated(Protocol):
    """The objective at one place."""

    @property
    def evidence(self) -> float:
        """Value to maximise."""

    def gradient(self) -> Floats:
        """Derivatives of the evidence by the coordinates."""


E = TypeVar("E", bound=Evaluated)
S = TypeVar("S")


def maximise(
    search: BoxBfgs, evaluate: Callable[[Floats], Generator[S, None, E]], improved: Callable[[E, E], S]
) -> Generator[S, None, E]:
    """Run a search and return the best evaluation; yields a report of each improvement (before, after).

    Evaluations may yield reports of their own.
    """
    best = yield from evaluate(search.trial)
    search.update(best.evidence, best.gradient())
    while not search.done:
        found = yield from evaluate(search.trial)
        if search.update(found.evidence, found.gradient()):
            yield improved(best, found)
            best = found
    return best


class BoxBfgs:
    """Ascent by BFGS with projection onto a box; `trial` is the next place to evaluate, until `done`.

    >>> search = BoxBfgs(np.array([0.0]), np.array([-5.0]), np.array([5.0]))
    >>> while not search.done:
    ...     x = search.trial[0]
    ...     better = search.update(-((x - 2.0) ** 2), np.array([-2.0 * (x - 2.0)]))
    >>> search.best.round(3)
    array([2.])
    """

    def __init__(self, start: Floats, low: Floats, high: Floats) -> None:
        self.low, self.high = np.minimum(low, start), np.maximum(high, start)
        self.trial = self.best = start
        self.value = -np.inf
        self.done = False
        self.evaluations = 0
        self._gradient = np.zeros_like(start)
        self._inverse = np.eye(len(start))
        self._length, self._longest = 1.0, FIRST

    def update(self, value: float, gradient: Floats) -> bool:
        """Take the value and the gradient at the trial; return whether it is the best so far."""
        self.evaluations += 1
        step = self.trial - self.best
        predicted = max(float(self._gradient @ step), 0.0)
        better = bool(np.isfinite(value) and value >= self.value + SUFFICIENT * predicted)
        if better:
            self._accept(value, gradient, step)
        else:
            self._length /= SHRINK
            self.done = self._length < SHORTEST
        self.done = self.done or self.evaluations >= EVALUATIONS
        if not self.done:
            self._propose()
        return better

    def _accept(self, value: float, gradient: Floats, step: Floats) -> None:
        rise, self.value = value - self.value, value
        if self.evaluations > 1:
            self._longest = min(2.0 * self._longest, LONGEST)
        fall = self._gradient - gradient
        if float(step @ fall) > 1e-12:
            self._inverse = updated_inverse(self._inverse, step, fall)
        self.best, self._gradient, self._length = self.trial, gradient, 1.0
        flat = float(np.abs(self._free_gradient).max(initial=0.0)) < FLAT
        self.done = rise <= CONVERGED * (1.0 + abs(value)) or flat

    @property
    def _free_gradient(self) -> Floats:
        """The gradient without components that point out of the box."""
        outward = ((self.best <= self.low) & (self._gradient < 0)) | (
            (self.best >= self.high) & (self._gradient > 0)
        )
        return np.where(outward, 0.0, self._gradient)

    def _propose(self) -> None:
        free = self._free_gradient
        direction = np.where(free == 0.0, 0.0, self._inverse @ free)
        if direction @ free <= 0.0:
            self._inverse = np.eye(len(free))
            direction = free
        longest = float(np.abs(direction).max(initial=0.0))
        if longest > 0:
            direction = direction * min(1.0, self._longest / longest)
        self.trial = np.clip(self.best + self._length * direction, self.low, self.high)
