"""A chart onto any painter: the same drawing for a dock, PNG, SVG and PDF."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter

from vizml.paint.axes import paint_axes, paint_grid
from vizml.paint.clip import box_of, inside
from vizml.paint.marks import paint_mark, rim
from vizml.paint.pens import colour, pen
from vizml.paint.words import Room, paint_words
from vizml.scene import Chart, Series, Theme
from vizml.ui.charts import legend
from vizml.ui.charts.dots import paint_disc, paint_dots
from vizml.ui.charts.head import LINE, height, paint_head
from vizml.ui.charts.heat import paint_heat, paint_now
from vizml.ui.charts.hover import Hover, paint_hover
from vizml.ui.charts.plan import ABOVE, Plan, plan
from vizml.ui.charts.series import lines, names_at_ends, names_of_rules, under

KNOB = 4.0
ENOUGH = 0.75
"""A strip that leaves less of a plot's height gives way to a plate with names that are cut."""
LEAST = QSizeF(90.0, 70.0)
"""A chart in a smaller rectangle would be all labels: it is not drawn."""


@dataclass(frozen=True, eq=False)
class Layout:
    """A chart in a rectangle: its plan, and where its legend is."""

    plan: Plan
    titled: bool
    plate: QRectF | None = None
    strip: tuple[legend.Row, ...] = ()


def lay_out(chart: Chart, size: QSizeF, k: float, *, titled: bool = True) -> Layout:
    """Put the legend where it covers hardly anything, else above the plot."""
    first = plan(chart, size, k, titled=titled)
    rows = legend.entries(chart)
    if not rows or len(rows) > legend.MOST:
        return Layout(first, titled)
    plate = legend.plate(first, rows)
    if plate is not None:
        return Layout(first, titled, plate)
    names = legend.strip(size.width(), first.geometry.plot.left(), chart, k)
    second = plan(chart, size, k, titled=titled, strip=len(names) * LINE * k)
    if second.geometry.plot.height() < ENOUGH * first.geometry.plot.height():
        plate = legend.squeezed(first, rows)
    return Layout(first, titled, plate) if plate is not None else Layout(second, titled, strip=names)


def paint_chart(
    painter: QPainter,
    chart: Chart,
    theme: Theme,
    rect: QRectF,
    type_scale: float = 1.0,
    *,
    cursor: float | None = None,
    hover: Hover | None = None,
    titled: bool = True,
) -> None:
    """Draw a chart into a rectangle, with the timeline's position and what the pointer is on."""
    laid = lay_out(chart, rect.size(), type_scale, titled=titled)
    painter.save()
    painter.translate(rect.topLeft())
    paint_still(painter, laid, theme)
    paint_moving(painter, laid, theme, cursor, hover)
    painter.restore()


def paint_still(painter: QPainter, laid: Layout, theme: Theme) -> None:
    """All but what follows the hand and the timeline."""
    plan, geometry = laid.plan, laid.plan.geometry
    if geometry.width < LEAST.width() or geometry.height < LEAST.height():
        return
    _smooth(painter)
    if plan.chart.heat is not None:
        paint_heat(painter, plan, theme)
    else:
        paint_grid(painter, geometry, theme, plan.axes)
    for mark in (*under(plan), *lines(plan)):
        below = rim(mark) if plan.chart.heat is not None else None
        for part in (below, mark) if below is not None else (mark,):
            paint_mark(painter, geometry, theme, part)
    paint_dots(painter, plan, theme)
    paint_axes(painter, geometry, theme, plan.words.titles, plan.axes)
    _paint_head(painter, laid, theme)
    _paint_names(painter, laid, theme)


def paint_moving(
    painter: QPainter,
    laid: Layout,
    theme: Theme,
    cursor: float | None,
    hover: Hover | None,
    cell: tuple[int, int] | None = None,
) -> None:
    """The timeline's position, the cell of what is set, and the figures of what the pointer is on."""
    _smooth(painter)
    if cell is not None:
        paint_now(painter, laid.plan, theme, cell)
    if cursor is not None and laid.plan.chart.cursor == "ways":
        _paint_runners(painter, laid.plan, theme, cursor)
    elif cursor is not None and laid.plan.chart.heat is None:
        _paint_cursor(painter, laid, theme, cursor)
    at = handle_at(laid.plan)
    if at is not None:
        k = laid.plan.geometry.type_scale
        painter.setPen(pen(theme.ground, 2 * k))
        painter.setBrush(colour(theme.accent))
        painter.drawEllipse(at, KNOB * 1.6 * k, KNOB * 1.6 * k)
    if hover is not None:
        paint_hover(painter, laid.plan, theme, hover)


def runners(plan: Plan, step: float) -> list[tuple[Series, QPointF]]:
    """Where each way has come to by a step, in pixels, as far as that is in sight."""
    found = []
    for series in plan.chart.series:
        if series.steps is None or not len(series.steps):
            continue
        point = max(int(np.searchsorted(series.steps, step, side="right")) - 1, 0)
        x, y = plan.pixels(series)[point].tolist()
        if plan.geometry.plot.contains(x, y):
            found.append((series, QPointF(x, y)))
    return found


def _paint_runners(painter: QPainter, plan: Plan, theme: Theme, step: float) -> None:
    for series, at in runners(plan, step):
        paint_disc(painter, theme, series, at.x(), at.y(), plan.geometry.type_scale)


def handle_at(plan: Plan) -> QPointF | None:
    """Where the chart's handle is, in pixels."""
    handle = plan.chart.handle
    if handle is None:
        return None
    places = plan.pixels(plan.chart.series[handle.series])
    x, y = places[min(handle.at, len(places) - 1)].tolist() if len(places) else (math.nan, math.nan)
    return QPointF(x, y) if math.isfinite(x) and math.isfinite(y) else None


def _smooth(painter: QPainter) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)


def _paint_head(painter: QPainter, laid: Layout, theme: Theme) -> None:
    """Title, note, and the strip of the legend, one below the other, above the plot."""
    chart, geometry = laid.plan.chart, laid.plan.geometry
    k, left, title = geometry.type_scale, geometry.plot.left(), chart.title if laid.titled else ""
    room = QRectF(left, ABOVE / 2 * k, geometry.width - left - ABOVE * k, 0)
    paint_head(painter, theme, room, title, laid.plan.words.note, k)
    legend.paint_strip(
        painter, laid.plan, theme, laid.strip, room.top() + height(title, laid.plan.words.note, k)
    )


def _paint_names(painter: QPainter, laid: Layout, theme: Theme) -> None:
    """The legend, and the names of rules and of many lines, off what is drawn."""
    plan, geometry = laid.plan, laid.plan.geometry
    drawn = legend.obstacles(plan)
    room = Room(geometry.plot, drawn[inside(drawn, box_of(geometry.plot))], geometry.type_scale)
    if laid.plate is not None:
        legend.paint_plate(painter, plan, theme, laid.plate)
        room.take(laid.plate)
    paint_words(painter, geometry, theme, names_of_rules(plan), room)
    if len(legend.named(plan.chart)) > legend.MOST:
        free = Room(geometry.plot, np.empty((0, 2)), geometry.type_scale)
        paint_words(painter, geometry, theme, names_at_ends(plan), free)


def _paint_cursor(painter: QPainter, laid: Layout, theme: Theme, step: float) -> None:
    """A line at a step with a knob to drag it by; it does not cross the words of the legend."""
    plot, k = laid.plan.geometry.plot, laid.plan.geometry.type_scale
    x = laid.plan.column(step)
    if not plot.left() - 1 <= x <= plot.right() + 1:
        return
    painter.setPen(pen(theme.accent, 1.5 * k))
    plate = laid.plate
    if plate is not None and plate.left() <= x <= plate.right():
        painter.drawLine(QLineF(x, plot.top(), x, plate.top()))
        painter.drawLine(QLineF(x, plate.bottom(), x, plot.bottom()))
    else:
        painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
    painter.setPen(pen(theme.ground, k))
    painter.setBrush(colour(theme.accent))
    painter.drawEllipse(QPointF(x, plot.top()), KNOB * k, KNOB * k)
