"""Moves of optimisers, and the paths that they record step by step, without copies, until they end."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from vizml.data.formula import Surface
from vizml.data.wording import plural
from vizml.field.arrays import Floats
from vizml.learn.gradient_descent import LOWER_RATE
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


class GrowingRows:
    """Rows that are appended; views of the rows so far share their memory."""

    def __init__(self, width: int) -> None:
        self._rows, self._count = np.empty((64, width)), 0

    def extend(self, rows: Floats) -> None:
        """Append rows (k, width)."""
        stop = self._count + len(rows)
        if stop > len(self._rows):
            grown = np.empty((2 * stop, self._rows.shape[1]))
            grown[: self._count] = self._rows[: self._count]
            self._rows = grown
        self._rows[self._count : stop] = rows
        self._count = stop

    def view(self) -> Floats:
        """Return the rows so far, read-only."""
        found = self._rows[: self._count]
        found.flags.writeable = False
        return found


class RecordedPath:
    """The path from one start: its places, heights and candidates, and why it has ended."""

    def __init__(
        self, objective: Objective, path: Moves, limit: int, tolerance: float, *, has_rate: bool
    ) -> None:
        self.objective, self._path, self._has_rate = objective, path, has_rate
        self._limit, self._tolerance = limit, tolerance
        self.places, self.values, self.candidates = GrowingRows(2), GrowingRows(1), GrowingRows(2)
        self.step, self.reason = -1, ""
        self.move = self.first = next(path)
        self._keep(self.move)
        self.note: str = f"start ({self.move.w[0]:.4g}, {self.move.w[1]:.4g}): {_figures(self.move)}"

    def advance(self) -> None:
        """Make a step, unless the path has ended."""
        if self.reason:
            return
        before, move = self.move, next(self._path)
        if diverged(move, self.first, self.objective):
            self.reason = "diverged"
            advice = f"; {LOWER_RATE}" if self._has_rate else ""
            self.note = f"diverged in step {self.step + 1} from f {before.value:.4g} without bound{advice}"
            return
        reason = self._keep(move)
        about = f", {move.about}" if move.about else ""
        end = f"; {reason}" if reason else ""
        self.note = f"step {self.step}: f {before.value:.4g} → {_figures(move)[2:]}{about}{end}"

    def _keep(self, move: Move) -> str:
        """Record a move, and return why the path ends with it, or nothing."""
        self.step += 1
        self.move = move
        self.places.extend(move.w[None])
        self.values.extend(np.array([[move.value]]))
        self.candidates.extend(move.candidates)
        limit, tolerance = self._limit, self._tolerance
        self.reason = ended(move, self.step, self.first, self.objective, limit, tolerance)
        return self.reason


def _figures(move: Move) -> str:
    """Return height and slope of a move."""
    slope = "" if move.gradient is None else f", |grad f| {np.hypot(*move.gradient):.3g}"
    return f"f {move.value:.4g}{slope}"


def described(paths: Sequence[RecordedPath], all_starts: int) -> str:
    """Return the note of the newest path, and how many others there are."""
    newest, count = paths[-1], len(paths)
    others = sum(not path.reason for path in paths[:-1])
    text = f"path {count} of {count}, {newest.note}" if count > 1 else newest.note
    if newest.reason and others:
        text += f"; {plural(others, 'other path')} not finished"
    if all_starts > count:
        text += f" (the newest {count} of {all_starts} starts)"
    return text
