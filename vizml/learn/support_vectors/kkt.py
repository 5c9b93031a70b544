"""KKT conditions of single points: alpha (y f - 1 + xi) = 0 and (C - alpha) xi = 0."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vizml.field.arrays import Floats, Ints
from vizml.learn.support_vectors.binary import BinarySvm
from vizml.learn.training_data import TrainingData

if TYPE_CHECKING:
    from vizml.learn.support_vectors.svm import SvmState

TOLERANCE = 1e-3
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


def smallest_margins(state: SvmState, data: TrainingData) -> tuple[Floats, Ints]:
    """Return the smallest y f (n,) of each row over the machines that know its class, and that machine.

    NaN for rows of a class that no machine knows.
    """
    signs = np.array([_signs(state, data.labels, number) for number in range(len(state.machines))])
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


def _signs(state: SvmState, labels: Ints, number: int) -> Ints:
    """Return y of each label for one machine: 1, -1, or 0 where it is none of its classes."""
    one_against_one = len(state.classes) == 2 or state.pairs
    own, other = (state.pairs or ((0, 1),))[number] if one_against_one else (number, -1)
    negative = labels == state.classes[other] if one_against_one else np.isin(labels, state.classes)
    return np.where(labels == state.classes[own], 1, np.where(negative, -1, 0))


def kkt_cases(
    alpha: Floats, margin: Floats, machine: Ints, machines: Sequence[BinarySvm]
) -> NDArray[np.str_]:
    """Return the case of the KKT conditions of each training point, in words."""
    slacks = [max(2 * each.gap, ROUNDING) if each.converged else TOLERANCE for each in machines]
    slack, C = np.array(slacks)[machine], np.array([each.C for each in machines])[machine]
    conditions = (
        (alpha <= 0) & (margin >= 1 - slack),
        (alpha > 0) & (alpha < C) & (np.abs(margin - 1) <= slack),
        (alpha >= C) & (margin <= 1 + slack) & (margin >= 0),
        (alpha >= C) & (margin < 0),
    )
    return np.select(conditions, (OUTSIDE, ON, INSIDE, WRONG), VIOLATED)
