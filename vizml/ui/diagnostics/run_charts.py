"""Charts of a run: its loss, those of its state, and the position of the current parameters on a chart."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vizml.data import Dataset
from vizml.data.params import Integer, Param, Real, Value
from vizml.learn import Model, State, Task, task_named
from vizml.run.errors import guarded
from vizml.run.frame import Frame, ShownState
from vizml.scene import Axis, Chart, Series

LOG_RATIO = 100.0
"""Ratio of the highest to the lowest loss above which the axis is logarithmic."""
HALF_CELL = 0.5 + 1e-9
"""Distance beyond the last cell, in cells, up to which a value still belongs to it."""


def loss_chart(frame: Frame, task: Task) -> Chart | None:
    """Return the chart of the loss at each recorded step, if there are two or more."""
    known = np.isfinite(frame.losses)
    if known.sum() < 2:
        return None
    losses = frame.losses[known]
    log = bool(losses.min() > 0 and losses.max() > LOG_RATIO * losses.min())
    steps = frame.steps[: len(frame.losses)][known].astype(np.float64)
    return Chart(
        title="Loss",
        x=Axis(title="Step"),
        y=Axis(title="Loss", log=log),
        series=(Series(name="loss", x=steps, y=losses),),
        cursor="step",
        note=score_note(frame.shown, task) if frame.shown else "",
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
    rows = task_named(state.task_id).training_data(held)
    return guarded(state, "charts_on", lambda: state.charts_on(rows), ())


def parameter_position(chart: Chart, model: Model) -> float | None:
    """Return the position on the x-axis of the parameter that a chart varies; None for a named value."""
    value = model.values.get(chart.sets[0]) if chart.sets else None
    if value is None or not chart.choices:
        return None
    if chart.x.ticks and value in chart.choices[0]:
        return float(chart.choices[0].index(value))
    return None if isinstance(value, str) else float(value)


def parameter_cell(chart: Chart, model: Model) -> tuple[int, int] | None:
    """Return row and column of the heat map's cell nearest to the current parameters."""
    known = {param.name: param for param in model.parameters()}
    if chart.heat is None or len(chart.sets) != 2 or not set(chart.sets) <= set(known):
        return None
    column, row = (
        _nearest_choice(known[name], model.values[name], choices)
        for name, choices in zip(chart.sets, chart.choices, strict=True)
    )
    return None if row is None or column is None else (row, column)


def _nearest_choice(param: Param, value: Value, choices: Sequence[Value]) -> int | None:
    """Return the index of the nearest choice, by logarithms where the parameter's scale is logarithmic."""
    if value in choices:
        return choices.index(value)
    if not isinstance(param, Real | Integer) or isinstance(value, str):
        return None
    log = param.log and float(value) > 0
    scale = [math.log(float(each)) if log else float(each) for each in choices]
    at = math.log(value) if log else float(value)
    distance = np.abs(np.array(scale) - at)
    nearest = int(distance.argmin())
    cell = float(np.abs(np.diff(scale)).min(initial=math.inf))
    inside = min(scale) <= at <= max(scale) or distance[nearest] <= HALF_CELL * cell
    return nearest if inside else None
