"""Values of a chart as positions on its axes, and its series and rules as marks that the canvas can draw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from vizml.field.arrays import Bounds, Floats
from vizml.paint.axes import Ticks, log_ticks, ticks
from vizml.paint.geometry import padded
from vizml.scene import Axis, Band, Chart, Ink, Mark, Path, Rule, Segments, Series, TextLabels
from vizml.scene.typesetting import typeset

PADDING = 0.04
"""Share of an axis that stays free beyond the data."""
BAR_SHARE = 0.8
"""Share of its slot that a bar, or a group of bars, fills."""
BAND_OPACITY, BAR_OPACITY = 0.18, 0.85
WHISKER_WIDTH, RULE_WIDTH = 1.5, 1.0
DIAGONAL_POINTS = 64
"""Points of the diagonal, which is curved where only one axis is logarithmic."""
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
        names = tuple(axis.ticks.values()) or cells
        positions = np.array(list(axis.ticks) or range(len(names)), dtype=np.float64)
        places = to_axis(axis, positions) if axis.ticks else positions
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


def series_marks(chart: Chart, bounds: Bounds) -> Iterator[Mark]:
    """Yield bands, whiskers and bars, then rules, then lines and stems: the order in which they are drawn."""
    for series in chart.series:
        if series.kind == "bars":
            yield _bars(chart, series, bounds)
        if series.low is not None and series.high is not None:
            line = series.kind in ("line", "step")
            yield (_band if line else whiskers)(chart, series, series.low, series.high)
    for rule in chart.rules:
        yield _rule(chart, rule, bounds)
    for series in chart.series:
        if series.kind in ("line", "step"):
            yield _line(chart, series)
        elif series.kind == "stems":
            yield _stems(chart, series, bounds)


def polyline(chart: Chart, series: Series) -> Floats:
    """Return the line (n, 2) of a series; steps hold each value until the next point."""
    points = _points(chart, series)
    if series.kind != "step" or len(points) < 2:
        return points
    line = np.repeat(points, 2, axis=0)[:-1]
    line[1::2, 0] = points[1:, 0]
    return line


def rule_names(chart: Chart, bounds: Bounds) -> list[TextLabels]:
    """Return the names of rules: at the top of vertical ones, at the right end of horizontal ones."""
    named = [rule for rule in chart.rules if rule.name]
    return [_name(rule.name, _name_position(chart, rule, bounds), rule.ink) for rule in named]


def line_names(chart: Chart) -> list[TextLabels]:
    """Return the names of lines at the end where these are furthest apart."""
    found = [(series, _points(chart, series)) for series in chart.series if series.name]
    found = [(series, points[np.isfinite(points).all(axis=1)]) for series, points in found]
    found = [(series, points) for series, points in found if len(points)]
    spread = [np.std([points[end, 1] for _, points in found]) if found else 0.0 for end in (0, -1)]
    end = int(np.argmax(spread))
    return [_name(series.name, points[-end], series.ink) for series, points in found]


def _points(chart: Chart, series: Series) -> Floats:
    return np.column_stack([to_axis(chart.x, series.x), to_axis(chart.y, series.y)])


def _style(series: Series) -> dict[str, Any]:
    """Return what all marks of a series have."""
    return {"layer": series.name, "opacity": series.opacity}


def _line(chart: Chart, series: Series) -> Path:
    line = polyline(chart, series)
    return Path(lines=(line,), width=series.width, stroke=series.stroke, ink=series.ink, **_style(series))


def _band(chart: Chart, series: Series, low: Floats, high: Floats) -> Band:
    lower, upper = (
        polyline(chart, Series(name="", x=series.x, y=edge, kind=series.kind)) for edge in (low, high)
    )
    opacity = BAND_OPACITY * series.opacity
    x = lower[:, 0]
    return Band(layer=series.name, x=x, low=lower[:, 1], high=upper[:, 1], ink=series.ink, opacity=opacity)


def whiskers(chart: Chart, series: Series, low: Floats, high: Floats) -> Segments:
    x = to_axis(chart.x, series.x) + _bar_shift(chart, series)
    ends = np.stack([np.column_stack([x, to_axis(chart.y, edge)]) for edge in (low, high)], axis=1)
    ink = "text" if series.kind == "bars" else series.ink
    return Segments(ends=ends, ink=ink, width=WHISKER_WIDTH, **_style(series))


def _bars(chart: Chart, series: Series, bounds: Bounds) -> Path:
    """Bars from zero; those of several series side by side."""
    half = bar_slot(chart) * BAR_SHARE / sum(other.kind == "bars" for other in chart.series) / 2
    points, foot = _points(chart, series), _foot(chart, bounds)
    points = points[np.isfinite(points).all(axis=1)] + (_bar_shift(chart, series), 0.0)
    corners = tuple(
        np.array([(x - half, foot), (x + half, foot), (x + half, y), (x - half, y)])
        for x, y in points.tolist()
    )
    fill = BAR_OPACITY * series.opacity
    return Path(layer=series.name, lines=corners, ink=series.ink, width=0.0, closed=True, fill=fill)


def _bar_shift(chart: Chart, series: Series) -> float:
    """Return the distance of a series' bars from the middle of their slots."""
    if series.kind != "bars":
        return 0.0
    group = [other for other in chart.series if other.kind == "bars"]
    return bar_slot(chart) * BAR_SHARE * ((group.index(series) + 0.5) / len(group) - 0.5)


def _stems(chart: Chart, series: Series, bounds: Bounds) -> Segments:
    tops = _points(chart, series)
    feet = np.column_stack([tops[:, 0], np.full(len(tops), _foot(chart, bounds))])
    width = min(series.width, WHISKER_WIDTH)
    ends = np.stack([feet, tops], axis=1)
    return Segments(ends=ends, ink=series.ink, width=width, **_style(series))


def _foot(chart: Chart, bounds: Bounds) -> float:
    """Return the foot of bars and stems: zero, or the lower edge of a logarithmic axis."""
    return bounds[2] if chart.y.log else 0.0


def _rule(chart: Chart, rule: Rule, bounds: Bounds) -> Mark:
    if rule.diagonal:
        line = _diagonal(chart, bounds)
        return Path(layer=rule.name, lines=(line,), ink=rule.ink, width=RULE_WIDTH, stroke="dash")
    if rule.x is not None:
        x = float(to_axis(chart.x, rule.x))
        ends = [[x, -np.inf], [x, np.inf]]
    else:
        y = float(to_axis(chart.y, rule.y if rule.y is not None else np.nan))
        ends = [[-np.inf, y], [np.inf, y]]
    return Segments(layer=rule.name, ends=np.array([ends]), ink=rule.ink, width=RULE_WIDTH, stroke="dash")


def _diagonal(chart: Chart, bounds: Bounds) -> Floats:
    """Return the line y = x."""
    across = np.linspace(*bounds[:2], DIAGONAL_POINTS)
    return np.column_stack([across, to_axis(chart.y, 10.0**across if chart.x.log else across)])


def _name_position(chart: Chart, rule: Rule, bounds: Bounds) -> Floats:
    left, right, bottom, top = bounds
    if rule.x is not None:
        return np.array([float(to_axis(chart.x, rule.x)), top - 0.06 * (top - bottom)])
    if rule.y is not None:
        return np.array([right - 0.12 * (right - left), float(to_axis(chart.y, rule.y))])
    line = _diagonal(chart, bounds)
    visible = line[(line[:, 1] >= bottom) & (line[:, 1] <= top)]
    return np.asarray(visible[len(visible) * 4 // 5]) if len(visible) else np.full(2, np.nan)


def _name(text: str, position: Floats, ink: Ink) -> TextLabels:
    return TextLabels(layer=text, ink=ink, points=position[None, :], texts=(text,))
