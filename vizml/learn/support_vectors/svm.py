"""Support vector machine: min |w|^2 / 2 + C sum max(0, 1 - y f(x)), f = <w, phi(x)> + b, by its dual."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from vizml.data.wording import plural
from vizml.field.arrays import Floats
from vizml.learn import CLASSIFY, Classifier, Scale, choice, flag, register, varied
from vizml.learn.learned import Learned, PointValues, scalar
from vizml.learn.model import WatchedModel
from vizml.learn.one_vs_one import F, one_vs_one_scores
from vizml.learn.support_vectors import settings
from vizml.learn.support_vectors.binary import BinarySvm, BinarySvmProblem, InseparableError, progress, train
from vizml.learn.support_vectors.kernels import KernelFunction, KernelSums, LinearKernel, chosen_kernel
from vizml.learn.support_vectors.kkt import counts_and_sums, kkt_cases, row_of_card, smallest_margins
from vizml.learn.support_vectors.views import TINY, SvmLineView, SvmPlaneView
from vizml.learn.training_data import TrainingData
from vizml.scene import Offer

FIRST_GAP = 2.0
"""Violation of the KKT conditions where all multipliers are 0."""
FALLBACK = 1e4
"""C where a hard margin is impossible."""
IMPOSSIBLE = "Hard margin impossible: classes overlap; showing C = 10,000"


@dataclass(frozen=True, eq=False, kw_only=True)
class SvmState(Classifier):
    """Machines between pairs of classes (ovo), or between each class and the rest (ova), trained in turn."""

    plane_view_class = SvmPlaneView
    line_view_class = SvmLineView
    X: Floats
    kernel: KernelFunction
    machines: tuple[BinarySvm, ...]
    """Machines whose training has begun."""
    pairs: tuple[tuple[int, int], ...]
    """Two indices into `classes` for each machine; none for ova."""
    scale: ClassVar[Scale] = Scale.MARGIN

    @cached_property
    def sums(self) -> KernelSums:
        """The decision functions: their centres are the support vectors of any machine."""
        weights = np.zeros((len(self.machines), len(self.X)))
        for row, machine in zip(weights, self.machines, strict=True):
            row[machine.problem.rows] = machine.weights
        support = weights.any(axis=0)
        bias = np.array([machine.bias for machine in self.machines])
        return KernelSums(self.X[support], weights[:, support], bias)

    def decisions(self, X: ArrayLike) -> Floats:
        """Return f (n, P) of each machine: positive for the first class of its pair, or for its own class."""
        return self.kernel.values(self.space.matrix(X), self.sums)

    def scores(self, X: ArrayLike) -> Floats:
        return np.ascontiguousarray(self.class_scores(self.decisions(X).T).T)

    def class_scores(self, decisions: NDArray[F]) -> NDArray[F]:
        """Return the scores (K, ...) of the classes from the decisions (P, ...) of the machines."""
        if len(self.classes) == 2:
            opposed = np.repeat(decisions, 2, axis=0)
            np.negative(opposed[1], out=opposed[1])
            return opposed
        if self.pairs:
            return one_vs_one_scores(decisions, self.pairs, len(self.classes))
        rest = np.full((len(self.classes) - len(decisions), *decisions.shape[1:]), -1.0, decisions.dtype)
        return np.concatenate([decisions, rest])

    def kernel_matrix(self, X: Floats) -> Floats:
        return self.kernel(X, X)

    def learned(self) -> Learned:
        """Return w, b and the width of the margin for a linear kernel, else alpha y of support vectors x.

        Of two classes f is positive for the second one, as in scikit-learn.
        """
        centres, weights, b = self.sums
        if len(self.classes) == 2:
            weights, b = -weights, -b
        if not isinstance(self.kernel, LinearKernel):
            return {"b": scalar(b), "alpha y": scalar(weights), "x": centres}
        w = weights @ centres
        width = 2.0 / np.maximum(np.sqrt((w * w).sum(axis=1)), TINY)
        return {"w": scalar(w), "b": scalar(b), "width": scalar(width)}

    def learned_axes(self) -> Mapping[str, tuple[Sequence[str], ...]]:
        inputs, machines = self.space.names, self.machine_names
        one = {"w": (machines, inputs), "b": (machines,), "width": (machines,), "alpha y": (machines, ())}
        return {**super().learned_axes(), **one}

    @property
    def machine_names(self) -> tuple[str, ...]:
        """Names of the classes that each machine separates."""
        return tuple(machine.problem.name.removesuffix(": ") for machine in self.machines)

    def row_values(self, data: TrainingData) -> PointValues:
        margin, machine = smallest_margins(self, data)
        norms = np.sqrt([max(each.norm2, TINY) for each in self.machines])
        return {"xi": np.maximum(0.0, 1.0 - margin), "margin": margin, "distance": margin / norms[machine]}

    def training_values(self) -> PointValues:
        margin, machine = smallest_margins(self, self.trained_on)
        alphas = np.zeros((len(self.machines), len(self.X)))
        for row, each in zip(alphas, self.machines, strict=True):
            row[each.problem.rows] = each.alpha
        alpha = alphas[machine, np.arange(len(self.X))]
        names = self.machine_names
        several = {"machine": np.array(names)[machine]} if len(names) > 1 else {}
        mu = np.array([each.C for each in self.machines])[machine] - alpha
        cases = kkt_cases(alpha, margin, machine, self.machines)
        return {"alpha": alpha, "case": cases, "mu": mu, **several}

    def back_values(self, row: int | None = None) -> tuple[str, ...]:
        return (*counts_and_sums(self), *(() if row is None else row_of_card(self, row)))

    def metrics(self) -> dict[str, float]:
        centres, weights, _ = self.sums
        found = {
            "support vectors": float(len(centres)),
            "bounded": float(sum(machine.bounded for machine in self.machines)),
            "KKT gap": max(machine.gap for machine in self.machines),
            "dual objective": self.loss,
            "primal objective": sum(machine.primal for machine in self.machines),
            "steps": float(sum(machine.count for machine in self.machines)),
        }
        if isinstance(self.kernel, LinearKernel) and len(self.machines) == 1:
            w = (weights @ centres)[0]
            found["margin width"] = 2.0 / max(float(np.sqrt(w @ w)), TINY)
        return found


@register(
    "svm", CLASSIFY, "Support vector machines", "Support vector machine", short="SVM",
    symbols={
        "α": (
            "Multiplier of a point; those with α > 0 are the support vectors.",
            "Support vectors",
            "Bounded support vectors",
        ),
        "w": ("Weights: the normal vector of the boundary.", "Boundaries"),
        "b": ("Intercept.",),
        "f": ("Decision function: its sign is the prediction.", "Boundaries"),
        "ξ": ("Slack of a point: its distance beyond the margin, in units of f.", "Slack"),
        "μ": ("Multiplier of ξ ≥ 0: what α lacks to C.",),
        "L": ("Lagrangian: the objective and the constraints with their multipliers.",),
    },
    remarks=(
        ("Convention: ½ |w|² + C Σ ξ, as in the notes and in scikit-learn. Notes 000 and 002 also write "
        "Σ ξ + λ |w|², where λ = 1/(2C). Note 004 writes λ for the multipliers α."),
        ("Note 004 writes the hinge loss as (y ŷ − 1)⁺; correct is (1 − y ŷ)⁺. Its complementary slackness "
        "λ (y ŷ − 1) ≥ 0 is correct with = 0."),
    ),
    synonyms=(
        "SVM", "SVC", "kernel trick", "support vector classifier", "maximum margin", "soft margin",
        "hard margin", "SMO", "KKT",
    ),
)  # fmt: skip
class SupportVectorMachine(WatchedModel):
    r"""Finds the boundary with the widest margin. Points inside the margin are penalised in proportion
    to C.

    .. math::
        \min_{w, b} \tfrac{1}{2} \|w\|^2 + C \sum_i \max(0,\, 1 - y_i f(x_i))
        f(x) = \sum_i \alpha_i y_i\, k(x_i, x) + b, \quad 0 \le \alpha_i \le C

    Lagrangian, dual problem, KKT conditions

    .. math::
        L = \tfrac{1}{2} \|w\|^2 + C \sum_i \xi_i - \sum_i \mu_i \xi_i
        \quad - \sum_i \alpha_i (y_i f(x_i) - 1 + \xi_i)
        w = \sum_i \alpha_i y_i\, \varphi(x_i), \quad \sum_i \alpha_i y_i = 0, \quad \alpha_i + \mu_i = C
        \max_{\alpha} \sum_i \alpha_i - \tfrac{1}{2} \sum_{i,j} \alpha_i \alpha_j y_i y_j\, k(x_i, x_j)
        \alpha_i (y_i f(x_i) - 1 + \xi_i) = 0, \quad \mu_i \xi_i = 0
    """

    presets = (
        Offer(
            text="(x·x′ + 1)²", tip="Polynomial kernel of degree 2 with γ = 1 and r = 1, which solves XOR",
            values={"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0},
        ),
        Offer(
            text="(x·x′ + 1)³", tip="Polynomial kernel of degree 3 with γ = 1 and r = 1",
            values={"kernel": "poly", "degree": 3, "gamma": 1.0, "coef0": 1.0},
        ),
    )  # fmt: skip

    loss: ClassVar[str] = "hinge"
    uses_distances = True

    C: float = varied(settings.COST, when={"hard": (False,)})
    hard: bool = flag(
        False, title="hard margin", help="Require every point to lie outside the margin (C without limit)."
    )
    kernel: str = settings.KERNEL
    gamma: float | str = settings.GAMMA
    degree: int = settings.DEGREE
    coef0: float = settings.COEF0
    multiclass: str = choice(
        "ovo", ("ovo", "ova"), title="multiclass",
        labels={"ovo": "one-vs-one", "ova": "one-vs-rest"},
        help="Multiclass strategy: one-vs-one (a machine for each pair of classes, voting) or one-vs-rest "
        "(a machine for each class, highest score wins).",
    )  # fmt: skip
    tol: float = settings.TOLERANCE

    def states(self, data: TrainingData, rng: Generator, *, every: bool) -> Iterator[SvmState]:
        if not self.hard:
            yield from self._run(data, self.C, watched=every)
            return
        try:
            yield from self._run(data, math.inf, watched=every)
        except InseparableError:
            yield from self._run(data, FALLBACK, f"{IMPOSSIBLE}. ", watched=every)

    def _run(self, data: TrainingData, C: float, preface: str = "", *, watched: bool) -> Iterator[SvmState]:
        """Train one machine after another; unwatched, yield a state for each."""
        kernel = chosen_kernel(self.kernel, self.gamma, self.degree, self.coef0, data.X)
        pairs = tuple(combinations(range(len(data.present)), 2)) if self.multiclass == "ovo" else ()
        problems, trained = _problems(data, pairs), tuple[BinarySvm, ...]()
        for problem in problems:
            share, machines = 0.0, trained
            for machine in train(problem, data.X, kernel, C, self.tol, watched=watched):
                machines = (*trained, machine)
                share = max(share, 1.0 if machine.ended else progress(machine.gap, FIRST_GAP, self.tol))
                yield SvmState(
                    classes=data.present, X=data.X, kernel=kernel, machines=machines, pairs=pairs,
                    loss=sum(each.dual for each in machines),
                    progress=(len(trained) + share) / len(problems),
                    note=preface + _note(machines, len(problems)),
                )  # fmt: skip
            trained = machines


def _problems(data: TrainingData, pairs: tuple[tuple[int, int], ...]) -> list[BinarySvmProblem]:
    rows = [np.flatnonzero(data.labels == label).astype(np.int64) for label in data.present]
    if len(rows) == 2:
        return [BinarySvmProblem.between(rows[0], rows[1])]
    names = data.class_names
    if pairs:
        return [
            BinarySvmProblem.between(rows[a], rows[b], f"{names[a]} against {names[b]}: ") for a, b in pairs
        ]
    every = np.arange(len(data))
    return [
        BinarySvmProblem.between(own, np.setdiff1d(every, own), f"{name} against the rest: ")
        for own, name in zip(rows, names, strict=True)
    ]


def _note(machines: tuple[BinarySvm, ...], planned: int) -> str:
    machine = machines[-1]
    problem, step = machine.problem, machine.step
    if machine.ended and len(machines) == planned:
        return (f"{planned} machines: " if planned > 1 else "") + _summary(machines)
    if machine.ended:
        return problem.name + _summary((machine,))
    if step is None:
        return f"{problem.name}no pair violates the KKT conditions"
    pair = f"pair ({problem.rows[step.i]}, {problem.rows[step.j]})"
    alpha = f"alpha {abs(step.before):.3g} → {abs(step.after):.3g}"
    return f"{problem.name}{pair}: {alpha}, KKT gap {machine.gap:.2g}"


def _summary(machines: tuple[BinarySvm, ...]) -> str:
    updates = sum(machine.count for machine in machines)
    held = len(np.unique(np.concatenate([m.problem.rows[m.weights != 0] for m in machines])))
    bounded = sum(machine.bounded for machine in machines)
    gap = max(machine.gap for machine in machines)
    state = "converged" if all(machine.converged for machine in machines) else "stopped before convergence"
    figures = f"{plural(held, 'support vector')}, {bounded} with α = C, KKT gap {gap:.2g}"
    return f"{state} after {plural(updates, 'SMO update')}: {figures}"
