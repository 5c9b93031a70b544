"""Position of the current parameters of a model on charts over parameters."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vizml.data.params import Integer, Param, Real, Value
from vizml.learn import Model
from vizml.scene import Chart

HALF_CELL = 0.5 + 1e-9
"""Distance beyond the last cell, in cells, up to which a value still belongs to it."""


def parameter_position(chart: Chart, model: Model) -> float | None:
    """Return the position on the x-axis of the parameter that a chart varies; None for a named value."""
    value = model.values.get(chart.sets[0]) if chart.sets else None
    if value is None or not chart.choices:
        return None
    if chart.x.ticks and value in chart.choices[0]:
        return float(chart.choices[0].index(value))
    param = next(param for param in model.parameters() if param.name == chart.sets[0])
    return None if isinstance(value, str) or _unlimited(param, value) else float(value)


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
    if not isinstance(param, Real | Integer) or isinstance(value, str) or _unlimited(param, value):
        return None
    log = param.log and float(value) > 0
    scale = [math.log(float(each)) if log else float(each) for each in choices]
    at = math.log(value) if log else float(value)
    distance = np.abs(np.array(scale) - at)
    nearest = int(distance.argmin())
    cell = float(np.abs(np.diff(scale)).min(initial=math.inf))
    inside = min(scale) <= at <= max(scale) or distance[nearest] <= HALF_CELL * cell
    return nearest if inside else None


def _unlimited(param: Param, value: Value) -> bool:
    return isinstance(param, Integer) and param.unlimited(value)
