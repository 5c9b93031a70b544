"""Uphill by BFGS within a box: proposes places one after the other and is told what they are worth."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Protocol, TypeVar

import numpy as np

from vizml.learn.state import Floats


class Place(Protocol):
    """What there is at a place: the higher its evidence, the better."""

    @property
    def evidence(self) -> float:
        """The log marginal likelihood."""

    def slopes(self) -> Floats:
        """The evidence's by each coordinate."""


Found = TypeVar("Found", bound=Place)
Moment = TypeVar("Moment")

FIRST, REACH = 0.3, 1.5
"""The longest first step in any coordinate, and the longest of all: they are logarithms, so that this is a
factor of 4.5. The first one knows nothing of the curvature, and could leap to another hill.
"""
EVALUATIONS = 80
ENOUGH = 1e-4
"""The share of the promised rise that must come true."""
SMALL = 1e-7
"""A rise below this share of the value is the last."""


def uphill(
    climb: Climb,
    visit: Callable[[Floats], Generator[Moment, None, Found]],
    risen: Callable[[Found, Found], Moment],
) -> Generator[Moment, None, Found]:
    """The best that a climb finds, with a moment for each rise from one find to the next.

    A visit may take moments of its own.
    """
    best = yield from visit(climb.trial)
    climb.tell(best.evidence, best.slopes())
    while not climb.done:
        found = yield from visit(climb.trial)
        if climb.tell(found.evidence, found.slopes()):
            yield risen(best, found)
            best = found
    return best


class Climb:
    """`trial` is the place to evaluate next, until `done`."""

    def __init__(self, start: Floats, low: Floats, high: Floats) -> None:
        self._low, self._high = low, high
        self.trial = np.clip(start, low, high)
        self.best = self.trial
        self.value = -np.inf
        self.done = False
        self.evaluations = 0
        self._gradient = np.zeros_like(start)
        self._inverse = np.eye(len(start))
        self._length = 1.0
        self._reach = FIRST

    def tell(self, value: float, gradient: Floats) -> bool:
        """What the trial is worth; whether it is the best so far."""
        self.evaluations += 1
        step = self.trial - self.best
        promised = max(float(self._gradient @ step), 0.0)
        better = bool(np.isfinite(value) and value >= self.value + ENOUGH * promised)
        if better:
            self._take(value, gradient, step)
        else:
            self._length /= 3.0
            self.done = self._length < 1e-4
        self.done = self.done or self.evaluations >= EVALUATIONS
        if not self.done:
            self._propose()
        return better

    def _take(self, value: float, gradient: Floats, step: Floats) -> None:
        rise, self.value = value - self.value, value
        self._reach = min(2.0 * self._reach, REACH) if self.evaluations > 1 else FIRST
        self._learn(step, self._gradient - gradient)
        self.best, self._gradient, self._length = self.trial, gradient, 1.0
        self.done = rise <= SMALL * (1.0 + abs(value)) or float(np.abs(self._free).max(initial=0.0)) < 1e-6

    @property
    def _free(self) -> Floats:
        """The gradient without what points out of the box."""
        outward = ((self.best <= self._low) & (self._gradient < 0)) | (
            (self.best >= self._high) & (self._gradient > 0)
        )
        return np.where(outward, 0.0, self._gradient)

    def _learn(self, step: Floats, fall: Floats) -> None:
        """BFGS: the inverse curvature that explains by how much the gradient fell along the step."""
        match = float(step @ fall)
        if match <= 1e-12:
            return
        side = np.eye(len(step)) - np.outer(step, fall) / match
        self._inverse = side @ self._inverse @ side.T + np.outer(step, step) / match

    def _propose(self) -> None:
        free = self._free
        way = np.where(free == 0.0, 0.0, self._inverse @ free)
        if way @ free <= 0.0:
            self._inverse = np.eye(len(free))
            way = free
        longest = float(np.abs(way).max(initial=0.0))
        way = way * min(1.0, self._reach / longest) if longest > 0 else way
        self.trial = np.clip(self.best + self._length * way, self._low, self._high)
