"""What the pointer is on: the nearest point of a chart, or a cell, and its figures on a plate."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from vizml.paint.letters import typeset
from vizml.paint.pens import LABEL, colour, font, measure, pen
from vizml.paint.plates import paint_plate
from vizml.scene import Axis, Chart, Series, Theme
from vizml.ui.charts.dots import paint_disc
from vizml.ui.charts.heat import cells
from vizml.ui.charts.plan import Plan

REACH = 48.0
"""Pixels within which a point is near enough to be told of."""
ALONG = 0.25
"""A point of a line counts as nearer than it is upwards: one points at a line's x."""
PAD, ROW, OFF = 8.0, 17.0, 12.0
MOST = 6


@dataclass(frozen=True)
class Hover:
    """A point of a series by their numbers, or a cell by its row and column."""

    series: int = -1
    point: int = -1
    cell: tuple[int, int] | None = None


def find(plan: Plan, x: float, y: float) -> Hover | None:
    """What is nearest to a place in pixels, if anything is near."""
    if plan.chart.heat is not None:
        cell = plan.cell_at(x, y)
        return Hover(cell=cell) if cell is not None else None
    if not plan.geometry.plot.adjusted(-OFF, -OFF, OFF, OFF).contains(x, y):
        return None
    best, least = None, REACH * plan.geometry.type_scale
    for number, series in enumerate(plan.chart.series):
        if not len(series.x):
            continue
        across, up = (plan.pixels(series) - (x, y)).T
        flat = 1.0 if series.kind == "dots" else ALONG
        distance = np.nan_to_num(np.hypot(across, up * flat), nan=math.inf)
        nearest = int(np.argmin(distance))
        if distance[nearest] < least:
            best, least = Hover(number, nearest), float(distance[nearest])
    return best


def told(chart: Chart, hover: Hover) -> list[str]:
    """The figures of what is pointed at, a line each: the place first."""
    if hover.cell is not None:
        return _of_cell(chart, *hover.cell)
    series = chart.series[hover.series]
    x = float(series.x[hover.point])
    lines = [_named(chart.x.title or "x", figure(chart.x, x))]
    for other in _there(chart, series, x)[:MOST]:
        point = hover.point if other is series else int(np.flatnonzero(other.x == x)[0])
        lines.append(_named(other.name or chart.y.title or "y", _value(chart.y, other, point)))
    return lines


def figure(axis: Axis, value: float) -> str:
    """A value as words, by the name of its tick where it has one."""
    if value in axis.ticks:
        return axis.ticks[value]
    return f"{value:.4g}".replace("-", "\N{MINUS SIGN}")


def paint_hover(painter: QPainter, plan: Plan, theme: Theme, hover: Hover) -> None:
    """Mark what is pointed at, and tell of it beside."""
    k = plan.geometry.type_scale
    if hover.cell is not None and plan.chart.heat is not None:
        rect = cells(plan)[hover.cell[0] * len(plan.chart.heat.columns) + hover.cell[1]]
        painter.setPen(pen(theme.text, 2 * k))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(rect.adjusted(k, k, -k, -k))
        _paint_told(painter, plan, theme, rect.center(), told(plan.chart, hover))
        return
    if not 0 <= hover.series < len(plan.chart.series):
        return
    series = plan.chart.series[hover.series]
    if not 0 <= hover.point < len(series.x):
        return
    x, y = plan.pixels(series)[hover.point].tolist()
    plot = plan.geometry.plot
    painter.setPen(pen(theme.muted, k, 0.6))
    painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
    if plot.adjusted(-1, -1, 1, 1).contains(x, y):
        paint_disc(painter, theme, series, x, y, k)
    _paint_told(painter, plan, theme, QPointF(x, y), told(plan.chart, hover))


def _there(chart: Chart, series: Series, x: float) -> list[Series]:
    """The series that are pointed at, the nearest first: a line among lines brings those at the same x."""
    if series.kind == "dots":
        return [series]
    others = [other for other in chart.series if other is not series and other.kind != "dots"]
    return [series, *(other for other in others if (other.x == x).any())]


def _of_cell(chart: Chart, row: int, column: int) -> list[str]:
    heat = chart.heat
    if heat is None:
        return []
    lines = [
        _named(chart.y.title or "row", heat.rows[row]),
        _named(chart.x.title or "column", heat.columns[column]),
    ]
    value = heat.values[row, column]
    text = heat.texts[row][column].replace("\n", ", ") if heat.texts else ""
    lines.append(text or (f"{value:.4g}" if np.isfinite(value) else "not known"))
    return [*lines, "the best"] if heat.marked == (row, column) else lines


def _value(axis: Axis, series: Series, point: int) -> str:
    value = figure(axis, float(series.y[point]))
    if series.low is None or series.high is None:
        return value
    low, high = (figure(axis, float(edge[point])) for edge in (series.low, series.high))
    return f"{value} ({low} to {high})"


def _named(name: str, value: str) -> str:
    return f"{name} {value}"


def _paint_told(painter: QPainter, plan: Plan, theme: Theme, at: QPointF, lines: list[str]) -> None:
    """A plate beside a place, inside the chart."""
    geometry, k = plan.geometry, plan.geometry.type_scale
    face = font(LABEL, k)
    metrics = measure(face)
    lines = [typeset(line) for line in lines]
    wide = max(metrics.horizontalAdvance(line) for line in lines) + 2 * PAD * k
    high = (len(lines) * ROW + PAD) * k
    left = at.x() + OFF * k if at.x() + OFF * k + wide < geometry.width else at.x() - OFF * k - wide
    top = min(max(at.y() - OFF * k - high, 0.0), geometry.height - high)
    rect = QRectF(max(left, 0.0), top, wide, high)
    paint_plate(painter, theme, rect, k)
    painter.setFont(face)
    for number, line in enumerate(lines):
        painter.setPen(colour(theme.muted if number == 0 and len(lines) > 1 else theme.text))
        y = rect.top() + (PAD / 2 + (number + 0.5) * ROW) * k + metrics.capHeight() / 2
        painter.drawText(QPointF(rect.left() + PAD * k, y), line)
