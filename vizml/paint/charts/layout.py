"""Layout of a chart in a rectangle: plot, ticks, titles, legend and colour bar, and values at pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF

from vizml.field.arrays import Bounds, Floats
from vizml.paint.axes import Axes, Ticks, enough, margins_for
from vizml.paint.charts.marks import axis_ticks, chart_bounds, from_axis, is_measured, to_axis
from vizml.paint.geometry import Geometry, Margins
from vizml.paint.pens import LABEL, SMALL, font, title_height, typeface
from vizml.scene import Chart, HeatMap, Series
from vizml.scene.typesetting import typeset
from vizml.scene.viewport import equal_bounds

TICK_WIDTH, TICK_HEIGHT, MOST_TICKS = 30.0, 22.0, 10
"""Least distance of two ticks along x and y in pixels, and the most ticks of an axis."""
CLOSE_TICKS, FEW_TICKS = 15.0, 2
"""Distance of ticks along y where the usual one leaves fewer than so many."""
ABOVE = 10.0
"""Free pixels above the plot."""
WIDEST_NAMES = 0.34
"""Share of the width that names along y may take."""
NAME_GAP, NUMBER_GAP = 8.0, 14.0
"""Least distance of two names along x, and of two numbers, in pixels."""
LEAST_PLOT = 64.0
"""Height of the plot below which the note is left out, then the title of the x-axis."""
WHOLE = 1e-6
"""Tolerance within which a tick counts as a whole number."""
ELIDABLE = 40.0
"""Names along x with so many pixels each are elided; with fewer, some at equal steps are shown."""
BAR_WIDTH, BAR_GAP, BAR_EDGE = 9.0, 7.0, 3.0
"""Width of the colour bar, its distance to the plot, and that of its labels to bar and edge, in pixels."""
ROOMY, NARROW = 260.0, 120.0
"""Least width of a plot beside a colour bar in pixels, of cells with text and without."""
LEAST_TYPE, CELL_PADDING = 8.0, 4.0
"""Smallest type in cells, and the padding around it, in pixels."""
CELL_GAP, GAP_FROM = 1.0, 12.0
"""Gap between cells in pixels, and the size of cells from which they have one."""


Strip: TypeAlias = tuple[tuple[tuple[float, str], ...], ...]
"""Lines of names with where they begin."""


@dataclass(frozen=True, eq=False)
class ChartLayout:
    """A chart laid out for a size; the plot's data units are positions on the axes."""

    chart: Chart
    geometry: Geometry
    axes: Axes
    title: str
    note: str
    axis_titles: tuple[str, str]
    bar: QRectF | None = None
    """Rectangle of the colour bar, where there is one."""
    panel: QRectF | None = None
    """Rectangle of the legend, where it is inside the plot."""
    strip: Strip = ()
    """The legend above the plot."""
    obstacles: Floats = field(default_factory=lambda: np.empty((0, 2)))
    """Places in pixels along all that is drawn, which labels keep off."""

    def pixels(self, series: Series) -> Floats:
        """Return the points (n, 2) of a series in logical pixels."""
        positions = to_axis(self.chart.x, series.x), to_axis(self.chart.y, series.y)
        return self.geometry.to_pixels(np.column_stack(positions))

    def pixel_x(self, x: float) -> float:
        """Return the logical pixel of a value of x."""
        position = float(to_axis(self.chart.x, x))
        return float(self.geometry.to_pixels([position, self.geometry.bounds[2]])[0])

    def value_x(self, pixel: float) -> float:
        """Return the value of x at a logical pixel."""
        return from_axis(self.chart.x, self.geometry.to_data(pixel, 0.0)[0])

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Return row and column of the heat map's cell at a place in logical pixels."""
        heat = self.chart.heat
        if heat is None or not self.geometry.plot.contains(x, y):
            return None
        across, up = self.geometry.to_data(x, y)
        row, column = len(heat.rows) - 1 - round(up), round(across)
        return min(max(row, 0), len(heat.rows) - 1), min(max(column, 0), len(heat.columns) - 1)

    @cached_property
    def cell_texts(self) -> tuple[int, Sequence[str]]:
        """Size of the type in the cells of the heat map, in pixels, and their texts; 0 without room."""
        wide, high = self.geometry.unit
        return cell_texts(self.chart.heat, 1 / wide, 1 / high, self.geometry.type_scale)

    def cell_rect(self, row: int, column: int) -> QRectF:
        """Return the visible rectangle of a cell."""
        return self.cells()[row * len(self.chart.heat.columns if self.chart.heat else ()) + column]

    def cells(self) -> list[QRectF]:
        """Return the visible rectangles of all cells, row by row, on whole pixels."""
        heat, plot = self.chart.heat, self.geometry.plot
        if heat is None:
            return []
        rows, columns = len(heat.rows), len(heat.columns)
        edges = np.full((max(rows, columns) + 1, 2), np.nan)
        edges[: columns + 1, 0] = np.arange(columns + 1) - 0.5
        edges[: rows + 1, 1] = rows - 0.5 - np.arange(rows + 1)
        pixels = np.round(self.geometry.to_pixels(edges))
        x = np.clip(pixels[: columns + 1, 0], plot.left(), plot.right()).tolist()
        y = np.clip(pixels[: rows + 1, 1], plot.top(), plot.bottom()).tolist()
        gap = CELL_GAP if 1 / max(self.geometry.unit) >= GAP_FROM else 0.0
        return [
            QRectF(left, top, max(right - left - gap, 0.0), max(bottom - top - gap, 0.0))
            for top, bottom in pairwise(y)
            for left, right in pairwise(x)
        ]


def lay_out_axes(
    chart: Chart,
    size: QSizeF,
    k: float,
    *,
    titled: bool = True,
    strip: float = 0.0,
    bounds: Bounds | None = None,
) -> ChartLayout:
    """Lay out plot and axes with so many pixels free above the plot for names.

    Where that leaves too little of the plot, the note is left out, then the title of the x-axis.
    """
    title, axis_titles = chart.title if titled else "", (chart.x.title, chart.y.title)
    for note, titles in ((chart.note, axis_titles), ("", axis_titles), ("", ("", chart.y.title))):
        above = ABOVE * k + strip + title_height(title, note, k)
        layout = _Fitting(chart, size, k, above, titles, bounds or chart_bounds(chart)).layout(title, note)
        if layout.geometry.plot.height() >= LEAST_PLOT * k:
            break
    return layout


@dataclass(frozen=True)
class _Fitting:
    """Axes fitted to a size with given titles and free height above the plot."""

    chart: Chart
    size: QSizeF
    k: float
    above: float
    titles: tuple[str, str]
    bounds: Bounds

    def layout(self, title: str, note: str) -> ChartLayout:
        chart, k, bounds = self.chart, self.k, self.bounds
        up = self._ticks_y(bounds, (self.size.height() - self.above - 50 * k) / k)
        up = _elided(up, self.size.width() * WIDEST_NAMES, k)
        columns = chart.heat.columns if chart.heat else ()
        across = axis_ticks(chart.x, columns, *bounds[:2], 1)
        margins = margins_for(Axes(across, up), self.titles, k, self.above)
        margins, has_bar = self._beside_bar(margins)
        geometry = Geometry(self.size.width(), self.size.height(), bounds, k, margins=margins)
        if chart.square:
            plot = geometry.plot
            geometry = replace(geometry, bounds=equal_bounds(bounds, plot.width(), plot.height()))
            up = self._ticks_y(geometry.bounds, geometry.plot.height() / k)
        named = chart.x.ticks or (columns and not is_measured(chart.x))
        across = _spread_names(across, geometry) if named else self._numbers_x(columns, geometry)
        axes = Axes(across, _thinned_y(up, geometry))
        plot = geometry.plot
        bar = QRectF(plot.right() + BAR_GAP * k, plot.top(), BAR_WIDTH * k, plot.height())
        return ChartLayout(chart, geometry, axes, title, note, self.titles, bar if has_bar else None)

    def _beside_bar(self, margins: Margins) -> tuple[Margins, bool]:
        """Reserve the right margin for a colour bar where the plot remains wide enough."""
        heat = self.chart.heat
        if (
            heat is None
            or heat.shades is not None
            or heat.colours is not None
            or len(np.unique(heat.values[np.isfinite(heat.values)])) < 2
        ):
            return margins, False
        wide = max(map(QFontMetricsF(font(SMALL, self.k)).horizontalAdvance, bar_labels(heat)))
        room = wide + (BAR_GAP + BAR_WIDTH + 2 * BAR_EDGE) * self.k
        width, height = self.size.width() - margins.left, self.size.height() - margins.top - margins.bottom
        cell = (width - margins.right) / len(heat.columns), height / len(heat.rows)
        least = ROOMY if cell_texts(heat, *cell, self.k)[0] else NARROW
        if width - room < least * self.k:
            return margins, False
        return replace(margins, right=room), True

    def _ticks_y(self, bounds: Bounds, room: float) -> Ticks:
        """Return as many ticks along y as fit, closer ones where there would be hardly any."""
        names = tuple(reversed(self.chart.heat.rows)) if self.chart.heat else ()
        usual = int(np.clip(room / TICK_HEIGHT, 1, MOST_TICKS))
        most = usual if names else int(room / CLOSE_TICKS)
        return enough(partial(axis_ticks, self.chart.y, names, *bounds[2:]), usual, most, FEW_TICKS)

    def _numbers_x(self, columns: tuple[str, ...], geometry: Geometry) -> Ticks:
        """Return as many legible numbers along x as fit; whole ones where all points lie at whole ones."""
        axis, ends = self.chart.x, geometry.bounds[:2]
        counts = not columns and all(np.array_equal(each.x, np.round(each.x)) for each in self.chart.series)
        for most in range(MOST_TICKS, 1, -1):
            found = axis_ticks(axis, columns, *ends, most)
            values = from_axis(axis, found.values)
            fractional = counts and bool(np.any(np.abs(values - np.round(values)) > WHOLE))
            if _legible(found, geometry) and not fractional:
                return found
        return axis_ticks(axis, columns, *ends, 1)


def cell_texts(heat: HeatMap | None, width: float, height: float, k: float) -> tuple[int, Sequence[str]]:
    """Return the size of type at which all texts, or their first lines, fit into cells of a size, and these.

    The size is 0 where neither are legible.
    """
    texts = [typeset(text) for row in heat.texts for text in row] if heat is not None else []
    if not texts or min(width, height) < LEAST_TYPE:
        return 0, ()
    face, metrics = typeface(LABEL, k)
    for given in (texts, [text.split("\n")[0] for text in texts]):
        wide = max(metrics.horizontalAdvance(line) for text in given for line in text.split("\n"))
        high = max(text.count("\n") + 1 for text in given) * metrics.height()
        size = int(min(1.0, width / (wide + 2 * CELL_PADDING * k), height / high) * face.pixelSize())
        if size >= LEAST_TYPE:
            return size, given
    return 0, ()


def bar_labels(heat: HeatMap) -> tuple[str, str]:
    """Return the least and the greatest value, as the cells with these values write them."""
    texts = [text.split("\n")[0] for row in heat.texts for text in row]
    ends = int(np.nanargmin(heat.values)), int(np.nanargmax(heat.values))
    low, high = (typeset(texts[at] if texts else f"{heat.values.flat[at]:.3g}") for at in ends)
    return low, high


def _legible(numbers: Ticks, geometry: Geometry) -> bool:
    """Whether neighbouring labels along x keep their distance."""
    k = geometry.type_scale
    metrics = QFontMetricsF(font(SMALL, k))
    widths = np.array([metrics.horizontalAdvance(label) for label in numbers.labels])
    gaps = np.diff(numbers.values) / geometry.unit[0]
    return bool(np.all(gaps >= np.maximum((widths[1:] + widths[:-1]) / 2 + NUMBER_GAP * k, TICK_WIDTH * k)))


def _elided(named: Ticks, room: float, k: float) -> Ticks:
    """Shorten labels that are wider than the room."""
    metrics, right = QFontMetricsF(font(SMALL, k)), Qt.TextElideMode.ElideRight
    labels = tuple(metrics.elidedText(name, right, room) for name in named.labels)
    return Ticks(named.values, labels, named.scale)


def _spread_names(named: Ticks, geometry: Geometry) -> Ticks:
    """Keep names along x apart: elide them, or show some at equal steps."""
    k = geometry.type_scale
    metrics = QFontMetricsF(font(SMALL, k))
    widest = max((metrics.horizontalAdvance(name) for name in named.labels), default=0.0) + NAME_GAP * k
    slot = _least_gap(named) / geometry.unit[0]
    if widest > slot > ELIDABLE * k:
        return _elided(named, slot - NAME_GAP * k / 2, k)
    return _every(named, widest / slot)


def _thinned_y(named: Ticks, geometry: Geometry) -> Ticks:
    """Keep labels along y apart."""
    height = QFontMetricsF(font(SMALL, geometry.type_scale)).height()
    return _every(named, height * geometry.unit[1] / _least_gap(named))


def _every(named: Ticks, crowding: float) -> Ticks:
    step = max(math.ceil(crowding - 1e-9), 1)
    return Ticks(named.values[::step], named.labels[::step], named.scale)


def _least_gap(named: Ticks) -> float:
    return float(np.diff(np.sort(named.values)).min(initial=np.inf))
