"""The perceptron's run on one task: at a mistake, y f(x) <= delta, w <- w + eta y x and b <- b + eta y."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.random import Generator

from vizml.learn.linear.separable import widest_margin
from vizml.learn.state import Floats, Ints

Line: TypeAlias = tuple[float, float, float]
SHOWN, SPARSE = 300, 50
"""Each of the first mistakes is shown; later ones at a distance that grows with them."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Task:
    """Two groups to part: which points (rows of the data), and y (x, 1) of each (n, 3)."""

    rows: Ints
    signed: Floats
    words: str = ""
    """What its notes begin with, where there are several."""

    @property
    def reach(self) -> float:
        """R, the greatest length of an (x, 1)."""
        return float(np.sqrt(np.einsum("ij,ij->i", self.signed, self.signed).max()))


@dataclass(frozen=True)
class Rule:
    """How mistakes are found and put right."""

    dual: bool
    eta: float
    delta: float
    shuffled: bool
    pocket: bool
    epochs: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Moment:
    """A run so far."""

    task: Task
    weights: Floats
    """w and b of the line that is shown: the latest one, or the one in the pocket."""
    alpha: Floats
    """eta times how often each point of the task was a mistake."""
    margin: float
    """The gamma of the task, 0 where nothing separates it."""
    bound: float
    """The most mistakes that there can be, infinite without a margin."""
    errors: int
    """Points on the wrong side of the line that is shown."""
    epoch: int = 0
    mistakes: int = 0
    history: tuple[int, ...] = ()
    """The mistakes up to the end of each epoch, 0 before the first."""
    place: int = -1
    """Which point of the task was the latest mistake."""
    before: Line | None = None
    """w and b before it."""
    now: Line | None = None
    """w and b after it, whatever the pocket holds."""
    ended: bool = False
    clean: bool = False
    """Whether it ended without a mistake in a whole epoch."""


class _Pocket:
    """The line to show, and how many points lie on its wrong side."""

    def __init__(self, signed: Floats, *, kept: bool) -> None:
        self.signed, self.kept = signed, kept
        self.weights, self.errors = np.zeros(3), len(signed)

    def put(self, weights: Floats) -> None:
        """The latest line; a pocket that keeps the best takes it only where it has fewer errors."""
        errors = int(np.count_nonzero(self.signed @ weights <= 0))
        if not self.kept or errors < self.errors:
            self.weights, self.errors = weights, errors


def run(task: Task, rule: Rule, rng: Generator) -> Iterator[Moment]:
    """Moments of it: the start, mistakes, the end.

    w = sum_i alpha_i y_i x_i at all times, so that both forms make the same mistakes. The loop is over plain
    numbers: each point must see what the one before it has changed.
    """
    n = len(task.signed)
    margin = widest_margin(task.signed)
    bound = (task.reach**2 + 2.0 * rule.delta / rule.eta) / margin**2 if margin else np.inf
    pocket, counts, mistakes = _Pocket(task.signed, kept=rule.pocket), np.zeros(n), 0
    moment = Moment(
        task=task, weights=pocket.weights, alpha=np.zeros(n), margin=margin, bound=bound, errors=n
    )  # fmt: skip
    yield moment
    columns, order = (rule.eta * task.signed).T.tolist(), list(range(n))
    turns = columns
    least, history = rule.eta * rule.delta, [0]
    u, v, w = 0.0, 0.0, 0.0
    for epoch in range(1, rule.epochs + 1):
        if rule.shuffled:
            order = rng.permutation(n).tolist()
            turns = [[column[place] for place in order] for column in columns]
        for place, x, y, z in zip(order, *turns):
            if u * x + v * y + w * z > least:
                continue
            before = (u, v, w)
            u, v, w = u + x, v + y, w + z
            counts[place] += 1
            mistakes += 1
            shown = mistakes <= SHOWN or mistakes % (mistakes // SPARSE) == 0
            if shown or rule.pocket:
                pocket.put(np.array((u, v, w)))
            if shown:
                moment = Moment(
                    task=task, weights=pocket.weights, alpha=rule.eta * counts, margin=margin,
                    bound=bound, errors=pocket.errors, epoch=epoch, mistakes=mistakes, history=(*history,),
                    place=place, before=before, now=(u, v, w),
                )  # fmt: skip
                yield moment
        history.append(mistakes)
        if history[-1] == history[-2]:
            break
    pocket.put(np.array((u, v, w)))
    yield replace(
        moment, weights=pocket.weights, errors=pocket.errors, alpha=rule.eta * counts, epoch=epoch,
        mistakes=mistakes, history=(*history,), ended=True, clean=history[-1] == history[-2],
    )  # fmt: skip
