"""Where a model stands on a chart that varies its parameters: at a value along x, or in a cell of a heat."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vizml.data.params import Integer, Param, Real, Value
from vizml.learn import Model
from vizml.scene import Chart

HALF = 0.5 + 1e-9
"""Of the way from the last value to the next one: what is set further away is on no cell."""


def place_of(chart: Chart, model: Model) -> float | None:
    """The place along x of what a model is set to; None for a word that stands for a number."""
    value = model.values.get(chart.sets[0]) if chart.sets else None
    if value is None or not chart.choices:
        return None
    if chart.x.ticks and value in chart.choices[0]:
        return float(chart.choices[0].index(value))
    return None if isinstance(value, str) else float(value)


def cell_of(chart: Chart, model: Model) -> tuple[int, int] | None:
    """The row and column of the values nearest to those that a model is set to, if it is within the heat."""
    known = {param.name: param for param in model.parameters()}
    if chart.heat is None or len(chart.sets) != 2 or not set(chart.sets) <= set(known):
        return None
    column, row = (
        _nearest(known[name], model.values[name], choices)
        for name, choices in zip(chart.sets, chart.choices, strict=True)
    )
    return None if row is None or column is None else (row, column)


def _nearest(param: Param, value: Value, choices: Sequence[Value]) -> int | None:
    """The number of the nearest choice, by its logarithm where the parameter has one."""
    if value in choices:
        return choices.index(value)
    if not isinstance(param, Real | Integer) or isinstance(value, str):
        return None
    log = param.log and float(value) > 0
    scale = [math.log(float(each)) if log else float(each) for each in choices]
    at = math.log(value) if log else float(value)
    apart = np.abs(np.array(scale) - at)
    nearest = int(apart.argmin())
    step = float(np.abs(np.diff(scale)).min(initial=math.inf))
    inside = min(scale) <= at <= max(scale) or apart[nearest] <= HALF * step
    return nearest if inside else None
