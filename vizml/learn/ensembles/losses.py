"""Losses to boost: where F starts, the slope that the next trees follow, and how a leaf steps along it."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from vizml.learn.ensembles.leaves import Leaves
from vizml.learn.state import Floats, Ints, softmax

Rows = Ints | slice
FLAT = 1e-150
"""A second derivative so small is none: its leaf stays where it is."""


class Loss(ABC):
    """L(y, F) at points with known y; F is (n, V), a column for each tree of a round."""

    word: str
    shrink = 1.0
    """What a leaf's step is multiplied with."""

    @abstractmethod
    def start(self) -> Floats:
        """The best constant (V,)."""

    @abstractmethod
    def slope(self, F: Floats) -> Floats:
        """-dL/dF (n, V): the residuals."""

    @abstractmethod
    def bend(self, F: Floats, slope: Floats) -> Floats:
        """d^2L/dF^2 (n, V)."""

    @abstractmethod
    def each(self, F: Floats) -> Floats:
        """L at each point (n,)."""

    @abstractmethod
    def take(self, rows: Ints) -> Loss:
        """The same loss at some of the points."""

    def steps(self, leaves: Leaves, slope: Floats, bend: Floats, rows: Rows, F: Floats) -> Floats:
        """Newton's step sum(slope) / sum(bend) in each leaf; its points' derivatives, numbers and F."""
        del rows, F
        up, down = leaves.sums(slope), leaves.sums(bend)
        flat = np.abs(down) < FLAT
        return np.where(flat, 0.0, self.shrink * up / np.where(flat, 1.0, down))


class TwoClasses(Loss):
    """-y F + log(1 + e^F), y of 0 and 1: F is the log-odds of the second class."""

    word = "log-loss"
    odds = 1.0
    """What F counts for in log-odds."""

    def __init__(self, y: Floats) -> None:
        self.y = y[:, None]

    def start(self) -> Floats:
        share = self.y.mean(axis=0)
        odds: Floats = np.log(share / (1 - share))
        return odds

    def slope(self, F: Floats) -> Floats:
        return self.y - 1 / (1 + np.exp(-F))

    def bend(self, F: Floats, slope: Floats) -> Floats:
        p = self.y - slope
        return p * (1 - p)

    def each(self, F: Floats) -> Floats:
        return (np.logaddexp(0.0, F) - self.y * F)[:, 0]

    def take(self, rows: Ints) -> Loss:
        return type(self)(self.y[rows, 0])


class Exponential(TwoClasses):
    """e^{-yF}, y of -1 and 1: F is half the log-odds of the second class."""

    word = "exponential loss"
    odds = 2.0

    def start(self) -> Floats:
        return super().start() / 2

    def slope(self, F: Floats) -> Floats:
        sign = 2 * self.y - 1
        return sign * np.exp(-sign * F)

    def bend(self, F: Floats, slope: Floats) -> Floats:
        return np.abs(slope)

    def each(self, F: Floats) -> Floats:
        return np.exp((1 - 2 * self.y) * F)[:, 0]


class ManyClasses(Loss):
    """-F_y + log sum_k e^{F_k}: a tree for each class in each round."""

    word = "log-loss"

    def __init__(self, truth: Ints, classes: int) -> None:
        self.truth, self.classes = truth, classes
        self.y = np.eye(classes)[truth]
        self.shrink = (classes - 1) / classes

    def start(self) -> Floats:
        logs: Floats = np.log(self.y.mean(axis=0))
        logs -= logs.mean()
        return logs

    def slope(self, F: Floats) -> Floats:
        return self.y - softmax(F)

    def bend(self, F: Floats, slope: Floats) -> Floats:
        p = self.y - slope
        return p * (1 - p)

    def each(self, F: Floats) -> Floats:
        top = F.max(axis=1)
        logs: Floats = top + np.log(np.exp(F - top[:, None]).sum(axis=1))
        return logs - F[np.arange(len(F)), self.truth]

    def take(self, rows: Ints) -> Loss:
        return ManyClasses(self.truth[rows], self.classes)


class Squared(Loss):
    """(y - F)^2 / 2."""

    word = "squared error"

    def __init__(self, y: Floats) -> None:
        self.y = y[:, None]
        self._ones = np.ones_like(self.y)

    def start(self) -> Floats:
        mean: Floats = self.y.mean(axis=0)
        return mean

    def slope(self, F: Floats) -> Floats:
        return self.y - F

    def bend(self, F: Floats, slope: Floats) -> Floats:
        return self._ones

    def each(self, F: Floats) -> Floats:
        apart: Floats = self.y[:, 0] - F[:, 0]
        apart *= apart
        return apart

    def steps(self, leaves: Leaves, slope: Floats, bend: Floats, rows: Rows, F: Floats) -> Floats:
        del bend, rows, F
        return leaves.means(slope)

    def take(self, rows: Ints) -> Loss:
        return type(self)(self.y[rows, 0])


class Absolute(Squared):
    """|y - F|: trees follow the sign, leaves step to the median."""

    word = "absolute error"

    def start(self) -> Floats:
        return np.array([np.median(self.y)])

    def slope(self, F: Floats) -> Floats:
        return np.sign(self.y - F)

    def each(self, F: Floats) -> Floats:
        return np.abs(self.y - F)[:, 0]

    def steps(self, leaves: Leaves, slope: Floats, bend: Floats, rows: Rows, F: Floats) -> Floats:
        del slope, bend
        return leaves.medians(self.y[rows, 0] - F)
