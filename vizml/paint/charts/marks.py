"""Series and rules of a chart as marks in positions on its axes: the painters of the canvas draw them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vizml.field.arrays import Bounds, Floats
from vizml.paint.charts.scales import BAR_SHARE, bar_slot, to_axis
from vizml.scene import Band, Chart, Ink, Mark, Path, Rule, Segments, Series, TextLabels

BAND_OPACITY, BAR_OPACITY = 0.18, 0.85
WHISKER_WIDTH, RULE_WIDTH = 1.5, 1.0
DIAGONAL_POINTS = 64
"""Points of the diagonal, which is curved where only one axis is logarithmic."""


def series_marks(chart: Chart, bounds: Bounds) -> Iterator[Mark]:
    """Yield bands, whiskers and bars, then rules, then lines and stems: the order in which they are drawn."""
    for series in chart.series:
        if series.kind == "bars":
            yield _bars(chart, series, bounds)
        if series.low is not None and series.high is not None:
            line = series.kind in ("line", "step")
            yield (_band if line else _whiskers)(chart, series, series.low, series.high)
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


def _line(chart: Chart, series: Series) -> Path:
    return Path(
        layer=series.name,
        lines=(polyline(chart, series),),
        ink=series.ink,
        width=series.width,
        stroke=series.stroke,
        opacity=series.opacity,
    )


def _band(chart: Chart, series: Series, low: Floats, high: Floats) -> Band:
    lower, upper = (
        polyline(chart, Series(name="", x=series.x, y=edge, kind=series.kind)) for edge in (low, high)
    )
    opacity = BAND_OPACITY * series.opacity
    x = lower[:, 0]
    return Band(layer=series.name, x=x, low=lower[:, 1], high=upper[:, 1], ink=series.ink, opacity=opacity)


def _whiskers(chart: Chart, series: Series, low: Floats, high: Floats) -> Segments:
    x = to_axis(chart.x, series.x) + _bar_shift(chart, series)
    ends = np.stack([np.column_stack([x, to_axis(chart.y, edge)]) for edge in (low, high)], axis=1)
    ink = "text" if series.kind == "bars" else series.ink
    return Segments(layer=series.name, ends=ends, ink=ink, width=WHISKER_WIDTH, opacity=series.opacity)


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
    return Segments(layer=series.name, ends=ends, ink=series.ink, width=width, opacity=series.opacity)


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
