"""What the series of a chart are called: on a plate in a calm corner, else in a strip above the plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from vizml.data.dataset import Floats
from vizml.paint import legend
from vizml.paint.clip import box_of, near, visible
from vizml.paint.legend import Entry
from vizml.paint.pens import LABEL, colour, font, measure, pen
from vizml.paint.plates import covered, settle
from vizml.scene import Chart, Series, Theme
from vizml.ui.charts.dots import SIZE
from vizml.ui.charts.head import LINE
from vizml.ui.charts.plan import Plan
from vizml.ui.charts.series import SHADE, SOLID, route
from vizml.ui.charts.units import along, bar_width

STEP = 6.0
"""Lines are looked at every so many pixels for what covers what."""
FEW = 0.01
"""A plate may cover this share of what is drawn."""
CUT = 0.8
"""The share of the plot's width and height that a plate may take in place of a strip."""
EDGE = 4.0
"""Pixels that names over a plot keep from the edge of the chart."""
MOST = 8
"""More names than these stand where their lines end."""
SWATCH, AFTER, REACH = 20.0, 14.0, 7.0


@dataclass(frozen=True)
class Row:
    """A line of the strip: names with where they begin."""

    names: tuple[tuple[float, str], ...]


def named(chart: Chart) -> tuple[Series, ...]:
    """The series that a legend tells apart; one alone is what the axes say."""
    found = {series.name: series for series in chart.series if series.name}
    return tuple(found.values()) if len(found) > 1 else ()


def entries(chart: Chart) -> tuple[Entry, ...]:
    """A line of the legend for each name."""
    return tuple(Entry(series.name) for series in named(chart))


def plate(plan: Plan, rows: Sequence[Entry], taken: Sequence[QRectF] = ()) -> QRectF | None:
    """Where a plate with all names in full would hide hardly anything; None where there is no such corner."""
    size, shown = legend.plate_of(plan.geometry, rows)
    metrics, k = measure(font(LABEL, plan.geometry.type_scale)), plan.geometry.type_scale
    widest = max(metrics.horizontalAdvance(row.words) for row in rows)
    whole = widest + (legend.SWATCH + 2 * legend.PAD) * k <= size.width() + 0.5
    drawn = obstacles(plan)
    first = "bottom right" if _rises(drawn) else "top right"
    rect = settle(plan.geometry, size, drawn, taken, first)
    if rect is None or not whole or len(shown) < len(rows):
        return None
    return rect if covered(rect, drawn) <= FEW * len(drawn) else None


def squeezed(plan: Plan, rows: Sequence[Entry]) -> QRectF | None:
    """Where a plate with names that may be cut would hide hardly anything."""
    size, shown = legend.plate_of(plan.geometry, rows, (CUT, CUT))
    drawn = obstacles(plan)
    rect = settle(plan.geometry, size, drawn, (), "bottom right" if _rises(drawn) else "top right")
    if rect is None or len(shown) < len(rows):
        return None
    return rect if covered(rect, drawn) <= FEW * len(drawn) else None


def obstacles(plan: Plan) -> Floats:
    """Places in pixels all along the lines, and those of dots and bars."""
    found = [np.empty((0, 2))]
    box = box_of(plan.geometry.plot)
    for series in plan.chart.series:
        way = plan.geometry.to_pixels(route(plan.chart, series))
        if series.kind == "dots":
            found.append(way[np.isfinite(way).all(axis=1)])
            found.extend(_walked(run) for run in _whiskers(plan, series) if len(run))
            continue
        if series.kind in ("bars", "stems"):
            half = bar_width(plan.chart) / 2 / plan.geometry.unit[0]
            way = _uprights(
                plan, np.concatenate([way + np.array([shift, 0.0]) for shift in (-half, 0.0, half)])
            )
        found.extend(_walked(run) for run in visible(near([way], box), box))
    return np.concatenate(found)


def _whiskers(plan: Plan, series: Series) -> list[Floats]:
    """The lines from low to high through dots, in pixels."""
    if series.low is None or series.high is None:
        return []
    ends = (along(plan.chart.y, edge) for edge in (series.low, series.high))
    x = along(plan.chart.x, series.x)
    lines = plan.geometry.to_pixels(np.stack([np.column_stack([x, end]) for end in ends], axis=1))
    return list(lines[np.isfinite(lines).all(axis=(1, 2))])


def strip(plan_width: float, left: float, chart: Chart, k: float) -> tuple[Row, ...]:
    """The names in lines above a plot that begins at `left`."""
    metrics = measure(font(LABEL, k))
    lines: list[list[tuple[float, str]]] = [[]]
    x = left
    for series in named(chart):
        wide = SWATCH * k + metrics.horizontalAdvance(series.name)
        if lines[-1] and x + wide > plan_width - EDGE * k:
            lines.append([])
            x = left
        lines[-1].append((x, series.name))
        x += wide + AFTER * k
    return tuple(Row(tuple(line)) for line in lines if line)


def paint_strip(painter: QPainter, plan: Plan, theme: Theme, rows: Sequence[Row], top: float) -> None:
    """Draw the lines of names, the first at `top`."""
    k = plan.geometry.type_scale
    face = font(LABEL, k)
    metrics = measure(face)
    known = {series.name: series for series in plan.chart.series}
    painter.setFont(face)
    for number, row in enumerate(rows):
        y = top + (number + 0.5) * LINE * k
        for x, name in row.names:
            paint_swatch(painter, theme, known[name], QPointF(x + REACH * k, y), k)
            painter.setPen(colour(theme.text))
            room = plan.geometry.width - x - SWATCH * k
            words = metrics.elidedText(name, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QPointF(x + SWATCH * k, y + metrics.capHeight() / 2), words)


def paint_plate(painter: QPainter, plan: Plan, theme: Theme, rect: QRectF) -> None:
    """Draw the legend onto its plate."""
    known = {series.name: series for series in plan.chart.series}

    def swatch(painter: QPainter, theme: Theme, row: Entry, at: QPointF, k: float) -> None:
        paint_swatch(painter, theme, known[row.words], at, k)

    legend.paint_legend(painter, plan.geometry, theme, rect, entries(plan.chart), swatch)


def paint_swatch(painter: QPainter, theme: Theme, series: Series, at: QPointF, k: float) -> None:
    """A piece of a series around a place."""
    rgb, x, y, reach = theme.colour(series.ink), at.x(), at.y(), REACH * k
    patch = QRectF(x - reach, y - 5 * k, 2 * reach, 10 * k)
    if series.kind == "bars":
        painter.fillRect(patch, colour(rgb, SOLID * series.opacity))
        return
    if series.low is not None and series.kind in ("line", "step"):
        painter.fillRect(patch, colour(rgb, SHADE * series.opacity))
    if series.kind in ("dots", "stems"):
        painter.setPen(pen(theme.ground, k))
        painter.setBrush(colour(rgb, series.opacity))
        painter.drawEllipse(at, SIZE / 2 * k, SIZE / 2 * k)
        return
    painter.setPen(pen(theme.stroke(series.ink), series.width * k, series.opacity, series.stroke))
    painter.drawLine(QPointF(x - reach, y), QPointF(x + reach, y))


def _uprights(plan: Plan, tops: Floats) -> Floats:
    """Bars and stems as one broken line from each top to the bottom of the plot."""
    ways = np.full((len(tops), 3, 2), np.nan)
    ways[:, 0] = tops
    ways[:, 1] = np.column_stack([tops[:, 0], np.full(len(tops), plan.geometry.plot.bottom())])
    return ways.reshape(-1, 2)


def _walked(way: Floats) -> Floats:
    """Places along a polyline, at most STEP apart."""
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(way, axis=0).T))])
    at = np.linspace(0.0, length[-1], max(int(length[-1] / STEP), 2))
    return np.column_stack([np.interp(at, length, way[:, axis]) for axis in (0, 1)])


def _rises(places: Floats) -> bool:
    """Whether what is drawn goes up to the right, in pixels that count downwards."""
    if len(places) < 2:
        return False
    x, y = places[:, 0] - places[:, 0].mean(), places[:, 1] - places[:, 1].mean()
    return float(x @ y) < 0
