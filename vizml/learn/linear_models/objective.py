"""Penalised log-loss J(W) = -sum_i ln p(y_i | x_i) + l2/2 |w|^2 + l1 |w|_1, w in data units."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vizml.learn.state import Floats, Ints, softmax

FEW = 6
"""So many terms (degree 2) have few enough products in pairs to keep them all at hand."""


@dataclass(frozen=True, eq=False)
class LogLoss:
    """The loss of weights (rows, 1 + d): one row for two classes, else one for each class.

    `penalty` (1 + d, 1 + d) is l2 times the square of the map to data units, `l1` (1 + d,) the cost of each
    weight's size; the intercept costs nothing.
    """

    design: Floats
    target: Floats
    """1 in the row of the own class (rows, n)."""
    penalty: Floats
    l1: Floats

    @classmethod
    def of(cls, design: Floats, labels: Ints, classes: Ints, units: Floats, l2: float, l1: float) -> LogLoss:
        rows = classes[1:] if len(classes) == 2 else classes
        inner = units[1:].copy()
        inner[:, 0] = 0.0
        cost = np.abs(units.diagonal()) * l1
        cost[0] = 0.0
        return cls(design, (labels == rows[:, None]).astype(np.float64), l2 * inner.T @ inner, cost)

    @property
    def rows(self) -> int:
        return len(self.target)

    @property
    def size(self) -> int:
        return int(self.design.shape[1])

    @property
    def penalised(self) -> bool:
        """Whether large weights cost anything."""
        return self.squares or self.edged

    @cached_property
    def squares(self) -> bool:
        """Whether the squares of the weights cost anything."""
        return bool(self.penalty.any())

    @cached_property
    def edged(self) -> bool:
        """Whether the sizes of the weights cost anything, so that J has edges."""
        return bool(self.l1.any())

    def at(self, weights: Floats) -> Spot:
        """What J is like there."""
        return Spot(self, weights)

    def logits(self, weights: Floats) -> Floats:
        """The scores (rows, n)."""
        values: Floats = np.dot(weights, self.design.T)
        return values

    def value(self, weights: Floats) -> float:
        """J."""
        return self.at(weights).value

    def cost(self, weights: Floats) -> float:
        """The penalty alone."""
        cost = 0.5 * float(np.vdot(np.dot(weights, self.penalty), weights)) if self.squares else 0.0
        return cost + (float(np.abs(weights).sum(axis=0) @ self.l1) if self.edged else 0.0)

    def chances(self, logits: Floats) -> Floats:
        """The probabilities (rows, n) of the classes that have a row."""
        if self.rows > 1:
            return softmax(logits.T).T
        return _logistic(logits, np.exp(-np.abs(logits)))

    def gradient(self, weights: Floats, chances: Floats) -> Floats:
        """Of J without its l1 part (rows, 1 + d)."""
        gradient: Floats = np.dot(chances - self.target, self.design)
        if self.squares:
            gradient += np.dot(weights, self.penalty)
        return gradient

    def hessian(self, chances: Floats) -> Floats:
        """Of J without its l1 part, (rows (1 + d), rows (1 + d))."""
        if self.rows == 1:
            return self._curvature(chances[0] * (1.0 - chances[0])) + self.penalty
        stacked = np.concatenate([p[:, None] * self.design for p in chances], axis=1)
        out: Floats = -(stacked.T @ stacked)
        for k, p in enumerate(chances):
            at = slice(k * self.size, (k + 1) * self.size)
            out[at, at] += self._curvature(p) + self.penalty
        return out

    def _curvature(self, spread: Floats) -> Floats:
        """sum_i spread_i z_i z_i' over the rows z_i of the design."""
        if self.size > FEW:
            return np.asarray((self.design.T * spread) @ self.design)
        places, products = self._pairs
        return np.asarray(np.dot(products, spread)[places])

    @cached_property
    def _pairs(self) -> tuple[Ints, Floats]:
        """The products of each two columns of the design (m, n), and which of them is at (a, b)."""
        columns, size = self.design.T, self.size
        places = np.empty((size, size), dtype=np.int64)
        products = np.empty((size * (size + 1) // 2, len(self.design)))
        for a, first in enumerate(np.cumsum([0, *range(size, 1, -1)]).tolist()):
            np.multiply(columns[a:], columns[a], out=products[first : first + size - a])
            places[a, a:] = places[a:, a] = range(first, first + size - a)
        return places, products

    def margin(self, logits: Floats) -> float:
        """By how much the own class leads at the worst point; above 0 the classes are separated."""
        if self.rows == 1:
            return float(np.minimum.reduce(logits[0] * self._signs))
        own = (logits * self.target).sum(axis=0)
        others = np.where(self.target > 0, -np.inf, logits).max(axis=0)
        return float((own - others).min())

    @cached_property
    def _signs(self) -> Floats:
        """1 for points of the class that has a row, -1 for the other's."""
        return np.asarray(2.0 * self.target[0] - 1.0)

    def steepness(self, weights: Floats, gradient: Floats) -> float:
        """The norm of the gradient, of its least subgradient where l1 has an edge."""
        if not self.edged:
            return math.sqrt(np.vdot(gradient, gradient))
        at_zero = np.sign(gradient) * np.maximum(np.abs(gradient) - self.l1, 0.0)
        least = np.where(weights == 0, at_zero, gradient + np.sign(weights) * self.l1)
        return math.sqrt(np.vdot(least, least))


class Spot:
    """J at some weights: its value at once, its slope when it is looked at, from the same exponentials."""

    chances: Floats
    gradient: Floats
    """Without the part of l1."""

    def __init__(self, loss: LogLoss, weights: Floats) -> None:
        self.loss, self.weights, self.logits = loss, weights, loss.logits(weights)
        f = self.logits
        if loss.rows == 1:
            size = np.abs(f)
            self._small = np.exp(-size)
            # ln(1 + e^f) = ln(1 + e^-|f|) + (|f| + f) / 2
            softened = np.add.reduce(np.log1p(self._small), axis=None)
            data = softened + (np.add.reduce(size, axis=None) + np.add.reduce(f, axis=None)) / 2.0
        else:
            top = f.max(axis=0)
            data = (np.log(np.exp(f - top).sum(axis=0)) + top).sum()
        self.value = max(float(data - np.vdot(f, loss.target)), 0.0) + loss.cost(weights)

    def look(self) -> tuple[float, float]:
        """The norm of its least subgradient, and by how much the own class leads at the worst point."""
        loss = self.loss
        self.chances = _logistic(self.logits, self._small) if loss.rows == 1 else loss.chances(self.logits)
        self.gradient = loss.gradient(self.weights, self.chances)
        return loss.steepness(self.weights, self.gradient), loss.margin(self.logits)


def _logistic(f: Floats, small: Floats) -> Floats:
    """1 / (1 + exp(-f)) from small = exp(-|f|)."""
    chances: Floats = np.where(f >= 0, 1.0, small) / (1.0 + small)
    return chances
