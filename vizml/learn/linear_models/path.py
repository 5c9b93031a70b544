"""First-order ways down J/n: W <- W - rate * direction, from all points, from one, or from small batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from vizml.learn.descent import Rule
from vizml.learn.linear_models.objective import LogLoss
from vizml.learn.state import Floats, Ints

WORK = 500
"""Updates between two looks at a stochastic path: some milliseconds of work."""


class Place(NamedTuple):
    """Where a path stands after so many epochs."""

    epoch: float
    weights: Floats
    loss: float
    slope: float
    margin: float


def descent_path(loss: LogLoss, solver: str, rate: float, batch: int, rng: Generator) -> Iterator[Place]:
    """The weights after each epoch, or after each slice of a long one."""
    n = len(loss.design)
    size = {"gd": n, "sgd": 1}.get(solver, min(batch, n))
    weights, rule, epoch = np.zeros((loss.rows, loss.size)), Rule(solver, rate, (loss.rows, loss.size)), 0
    yield _seen(loss, weights, 0.0)
    while True:
        order = rng.permutation(n) if size < n else np.arange(n)
        for start in range(0, n, size * WORK):
            stop = min(start + size * WORK, n)
            for at in range(start, stop, size):
                weights = _updated(loss, weights, order[at : min(at + size, n)] if size < n else None, rule)
            yield _seen(loss, weights, epoch + stop / n)
        epoch += 1


def _updated(loss: LogLoss, weights: Floats, chosen: Ints | None, rule: Rule) -> Floats:
    """One step along the mean gradient of some points, and the pull of l1 towards 0 after it."""
    n = len(loss.design)
    design, target = loss.design, loss.target
    if chosen is not None:
        design, target = design[chosen], target[:, chosen]
    apart = loss.chances(weights @ design.T) - target
    gradient = apart @ design / len(design) + weights @ loss.penalty / n
    moved: Floats = weights - rule.step(gradient)
    if loss.edged:
        moved = np.sign(moved) * np.maximum(np.abs(moved) - rule.rate * loss.l1 / n, 0.0)
    return moved


def _seen(loss: LogLoss, weights: Floats, epoch: float) -> Place:
    spot = loss.at(weights)
    return Place(epoch, weights, spot.value, *spot.look())
