"""Penalised log-loss J(W) = -sum_i ln p(y_i | x_i) + l2/2 |w|^2 + l1 |w|_1, w in data units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vizml.learn.state import Floats, Ints, softmax


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
        cost = np.abs(np.diag(units)) * l1
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
        return bool(self.penalty.any() or self.l1.any())

    def logits(self, weights: Floats) -> Floats:
        """The scores (rows, n)."""
        values: Floats = weights @ self.design.T
        return values

    def value(self, weights: Floats, logits: Floats | None = None) -> float:
        """J."""
        f = self.logits(weights) if logits is None else logits
        own = float((f * self.target).sum())
        if self.rows == 1:
            data = float(np.logaddexp(0.0, f[0]).sum()) - own
        else:
            top = f.max(axis=0)
            data = float((np.log(np.exp(f - top).sum(axis=0)) + top).sum()) - own
        return max(data, 0.0) + self.cost(weights)

    def cost(self, weights: Floats) -> float:
        """The penalty alone."""
        return float(0.5 * ((weights @ self.penalty) * weights).sum() + np.abs(weights).sum(axis=0) @ self.l1)

    def chances(self, logits: Floats) -> Floats:
        """The probabilities (rows, n) of the classes that have a row."""
        if self.rows > 1:
            return softmax(logits.T).T
        small = np.exp(-np.abs(logits))
        chances: Floats = np.where(logits >= 0, 1.0, small) / (1.0 + small)
        return chances

    def gradient(self, weights: Floats, chances: Floats) -> Floats:
        """Of J without its l1 part (rows, 1 + d)."""
        gradient: Floats = (chances - self.target) @ self.design + weights @ self.penalty
        return gradient

    def hessian(self, chances: Floats) -> Floats:
        """Of J without its l1 part, (rows (1 + d), rows (1 + d))."""
        if self.rows == 1:
            spread = chances[0] * (1.0 - chances[0])
            curvature: Floats = (self.design.T * spread) @ self.design + self.penalty
            return curvature
        stacked = np.concatenate([p[:, None] * self.design for p in chances], axis=1)
        out: Floats = -(stacked.T @ stacked)
        for k, p in enumerate(chances):
            at = slice(k * self.size, (k + 1) * self.size)
            out[at, at] += (self.design.T * p) @ self.design + self.penalty
        return out

    def margin(self, logits: Floats) -> float:
        """By how much the own class leads at the worst point; above 0 the classes are separated."""
        if self.rows == 1:
            return float(np.where(self.target[0] > 0, logits[0], -logits[0]).min())
        own = (logits * self.target).sum(axis=0)
        others = np.where(self.target > 0, -np.inf, logits).max(axis=0)
        return float((own - others).min())

    def steepness(self, weights: Floats, gradient: Floats) -> float:
        """The norm of the gradient, of its least subgradient where l1 has an edge."""
        if not self.l1.any():
            return float(np.sqrt((gradient * gradient).sum()))
        at_zero = np.sign(gradient) * np.maximum(np.abs(gradient) - self.l1, 0.0)
        least = np.where(weights == 0, at_zero, gradient + np.sign(weights) * self.l1)
        return float(np.sqrt((least * least).sum()))
