"""Iterative training: learning-rate schedules, and early stopping by a validation set."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Ints, Mask
from vizml.learn.params import choice, flag, real

SCHEDULES = {
    "constant": "constant", "inverse": "1/t: η/(1 + kt)", "exponential": "exponential: η exp(−kt)",
    "step": "step: η halved every 1/k epochs",
}  # fmt: skip
DECAYING = tuple(SCHEDULES)[1:]

LEARNING_RATE: Any = real(
    0.1, 1e-4, 100.0, log=True, symbol="η", title="learning rate", help="Learning rate."
)
SCHEDULE: Any = choice(
    "constant", tuple(SCHEDULES), labels=SCHEDULES, title="schedule", synonyms=("learning-rate decay",),
    help="Learning-rate schedule: how the learning rate falls with the epoch t.",
)  # fmt: skip
DECAY: Any = real(
    0.1, 1e-4, 10.0, log=True, symbol="k", title="decay",
    help="Decay of the learning rate for each epoch.",
)  # fmt: skip


class Schedule(NamedTuple):
    """The rule by which a learning rate falls, and its decay for each epoch.

    >>> [round(Schedule("inverse", 1.0).rate(0.6, epoch), 3) for epoch in range(4)]
    [0.6, 0.3, 0.2, 0.15]
    """

    name: str = "constant"
    decay: float = 0.0

    def rate(self, first: float, epoch: int) -> float:
        """Return the learning rate of an epoch, counted from 0."""
        t = self.decay * epoch
        match self.name:
            case "inverse":
                return first / (1.0 + t)
            case "exponential":
                return first * math.exp(-t)
            case "step":
                return first * 0.5 ** math.floor(t + 1e-9)
            case _:
                return first


SHARE, LEAST = 0.2, 5
"""Share of the points that are held out; fewer points than the second number say nothing."""
PATIENCE = 30
"""Epochs without a lower validation loss before training stops."""
EARLY_STOP: Any = flag(
    False, title="early stopping",
    help="Early stopping: hold out a fifth of the points as a validation set, and return to the weights "
    "with the lowest validation loss.",
)  # fmt: skip


def hold_out(groups: Ints, share: float, rng: Generator) -> Mask:
    """Draw this share of each group, but never all of one."""
    out = np.zeros(len(groups), dtype=np.bool_)
    for group in np.unique(groups):
        own = np.flatnonzero(groups == group)
        out[rng.permutation(own)[: min(round(share * len(own)), len(own) - 1)]] = True
    return out


def validation_rows(groups: Ints, rng: Generator) -> Ints:
    """Draw the rows held out for early stopping: a share of each group, or none if too few."""
    rows = np.flatnonzero(hold_out(groups, SHARE, rng))
    return rows if len(rows) >= LEAST else rows[:0]


def validation_split(wanted: bool, groups: Ints, rng: Generator) -> tuple[Ints, str]:
    """Return the rows of the validation set, none unless it is wanted, and the start of the first note."""
    if not wanted:
        return np.empty(0, dtype=np.int64), ""
    rows = validation_rows(groups, rng)
    if not len(rows):
        return rows, f"too few points ({len(groups)}) for a validation set; "
    return rows, f"{len(rows)} of {len(groups)} points held out for validation; "


def restored(unit: str, number: float, loss: float) -> str:
    """Return the end of the last note."""
    return f"back to {unit} {number:.4g}, which has the lowest validation loss, {loss:.4g}"
