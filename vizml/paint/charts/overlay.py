"""The part of a chart that follows the timeline and the pointer: cursor, handle, rings, tooltip."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from vizml.field.arrays import Floats
from vizml.paint.charts.items import RING_INSET, draw_ring
from vizml.paint.charts.layout import ChartLayout
from vizml.paint.charts.legend import DISC
from vizml.paint.pens import LABEL, colour, draw_text, paint_panel, pen, typeface
from vizml.scene import Axis, Chart, Series, Theme
from vizml.scene.typesetting import typeset, without_rounding

REACH = 48.0
"""Pixels within which a point counts as under the pointer."""
FLATTENED = 0.25
"""Weight of vertical distance for lines: one points at a line's x."""
MARGIN = 12.0
"""Pixels around the plot that still belong to it."""
MOST_LINES = 6
"""Series that are described together at most."""
KNOB, HANDLE = 4.0, 6.4
"""Radius of the cursor's knob and of the handle, in pixels."""
PADDING, ROW, OFFSET = 8.0, 17.0, 12.0
"""Padding of the tooltip, the height of its rows, and its distance to the point, in pixels."""


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
    x = series.x[hover.point]
    lines = [f"{chart.x.title or 'x'} {_texts_at(chart.x, hover.point, series.x)[0]}"]
    for other in _series_at(chart, series, x)[:MOST_LINES]:
        point = hover.point if other is series else int(np.flatnonzero(other.x == x)[0])
        lines.append(f"{other.name or chart.y.title or 'y'} {_value(chart.y, other, point)}")
    return lines


def number(axis: Axis, value: float) -> str:
    """Format a value, by the name of its tick where it has one."""
    if value in axis.ticks:
        return axis.ticks[value]
    return typeset(f"{value:.4g}")


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
    if series.low is None or series.high is None:
        return _texts_at(axis, point, series.y)[0]
    value, low, high = _texts_at(axis, point, series.y, series.low, series.high)
    return f"{value} ({low} to {high})"


def _texts_at(axis: Axis, point: int, *rows: Floats) -> list[str]:
    """Format one value of each row; on an axis that is not logarithmic, rounding errors are 0."""
    values = np.array(rows)
    shown = values if axis.log else without_rounding(values, values[np.isfinite(values)])
    return [number(axis, float(value)) for value in shown[:, point]]


@dataclass(frozen=True)
class Highlight:
    """The step of the timeline (or a value of x), the point under the pointer, and the current cell."""

    step: float | None = None
    hover: Hover | None = None
    cell: tuple[int, int] | None = None


def paint_overlay(painter: QPainter, layout: ChartLayout, theme: Theme, highlight: Highlight) -> None:
    """Draw what is highlighted, the handle, and the tooltip."""
    chart, step = layout.chart, highlight.step
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if highlight.cell is not None:
        _paint_current_cell(painter, layout, theme, highlight.cell)
    if step is not None and chart.cursor == "paths":
        for series, place in path_ends(layout, step):
            _paint_disc(painter, theme, series, place, layout.geometry.type_scale)
    elif step is not None and chart.heat is None:
        _paint_cursor(painter, layout, theme, step)
    _paint_handle(painter, layout, theme)
    if highlight.hover is not None and exists(chart, highlight.hover):
        _paint_hover(painter, layout, theme, highlight.hover)


def path_ends(layout: ChartLayout, step: float) -> list[tuple[Series, QPointF]]:
    """Return the visible positions, in pixels, that paths over a heat map have reached at a step."""
    found = []
    for series in layout.chart.series:
        if series.steps is None or not len(series.steps):
            continue
        point = max(int(np.searchsorted(series.steps, step, side="right")) - 1, 0)
        x, y = layout.pixels(series)[point].tolist()
        if math.isfinite(x + y) and layout.geometry.plot.contains(x, y):  # Qt takes NaN as inside
            found.append((series, QPointF(x, y)))
    return found


def handle_place(layout: ChartLayout) -> QPointF | None:
    """Return the position of the chart's handle, in pixels."""
    handle = layout.chart.handle
    if handle is None:
        return None
    places = layout.pixels(layout.chart.series[handle.series])
    x, y = places[min(handle.at, len(places) - 1)].tolist() if len(places) else (math.nan, math.nan)
    return QPointF(x, y) if math.isfinite(x + y) else None


def _paint_current_cell(painter: QPainter, layout: ChartLayout, theme: Theme, cell: tuple[int, int]) -> None:
    """Draw a ring around the cell of the current parameters, inside that of the best cell."""
    heat, k = layout.chart.heat, layout.geometry.type_scale
    if heat is None or not exists(layout.chart, Hover(cell=cell)):
        return
    inset = RING_INSET * k if heat.marked == cell else 0.0
    rect = layout.cell_rect(*cell).adjusted(inset, inset, -inset, -inset)
    draw_ring(painter, rect, theme, theme.accent, k)


def _paint_cursor(painter: QPainter, layout: ChartLayout, theme: Theme, step: float) -> None:
    """Draw the line at a step with its knob; it does not cross the legend."""
    plot, k = layout.geometry.plot, layout.geometry.type_scale
    x = layout.pixel_x(step)
    if not plot.left() - 1 <= x <= plot.right() + 1:
        return
    painter.setPen(pen(theme.accent, 1.5 * k))
    panel = layout.panel
    if panel is not None and panel.left() <= x <= panel.right():
        painter.drawLine(QLineF(x, plot.top(), x, panel.top()))
        painter.drawLine(QLineF(x, panel.bottom(), x, plot.bottom()))
    else:
        painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
    painter.setPen(pen(theme.ground, k))
    painter.setBrush(colour(theme.accent))
    painter.drawEllipse(QPointF(x, plot.top()), KNOB * k, KNOB * k)


def _paint_handle(painter: QPainter, layout: ChartLayout, theme: Theme) -> None:
    place, k = handle_place(layout), layout.geometry.type_scale
    if place is not None and layout.geometry.plot.adjusted(-1, -1, 1, 1).contains(place):
        painter.setPen(pen(theme.ground, 2 * k))
        painter.setBrush(colour(theme.accent))
        painter.drawEllipse(place, HANDLE * k, HANDLE * k)


def _paint_hover(painter: QPainter, layout: ChartLayout, theme: Theme, hover: Hover) -> None:
    """Mark the point or cell under the pointer, and show its values."""
    k, plot, lines = layout.geometry.type_scale, layout.geometry.plot, describe(layout.chart, hover)
    if hover.cell is not None:
        rect = layout.cell_rect(*hover.cell)
        painter.setPen(pen(theme.text, 2 * k))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(rect.adjusted(k, k, -k, -k))
        _paint_tooltip(painter, layout, theme, rect.center(), lines)
        return
    series = layout.chart.series[hover.series]
    x, y = layout.pixels(series)[hover.point].tolist()
    if not math.isfinite(x + y):
        return
    if plot.left() - 1 <= x <= plot.right() + 1:
        painter.setPen(pen(theme.muted, k, 0.6))
        painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
    if plot.adjusted(-1, -1, 1, 1).contains(x, y):
        _paint_disc(painter, theme, series, QPointF(x, y), k)
    inside = QPointF(x, min(max(y, plot.top()), plot.bottom()))
    _paint_tooltip(painter, layout, theme, inside, lines)


def _paint_disc(painter: QPainter, theme: Theme, series: Series, place: QPointF, k: float) -> None:
    painter.setPen(pen(theme.ground, 2 * k))
    painter.setBrush(colour(theme.colour(series.ink)))
    painter.drawEllipse(place, DISC / 2 * k + k, DISC / 2 * k + k)


def _paint_tooltip(
    painter: QPainter, layout: ChartLayout, theme: Theme, at: QPointF, lines: list[str]
) -> None:
    """Draw lines of text on a panel beside a place, inside the chart."""
    k = layout.geometry.type_scale
    face, metrics = typeface(LABEL, k)
    lines = [typeset(line) for line in lines]
    rect = tooltip_rect(layout, at, max(map(metrics.horizontalAdvance, lines)), len(lines))
    paint_panel(painter, theme, rect, k)
    for row, line in enumerate(lines):
        rgb = theme.muted if row == 0 and len(lines) > 1 else theme.text
        y = rect.top() + (PADDING / 2 + (row + 0.5) * ROW) * k + metrics.capHeight() / 2
        draw_text(painter, face, rgb, QPointF(rect.left() + PADDING * k, y), line)


def tooltip_rect(layout: ChartLayout, at: QPointF, text_width: float, rows: int) -> QRectF:
    """Return the rectangle of a tooltip beside a place, kept inside the chart."""
    geometry, k = layout.geometry, layout.geometry.type_scale
    wide, high = text_width + 2 * PADDING * k, (rows * ROW + PADDING) * k
    right = at.x() + OFFSET * k
    left = right if right + wide < geometry.width else at.x() - OFFSET * k - wide
    top = min(max(at.y() - OFFSET * k - high, 0.0), max(geometry.height - high, 0.0))
    return QRectF(max(min(left, geometry.width - wide), 0.0), top, wide, high)
