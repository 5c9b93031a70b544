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

from vizml.field.arrays import Floats, Ints
from vizml.learn import CLASSIFY, Classifier, Scale, choice, flag, register, varied
from vizml.learn.learned import Learned, PointValues, scalar
from vizml.learn.model import WatchedModel
from vizml.learn.one_vs_one import F, one_vs_one_scores
from vizml.learn.support_vectors.binary import (
    COST,
    TOLERANCE,
    BinarySvm,
    BinarySvmProblem,
    InseparableError,
    class_signs,
    progress,
    train,
    training_note,
)
from vizml.learn.support_vectors.kernels import (
    COEF0,
    DEGREE,
    GAMMA,
    KERNEL,
    KernelFunction,
    KernelSums,
    LinearKernel,
    chosen_kernel,
)
from vizml.learn.support_vectors.views import TINY, SvmLineView, SvmPlaneView
from vizml.learn.training_data import TrainingData
from vizml.scene import Offer

FIRST_GAP = 2.0
"""Violation of the KKT conditions where all multipliers are 0."""
FALLBACK = 1e4
"""C where a hard margin is impossible."""
IMPOSSIBLE = "Hard margin impossible: classes overlap; showing C = 10,000"
NEAR = 1e-3
"""Distance of y f from 1 up to which a point counts as on the margin while a machine is being trained."""
ROUNDING = 1e-6
"""The same for the rounding of f."""
OUTSIDE, ON, INSIDE, WRONG, VIOLATED = (
    "outside the margin: α = 0",
    "on the margin: 0 < α < C",
    "inside the margin: α = C, ξ ≤ 1",
    "misclassified: α = C, ξ > 1",
    "KKT conditions violated",
)


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
    """Two indices into `classes` for each machine; none for ova of more than two classes."""
    scale: ClassVar[Scale] = Scale.MARGIN

    @property
    def groups(self) -> tuple[tuple[int, int], ...]:
        """The indices of the classes +1 and -1 of each machine; -1 for all other classes."""
        return self.pairs or tuple((k, -1) for k in range(len(self.classes)))

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


def smallest_margins(state: SvmState, data: TrainingData) -> tuple[Floats, Ints]:
    """Return the smallest y f (n,) of each row over the machines that know its class, and that machine.

    NaN for rows of a class that no machine knows.
    """
    groups = zip(state.groups, state.machines)
    signs = np.array([class_signs(data.labels, state.classes, *group) for group, _ in groups])
    margins = np.where(signs == 0, np.inf, signs * state.decisions(data.X).T)
    machine = margins.argmin(axis=0)
    smallest = margins[machine, np.arange(len(data))]
    return np.where(np.isinf(smallest), np.nan, smallest), machine


def counts_and_sums(state: SvmState) -> tuple[str, ...]:
    """Return the number of multipliers of each kind, the objectives and the weights of all machines."""
    alphas = [machine.alpha for machine in state.machines]
    zero, bounded = sum(int((a == 0).sum()) for a in alphas), sum(one.bounded for one in state.machines)
    free = sum(map(len, alphas)) - zero - bounded
    balance = max(abs(float(machine.weights.sum())) for machine in state.machines)
    primal, dual = sum(machine.primal for machine in state.machines), -state.loss
    gap = f", gap {max(primal - dual, 0.0):.2g}" if math.isfinite(primal) else ""
    lines = (
        f"α = 0: {zero:,}, 0 < α < C: {free:,}, α = C: {bounded:,}",
        f"Σ α y = {balance if balance > ROUNDING else 0.0:.2g}",
        f"primal {primal:.5g}, dual {dual:.5g}{gap}".replace("inf", "∞"),
    )
    if len(state.machines) > 1:
        return lines
    b = -state.machines[0].bias if len(state.classes) == 2 else state.machines[0].bias
    return (*lines, f"|w| = {math.sqrt(state.machines[0].norm2):.4g}, b = {b:z.4g}")


def row_of_card(state: SvmState, row: int) -> tuple[str, ...]:
    """Return the multipliers, the slack and the KKT case of a training row."""
    margins, machine = smallest_margins(state, state.trained_on.take(np.array([row])))
    used = state.machines[int(machine[0])]
    own = np.flatnonzero(used.problem.rows == row)
    if not len(own):
        return ()
    alpha, margin = used.alpha[own], float(margins[0])
    case = kkt_cases(alpha, margins, np.zeros(1, dtype=np.int64), (used,))[0]
    mu = f"{used.C - alpha[0]:.3g}".replace("inf", "∞")
    return (
        f"point {row}: α = {alpha[0]:.3g}, μ = C − α = {mu}",
        f"y f(x) = {margin:.3g}, ξ = {max(0.0, 1.0 - margin):.2g}",
        str(case),
    )


def kkt_cases(
    alpha: Floats, margin: Floats, machine: Ints, machines: Sequence[BinarySvm]
) -> NDArray[np.str_]:
    """Return the case of the KKT conditions of each training point, in words."""
    slacks = [max(2 * each.gap, ROUNDING) if each.converged else NEAR for each in machines]
    slack, C = np.array(slacks)[machine], np.array([each.C for each in machines])[machine]
    conditions = (
        (alpha <= 0) & (margin >= 1 - slack),
        (alpha > 0) & (alpha < C) & (np.abs(margin - 1) <= slack),
        (alpha >= C) & (margin <= 1 + slack) & (margin >= 0),
        (alpha >= C) & (margin < 0),
    )
    return np.select(conditions, (OUTSIDE, ON, INSIDE, WRONG), VIOLATED)


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

    C: float = varied(COST, when={"hard": (False,)})
    hard: bool = flag(
        False, title="hard margin", help="Require every point to lie outside the margin (C without limit)."
    )
    kernel: str = KERNEL
    gamma: float | str = GAMMA
    degree: int = DEGREE
    coef0: float = COEF0
    multiclass: str = choice(
        "ovo", ("ovo", "ova"), title="multiclass",
        labels={"ovo": "one-vs-one", "ova": "one-vs-rest"},
        help="Multiclass strategy: one-vs-one (a machine for each pair of classes, voting) or one-vs-rest "
        "(a machine for each class, highest score wins).",
    )  # fmt: skip
    tol: float = TOLERANCE

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
        names, classes = data.class_names, range(len(data.present))
        pairs = tuple(combinations(classes, 2)) if self.multiclass == "ovo" or len(classes) == 2 else ()
        state = SvmState(classes=data.present, X=data.X, kernel=kernel, machines=(), pairs=pairs)
        trained = tuple[BinarySvm, ...]()
        for plus, minus in state.groups:
            against = f"{names[plus]} against {names[minus] if pairs else 'the rest'}: "
            signs = class_signs(data.labels, data.present, plus, minus)
            problem = BinarySvmProblem.of(signs, against if len(names) > 2 else "")
            share, machines = 0.0, trained
            for machine in train(problem, data.X, kernel, C, self.tol, watched=watched):
                machines = (*trained, machine)
                share = max(share, progress(machine.gap, FIRST_GAP, self.tol) if machine.step else 1.0)
                yield state.later(
                    machines=machines, loss=sum(each.dual for each in machines),
                    progress=(len(trained) + share) / len(state.groups),
                    note=preface + training_note(machines, len(state.groups)),
                )  # fmt: skip
            trained = machines
