"""Newton's climb to the mode of ln p(y | f) less half a square, whatever f is written in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import Self, TypeVar

import numpy as np

from vizml.learn.state import Floats

STEPS = 100
HALVINGS = 20
STILL = 1e-11
"""A step that lifts the objective by less than this share of it is the last."""


class Hillside(ABC):
    """A place on the way; f are the values at the points, y is 0 or 1."""

    f: Floats
    y: Floats

    @cached_property
    def chances(self) -> Floats:
        """1 / (1 + e^-f)."""
        return np.asarray(0.5 + 0.5 * np.tanh(0.5 * self.f))

    @property
    def likelihood(self) -> float:
        """ln p(y | f)."""
        return float(-np.logaddexp(0.0, np.where(self.y > 0, -self.f, self.f)).sum())

    @cached_property
    @abstractmethod
    def height(self) -> float:
        """The objective."""

    @abstractmethod
    def peak(self) -> Self:
        """Where the objective's parabola around here is highest."""

    @abstractmethod
    def towards(self, other: Self, share: float) -> Self:
        """A share of the way to another place."""

    def step(self) -> Self:
        """The peak of the parabola, or as far towards it as the objective rises."""
        peak = self.peak()
        for halving in range(HALVINGS):
            there = self.towards(peak, 0.5**halving)
            if there.height >= self.height:
                return there
        return self


Place = TypeVar("Place", bound=Hillside)


def climbed(place: Place) -> Iterator[Place]:
    """From a place to the mode."""
    yield place
    for _ in range(STEPS):
        before, place = place, place.step()
        if place is not before:
            yield place
        if place.height - before.height <= STILL * (1.0 + abs(place.height)):
            return
