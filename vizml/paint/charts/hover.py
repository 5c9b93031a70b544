"""The point or cell of a chart under the pointer, and its values as text."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vizml.paint.charts.layout import ChartLayout
from vizml.scene import Axis, Chart, Series

REACH = 48.0
"""Pixels within which a point counts as under the pointer."""
FLATTENED = 0.25
"""Weight of vertical distance for lines: one points at a line's x."""
MARGIN = 12.0
"""Pixels around the plot that still belong to it."""
MOST_LINES = 6
"""Series that are described together at most."""


@dataclass(frozen=True)
class Hover:
    """A point by the numbers of series and point, or a cell by its row and column."""

    series: int = -1
    point: int = -1
    cell: tuple[int, int] | None = None


def find(layout: ChartLayout, x: float, y: float) -> Hover | None:
    """Return the point or cell nearest to a place in pixels, if one is near."""
    if layout.chart.heat is not None:
        cell = layout.cell_at(x, y)
        return Hover(cell=cell) if cell is not None else None
    if not layout.geometry.plot.adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN).contains(x, y):
        return None
    best, least = None, REACH * layout.geometry.type_scale
    for number, series in enumerate(layout.chart.series):
        if not len(series.x):
            continue
        across, up = (layout.pixels(series) - (x, y)).T
        weight = 1.0 if series.kind == "dots" else FLATTENED
        distance = np.nan_to_num(np.hypot(across, up * weight), nan=math.inf)
        nearest = int(np.argmin(distance))
        if distance[nearest] < least:
            best, least = Hover(number, nearest), float(distance[nearest])
    return best


def exists(chart: Chart, hover: Hover) -> bool:
    """Whether a chart has the point or cell."""
    if hover.cell is not None:
        heat = chart.heat
        return heat is not None and hover.cell[0] < len(heat.rows) and hover.cell[1] < len(heat.columns)
    known = 0 <= hover.series < len(chart.series)
    return known and 0 <= hover.point < len(chart.series[hover.series].x)


def describe(chart: Chart, hover: Hover) -> list[str]:
    """Return the values of a point or cell, a line each, the position first."""
    if hover.cell is not None:
        return _describe_cell(chart, *hover.cell)
    series = chart.series[hover.series]
    x = float(series.x[hover.point])
    lines = [f"{chart.x.title or 'x'} {number(chart.x, x)}"]
    for other in _series_at(chart, series, x)[:MOST_LINES]:
        point = hover.point if other is series else int(np.flatnonzero(other.x == x)[0])
        lines.append(f"{other.name or chart.y.title or 'y'} {_value(chart.y, other, point)}")
    return lines


def number(axis: Axis, value: float) -> str:
    """Format a value, by the name of its tick where it has one."""
    if value in axis.ticks:
        return axis.ticks[value]
    return f"{value:.4g}".replace("-", "\N{MINUS SIGN}")


def _series_at(chart: Chart, series: Series, x: float) -> list[Series]:
    """Return the series itself, then the other lines with a point at the same x; dots stand alone."""
    if series.kind == "dots":
        return [series]
    others = (other for other in chart.series if other is not series and other.kind != "dots")
    return [series, *(other for other in others if (other.x == x).any())]


def _describe_cell(chart: Chart, row: int, column: int) -> list[str]:
    heat = chart.heat
    if heat is None:
        return []
    value = heat.values[row, column]
    text = heat.texts[row][column].replace("\n", ", ") if heat.texts else ""
    lines = [
        f"{chart.y.title or 'row'} {heat.rows[row]}",
        f"{chart.x.title or 'column'} {heat.columns[column]}",
        text or (f"{value:.4g}" if np.isfinite(value) else "unknown"),
    ]
    return [*lines, "best value"] if heat.marked == (row, column) else lines


def _value(axis: Axis, series: Series, point: int) -> str:
    value = number(axis, float(series.y[point]))
    if series.low is None or series.high is None:
        return value
    low, high = (number(axis, float(edge[point])) for edge in (series.low, series.high))
    return f"{value} ({low} to {high})"
