"""The loss of a run as a chart linked with the timeline."""

from __future__ import annotations

import numpy as np

from vizml.learn import Task
from vizml.run.frame import Frame, Moment
from vizml.scene import Axis, Chart, Series
from vizml.ui.canvas.figures import figure

DECADES = 100.0
"""The ratio of highest and lowest loss above which the axis is logarithmic."""


def loss_chart(frame: Frame, task: Task) -> Chart | None:
    """The loss of each recorded step; None where there is none to draw."""
    known = np.isfinite(frame.losses)
    if known.sum() < 2:
        return None
    losses = frame.losses[known]
    log = bool(losses.min() > 0 and losses.max() > DECADES * losses.min())
    steps = frame.steps[: len(frame.losses)][known].astype(np.float64)
    series = Series(name="loss", x=steps, y=losses)
    note = scored(frame.moment, task) if frame.moment else ""
    return Chart(
        title="Loss",
        x=Axis(title="step"),
        y=Axis(title="loss", log=log),
        series=(series,),
        cursor="step",
        note=note,
    )


def scored(moment: Moment, task: Task) -> str:
    """How good the moment shown is, on what it learned from and on what it did not."""
    name = "R²" if task is Task.REGRESS else "accuracy"
    pairs = (("train", moment.train), ("held out", moment.held))
    known = [f"{where} {figure(score, task)}" for where, score in pairs if score is not None]
    return f"{name}: {', '.join(known)}" if known else ""
