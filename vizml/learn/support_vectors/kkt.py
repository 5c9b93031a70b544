"""KKT conditions of single points: alpha (y f - 1 + xi) = 0 and (C - alpha) xi = 0."""

from __future__ import annotations

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
