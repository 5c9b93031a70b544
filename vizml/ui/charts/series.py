"""The series and rules of a chart as marks, in the units of its plan: the canvas's painters draw them."""

from __future__ import annotations

import numpy as np

from vizml.data.dataset import Floats
from vizml.scene import Band, Chart, Mark, Path, Rule, Segments, Series, Words
from vizml.ui.charts.plan import Plan
from vizml.ui.charts.units import BARE, along, bar_width

SHADE, SOLID = 0.18, 0.85
"""Opacity of a band around a line, and of bars."""
THIN = 1.5
RULE = 1.0
SAMPLES = 64
INF = np.inf


def under(plan: Plan) -> list[Mark]:
    """What lies behind all lines: bands, whiskers, bars."""
    marks: list[Mark] = []
    for series in plan.chart.series:
        if series.kind == "bars":
            marks.append(_bars(plan, series))
        if series.low is not None and series.high is not None:
            marks.append(_band(plan, series) if series.kind in ("line", "step") else _whiskers(plan, series))
    return marks


def lines(plan: Plan) -> list[Mark]:
    """Rules, then the lines and stems of the series."""
    marks: list[Mark] = [_rule(plan, rule) for rule in plan.chart.rules]
    for series in plan.chart.series:
        if series.kind in ("line", "step"):
            marks.append(_line(plan, series))
        elif series.kind == "stems":
            marks.append(_stems(plan, series))
    return marks


def names_of_rules(plan: Plan) -> list[Words]:
    """What the rules are called, beside them."""
    return [_words(rule.name, _end_of(plan, rule), rule) for rule in plan.chart.rules if rule.name]


def names_at_ends(plan: Plan) -> list[Words]:
    """What lines are called where they begin or end: for more of them than a legend could tell apart."""
    ways = [(series, plan.places(series)) for series in plan.chart.series if series.name]
    known = [(series, way[np.isfinite(way).all(axis=1)]) for series, way in ways]
    known = [(series, way) for series, way in known if len(way)]
    apart = [np.std([way[end, 1] for _, way in known]) if known else 0.0 for end in (0, -1)]
    end = int(np.argmax(apart))
    ends = [(series, way[[-end]]) for series, way in known]
    return [Words(layer="names", ink=series.ink, points=at, texts=(series.name,)) for series, at in ends]


def route(chart: Chart, series: Series) -> Floats:
    """The way of a line (n, 2) in the plot's units; one in steps holds each value until the next."""
    points = np.column_stack([along(chart.x, series.x), along(chart.y, series.y)])
    if series.kind != "step" or len(points) < 2:
        return points
    way = np.repeat(points, 2, axis=0)[:-1]
    way[1::2, 0] = points[1:, 0]
    return way


def _line(plan: Plan, series: Series) -> Path:
    return Path(
        layer=series.name,
        lines=(route(plan.chart, series),),
        ink=series.ink,
        width=series.width,
        stroke=series.stroke,
        opacity=series.opacity,
    )


def _band(plan: Plan, series: Series) -> Band:
    chart = plan.chart
    edges = [route(chart, Series(name="", x=series.x, y=edge, kind=series.kind)) for edge in _edges(series)]
    x, low, high = edges[0][:, 0], edges[0][:, 1], edges[1][:, 1]
    return Band(layer=series.name, x=x, low=low, high=high, ink=series.ink, opacity=SHADE * series.opacity)


def _whiskers(plan: Plan, series: Series) -> Segments:
    chart = plan.chart
    x = along(chart.x, series.x) + _shift(plan, series)
    low, high = (along(chart.y, edge) for edge in _edges(series))
    ends = np.stack([np.column_stack([x, low]), np.column_stack([x, high])], axis=1)
    ink = "text" if series.kind == "bars" else series.ink
    return Segments(layer=series.name, ends=ends, ink=ink, width=THIN, opacity=series.opacity)


def _bars(plan: Plan, series: Series) -> Path:
    """Bars from zero; those of several series stand side by side."""
    wide = bar_width(plan.chart) * BARE / _abreast(plan.chart) / 2
    points, foot = plan.places(series), _foot(plan)
    points = points[np.isfinite(points).all(axis=1)] + (_shift(plan, series), 0.0)
    corners = [
        np.array([(x - wide, foot), (x + wide, foot), (x + wide, y), (x - wide, y)])
        for x, y in points.tolist()
    ]
    opacity = SOLID * series.opacity
    return Path(layer=series.name, lines=tuple(corners), ink=series.ink, width=0.0, closed=True, fill=opacity)


def _stems(plan: Plan, series: Series) -> Segments:
    tops = plan.places(series)
    feet = np.column_stack([tops[:, 0], np.full(len(tops), _foot(plan))])
    ends = np.stack([feet, tops], axis=1)
    width = min(series.width, THIN)
    return Segments(layer=series.name, ends=ends, ink=series.ink, width=width, opacity=series.opacity)


def _rule(plan: Plan, rule: Rule) -> Mark:
    if rule.diagonal:
        return Path(layer=rule.name, lines=(_diagonal(plan),), ink=rule.ink, width=RULE, stroke="dash")
    if rule.x is not None:
        x = float(along(plan.chart.x, rule.x))
        ends = [[x, -INF], [x, INF]]
    else:
        y = float(along(plan.chart.y, rule.y if rule.y is not None else np.nan))
        ends = [[-INF, y], [INF, y]]
    return Segments(layer=rule.name, ends=np.array([ends]), ink=rule.ink, width=RULE, stroke="dash")


def _diagonal(plan: Plan) -> Floats:
    """Where y = x, which is a curve where only one axis is logarithmic."""
    chart, (left, right, _, _) = plan.chart, plan.geometry.bounds
    across = np.linspace(left, right, SAMPLES)
    return np.column_stack([across, along(chart.y, 10.0**across if chart.x.log else across)])


def _end_of(plan: Plan, rule: Rule) -> Floats:
    """Where the name of a rule is best: at the top of an upright one, at the right end of a level one."""
    left, right, bottom, top = plan.geometry.bounds
    if rule.x is not None:
        return np.array([float(along(plan.chart.x, rule.x)), top - 0.06 * (top - bottom)])
    if rule.y is not None:
        return np.array([right - 0.12 * (right - left), float(along(plan.chart.y, rule.y))])
    way = _diagonal(plan)
    seen = way[(way[:, 1] >= bottom) & (way[:, 1] <= top)]
    return np.asarray(seen[len(seen) * 4 // 5]) if len(seen) else np.array([np.nan, np.nan])


def _words(text: str, place: Floats, rule: Rule) -> Words:
    return Words(layer=text, ink=rule.ink, points=place[None, :], texts=(text,))


def _edges(series: Series) -> tuple[Floats, Floats]:
    if series.low is None or series.high is None:
        raise ValueError(f"the series '{series.name}' has no band")
    return series.low, series.high


def _foot(plan: Plan) -> float:
    """Where bars and stems begin: at zero, which a logarithm does not have."""
    return plan.geometry.bounds[2] if plan.chart.y.log else 0.0


def _abreast(chart: Chart) -> int:
    return max(sum(series.kind == "bars" for series in chart.series), 1)


def _shift(plan: Plan, series: Series) -> float:
    """How far the bars of a series stand from their middle."""
    if series.kind != "bars":
        return 0.0
    group = [other for other in plan.chart.series if other.kind == "bars"]
    return bar_width(plan.chart) * BARE * ((group.index(series) + 0.5) / len(group) - 0.5)
