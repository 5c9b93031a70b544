"""Legend of a chart: on a panel that keeps off the data, else in lines of names above the plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QFontMetricsF, QPainter

from vizml.field.arrays import Bounds, Floats
from vizml.paint import legend
from vizml.paint.charts.layout import ChartLayout, Strip, lay_out_axes
from vizml.paint.charts.marks import BAND_OPACITY, BAR_OPACITY, bar_slot, polyline, whiskers
from vizml.paint.clipping import box_of, near, segments, visible
from vizml.paint.legend import LegendEntry, place
from vizml.paint.pens import LABEL, LINE_HEIGHT, colour, draw_text, font, pen, typeface
from vizml.scene import Chart, Series, Theme
from vizml.scene.typesetting import typeset

SAMPLING = 6.0
"""Distance in pixels of the places at which lines are tested for overlap."""
FEW = 0.01
"""Share of the data that a panel may cover."""
WHOLE_NAMES, ELIDED_NAMES = (legend.WIDEST, legend.HIGHEST), (0.8, 0.8)
"""Shares of the plot's width and height that a panel may take: with names in full, with elided ones."""
LEAST_PLOT = 0.75
"""Least share of the plot's height below a strip of names; with less, a panel elides them instead."""
MOST_NAMES = 8
"""More names than these are written at the ends of their lines."""
EDGE, SWATCH, GAP, REACH = 4.0, 20.0, 14.0, 7.0
"""Distance to the edge, room of a swatch, gap between names, and half the length of a swatch, in pixels."""
DISC = 7.0
"""Diameter of a disc, in pixels."""


def lay_out(
    chart: Chart, size: QSizeF, k: float, *, titled: bool = True, bounds: Bounds | None = None
) -> ChartLayout:
    """Lay out a chart with its legend where it covers hardly anything, else above the plot."""
    first = lay_out_axes(chart, size, k, titled=titled, bounds=bounds)
    first = replace(first, obstacles=obstacles(first))
    if len(named_series(chart)) < 2 or names_at_ends(chart):
        return first
    panel = _panel(first, elided=False)
    if panel is None:
        strip = strip_rows(chart, size.width(), first.geometry.plot.left(), k)
        second = lay_out_axes(
            chart, size, k, titled=titled, strip=len(strip) * LINE_HEIGHT * k, bounds=bounds
        )
        if second.geometry.plot.height() < LEAST_PLOT * first.geometry.plot.height():
            panel = _panel(first, elided=True)
        if panel is None:
            return replace(second, strip=strip, obstacles=obstacles(second))
    return replace(first, panel=panel)


def names_at_ends(chart: Chart) -> bool:
    """Whether the names of lines are at their ends, as those of many lines always are."""
    return chart.names_at_ends or len(named_series(chart)) > MOST_NAMES


def named_series(chart: Chart) -> tuple[Series, ...]:
    """Return the series with different names, typeset; a single one needs no legend."""
    names = {series: typeset(series.name) for series in chart.series if series.name}
    found = {name: replace(series, name=name) for series, name in names.items()}
    return tuple(found.values()) if len(found) > 1 else ()


def _panel(layout: ChartLayout, *, elided: bool) -> QRectF | None:
    """Return the place of a panel with all names that covers hardly any data, if there is one."""
    entries = _entries(layout.chart)
    size, shown, cut = legend.panel_of(layout.geometry, entries, ELIDED_NAMES if elided else WHOLE_NAMES)
    if len(shown) < len(entries) or (cut and not elided):
        return None
    drawn = layout.obstacles
    x, y = (axis - axis.mean() if len(axis) else axis for axis in drawn.T)
    rises = float(x @ y) < 0  # in pixels, which count downwards
    return place(layout.geometry, size, drawn, (), "bottom right" if rises else "top right", FEW)


def _entries(chart: Chart) -> tuple[LegendEntry, ...]:
    return tuple(LegendEntry(series.name) for series in named_series(chart))


def strip_rows(chart: Chart, width: float, left: float, k: float) -> Strip:
    """Break the names into lines above a plot that begins at `left`."""
    metrics = QFontMetricsF(font(LABEL, k))
    lines: list[list[tuple[float, str]]] = [[]]
    x = left
    for series in named_series(chart):
        wide = SWATCH * k + metrics.horizontalAdvance(series.name)
        if lines[-1] and x + wide > width - EDGE * k:
            lines.append([])
            x = left
        lines[-1].append((x, series.name))
        x += wide + GAP * k
    return tuple(tuple(line) for line in lines if line)


def obstacles(layout: ChartLayout) -> Floats:
    """Return places in pixels along lines, whiskers and bars, and the middles of dots."""
    found = [np.empty((0, 2))]
    box = box_of(layout.geometry.plot)
    for series in layout.chart.series:
        line = layout.geometry.to_pixels(polyline(layout.chart, series))
        if series.kind == "dots":
            found.append(line[np.isfinite(line).all(axis=1)])
            if series.low is not None and series.high is not None:
                ends = layout.geometry.to_pixels(whiskers(layout.chart, series, series.low, series.high).ends)
                found.append(_sampled(list(ends[np.isfinite(ends).all(axis=(1, 2))])))
        elif series.kind in ("bars", "stems"):
            half = bar_slot(layout.chart) / 2 / layout.geometry.unit[0]
            tops = np.concatenate([line + np.array([shift, 0.0]) for shift in (-half, 0.0, half)])
            feet = np.column_stack([tops[:, 0], np.full(len(tops), layout.geometry.plot.bottom())])
            uprights, seen = segments(np.stack([tops, feet], axis=1), box)
            found.append(_sampled(list(uprights[seen])))
        else:
            found.append(_sampled(visible(near([line], box), box)))
    return np.concatenate(found)


def _sampled(lines: Sequence[Floats]) -> Floats:
    """Return the ends of polylines, and places along them at most SAMPLING apart."""
    if not lines:
        return np.empty((0, 2))
    points, last = np.concatenate(lines), np.cumsum([len(line) for line in lines]) - 1
    steps = np.hypot(*np.diff(points, axis=0).T)
    steps[last[:-1]] = 0.0  # from the end of a line to the beginning of the next one
    length = np.concatenate([[0.0], np.cumsum(steps)])
    at = np.arange(SAMPLING, length[-1], SAMPLING)
    along = np.column_stack([np.interp(at, length, points[:, axis]) for axis in (0, 1)])
    return np.concatenate([points[[0, *(last[:-1] + 1)]], along, points[last]])


def paint_legend(painter: QPainter, layout: ChartLayout, theme: Theme, top: float) -> None:
    """Draw the panel, or the lines of names from `top` on."""
    chart, geometry = layout.chart, layout.geometry
    known = {series.name: series for series in named_series(chart)}

    def swatch(painter: QPainter, theme: Theme, row: LegendEntry, at: QPointF, k: float) -> None:
        paint_swatch(painter, theme, known[row.text], at, k)

    if layout.panel is not None:
        legend.paint_legend(painter, theme, layout.panel, _entries(chart), geometry.type_scale, swatch)
        return
    k = geometry.type_scale
    face, metrics = typeface(LABEL, k)
    for number, row in enumerate(layout.strip):
        y = top + (number + 0.5) * LINE_HEIGHT * k
        for x, name in row:
            paint_swatch(painter, theme, known[name], QPointF(x + REACH * k, y), k)
            at = QPointF(x + SWATCH * k, y + metrics.capHeight() / 2)
            draw_text(painter, face, theme.text, at, name, geometry.width - x - SWATCH * k)


def paint_swatch(painter: QPainter, theme: Theme, series: Series, at: QPointF, k: float) -> None:
    """Draw a short piece of a series around a place."""
    rgb, x, y, reach = theme.colour(series.ink), at.x(), at.y(), REACH * k
    patch = QRectF(x - reach, y - 5 * k, 2 * reach, 10 * k)
    if series.kind == "bars":
        painter.fillRect(patch, colour(rgb, BAR_OPACITY * series.opacity))
        return
    if series.low is not None and series.kind in ("line", "step"):
        painter.fillRect(patch, colour(rgb, BAND_OPACITY * series.opacity))
    if series.kind in ("dots", "stems"):
        painter.setPen(pen(theme.ground, k))
        painter.setBrush(colour(rgb, series.opacity))
        painter.drawEllipse(at, DISC / 2 * k, DISC / 2 * k)
        return
    painter.setPen(pen(theme.stroke(series.ink), series.width * k, series.opacity, series.stroke))
    painter.drawLine(QPointF(x - reach, y), QPointF(x + reach, y))
