"""Charts of a run: its loss and those of its states."""

from __future__ import annotations

import numpy as np

from vizml.data import Dataset
from vizml.field.arrays import Floats, Ints
from vizml.learn import State, Task
from vizml.run.errors import guarded
from vizml.run.request import ShownState
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


def score_note(moment: ShownState, task: Task) -> str:
    """Describe the training score and the held-out score of a recorded step."""
    if task.score is None:
        return ""
    scores = (("train", moment.train), ("held out", moment.held))
    known = [f"{where} {task.score.figure(score)}" for where, score in scores if score is not None]
    return f"{task.score.name}: {', '.join(known)}" if known else ""


def state_charts(state: State, held: Dataset | None = None) -> tuple[Chart, ...]:
    """Return the charts of a state, evaluated on held-out points where there are any."""
    if held is None or not len(held):
        return guarded(state, "charts", state.charts, ())
    rows = state.task.training_data(held)
    return guarded(state, "charts_on", lambda: state.charts_on(rows), ())
