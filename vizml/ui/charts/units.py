"""From a chart's units to those that are drawn: logarithms where an axis is logarithmic, rows upside down."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from vizml.data import Bounds
from vizml.data.dataset import Floats
from vizml.paint.geometry import padded
from vizml.paint.letters import typeset
from vizml.paint.ticks import Ticks, log_ticks, ticks
from vizml.scene import Axis, Chart, Series

AIR = 0.04
"""The share of an axis that stays free beyond what is drawn."""
BARE = 0.8
"""How much of its place a bar takes."""


def along(axis: Axis, values: Floats | float) -> Floats:
    """Where values lie; NaN where a logarithm has no place for them."""
    given = np.asarray(values, dtype=np.float64)
    if not axis.log:
        return given
    with np.errstate(divide="ignore", invalid="ignore"):
        places = np.log10(given)
    return np.where(np.isfinite(places), places, np.nan)


Place = TypeVar("Place", float, Floats)


def value_at(axis: Axis, place: Place) -> Place:
    """The value at a place."""
    return 10.0**place if axis.log else place


def bounds_of(chart: Chart) -> Bounds:
    """All that a chart draws, with air around it, unless its axes say where they end."""
    if chart.heat is not None:
        return -0.5, len(chart.heat.columns) - 0.5, -0.5, len(chart.heat.rows) - 0.5
    left, right = _ends(chart.x, _across(chart))
    heights = _up(chart)
    bottom, top = _ends(chart.y, heights)
    if bottom < 0 <= np.min(heights, initial=0.0, where=np.isfinite(heights)) and _stands(chart):
        bottom = 0.0
    return left, right, bottom, top


def ticks_of(axis: Axis, names: tuple[str, ...], low: float, high: float, most: int) -> Ticks:
    """Names where they are given: of an axis's places or of a heat's cells; else numbers."""
    if names and measured(axis):
        first, last = axis.low or 0.0, axis.high or 0.0
        numbers = ticks(first, last, most)
        return replace(numbers, values=(numbers.values - first) / (last - first) * (len(names) - 1))
    if names:
        return Ticks(np.arange(len(names), dtype=np.float64), tuple(map(typeset, names)))
    if axis.ticks:
        places = along(axis, np.array(list(axis.ticks)))
        seen = np.flatnonzero((places >= low) & (places <= high))
        words = list(axis.ticks.values())
        return Ticks(places[seen], tuple(typeset(words[index]) for index in seen))
    return log_ticks(low, high, most) if axis.log else ticks(low, high, most)


def measured(axis: Axis) -> bool:
    """Whether an axis says what the middles of a heat's first and last cells stand for: it has numbers."""
    return axis.low is not None and axis.high is not None and axis.low < axis.high


def bar_width(chart: Chart) -> float:
    """How wide the place of a bar is along the x-axis: the least distance of two of them."""
    places = [along(chart.x, series.x) for series in chart.series if series.kind == "bars"]
    if not places:
        return 0.0
    apart = np.diff(np.unique(np.concatenate(places)))
    apart = apart[apart > 0]
    return float(apart.min()) if len(apart) else 1.0


def _across(chart: Chart) -> Floats:
    """All places along x that are to be in sight."""
    half = bar_width(chart) / 2
    places = [along(chart.x, series.x) for series in chart.series]
    ends = [edge for x in places for edge in (x - half, x + half)] if half else places
    rules = [rule.x for rule in chart.rules if rule.x is not None]
    return np.concatenate([*ends, along(chart.x, np.array(rules, dtype=np.float64))])


def _up(chart: Chart) -> Floats:
    values = [part for series in chart.series for part in _heights(series)]
    values.append(np.array([rule.y for rule in chart.rules if rule.y is not None], dtype=np.float64))
    if _stands(chart):
        values.append(np.zeros(1))
    return along(chart.y, np.concatenate(values))


def _stands(chart: Chart) -> bool:
    """Whether something stands on the zero of y."""
    return not chart.y.log and any(series.kind in ("bars", "stems") for series in chart.series)


def _heights(series: Series) -> list[Floats]:
    return [part for part in (series.y, series.low, series.high) if part is not None]


def _ends(axis: Axis, places: Floats) -> tuple[float, float]:
    asked = [along(axis, np.nan if end is None else end).item() for end in (axis.low, axis.high)]
    seen = places[np.isfinite(places)]
    low, high = (float(seen.min()), float(seen.max())) if len(seen) else (0.0, 1.0)
    within = [free if np.isnan(end) else end for free, end in zip((low, high), asked, strict=True)]
    if within[0] <= within[1]:
        low, high = within  # so that the air is a share of what is in sight
    low, high, _, _ = padded((low, high, low, high), AIR)
    low, high = (free if np.isnan(end) else end for free, end in zip((low, high), asked, strict=True))
    return (low, high) if low < high else (low, low + 1.0)
