"""Searches without gradients: one coordinate at a time, at random, and over a grid."""

from __future__ import annotations

from itertools import count

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats
from vizml.learn.optimisers.line_search import golden_section
from vizml.learn.optimisers.moves import Move, Moves
from vizml.learn.optimisers.objective import Objective

PRECISION = 1e-7
"""Share of the surface to which a line is searched."""


def coordinate_descent(objective: Objective, w: Floats) -> Moves:
    """Yield places that minimise f along w1 and w2 in turn, until neither lowers it."""
    left, right, bottom, top = objective.surface.bounds
    span = max(right - left, top - bottom)
    steps = np.eye(2) * (0.05 * span)
    value = objective.value(w)
    yield Move(w, value)
    still = 0
    for step in count():
        axis = step % 2
        there = golden_section(objective, w, steps[axis], PRECISION * span)
        lower, about = objective.value(there), f"minimum along w{axis + 1}"
        gained = lower < value - PRECISION * abs(value)
        still = 0 if gained else still + 1
        w, value = (there, lower) if lower < value else (w, value)
        yield Move(w, value, about=about, final=still == 2)


def random_search(objective: Objective, w: Floats, rng: Generator, radius: float) -> Moves:
    """Yield the best place so far of random ones: within the surface, or normal around it with a radius."""
    left, right, bottom, top = objective.surface.bounds
    value = objective.value(w)
    yield Move(w, value)
    while True:
        if radius:
            there = w + radius * rng.standard_normal(2)
        else:
            there = rng.uniform((left, bottom), (right, top))
        lower = objective.value(there)
        better = lower < value
        w, value = (there, lower) if better else (w, value)
        about = f"candidate ({there[0]:.3g}, {there[1]:.3g}) {'accepted' if better else 'rejected'}"
        yield Move(w, value, about=about, candidates=there[None])


def grid_search(objective: Objective, w: Floats, points: int) -> Moves:
    """Yield the best place so far of a grid over the surface, row by row."""
    left, right, bottom, top = objective.surface.bounds
    value = objective.value(w)
    yield Move(w, value)
    row = np.linspace(left, right, points)
    for k, w2 in enumerate(np.linspace(bottom, top, points), 1):
        places = np.column_stack([row, np.full(points, w2)])
        values = [objective.value(place) for place in places]
        best = int(np.argmin(values))
        if values[best] < value:
            w, value = places[best], values[best]
        yield Move(w, value, about=f"row {k} of {points}", candidates=places, final=k == points)
