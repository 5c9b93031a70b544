"""Line searches: the share of a direction that decreases the objective enough."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from vizml.field.arrays import Floats
from vizml.learn.optimisers.objective import Objective


class SmoothFunction(Protocol):
    """A function of any number of weights (d,) with its gradient."""

    def value(self, w: Floats) -> float:
        """Return f(w)."""

    def gradient(self, w: Floats) -> Floats:
        """Return the gradient (d,)."""


ARMIJO, CURVATURE = 1e-4, 0.9
"""Constants of the Wolfe conditions for quasi-Newton methods (Nocedal and Wright, 2006, 3.1)."""
HALVINGS = 60
GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
WIDEST = 1e8
"""Most multiples of its direction that a line is searched over."""


def backtracking(
    objective: Objective, w: Floats, value: float, direction: Floats, gradient: Floats
) -> tuple[float, Floats, float]:
    """Halve a direction until f decreases by a share of its slope (Armijo); return the share, w and f there.

    The share is 0 where no decrease can be computed.
    """
    slope, share = float(direction @ gradient), 1.0
    for _ in range(HALVINGS):
        there = w + share * direction
        lower = objective.value(there)
        if lower <= value + ARMIJO * share * slope and (there != w).any():
            return share, there, lower
        share /= 2.0
    return 0.0, w, value


def wolfe(
    objective: SmoothFunction, w: Floats, value: float, direction: Floats, gradient: Floats
) -> tuple[float, Floats, float, Floats]:
    """Bisect for a share with the weak Wolfe conditions (Lewis and Overton, 2013)."""
    slope, low, high, share = float(direction @ gradient), 0.0, math.inf, 1.0
    best = 0.0, w, value, gradient
    for _ in range(HALVINGS):
        there = w + share * direction
        lower = objective.value(there)
        if not lower <= value + ARMIJO * share * slope:
            high = share
        else:
            steep = objective.gradient(there)
            best = share, there, lower, steep
            if float(steep @ direction) >= CURVATURE * slope:
                return best
            low = share
        share = (low + high) / 2 if high < math.inf else 2 * low
    return best


def golden_section(objective: Objective, w: Floats, direction: Floats, tolerance: float) -> Floats:
    """Minimise f along a line: widen a bracket until f rises at its end, then shrink it."""

    def height(t: float) -> float:
        return objective.value(w + t * direction)

    low, middle = 0.0, 1.0
    if height(middle) > height(low):
        low, middle = middle, low
    high = middle + 2 * (middle - low)
    while height(high) < height(middle) and abs(high) < WIDEST:
        low, middle, high = middle, high, high + 2 * (high - middle)
    inner, outer = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    f_inner, f_outer = height(inner), height(outer)
    while abs(high - low) * float(np.hypot(*direction)) > tolerance:
        if f_inner < f_outer:
            high, outer, f_outer = outer, inner, f_inner
            inner = high - GOLDEN * (high - low)
            f_inner = height(inner)
        else:
            low, inner, f_inner = inner, outer, f_outer
            outer = low + GOLDEN * (high - low)
            f_outer = height(outer)
    return w + (low + high) / 2 * direction
