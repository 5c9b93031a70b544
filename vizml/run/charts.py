"""Charts of training runs."""

from __future__ import annotations

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.scene import Axis, Chart, Series

LOG_RATIO = 100.0
"""Ratio of the highest to the lowest loss above which the axis is logarithmic."""


def loss_chart(steps: Ints, losses: Floats, note: str = "") -> Chart | None:
    """Return the chart of the loss over the recorded steps; None for fewer than two known losses."""
    known = np.isfinite(losses)
    if known.sum() < 2:
        return None
    losses, steps = losses[known], steps[: len(known)][known]
    log = bool(losses.min() > 0 and losses.max() > LOG_RATIO * losses.min())
    return Chart(
        title="Loss",
        x=Axis(title="Step"),
        y=Axis(title="Loss", log=log),
        series=(Series(name="loss", x=steps.astype(np.float64), y=losses),),
        cursor="step",
        note=note,
    )
