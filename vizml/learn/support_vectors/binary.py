"""Binary support vector machine: f(x) = sum_i y_i alpha_i k(x_i, x) + b between two groups of points."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from vizml.data.wording import plural
from vizml.field.arrays import Floats, Ints
from vizml.field.cancellation import check_cancelled
from vizml.learn.params import real
from vizml.learn.support_vectors.kernels import CURVATURE, KernelColumns, KernelFunction
from vizml.learn.support_vectors.smo import Smo, SmoStep

COST: Any = real(
    1.0, 1e-3, 1e4, log=True, symbol="C", title="cost", synonyms=("regularisation", "penalty"),
    help="Penalty for margin violations. High values fit the training points more closely; low values widen"
    " the margin.",
)  # fmt: skip
TOLERANCE: Any = real(
    1e-3, 1e-6, 0.1, log=True, symbol="ε", title="tolerance",
    help="Stopping tolerance: largest violation of the optimality (KKT) conditions.",
)  # fmt: skip
SHOWN = 60
"""Steps that are all shown."""
SPACING = 20
"""Steps so far divided by this are the distance between two states."""
WORK = 400_000
"""All coefficients times steps between two states, or times the free ones beyond which pairs are faster."""
EVERY = 8
"""Steps between two optimisations over all free coefficients."""
EASY = 2000
"""Steps before the first of them: short runs stay on LIBSVM's path."""
MOST_STEPS, HARD_STEPS = 100_000, 20_000
"""Largest number of steps with a soft and with a hard margin."""
MOST_FREE, BOUNDS = 200, 20
"""Free coefficients beyond which pairs are faster, and bounds that are met in a row."""
RIDGE = 1e-11
"""Keeps the system of free coefficients solvable on a flat face."""
SLIM = 1e-5
"""A hard margin below this share of the width of the data, in feature space, counts as none."""


class InseparableError(Exception):
    """No hard margin separates the two groups."""


@dataclass(frozen=True, eq=False, kw_only=True)
class BinarySvmProblem:
    """Two groups to separate: rows of the training data, and y = 1 or -1 for each."""

    rows: Ints
    y: Floats
    name: str = ""
    """Beginning of notes, where there are several problems."""

    @classmethod
    def of(cls, signs: Ints, name: str = "") -> BinarySvmProblem:
        """List the points with signs backwards: ties of `argmax` then go to the last one, as in LIBSVM."""
        rows = np.concatenate([np.flatnonzero(signs > 0), np.flatnonzero(signs < 0)])[::-1].astype(np.int64)
        return cls(rows=rows, y=signs[rows].astype(np.float64), name=name)


def class_signs(labels: Ints, classes: Ints, plus: int, minus: int) -> Ints:
    """Return 1 where a label is that class, -1 where the other one, or any other if that is -1, else 0."""
    others = labels == classes[minus] if minus >= 0 else np.isin(labels, classes)
    return np.where(labels == classes[plus], 1, np.where(others, -1, 0))


@dataclass(frozen=True, eq=False, kw_only=True)
class BinarySvm:
    """A machine after some steps of training."""

    problem: BinarySvmProblem
    C: float
    weights: Floats
    """y alpha of each of its points."""
    v: Floats
    """y - f(x) + b of each of its points."""
    bias: float = 0.0
    gap: float = math.inf
    """Largest violation of the KKT conditions."""
    dual: float = 0.0
    count: int = 0
    converged: bool = False
    step: SmoStep | None = None
    """The latest step; none at the end."""

    def __post_init__(self) -> None:
        self.weights.flags.writeable = self.v.flags.writeable = False

    @property
    def alpha(self) -> Floats:
        """Lagrange multipliers."""
        return np.abs(self.weights)

    @property
    def slack(self) -> Floats:
        """max(0, 1 - y f(x)) of each of its points."""
        y = self.problem.y
        return np.maximum(0.0, 1.0 - y * (y - self.v + self.bias))

    @property
    def norm2(self) -> float:
        """|w|^2 = alpha'Q alpha."""
        return max(2.0 * (self.dual + float(self.alpha.sum())), 0.0)

    @property
    def primal(self) -> float:
        """|w|^2 / 2 + C sum of slack; infinite while points violate a hard margin."""
        if math.isinf(self.C):
            return self.norm2 / 2 if self.converged else math.inf
        return self.norm2 / 2 + self.C * float(self.slack.sum())

    @property
    def bounded(self) -> int:
        """Number of multipliers at C."""
        return int((np.abs(self.weights) >= self.C).sum())


def train(
    problem: BinarySvmProblem,
    X: Floats,
    kernel: KernelFunction,
    C: float,
    tol: float,
    *,
    watched: bool = True,
) -> Iterator[BinarySvm]:
    """Yield the machine during training, unwatched only at its end.

    InseparableError says that a hard margin (C = inf) is impossible.
    """
    points, y, hard = X[problem.rows], problem.y, math.isinf(C)
    # the error of the gradient stays far below the tolerance
    columns = KernelColumns(kernel, points, error=tol / (4.0 * C * math.sqrt(len(points))))
    smo = Smo(columns, q=y, low=np.where(y > 0, 0.0, -C), high=np.where(y > 0, C, 0.0))
    # |w|^2 / 2 where the margin 1 / |w| is SLIM times the width of the data
    width2 = float((columns.diagonal - 2.0 * columns.column(0)).max()) + columns.diagonal.item(0)
    largest = 0.5 / max(SLIM**2 * width2, 1e-300) if hard else math.inf
    for step in chain(optimise(smo, tol, HARD_STEPS if hard else MOST_STEPS, EASY), (None,)):
        check_cancelled()
        converged = step is None and smo.gap < tol
        if hard and (-smo.dual > largest if step else not converged):
            raise InseparableError
        if watched or step is None:
            yield BinarySvm(
                problem=problem, C=C, weights=smo.w.copy(), v=smo.v.copy(), gap=smo.gap, dual=smo.dual,
                bias=smo.bias if smo.count else 0.0, count=smo.count, converged=converged, step=step,
            )  # fmt: skip


def optimise(smo: Smo, tol: float, most_steps: int, easy: int) -> Iterator[SmoStep]:
    """Run SMO to its tolerance or a number of steps, and yield the steps to show."""
    while (step := smo.step(tol)) is not None and smo.count < most_steps:
        if smo.count >= easy and smo.count % EVERY == 0:
            optimise_free(smo)
        if smo.count < SHOWN or smo.count % max(min(smo.count // SPACING, WORK // len(smo.w)), 1) == 0:
            yield step


def progress(gap: float, start: float, tol: float) -> float:
    """Return how far a gap has come down from its start to the tolerance, on a log scale."""
    return math.log(start / gap) / math.log(start / tol) if tol < gap < start else 0.0


def training_note(machines: tuple[BinarySvm, ...], planned: int) -> str:
    """Return the latest step of the last machine, or the result at its end and at that of all planned."""
    last, problem = machines[-1], machines[-1].problem
    if last.step is not None:
        pair = f"pair ({problem.rows[last.step.i]}, {problem.rows[last.step.j]})"
        alpha = f"alpha {abs(last.step.before):.3g} → {abs(last.step.after):.3g}"
        return f"{problem.name}{pair}: {alpha}, KKT gap {last.gap:.2g}"
    done = machines if len(machines) == planned else (last,)
    held = len(np.unique(np.concatenate([m.problem.rows[m.weights != 0] for m in done])))
    bounded, gap = sum(machine.bounded for machine in done), max(machine.gap for machine in done)
    state = "converged" if all(machine.converged for machine in done) else "stopped before convergence"
    updates = plural(sum(machine.count for machine in done), "SMO update")
    at_bound = f"{bounded}" if len(done) == 1 else plural(bounded, "multiplier")  # a point may have several
    figures = f"{plural(held, 'support vector')}, {at_bound} with α = C, KKT gap {gap:.2g}"
    about = f"{planned} machines: " if len(done) > 1 else problem.name
    return f"{about}{state} after {updates}: {figures}"


def optimise_free(smo: Smo) -> None:
    """Move to the minimum over the free coefficients, dropping those that reach a bound on the way."""
    for _ in range(BOUNDS):
        free = np.flatnonzero(smo.free)
        if not 2 <= len(free) <= min(MOST_FREE, WORK // len(smo.w)) or _advance(smo, free):
            return


def _advance(smo: Smo, free: Ints) -> bool:
    """Move along a straight line; False where a bound cut it short."""
    points = free % len(smo.columns.diagonal)
    columns = smo.columns.rows(points)
    square = columns[:, points]
    w, v, low, high = smo.w[free], smo.v[free], smo.low[free], smo.high[free]
    direction = equality_minimum(square, v)
    direction -= direction.mean()  # a long step has lost the digits that keep the sum at 0
    gain, curvature = float(direction @ v), float(direction @ square @ direction)
    if not gain > 0:
        return True
    shares = np.abs(direction) / np.where(direction > 0, high - w, w - low)
    length = min(1.0 / max(float(shares.max()), CURVATURE), gain / curvature if curvature > 0 else math.inf)
    bounds = np.where(direction > 0, high, low)
    ends = np.where(length * shares >= 1.0, bounds, w + length * direction)
    smo.set(free, ends, length * (direction @ columns))
    smo.dual -= length * (gain - 0.5 * length * curvature)
    return bool(length * shares.max() < 1.0)


def equality_minimum(K: Floats, v: Floats) -> Floats:
    """Return the change of w with sum 0 that makes v - K change constant.

    On a flat face none does; the ridge then gives a long step downhill, until it meets a bound.
    """
    size, unit = len(v), float(np.abs(K).max())
    system = np.full((size + 1, size + 1), unit)
    system[:size, :size] = K + RIDGE * unit * np.eye(size)
    system[size, size] = 0.0
    try:
        return np.linalg.solve(system, np.append(v, 0.0))[:size]
    except np.linalg.LinAlgError:
        return np.zeros(size)
