"""Newton's method: W <- W - t H^-1 g, t halved until J falls; with l1, descent on its model."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.learn.linear_models.objective import LogLoss, Spot
from vizml.learn.linear_models.path import Place
from vizml.learn.state import Floats

HALVINGS = 30
UPDATES = 4000
"""Coordinates set within one step, the most: some milliseconds of work. The next step goes on from there."""
RIDGE = 1e-12
"""Added to a Hessian that directions without curvature make singular, as a share of its diagonal."""


def newton_path(loss: LogLoss) -> Iterator[Place]:
    """The weights after each step, from zeros on; it stands still where J does not fall any more."""
    spot, epoch = loss.at(np.zeros((loss.rows, loss.size))), 0
    while True:
        yield Place(epoch, spot.weights, spot.value, *spot.look())
        spot = _searched(spot, _step(spot))
        epoch += 1


def _step(spot: Spot) -> Floats:
    """Where the quadratic model is least, seen from the weights."""
    loss, hessian = spot.loss, spot.loss.hessian(spot.chances)
    diagonal = hessian.ravel()[:: len(hessian) + 1]
    diagonal += RIDGE * (diagonal + 1.0)
    if loss.edged:
        step = _lasso_step(spot, hessian)
    else:
        step = -_solved(hessian, spot.gradient.ravel()).reshape(spot.weights.shape)
    if loss.rows > 1:
        # The same number added to all intercepts changes nothing, nor does it to weights that cost nothing.
        free = slice(None) if not loss.edged else slice(1)
        step[:, free] -= step[:, free].mean(axis=0)
    return step


def _solved(hessian: Floats, gradient: Floats) -> Floats:
    try:
        step = np.linalg.solve(hessian, gradient)
    except np.linalg.LinAlgError:
        step = np.linalg.lstsq(hessian, gradient, rcond=None)[0]
    return np.asarray(step, dtype=np.float64)


def _lasso_step(spot: Spot, hessian: Floats) -> Floats:
    """The least of g.d + d.H.d/2 + l1 |w + d|, one coordinate after the other."""
    start, cost = spot.weights.ravel(), np.tile(spot.loss.l1, spot.loss.rows)
    at, slope = start.copy(), spot.gradient.ravel().copy()
    for _ in range(max(UPDATES // len(at), 1)):
        largest = 0.0
        for j, curvature in enumerate(hessian.diagonal()):
            pulled = at[j] - slope[j] / curvature
            new = np.sign(pulled) * max(abs(pulled) - cost[j] / curvature, 0.0)
            if new != at[j]:
                slope += hessian[j] * (new - at[j])
                largest = max(largest, abs(new - at[j]))
                at[j] = new
        if largest <= 1e-12 * max(float(np.abs(at).max()), 1e-12):
            break
    return (at - start).reshape(spot.weights.shape)


def _searched(spot: Spot, step: Floats) -> Spot:
    """The longest of the steps 1, 1/2, 1/4, ... that lowers J, or none."""
    for halving in range(HALVINGS):
        there = spot.loss.at(spot.weights + 0.5**halving * step)
        if there.value <= spot.value:
            return there
    return spot
