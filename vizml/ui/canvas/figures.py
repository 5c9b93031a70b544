"""The scores in the corner of the picture, as text."""

from __future__ import annotations

from vizml.learn import Task
from vizml.run.frame import Moment


def score_lines(moment: Moment | None, task: Task, threshold: float = 0.0) -> tuple[str, ...]:
    """Train and held-out score of a moment, a line each, as far as it has them, and the threshold if any."""
    if moment is None:
        return ()
    named = (("train", moment.train), ("held out", moment.held))
    what = "R² " if task is Task.REGRESS else ""
    scores = tuple(f"{name} {what}{figure(value, task)}" for name, value in named if value is not None)
    moved = (f"threshold {threshold:.3g}".replace("-", "−"),) if threshold else ()
    return scores + moved if scores else ()


def figure(value: float, task: Task) -> str:
    """A score as it is told everywhere: R² as a number, all others in percent."""
    if task is Task.REGRESS:
        return f"{value:.3f}".replace("-", "−")
    return f"{100 * value:.1f} %"
