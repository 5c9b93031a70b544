"""Quasi-Newton methods for the log-loss: w <- w - t H g, with H an estimate of the inverse Hessian.

After a step s that changed the gradient by y, H satisfies the secant equation H y = s. BFGS keeps H as a
matrix, L-BFGS only the latest pairs (s, y). Nocedal and Wright, Numerical Optimization (2006), 6.1 and 7.2.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import count

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.gradient_descent import Iterate
from vizml.learn.linear_models.logistic_solver import LogLoss, LossPoint
from vizml.learn.optimisers.line_search import wolfe
from vizml.learn.optimisers.newton import updated_inverse

MEMORY = 10
"""Pairs that L-BFGS keeps, as scipy does."""


class FlatLoss:
    """The log-loss as a function of all weights in one vector."""

    def __init__(self, loss: LogLoss) -> None:
        self.point = LossPoint(loss, np.zeros(loss.shape))

    def value(self, w: Floats) -> float:
        """Return J(w)."""
        self.point = LossPoint(self.point.loss, w.reshape(self.point.loss.shape))
        return self.point.value

    def gradient(self, w: Floats) -> Floats:
        """Return the gradient, usually of the weights whose value was asked for last."""
        if not np.array_equal(w, self.point.weights.ravel()):
            self.value(w)
        return self.point.gradient.ravel()


class InverseHessian:
    """H of BFGS: a matrix, at first a multiple of the identity."""

    def __init__(self, gradient: Floats) -> None:
        self.matrix = np.eye(len(gradient)) / max(float(np.linalg.norm(gradient)), 1.0)
        self.first = True

    def direction(self, gradient: Floats) -> Floats:
        """Return -H g."""
        return -self.matrix @ gradient

    def update(self, s: Floats, y: Floats) -> None:
        """Let H y = s."""
        if self.first:
            self.matrix = np.eye(len(s)) * float(s @ y) / float(y @ y)
            self.first = False
        self.matrix = updated_inverse(self.matrix, s, y)


class LimitedMemory:
    """H of L-BFGS: the latest pairs (s, y), whose product with a vector takes two loops over them."""

    def __init__(self, gradient: Floats) -> None:
        self.pairs = deque[tuple[Floats, Floats]](maxlen=MEMORY)
        self.scale = 1.0 / max(float(np.linalg.norm(gradient)), 1.0)

    def direction(self, gradient: Floats) -> Floats:
        """Return -H g by the two-loop recursion."""
        q, shares = gradient.copy(), list[float]()
        for s, y in reversed(self.pairs):
            shares.append(float(s @ q) / float(s @ y))
            q -= shares[-1] * y
        q *= self.scale
        for (s, y), share in zip(self.pairs, reversed(shares)):
            q += (share - float(y @ q) / float(s @ y)) * s
        return -q

    def update(self, s: Floats, y: Floats) -> None:
        """Let H y = s, and forget the oldest pair."""
        self.pairs.append((s, y))
        self.scale = float(s @ y) / float(y @ y)


def quasi_newton_path(loss: LogLoss, solver: str) -> Iterator[Iterate]:
    """Yield the weights from zero on after each step of 'bfgs' or 'lbfgs' with a Wolfe line search."""
    flat, w = FlatLoss(loss), np.zeros(loss.shape).ravel()
    value, gradient = flat.value(w), flat.gradient(w)
    estimate = InverseHessian(gradient) if solver == "bfgs" else LimitedMemory(gradient)
    for step in count():
        yield Iterate(step, w.reshape(loss.shape), value, float(np.linalg.norm(gradient)))
        _, there, value, steep = wolfe(flat, w, value, estimate.direction(gradient), gradient)
        s, y = there - w, steep - gradient
        if float(s @ y) > 0:  # which the line search grants but for rounding
            estimate.update(s, y)
        w, gradient = there, steep
