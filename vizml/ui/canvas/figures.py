"""The scores in the corner of the picture, as text."""

from __future__ import annotations

from vizml.learn import Task
from vizml.run.frame import Moment


def score_lines(moment: Moment | None, task: Task) -> tuple[str, ...]:
    """Train and held-out score of a moment, a line each, as far as it has them."""
    if moment is None:
        return ()
    named = (("train", moment.train), ("held out", moment.held))
    return tuple(f"{name} {_figure(value, task)}" for name, value in named if value is not None)


def _figure(value: float, task: Task) -> str:
    if task is Task.REGRESS:
        return f"R² {value:.3f}".replace("-", "−")
    return f"{100 * value:.1f} %"
