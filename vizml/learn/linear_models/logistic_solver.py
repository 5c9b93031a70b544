"""Solvers of logistic regression, by the penalised log-loss: Newton's method (IRLS), BFGS, gradient descent.

J(W) = -sum_i ln p(y_i | x_i) + l2/2 |w|^2 + l1 |w|_1, w in data units. Newton: W <- W - t H^-1 g, t halved
until J falls; with l1, coordinate descent on the quadratic model. Quasi-Newton methods estimate H^-1: after a
step s that changed the gradient by y, H^-1 y = s. BFGS keeps a matrix, L-BFGS only the latest pairs (s, y).
Nocedal and Wright, Numerical Optimization (2006), 6.1 and 7.2.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count, islice

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats, Ints
from vizml.learn.gaussians import log_sum_exp
from vizml.learn.gradient_descent import CONSTANT, Iterate, Optimiser, descend
from vizml.learn.iterative_training import Schedule
from vizml.learn.linear_models.penalised_solver import coordinate_descent
from vizml.learn.optimisers.newton import updated_inverse
from vizml.learn.optimisers.objective import wolfe
from vizml.learn.state import softmax

HALVINGS = 30
"""Most halvings of a Newton step in the line search."""
UPDATES = 4000
"""Most coordinate updates within one step: some milliseconds of work. The next step goes on from there."""
RIDGE = 1e-12
"""Added to a Hessian that directions without curvature make singular, as a share of its diagonal."""

CHUNK = 4096
"""Points whose part of a Hessian is computed at once: what fits into the cache takes half the time."""
MEMORY = 10
"""Pairs that L-BFGS keeps, as scipy does."""


@dataclass(frozen=True, eq=False)
class LogLoss:
    """The loss of weights (rows, 1 + d): one row for two classes, else one for each class.

    `penalty` (1 + d, 1 + d) is l2 times the square of the map to data units, `l1` (1 + d,) the cost of the
    absolute value of each weight; the intercept is not penalised.
    """

    design: Floats
    target: Floats
    """Indicators (rows, n) of the class of each sample."""
    penalty: Floats
    l1: Floats

    @classmethod
    def of(cls, design: Floats, labels: Ints, classes: Ints, units: Floats, l2: float, l1: float) -> LogLoss:
        """Return the loss of labels under penalties on weights that `units` maps to data units."""
        rows = classes[1:] if len(classes) == 2 else classes
        inner = units[1:].copy()
        inner[:, 0] = 0.0
        cost = np.abs(units.diagonal()) * l1
        cost[0] = 0.0
        return cls(design, (labels == rows[:, None]).astype(np.float64), l2 * inner.T @ inner, cost)

    def __len__(self) -> int:
        return len(self.design)

    @property
    def shape(self) -> tuple[int, int]:
        """The shape (rows, 1 + d) of the weights."""
        return len(self.target), self.design.shape[1]

    @property
    def penalised(self) -> bool:
        """Whether there is any penalty."""
        return self.has_l1 or bool(self.penalty.any())

    @cached_property
    def has_l1(self) -> bool:
        """Whether absolute values of weights are penalised, so that J has kinks."""
        return bool(self.l1.any())

    def cost(self, weights: Floats) -> float:
        """Return the penalty alone."""
        l1 = float(np.abs(weights).sum(axis=0) @ self.l1) if self.has_l1 else 0.0
        return 0.5 * float(np.vdot(np.dot(weights, self.penalty), weights)) + l1

    def shuffled(self, order: Ints) -> LogLoss:
        """Return the loss with its samples in another order."""
        return replace(self, design=self.design[order], target=self.target[:, order])

    def batch_gradient(self, weights: Floats, batch: slice) -> Floats:
        """Return the gradient of J / n without its l1 part, the data part as a mean over a batch."""
        design = self.design[batch]
        errors = probabilities(weights @ design.T) - self.target[:, batch]
        return np.asarray(errors @ design / len(design) + weights @ self.penalty / len(self))

    def soft_threshold(self, weights: Floats, rate: float) -> Floats:
        """Apply the proximal step of the l1 part of J / n."""
        return np.asarray(np.sign(weights) * np.maximum(np.abs(weights) - rate * self.l1 / len(self), 0.0))

    def gradient_norm(self, weights: Floats, gradient: Floats) -> float:
        """Return the norm of the gradient, of its least subgradient where l1 has a kink."""
        if not self.has_l1:
            return math.sqrt(np.vdot(gradient, gradient))
        at_zero = np.sign(gradient) * np.maximum(np.abs(gradient) - self.l1, 0.0)
        least = np.where(weights == 0, at_zero, gradient + np.sign(weights) * self.l1)
        return math.sqrt(np.vdot(least, least))


class LossPoint:
    """J at some weights: its value at once, its derivatives on demand."""

    def __init__(self, loss: LogLoss, weights: Floats) -> None:
        self.loss, self.weights = loss, weights
        self.logits = np.dot(weights, loss.design.T)
        self.value = log_loss(self.logits, loss.target) + loss.cost(weights)

    @cached_property
    def probabilities(self) -> Floats:
        """The probabilities (rows, n) of the classes that have a row."""
        return probabilities(self.logits)

    @cached_property
    def gradient(self) -> Floats:
        """The gradient (rows, 1 + d) without the l1 part."""
        errors = self.probabilities - self.loss.target
        return np.asarray(np.dot(errors, self.loss.design) + np.dot(self.weights, self.loss.penalty))

    @property
    def gradient_norm(self) -> float:
        """The norm of the least subgradient."""
        return self.loss.gradient_norm(self.weights, self.gradient)

    def hessian(self) -> Floats:
        """Return the Hessian (rows (1 + d), rows (1 + d)) without the l1 part."""
        design, (rows, size) = self.loss.design, self.loss.shape
        if rows == 1:
            (p,) = self.probabilities
            return np.asarray((design.T * (p * (1.0 - p))) @ design + self.loss.penalty)
        out = np.kron(np.eye(rows), self.loss.penalty).astype(np.float64)
        blocks = out.reshape(rows, size, rows, size)
        for start in range(0, len(design), CHUNK):
            part = slice(start, start + CHUNK)
            X = design[part]
            stacked = (self.probabilities[:, None, part] * X.T).reshape(rows * size, -1)
            out -= stacked @ stacked.T
            for k, block in enumerate((stacked @ X).reshape(rows, size, size)):
                blocks[k, :, k] += block
        return out

    @property
    def margin(self) -> float:
        """The least lead of a sample's own class in log-odds; above 0 the classes are separated."""
        f, target = self.logits, self.loss.target
        if len(f) == 1:
            return float((f[0] * (2.0 * target[0] - 1.0)).min())
        own = (f * target).sum(axis=0)
        others = np.where(target > 0, -np.inf, f).max(axis=0)
        return float((own - others).min())


def log_loss(logits: Floats, target: Floats) -> float:
    """Return -sum_i ln p(y_i | x_i) of logits and indicators (rows, n).

    One row of logits holds the log-odds of the second of two classes.
    """
    if len(logits) == 1:
        # ln(1 + e^f) without overflow
        total = (np.log1p(np.exp(-np.abs(logits))) + np.maximum(logits, 0.0)).sum()
    else:
        total = log_sum_exp(logits, axis=0).sum()
    return max(float(total - np.vdot(logits, target)), 0.0)


def probabilities(logits: Floats) -> Floats:
    """Return the probabilities (rows, n) of the classes that have a row."""
    if len(logits) == 1:
        return np.asarray(0.5 + 0.5 * np.tanh(0.5 * logits))
    return softmax(logits.T).T


def validated(path: Iterator[Iterate], loss: LogLoss) -> Iterator[Iterate]:
    """Add the mean loss of validation points to each iterate."""
    for each in path:
        yield each._replace(validation=LossPoint(loss, each.weights).value / len(loss))


def newton_path(loss: LogLoss) -> Iterator[Iterate]:
    """Yield the weights from zero on; they stay where rounding hides any further fall of J."""
    point = LossPoint(loss, np.zeros(loss.shape))
    for epoch in count():
        yield Iterate(epoch, point.weights, point.value, point.gradient_norm)
        point = _line_search(point, _newton_step(point))


def descent_path(
    loss: LogLoss, solver: str, rate: float, batch: int, rng: Generator, schedule: Schedule = CONSTANT
) -> Iterator[Iterate]:
    """Yield the weights of (proximal) gradient descent on J / n after each epoch, or slice of a long one."""
    start = np.zeros(loss.shape)
    size = {"gd": len(loss), "sgd": 1}.get(solver, batch)
    optimiser = Optimiser(solver, rate, start.shape, schedule=schedule)
    proximal = (lambda weights: loss.soft_threshold(weights, optimiser.rate)) if loss.has_l1 else None
    for epoch, weights in descend(loss, start, optimiser, size, rng, proximal):
        point = LossPoint(loss, weights)
        yield Iterate(epoch, weights, point.value, point.gradient_norm)


def _newton_step(point: LossPoint) -> Floats:
    """Return the step to the minimum of the quadratic model."""
    loss, hessian = point.loss, point.hessian()
    diagonal = hessian.ravel()[:: len(hessian) + 1]
    diagonal += RIDGE * (diagonal + 1.0)
    if loss.has_l1:
        step = _lasso_step(point, hessian)
    else:
        step = -_solve(hessian, point.gradient.ravel())
    step = step.reshape(point.weights.shape)
    if len(step) > 1:
        # adding a constant to all intercepts changes nothing, nor to all rows of unpenalised weights
        free = slice(None) if not loss.has_l1 else slice(1)
        step[:, free] -= step[:, free].mean(axis=0)
    return step


def _solve(hessian: Floats, gradient: Floats) -> Floats:
    try:
        return np.asarray(np.linalg.solve(hessian, gradient), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.lstsq(hessian, gradient, rcond=None)[0], dtype=np.float64)


def _lasso_step(point: LossPoint, hessian: Floats) -> Floats:
    """Return argmin_d g.d + d.H.d/2 + l1 |w + d| by coordinate descent."""
    start, l1 = point.weights.ravel(), np.tile(point.loss.l1, len(point.weights))
    c = hessian @ start - point.gradient.ravel()
    sweeps = coordinate_descent(hessian, c, l1, np.zeros(len(start)), start)
    for sweep in islice(sweeps, max(UPDATES // len(start), 1)):
        if sweep.change <= 1e-12 * max(float(np.abs(sweep.slopes).max()), 1e-12):
            break
    return np.asarray(sweep.slopes - start)


def _line_search(point: LossPoint, step: Floats) -> LossPoint:
    """Take the longest of the steps 1, 1/2, 1/4, ... that does not raise J, or none."""
    for halving in range(HALVINGS):
        there = LossPoint(point.loss, point.weights + 0.5**halving * step)
        if there.value <= point.value:
            return there
    return point


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
