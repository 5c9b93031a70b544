"""Support vector machine: min 1/2 |w|^2 + C sum max(0, 1 - y f(x)), f = <w, phi(x)> + b, by its dual."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from vizml.field import Field, Raster
from vizml.learn import CLASSIFY, Classifier, Model, Scale, choice, flag, register
from vizml.learn.one_vs_one import F, one_vs_one_scores
from vizml.learn.state import Floats, Ints
from vizml.learn.support_vectors import settings
from vizml.learn.support_vectors.kernels import Kernel, Linear
from vizml.learn.support_vectors.machine import TINY, Machine, Overlap, Task, train
from vizml.learn.support_vectors.overlays import margins, slack_lines, support_rings
from vizml.learn.training_data import TrainingData
from vizml.scene import Mark

BAND = 96
"""Rows of a field at a time, where there are many pairs."""
OVERLAPPING = 1e4
"""What C is when a hard margin is impossible."""
IMPOSSIBLE = "Hard margin impossible: classes overlap; showing C = 10,000"


@dataclass(frozen=True, eq=False, kw_only=True)
class SupportVectors(Classifier):
    """Machines between pairs of classes (ovo), or between each class and the rest (ova), trained in turn."""

    points: Floats
    kernel: Kernel
    machines: tuple[Machine, ...]
    """Those that have begun."""
    pairs: tuple[tuple[int, int], ...]
    """Two classes for each machine to come, by their place in `classes`; none for ova."""
    scale: ClassVar[Scale] = Scale.MARGIN

    @cached_property
    def support(self) -> Ints:
        """Which points are support vectors of any machine, rising."""
        rows = [machine.task.rows[machine.alpha > 0] for machine in self.machines]
        return np.unique(np.concatenate(rows))

    @cached_property
    def weights(self) -> Floats:
        """y a of each support vector in each machine (P, m)."""
        out = np.zeros((len(self.machines), len(self.points)))
        for row, machine in zip(out, self.machines, strict=True):
            row[machine.task.rows] = machine.weights
        return out[:, self.support]

    @property
    def centres(self) -> Floats:
        """The support vectors."""
        return self.points[self.support]

    @property
    def bias(self) -> Floats:
        """b of each machine."""
        return np.array([machine.bias for machine in self.machines])

    def decisions(self, X: ArrayLike) -> Floats:
        """f (n, P) of each machine: positive for the first of its pair, or for its class against the rest."""
        return self.kernel.sums(np.asarray(X, dtype=np.float64), self.centres, self.weights, self.bias)

    def scores(self, X: ArrayLike) -> Floats:
        return np.ascontiguousarray(self._scored(self.decisions(X).T).T)

    def field(self, raster: Raster) -> Field:
        if len(self.classes) == 2:
            return self._scored(self._decided(raster))
        out = np.empty((len(self.classes), *raster.shape), dtype=np.float32)
        for rows, band in raster.bands(BAND):
            out[:, rows] = self._scored(self._decided(band))
        return out

    def marks(self) -> tuple[Mark, ...]:
        lines = margins(self.classes)
        rings = support_rings(self.points, self.machines)
        slack = slack_lines(self.points, self.machines, self.kernel)
        return (*lines, *slack, *rings)

    def metrics(self) -> dict[str, float]:
        found = {
            "support vectors": float(len(self.support)),
            "bounded": float(sum(machine.bounded for machine in self.machines)),
            "KKT gap": max(machine.gap for machine in self.machines),
            "dual objective": self.loss,
            "primal objective": sum(machine.primal for machine in self.machines),
            "steps": float(sum(machine.count for machine in self.machines)),
        }
        if isinstance(self.kernel, Linear) and len(self.machines) == 1:
            normal = (self.weights @ self.centres)[0]
            found["margin width"] = 2.0 / max(float(np.hypot(normal[0], normal[1])), TINY)
        return found

    def _decided(self, raster: Raster) -> Field:
        return self.kernel.field(raster, self.centres, self.weights, self.bias)

    def _scored(self, decisions: NDArray[F]) -> NDArray[F]:
        """Scores (K, ...) from decisions (P, ...)."""
        if len(self.classes) == 2:
            return np.concatenate([decisions, -decisions])
        if self.pairs:
            return one_vs_one_scores(decisions, self.pairs, len(self.classes))
        rest = np.full((len(self.classes) - len(decisions), *decisions.shape[1:]), -1.0, decisions.dtype)
        return np.concatenate([decisions, rest])


@register(
    "svm",
    task=CLASSIFY,
    family="Margins",
    title="Support vector machine",
    about="Parts the classes by the widest margin that it can buy at the price C for each point inside it.",
    formula=(
        r"\min_{w, b} \tfrac{1}{2} \|w\|^2 + C \sum_i \max(0,\, 1 - y_i f(x_i))",
        r"f(x) = \sum_i \alpha_i y_i\, k(x_i, x) + b, \quad 0 \le \alpha_i \le C",
    ),
)
@dataclass(frozen=True)
class SupportVectorMachine(Model):
    C: float = settings.cost(
        "price of a point inside the margin: high follows the points, low keeps the margin wide",
        when={"hard": (False,)},
    )
    hard: bool = flag(False, title="hard margin", help="no point may lie inside the margin: C without limit")
    kernel: str = settings.kernel("boundary")
    gamma: float | str = settings.gamma("1 / (2 variance of the coordinates)")
    degree: int = settings.degree()
    coef0: float = settings.coef0()
    multiclass: str = choice(
        "ovo",
        ("ovo", "ova"),
        title="several classes",
        labels={"ovo": "one against one", "ova": "one against all"},
        help="a machine for each pair of classes, who vote, or one for each class, of which the surest wins",
    )
    tol: float = settings.tolerance("ε")

    def steps(self, data: TrainingData, rng: Generator) -> Iterator[SupportVectors]:
        del rng
        if not self.hard:
            yield from self._run(data, self.C)
            return
        try:
            yield from self._run(data, math.inf)
        except Overlap:
            yield from self._run(data, OVERLAPPING, f"{IMPOSSIBLE}. ")

    def _run(self, data: TrainingData, C: float, preface: str = "") -> Iterator[SupportVectors]:
        """One machine after another, each with those that were trained before it."""
        classes, kernel = data.present, self._kernel(data.points)
        pairs = tuple(combinations(range(len(classes)), 2)) if self.multiclass == "ovo" else ()
        tasks = self._tasks(data, pairs)
        trained: tuple[Machine, ...] = ()
        for task in tasks:
            share, machines = 0.0, trained
            for machine in train(task, data.points, kernel, C, self.tol):
                machines = (*trained, machine)
                share = max(share, self._share(machine))
                yield SupportVectors(
                    classes=classes, points=data.points, kernel=kernel, machines=machines, pairs=pairs,
                    loss=sum(each.dual for each in machines),
                    progress=(len(trained) + share) / len(tasks),
                    note=preface + _note(machines, len(tasks)),
                )  # fmt: skip
            trained = machines

    def _tasks(self, data: TrainingData, pairs: tuple[tuple[int, int], ...]) -> list[Task]:
        rows = [np.flatnonzero(data.labels == label).astype(np.int64) for label in data.present]
        names = [data.name(int(label)) for label in data.present]
        if len(rows) == 2:
            return [Task.between(rows[0], rows[1])]
        if pairs:
            return [Task.between(rows[a], rows[b], f"{names[a]} against {names[b]}: ") for a, b in pairs]
        return [
            Task.between(own, np.setdiff1d(np.arange(len(data)), own), f"{name} against the rest: ")
            for own, name in zip(rows, names, strict=True)
        ]

    def _share(self, machine: Machine) -> float:
        """How far the gap has come from 2, where it starts, to tol, on a log scale."""
        if machine.ended:
            return 1.0
        return min(max(math.log(2.0 / machine.gap) / math.log(2.0 / self.tol), 0.0), 1.0)

    def _kernel(self, points: Floats) -> Kernel:
        gamma = settings.gamma_of(self.gamma, 2.0 * float(points.var()))
        return settings.kernel_of(self.kernel, gamma, self.degree, self.coef0)


def _note(machines: tuple[Machine, ...], planned: int) -> str:
    """What the last machine did; at the end of all, what they found."""
    machine = machines[-1]
    task, step = machine.task, machine.step
    if machine.ended and len(machines) == planned:
        words = f"{planned} machines: " if planned > 1 else ""
        return words + _summary(machines)
    if machine.ended:
        return task.words + _summary((machine,))
    if step is None:
        return f"{task.words}nothing to improve"
    pair = f"pair ({task.rows[step.i]}, {task.rows[step.j]})"
    return f"{task.words}{pair}: alpha {step.before:.3g} → {step.after:.3g}, KKT gap {step.gap:.2g}"


def _summary(machines: tuple[Machine, ...]) -> str:
    steps = sum(machine.count for machine in machines)
    held = len(np.unique(np.concatenate([machine.task.rows[machine.alpha > 0] for machine in machines])))
    bounded = sum(machine.bounded for machine in machines)
    gap = max(machine.gap for machine in machines)
    how = "optimal" if all(machine.met for machine in machines) else "not optimal yet, but stopped"
    return f"{how} after {steps} steps: {held} support vectors, {bounded} alphas at C, KKT gap {gap:.2g}"
