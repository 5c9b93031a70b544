"""First-order methods: w <- w - step(gradient), with a fixed, decaying or searched learning rate."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import count

import numpy as np
from numpy.random import Generator

from vizml.data.surface import Surface
from vizml.field.arrays import Floats
from vizml.learn.gradient_descent import Optimiser
from vizml.learn.optimisers.line_search import backtracking
from vizml.learn.optimisers.moves import Move, Moves
from vizml.learn.optimisers.objective import Curvature, Objective

LARGEST_RATE, GRID = 1.0, 9
"""Largest learning rate that is suggested, and places along each side of a surface where it is curved."""


@cache
def suggested_rate(surface: Surface) -> float:
    """Return 1/L, the textbook learning rate, for the largest curvature L on a surface; at most 1."""
    left, right, bottom, top = surface.bounds
    w1, w2 = np.linspace(left, right, GRID), np.linspace(bottom, top, GRID)
    found = [Curvature.at(surface, np.array([x, y])).eigenvalues for x in w1 for y in w2]
    known = np.abs(found)[np.isfinite(found)]
    return 1.0 / max(float(known.max(initial=0.0)), 1.0 / LARGEST_RATE)


def follow_gradient(
    objective: Objective, w: Floats, optimiser: Optimiser,
    rate: Callable[[int], float] | None = None, noise: float = 0.0, rng: Generator | None = None,
) -> Moves:  # fmt: skip
    """Yield the places of an optimiser; `rate` gives the learning rate of each step from 1.

    With noise each gradient has Gaussian errors, as that of a mini-batch has.
    """
    value, gradient = objective.slope(w)
    yield Move(w, value, gradient)
    for step in count(1):
        if rate is not None:
            optimiser.rate = rate(step)
        seen = gradient if rng is None else gradient + noise * rng.standard_normal(2)
        w = w - optimiser.step(seen)
        value, gradient = objective.slope(w)
        yield Move(w, value, gradient, f"learning rate {optimiser.rate:.3g}")


def steepest_descent(objective: Objective, w: Floats, rate: float) -> Moves:
    """Yield the places of gradient descent with backtracking line search; `rate` is tried first."""
    value, gradient = objective.slope(w)
    yield Move(w, value, gradient)
    while True:
        share, w, value = backtracking(objective, w, value, -rate * gradient, gradient)
        gradient = objective.gradient(w)
        yield Move(w, value, gradient, f"learning rate {rate * share:.3g} by line search", final=not share)
