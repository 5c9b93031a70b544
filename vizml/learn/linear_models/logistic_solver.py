"""Solvers of logistic regression: Newton's method (IRLS) and gradient descent with its optimisers.

Newton: W <- W - t H^-1 g, t halved until J falls; with l1, coordinate descent on the quadratic model.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats
from vizml.learn.gradient_descent import Iterate, Optimiser, descend
from vizml.learn.linear_models.log_loss import LogLoss, LossPoint
from vizml.learn.linear_models.penalised_solver import coordinate_descent

HALVINGS = 30
"""Most halvings of a Newton step in the line search."""
UPDATES = 4000
"""Most coordinate updates within one step: some milliseconds of work. The next step goes on from there."""
RIDGE = 1e-12
"""Added to a Hessian that directions without curvature make singular, as a share of its diagonal."""


def newton_path(loss: LogLoss) -> Iterator[Iterate]:
    """Yield the weights from zero on; they stay where rounding hides any further fall of J."""
    point, epoch = loss.at(np.zeros((loss.rows, loss.size))), 0
    while True:
        yield Iterate(epoch, point.weights, point.value, point.gradient_norm)
        point = _line_search(point, _newton_step(point))
        epoch += 1


def descent_path(loss: LogLoss, solver: str, rate: float, batch: int, rng: Generator) -> Iterator[Iterate]:
    """Yield the weights of (proximal) gradient descent on J / n after each epoch, or slice of a long one."""
    start = np.zeros((loss.rows, loss.size))
    size = {"gd": len(loss), "sgd": 1}.get(solver, batch)
    proximal = (lambda weights: loss.soft_threshold(weights, rate)) if loss.has_l1 else None
    for epoch, weights in descend(loss, start, Optimiser(solver, rate, start.shape), size, rng, proximal):
        point = loss.at(weights)
        yield Iterate(epoch, weights, point.value, point.gradient_norm)


def _newton_step(point: LossPoint) -> Floats:
    """Return the step to the minimum of the quadratic model."""
    loss, hessian = point.loss, point.loss.hessian(point.probabilities)
    diagonal = hessian.ravel()[:: len(hessian) + 1]
    diagonal += RIDGE * (diagonal + 1.0)
    if loss.has_l1:
        step = _lasso_step(point, hessian)
    else:
        step = -_solve(hessian, point.gradient.ravel())
    step = step.reshape(point.weights.shape)
    if loss.rows > 1:
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
    start, l1 = point.weights.ravel(), np.tile(point.loss.l1, point.loss.rows)
    c = hessian @ start - point.gradient.ravel()
    sweeps = coordinate_descent(hessian, c, l1, np.zeros(len(start)), start)
    for sweep in islice(sweeps, max(UPDATES // len(start), 1)):
        if sweep.change <= 1e-12 * max(float(np.abs(sweep.slopes).max()), 1e-12):
            break
    return np.asarray(sweep.slopes - start)


def _line_search(point: LossPoint, step: Floats) -> LossPoint:
    """Take the longest of the steps 1, 1/2, 1/4, ... that does not raise J, or none."""
    for halving in range(HALVINGS):
        there = point.loss.at(point.weights + 0.5**halving * step)
        if there.value <= point.value:
            return there
    return point
