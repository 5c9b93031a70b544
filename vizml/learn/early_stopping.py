"""Early stopping: validation points that are held out, and a return to the weights with their lowest loss."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator

from vizml.field.arrays import Ints, Mask
from vizml.learn.params import flag

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
