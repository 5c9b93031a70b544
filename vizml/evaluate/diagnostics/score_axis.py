"""The axis of scores: where a few R² are far below 0 it leaves them out, and a note says so."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vizml.learn import REGRESS, Task
from vizml.scene import Axis, Series

FLOOR, CEILING = -1.0, 1.05
"""An R² below says no more than that the curve is useless, and would press the others together."""
SHORT = 10.0


def measure(task: Task) -> str:
    """What a score of the task is called."""
    return "R²" if task is REGRESS else "accuracy"


def told(score: float) -> str:
    """A score in a sentence, also one that is far from those that one hopes for."""
    return f"{score:.3f}" if abs(score) < SHORT else f"{score:.3g}"


def score_axis(task: Task, series: Sequence[Series]) -> Axis:
    """That of series of scores; it ends at FLOOR where some of them are below and others are not."""
    values = np.concatenate([part for one in series for part in (one.y, one.low) if part is not None])
    known = values[np.isfinite(values)]
    split = task is REGRESS and len(known) and known.min() < FLOOR < known.max()
    return Axis(title=measure(task), low=FLOOR, high=CEILING) if split else Axis(title=measure(task))


def left_out(axis: Axis, series: Sequence[Series], where: str) -> str:
    """What of them lies below the axis: how many, and the least of them; `where` says what x is."""
    if axis.low is None:
        return ""
    y, x = (np.concatenate([getattr(one, name) for one in series]) for name in "yx")
    below = np.flatnonzero(y < axis.low)
    if not len(below):
        return ""
    least = below[y[below].argmin()]
    return f"R² down to {told(y[least])} at {where} {x[least]:g} is below the axis".replace("-", "−")
