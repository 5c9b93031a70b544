"""One trained or half-trained machine f(x) = sum_i y_i a_i k(x_i, x) + b between two groups of points."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from vizml.learn.model import CannotLearn
from vizml.learn.state import Floats, Ints
from vizml.learn.support_vectors.kernels import Kernel
from vizml.learn.support_vectors.smo import Columns, Smo, Step

FIRST_STEPS = 100
"""Each of these is shown; later ones at a distance that grows with them."""
WORK = 1_000_000
"""Points times steps between two moments: some 10 ms."""
PATIENCE, SETTLE = 2000, 10
"""From when and how often all free alphas are settled at once: easy runs end before, on LIBSVM's path."""
MOST_STEPS = 100_000
HARD_STEPS = 20_000
SLIM = 1e-5
"""A margin below this share of the width of the data, in feature space, is none."""
TINY = 1e-300


class Overlap(Exception):
    """No hard margin parts the two groups."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Task:
    """Two groups to part: which points (rows of the data), and +1 or -1 for each."""

    rows: Ints
    y: Floats
    words: str = ""
    """What its notes begin with, where there are several."""

    @classmethod
    def between(cls, plus: Ints, minus: Ints, words: str = "") -> Task:
        """Backwards, so that ties go to the last point."""
        rows = np.concatenate([plus, minus])[::-1].copy()
        signs = np.concatenate([np.ones(len(plus)), -np.ones(len(minus))])
        return cls(rows=rows, y=signs[::-1].copy(), words=words)


@dataclass(frozen=True, eq=False, kw_only=True)
class Machine:
    """A moment of a task."""

    task: Task
    C: float
    alpha: Floats
    v: Floats
    """y_i - f(x_i) + b, which is what SMO maintains."""
    gap: float = math.inf
    dual: float = 0.0
    count: int = 0
    ended: bool = False
    met: bool = False
    """Whether the gap has come down to the tolerance."""
    step: Step | None = None

    def __post_init__(self) -> None:
        self.alpha.flags.writeable = self.v.flags.writeable = False

    @cached_property
    def bias(self) -> float:
        """The mean of v where alpha is free; without one, the middle of what the conditions allow."""
        if not self.count:
            return 0.0
        free = (self.alpha > 0) & (self.alpha < self.C)
        if free.any():
            return float(self.v[free].mean())
        grows = np.where(self.task.y > 0, self.alpha < self.C, self.alpha > 0)
        return float(self.v[grows].max() + self.v[~grows].min()) / 2

    @property
    def weights(self) -> Floats:
        """y a of each of its points."""
        return self.task.y * self.alpha

    @cached_property
    def slack(self) -> Floats:
        """max(0, 1 - y f(x)) of each of its points."""
        return np.maximum(0.0, 1.0 - self.task.y * (self.task.y - self.v + self.bias))

    @property
    def norm2(self) -> float:
        """|w|^2 = a'Qa."""
        return max(2.0 * (self.dual + float(self.alpha.sum())), 0.0)

    @property
    def primal(self) -> float:
        """1/2 |w|^2 + C sum of slack."""
        cost = self.C * float(self.slack.sum()) if math.isfinite(self.C) else 0.0
        return self.norm2 / 2 + cost

    @property
    def bounded(self) -> int:
        """How many alphas are at C."""
        return int((self.alpha >= self.C).sum())


def train(task: Task, points: Floats, kernel: Kernel, C: float, tol: float) -> Iterator[Machine]:
    """Moments of a run, the last one at the optimum or at the limit of steps. Overlap ends a hard one."""
    own = points[task.rows]
    smo = Smo(_columns(kernel, own, C, tol), task.y, C)
    limit, largest = (MOST_STEPS, math.inf) if math.isfinite(C) else (HARD_STEPS, _largest_dual(smo.columns))
    last: Step | None = None
    while (step := smo.step(tol)) is not None and smo.count < limit:
        last = step
        if smo.count >= PATIENCE and smo.count % SETTLE == 0:
            smo.settle()
        if smo.count < FIRST_STEPS or smo.count % _stride(smo.count, len(own)) == 0:
            yield _moment(task, smo, step)
            if -smo.dual > largest:
                raise Overlap
    if step is not None and math.isinf(C):
        raise Overlap
    yield replace(_moment(task, smo, step or last), ended=True, met=step is None)


def _moment(task: Task, smo: Smo, step: Step | None) -> Machine:
    return Machine(
        task=task, C=smo.C, alpha=smo.alpha.copy(), v=smo.v.copy(),
        gap=smo.gap, dual=smo.dual, count=smo.count, step=step,
    )  # fmt: skip


def _stride(count: int, points: int) -> int:
    """How many steps lie between two moments."""
    return max(min(count // FIRST_STEPS, WORK // points), 1)


def _columns(kernel: Kernel, points: Floats, C: float, tol: float) -> Columns:
    """Rounded where what that does to the gradient is far below tol."""
    largest = float(np.abs(kernel.diagonal(points)).max())
    if not math.isfinite(largest):
        raise CannotLearn("the kernel's values are too large for these data: lower gamma or the degree")
    blur = largest * C * math.sqrt(len(points)) * 2.0**-24
    return Columns(kernel, points, rounded=blur < tol / 4)


def _largest_dual(columns: Columns) -> float:
    """That of a margin too slim to be one: 1/2 |w|^2 where 1/|w| is SLIM times the width of the data."""
    column = columns[0]
    width2 = float((columns.diagonal + columns.diagonal[0] - 2.0 * column).max())
    return 0.5 / max(SLIM**2 * width2, TINY)
