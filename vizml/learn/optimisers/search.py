"""Searches without gradients on a surface: one coordinate at a time, at random, and over a grid."""

from __future__ import annotations

from itertools import count

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Floats
from vizml.learn.optimisers.descent import MAX_STEPS, SurfaceOptimiser
from vizml.learn.optimisers.moves import Move, Moves
from vizml.learn.optimisers.objective import Objective, golden_section
from vizml.learn.params import integer, real, varied
from vizml.learn.registry import register
from vizml.learn.tasks.descend import DESCEND

PRECISION = 1e-7
"""Share of the surface to which a line is searched."""
FAMILY = "Search without gradients"
GLOBAL = "surface"
SYMBOLS = {"w": ("Weights: the best place so far.", "Path"), "u": ("Candidate.", "Candidates")}


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


@register(
    "coordinate_descent", DESCEND, FAMILY, "Coordinate descent",
    symbols={"w": ("Weights: the place on the surface.", "Path")},
    synonyms=("greedy", "golden section", "one variable at a time"),
)  # fmt: skip
class CoordinateDescentPath(SurfaceOptimiser):
    r"""Greedy search: minimises f along w1 and w2 in turn by golden-section search, without derivatives.

    .. math::
        w_{j} \leftarrow \arg\min_{w_j} \; f(w_1, w_2), \quad j = 1, 2, 1, 2, \ldots
    """

    max_steps: int = varied(MAX_STEPS)

    def path(self, objective: Objective, start: Floats, rng: Generator) -> Moves:
        return coordinate_descent(objective, start)


@register(
    "random_search", DESCEND, FAMILY, "Random search", symbols=SYMBOLS,
    synonyms=("Monte Carlo", "hill climbing"),
)  # fmt: skip
class RandomSearchPath(SurfaceOptimiser):
    r"""Evaluates random candidates, one in each step, and keeps the best place so far.

    .. math::
        w_{t+1} = \arg\min \{ f(w_t), \; f(u_t) \}, \quad u_t \; \mathrm{random}
    """

    radius: float | str = real(
        GLOBAL, 1e-3, 1e3, log=True, words=(GLOBAL,), labels={GLOBAL: "whole surface"}, symbol="σ",
        help="Standard deviation of candidates around the best place so far; "
        "'surface' draws them uniformly from the whole surface.",
    )  # fmt: skip
    max_steps: int = varied(MAX_STEPS)

    def path(self, objective: Objective, start: Floats, rng: Generator) -> Moves:
        radius = 0.0 if isinstance(self.radius, str) else self.radius
        return random_search(objective, start, rng, radius)


@register(
    "grid_search", DESCEND, FAMILY, "Grid search", symbols=SYMBOLS,
    synonyms=("exhaustive search", "brute force"),
)  # fmt: skip
class GridSearchPath(SurfaceOptimiser):
    r"""Exhaustive search: evaluates every place of a grid over the surface, a row in each step.

    .. math::
        \hat{w} = \arg\min_{u \in G} \; f(u)
    """

    points: int = integer(
        15, 2, 50, help="Number of grid points along each weight; their square is the number of evaluations."
    )

    @property
    def max_steps(self) -> int:  # type: ignore[override]
        """Number of rows of the grid."""
        return self.points

    def path(self, objective: Objective, start: Floats, rng: Generator) -> Moves:
        return grid_search(objective, start, self.points)
