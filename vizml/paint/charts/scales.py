"""Linear and logarithmic axes of a chart: positions, bounds, and ticks that fit between two ends."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from vizml.field.arrays import Bounds, Floats
from vizml.paint.geometry import padded
from vizml.paint.text import typeset
from vizml.paint.ticks import Ticks, log_ticks, ticks
from vizml.scene import Axis, Chart, Series

PADDING = 0.04
"""Share of an axis that stays free beyond the data."""
BAR_SHARE = 0.8
"""Share of its slot that a bar, or a group of bars, fills."""
Position = TypeVar("Position", float, Floats)


def to_axis(axis: Axis, values: Floats | float) -> Floats:
    """Convert values to positions: logarithms on a logarithmic axis, NaN where there is none."""
    given = np.asarray(values, dtype=np.float64)
    if not axis.log:
        return given
    with np.errstate(divide="ignore", invalid="ignore"):
        positions = np.log10(given)
    return np.where(np.isfinite(positions), positions, np.nan)


def from_axis(axis: Axis, position: Position) -> Position:
    """Convert positions on an axis to values."""
    return 10.0**position if axis.log else position


def chart_bounds(chart: Chart) -> Bounds:
    """Return the bounds of all that a chart draws, padded, except where its axes declare their ends."""
    if chart.heat is not None:
        return -0.5, len(chart.heat.columns) - 0.5, -0.5, len(chart.heat.rows) - 0.5
    left, right = _ends(chart.x, _positions_x(chart))
    heights = _positions_y(chart)
    bottom, top = _ends(chart.y, heights)
    if bottom < 0 <= np.min(heights, initial=0.0, where=np.isfinite(heights)) and _stands_on_zero(chart):
        bottom = 0.0
    return left, right, bottom, top


def axis_ticks(axis: Axis, cells: tuple[str, ...], low: float, high: float, most: int) -> Ticks:
    """Return the ticks between two positions: names of cells or of declared values, else round numbers."""
    if cells and is_measured(axis):
        return _cell_numbers(axis, len(cells) - 1, low, high, most)
    if cells or axis.ticks:
        names = cells or tuple(axis.ticks.values())
        places = (
            np.arange(len(names), dtype=np.float64) if cells else to_axis(axis, np.array(list(axis.ticks)))
        )
        shown = np.flatnonzero((places >= low) & (places <= high))
        return Ticks(places[shown], tuple(typeset(names[index]) for index in shown))
    return log_ticks(low, high, most) if axis.log else ticks(low, high, most)


def _cell_numbers(axis: Axis, last: int, low: float, high: float, most: int) -> Ticks:
    """Round numbers at their positions among cells, where the middles of the end cells have values."""
    first, end = axis.low or 0.0, axis.high or 0.0
    unit = (end - first) / max(last, 1)
    shown = max(low, 0.0) * unit + first, min(high, float(last)) * unit + first
    numbers = ticks(*shown, most)
    return replace(numbers, values=(numbers.values - first) / unit)


def is_measured(axis: Axis) -> bool:
    """Whether the cells of a heat map stand for numbers along an axis rather than for names."""
    return axis.low is not None and axis.high is not None and axis.low < axis.high


def bar_slot(chart: Chart) -> float:
    """Return the width of the slot of a bar: the least distance between two bars; 0 without bars."""
    places = [to_axis(chart.x, series.x) for series in chart.series if series.kind == "bars"]
    if not places:
        return 0.0
    gaps = np.diff(np.unique(np.concatenate(places)))
    gaps = gaps[gaps > 0]
    return float(gaps.min()) if len(gaps) else 1.0


def _positions_x(chart: Chart) -> Floats:
    half = bar_slot(chart) / 2
    places = [to_axis(chart.x, series.x) for series in chart.series]
    ends = [edge for x in places for edge in (x - half, x + half)] if half else places
    rules = [rule.x for rule in chart.rules if rule.x is not None]
    return np.concatenate([*ends, to_axis(chart.x, np.array(rules, dtype=np.float64))])


def _positions_y(chart: Chart) -> Floats:
    values = [part for series in chart.series for part in _heights(series)]
    values.append(np.array([rule.y for rule in chart.rules if rule.y is not None], dtype=np.float64))
    if _stands_on_zero(chart):
        values.append(np.zeros(1))
    return to_axis(chart.y, np.concatenate(values))


def _heights(series: Series) -> list[Floats]:
    return [part for part in (series.y, series.low, series.high) if part is not None]


def _stands_on_zero(chart: Chart) -> bool:
    return not chart.y.log and any(series.kind in ("bars", "stems") for series in chart.series)


def _ends(axis: Axis, positions: Floats) -> tuple[float, float]:
    declared = [to_axis(axis, np.nan if end is None else end).item() for end in (axis.low, axis.high)]
    finite = positions[np.isfinite(positions)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    within = [free if np.isnan(end) else end for free, end in zip((low, high), declared, strict=True)]
    if within[0] <= within[1]:
        low, high = within  # so that the padding is a share of what is visible
    low, high, _, _ = padded((low, high, low, high), PADDING)
    low, high = (free if np.isnan(end) else end for free, end in zip((low, high), declared, strict=True))
    return (low, high) if low < high else (low, low + 1.0)
