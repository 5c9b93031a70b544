"""Where the parts of a chart lie in a rectangle: plot, ticks, titles, and what its places mean."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QRectF, QSizeF, Qt

from vizml.data import Bounds
from vizml.data.dataset import Floats
from vizml.paint.axes import Axes, margins_for
from vizml.paint.geometry import Geometry
from vizml.paint.pens import SMALL, font, measure
from vizml.paint.ticks import Ticks
from vizml.scene import Chart, Series
from vizml.ui.charts.head import height
from vizml.ui.charts.units import along, bounds_of, measured, ticks_of, value_at

ACROSS, UP, MOST = 30.0, 22.0, 10
"""Pixels that a tick takes on either axis at the least, and how many there are at most."""
CLOSE, ENOUGH = 15.0, 2
"""Pixels that a tick along y takes where there would be fewer than so many."""
ABOVE = 10.0
"""Pixels that stay free above a plot."""
WIDEST = 0.34
"""The share of a chart's width that the names along y may take."""
APART, BETWEEN = 8.0, 14.0
"""The least distance of two names along x, and of two numbers."""
LOW = 64.0
"""The least height of a plot beside words that one could do without."""
WHOLE = 1e-6
"""A number that is off a whole one by so little is one."""
SLOT = 40.0
"""A name along x is rather cut than left out where it has so much room."""


@dataclass(frozen=True)
class Words:
    """The note and the titles of the axes, as far as there is room for them."""

    note: str
    titles: tuple[str, str]


@dataclass(frozen=True, eq=False)
class Plan:
    """A chart laid out for a size; the plot's units are those of `along`."""

    chart: Chart
    geometry: Geometry
    axes: Axes
    words: Words

    def places(self, series: Series) -> Floats:
        """The points of a series (n, 2) in the plot's units."""
        return np.column_stack([along(self.chart.x, series.x), along(self.chart.y, series.y)])

    def pixels(self, series: Series) -> Floats:
        """The points of a series in logical pixels."""
        return self.geometry.to_pixels(self.places(series))

    def column(self, x: float) -> float:
        """Where a value of x lies, in logical pixels."""
        place = float(along(self.chart.x, x))
        return float(self.geometry.to_pixels([place, self.geometry.bounds[2]])[0])

    def x_at(self, pixel: float) -> float:
        """The value of x at a place in logical pixels."""
        return value_at(self.chart.x, self.geometry.to_data(pixel, 0.0)[0])

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """The row and column of the heat's cell at a place in logical pixels."""
        heat, plot = self.chart.heat, self.geometry.plot
        if heat is None or not plot.contains(x, y):
            return None
        row = int((y - plot.top()) / plot.height() * len(heat.rows))
        column = int((x - plot.left()) / plot.width() * len(heat.columns))
        return min(row, len(heat.rows) - 1), min(column, len(heat.columns) - 1)


def plan(chart: Chart, size: QSizeF, k: float, *, titled: bool, strip: float = 0.0) -> Plan:
    """Lay a chart out, with or without its title, and a strip of so many pixels free above the plot.

    Where that leaves too little of the plot the note goes, then the title of the x-axis.
    """
    title, whole = chart.title if titled else "", (chart.x.title, chart.y.title)
    for note, titles in ((chart.note, whole), ("", whole), ("", ("", chart.y.title))):
        found = _plan(chart, size, k, strip + height(title, note, k), Words(note, titles))
        if found.geometry.plot.height() >= LOW * k:
            break
    return found


def _plan(chart: Chart, size: QSizeF, k: float, strip: float, words: Words) -> Plan:
    above, bounds = ABOVE * k + strip, bounds_of(chart)
    rows = tuple(reversed(chart.heat.rows)) if chart.heat else ()
    columns = chart.heat.columns if chart.heat else ()
    up = _up(chart, rows, bounds, (size.height() - above - 50 * k) / k)
    up = _short(up, size.width() * WIDEST, k)
    across = ticks_of(chart.x, columns, *bounds[:2], 1)
    margins = margins_for(Axes(across, up), words.titles, k, above)
    geometry = Geometry(size.width(), size.height(), bounds, k, margins=margins)
    if chart.square:
        geometry = replace(geometry, bounds=_squared(bounds, geometry.plot))
        bounds = geometry.bounds
        up = _up(chart, rows, bounds, geometry.plot.height() / k)
    named = chart.x.ticks or (columns and not measured(chart.x))
    across = _spread(across, geometry, k) if named else _numbers(chart, columns, geometry, k)
    return Plan(chart, geometry, Axes(across, _sparse(up, geometry, k)), words)


def _squared(bounds: Bounds, plot: QRectF) -> Bounds:
    """As much as they hold and more along one axis, so that its units are as long as the other's."""
    left, right, bottom, top = bounds
    if plot.width() <= 0 or plot.height() <= 0:
        return bounds
    unit = max((right - left) / plot.width(), (top - bottom) / plot.height()) / 2
    across, up = unit * plot.width(), unit * plot.height()
    x, y = (left + right) / 2, (bottom + top) / 2
    return x - across, x + across, y - up, y + up


def _count(length: float, each: float) -> int:
    return int(np.clip(length / each, 1, MOST))


def _numbers(chart: Chart, columns: tuple[str, ...], geometry: Geometry, k: float) -> Ticks:
    """As many numbers along x as can be read apart; whole ones where all that is drawn is at whole ones."""
    counts = not columns and all(np.array_equal(series.x, np.round(series.x)) for series in chart.series)
    for most in range(MOST, 1, -1):
        found = ticks_of(chart.x, columns, *geometry.bounds[:2], most)
        places = value_at(chart.x, found.values)
        if _legible(found, geometry, k) and not (
            counts and np.any(np.abs(places - np.round(places)) > WHOLE)
        ):
            return found
    return ticks_of(chart.x, columns, *geometry.bounds[:2], 1)


def _legible(numbers: Ticks, geometry: Geometry, k: float) -> bool:
    """Whether no label along x comes too near to the next."""
    metrics = measure(font(SMALL, k))
    wide = np.array([metrics.horizontalAdvance(label) for label in numbers.labels])
    apart = np.diff(numbers.values) / geometry.unit[0]
    return bool(np.all(apart >= np.maximum((wide[1:] + wide[:-1]) / 2 + BETWEEN * k, ACROSS * k)))


def _up(chart: Chart, rows: tuple[str, ...], bounds: Bounds, room: float) -> Ticks:
    """As many ticks along y as there is room for, closer ones where there would be hardly any."""
    found = ticks_of(chart.y, rows, *bounds[2:], _count(room, UP))
    for most in range(_count(room, UP) + 1, int(room / CLOSE) + 1):
        if rows or len(found.values) >= ENOUGH:
            break
        found = ticks_of(chart.y, rows, *bounds[2:], most)
    return found


def _short(named: Ticks, room: float, k: float) -> Ticks:
    """Names that are cut where they would take too much room."""
    metrics, right = measure(font(SMALL, k)), Qt.TextElideMode.ElideRight
    labels = tuple(metrics.elidedText(name, right, room) for name in named.labels)
    return Ticks(named.values, labels, named.scale)


def _spread(named: Ticks, geometry: Geometry, k: float) -> Ticks:
    """Names along x that do not run into one another: cut a little, or only every so-manieth."""
    metrics = measure(font(SMALL, k))
    widest = max((metrics.horizontalAdvance(name) for name in named.labels), default=0.0) + APART * k
    slot = _apart(named) / geometry.unit[0]
    if widest > slot > SLOT * k:
        return _short(named, slot - APART * k / 2, k)
    return _thinned(named, widest / slot)


def _sparse(named: Ticks, geometry: Geometry, k: float) -> Ticks:
    """Names along y that do not run into one another."""
    return _thinned(named, measure(font(SMALL, k)).height() * geometry.unit[1] / _apart(named))


def _thinned(named: Ticks, crowd: float) -> Ticks:
    every = max(math.ceil(crowd - 1e-9), 1)
    return Ticks(named.values[::every], named.labels[::every], named.scale)


def _apart(named: Ticks) -> float:
    """The least distance of two ticks."""
    return float(np.diff(np.sort(named.values)).min(initial=np.inf))
