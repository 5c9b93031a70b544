"""Moves of optimisers: the results of their steps, and the driver that ends their paths."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from vizml.data.surface import Surface
from vizml.field.arrays import Floats
from vizml.learn.optimisers.objective import Curvature, Objective

CONVERGED = "converged"
EXPLOSION = 1e3
"""A path that is so many times its first distances away does not come back."""


@dataclass(frozen=True, eq=False)
class Move:
    """Place of an optimiser after a step."""

    w: Floats
    value: float
    gradient: Floats | None = None
    """Gradient at w; None for searches that need none."""
    about: str = ""
    """What the step has done: its learning rate, its kind."""
    model: tuple[Floats, Floats] | None = None
    """Centre and matrix of the quadratic model that the step has minimised."""
    candidates: Floats = field(default_factory=lambda: np.empty((0, 2)))
    """Places (k, 2) that a search has evaluated."""
    final: bool = False
    """Whether a search has nothing more to try."""


Moves: TypeAlias = Iterator[Move]


def ended(move: Move, step: int, first: Move, objective: Objective, limit: int, tolerance: float) -> str:
    """Return why a path ends with a move, or nothing."""
    if diverged(move, first, objective):
        return "diverged"
    if move.gradient is not None and np.hypot(*move.gradient) <= tolerance:
        found = Curvature.at(objective.surface, move.w)
        near = found.stationary(reach_of(objective.surface))
        return f"{CONVERGED} to a {found.kind()}" if near else CONVERGED
    if move.final:
        return "search complete" if move.gradient is None else "no further decrease can be computed"
    return "maximum number of steps" if step >= limit else ""


def reach_of(surface: Surface) -> float:
    """Return the distance within which a stationary point counts as reached: 1 % of the surface."""
    left, right, bottom, top = surface.bounds
    return 0.01 * max(right - left, top - bottom)


def diverged(move: Move, first: Move, objective: Objective) -> bool:
    """Whether a path leaves every region of interest, or values that can be computed with."""
    far = EXPLOSION * max(100 * reach_of(objective.surface), *np.abs(first.w).tolist())
    fine = math.isfinite(move.value) and bool(np.isfinite(move.w).all())
    return not fine or bool(np.abs(move.w).max() > far)
