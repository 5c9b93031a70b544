"""Content of a chart as a pyqtgraph item whose pens, discs and letters are in logical pixels on every device.

The pens of pyqtgraph's own curves are cosmetic: half as wide at a device pixel ratio of 2, hairlines in PDF,
ignored by some readers of SVG. This item is painted by the same painters as the marks of the canvas.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QLinearGradient, QPainter

from vizml.paint.charts.layout import BAR_EDGE, ChartLayout, bar_labels
from vizml.paint.charts.legend import DISC, names_at_ends, paint_legend
from vizml.paint.charts.marks import line_names, rule_names
from vizml.paint.clipping import box_of, inside, qpolygon
from vizml.paint.figure import LabelPlacement, paint_labels
from vizml.paint.marks import paint_mark, rim
from vizml.paint.pens import (
    SMALL,
    colour,
    draw_text,
    font,
    legible_on,
    paint_title,
    pen,
    title_height,
    typeface,
    vectorial,
)
from vizml.scene import HeatMap, Series, Theme
from vizml.scene.palette import Rgb, mixed
from vizml.scene.shading import risen

if TYPE_CHECKING:
    from vizml.paint.charts.plot import ChartPlot

SMALL_DISC, RIM, MANY_DISCS = 4.0, 1.2, 1500
"""Diameter of a disc among many, the ring around a disc, and how many discs are many."""
RING_INSET = 4.0
"""Distance of two rings in a cell, in pixels."""
MISSING = 0.5
"""Share of the line colour in cells without a value."""


Paint: TypeAlias = Callable[..., None]


def reports_errors(paint: Paint) -> Paint:
    """Hand errors of a method that Qt calls to sys.excepthook: below a call from Python they are fatal."""

    @wraps(paint)
    def guarded(*args: Any) -> None:
        try:
            paint(*args)
        except Exception as error:  # noqa: BLE001 (whatever it is, the hook reports it)
            sys.excepthook(type(error), error, error.__traceback__)

    return guarded


class ChartItem(pg.UIGraphicsItem):  # type: ignore[misc]
    """An item of a view box that is painted in the logical pixels of its plot."""

    def __init__(self, plot: ChartPlot) -> None:
        super().__init__()
        self.plot = plot

    @reports_errors
    def paint(self, painter: QPainter, *_: Any) -> None:
        layout = self.plot.chart_layout
        if layout is not None:
            painter.setWorldTransform(self.plot.to_device)
            self.draw(painter, layout, self.plot.theme)

    def draw(self, painter: QPainter, layout: ChartLayout, theme: Theme) -> None:
        """Draw within the layout's plot."""
        raise NotImplementedError


class ContentItem(ChartItem):
    """A heat map and its colour bar, then bands, bars, rules, lines and discs of series, then all text."""

    def draw(self, painter: QPainter, layout: ChartLayout, theme: Theme) -> None:
        if layout.chart.heat is not None and layout.chart.heat.values.size:
            _paint_heat(painter, layout, theme, layout.chart.heat)
        if layout.chart.heat is not None and layout.bar is not None:
            _paint_colour_bar(painter, layout, theme, layout.chart.heat, layout.bar)
        for mark in self.plot.marks:
            below = rim(mark) if layout.chart.heat is not None else None
            for each in (mark,) if below is None else (below, mark):
                paint_mark(painter, layout.geometry, theme, each)
        for series in layout.chart.series:
            if series.kind in ("dots", "stems"):
                _paint_discs(painter, layout, theme, series)
        _paint_text(painter, layout, theme)


def _paint_discs(painter: QPainter, layout: ChartLayout, theme: Theme, series: Series) -> None:
    """Draw the points of a series as discs, smaller ones without rings where there are many."""
    places, k = layout.pixels(series), layout.geometry.type_scale
    if series.kind == "stems" and not _apart(places, k):
        return
    places = places[np.isfinite(places).all(axis=1)]
    places = places[inside(places, box_of(layout.geometry.plot, 0.5))]
    rgb, many = theme.colour(series.ink), len(places) > MANY_DISCS
    if many and not vectorial(painter):
        painter.setPen(pen(rgb, SMALL_DISC * k, min(series.opacity, 0.6)))
        painter.drawPoints(qpolygon(places))
        return
    radius = (SMALL_DISC if many else DISC) / 2 * k
    painter.setPen(Qt.PenStyle.NoPen if many else pen(mixed(rgb, theme.ground, 0.85), RIM * k))
    painter.setBrush(colour(rgb, series.opacity))
    for x, y in places.tolist():
        painter.drawEllipse(QPointF(x, y), radius, radius)


def _apart(places: np.ndarray, k: float) -> bool:
    """Whether discs on stems would mostly not overlap."""
    x = np.sort(places[:, 0])
    gaps = np.diff(x[np.isfinite(x)])
    return not len(gaps) or float(np.median(gaps)) >= DISC / 2 * k


def _paint_heat(painter: QPainter, layout: ChartLayout, theme: Theme, heat: HeatMap) -> None:
    """Draw the cells as rectangles (SVG readers blur images), with texts, and a ring in the best one."""
    rects, shades = layout.cells(), cell_colours(heat, theme)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    for rect, shade in zip(rects, shades):
        painter.fillRect(rect, shade)
    painter.restore()
    size, texts = layout.cell_texts
    _draw_cell_texts(painter, size, theme, zip(rects, shades, texts))
    if heat.marked is not None:
        draw_ring(painter, layout.cell_rect(*heat.marked), theme, theme.text, layout.geometry.type_scale)


def _draw_cell_texts(
    painter: QPainter, size: int, theme: Theme, cells: Iterable[tuple[QRectF, QColor, str]]
) -> None:
    """Draw the texts of cells; none where a cell is cut to a sliver by the edge of a zoomed chart."""
    face = font(size, 1.0)
    painter.setFont(face)
    metrics = QFontMetricsF(face)
    for rect, shade, text in cells:
        if rect.height() >= metrics.height() and rect.width() >= metrics.horizontalAdvance(text) / 2:
            painter.setPen(colour(legible_on((shade.red(), shade.green(), shade.blue()), theme)))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


def cell_colours(heat: HeatMap, theme: Theme) -> list[QColor]:
    """Return the colour of each cell, row by row: the higher the value, the further from the ground."""
    known = np.isfinite(heat.values)
    none = colour(mixed(theme.ground, theme.line, MISSING))
    if heat.colours is not None:
        cells = zip(heat.colours.reshape(-1, 3).tolist(), known.ravel())
        return [QColor(*rgb) if real else none for rgb, real in cells]
    low, high = (float(end(heat.values[known])) if known.any() else 0.0 for end in (np.min, np.max))
    table = risen(theme)
    share = (heat.values - low) / ((high - low) or 1.0) if heat.shades is None else heat.shades
    share = np.nan_to_num(share)
    steps = np.clip(share * (len(table) - 1), 0, len(table) - 1).round().astype(int)
    palette = [QColor(*rgba[:3]) for rgba in table.tolist()]
    return [palette[step] if real else none for step, real in zip(steps.ravel().tolist(), known.ravel())]


def draw_ring(painter: QPainter, cell: QRectF, theme: Theme, rgb: Rgb, k: float) -> None:
    """Draw a ring inside a cell, within one of the ground, so that it is visible on any colour."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for width, ink, inset in ((4.0, theme.ground, 1.5 * k), (2.0, rgb, k)):
        stroke = pen(ink, width * k)
        stroke.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(stroke)
        painter.drawRect(cell.adjusted(inset, inset, -inset, -inset))


def _paint_colour_bar(
    painter: QPainter, layout: ChartLayout, theme: Theme, heat: HeatMap, bar: QRectF
) -> None:
    """Draw the colours of a heat map, with the least and the greatest value at the ends."""
    k, table = layout.geometry.type_scale, risen(theme)
    gradient = QLinearGradient(bar.bottomLeft(), bar.topLeft())
    for index in np.linspace(0, len(table) - 1, 11).round().astype(int).tolist():
        gradient.setColorAt(index / (len(table) - 1), QColor(*table[index, :3].tolist()))
    painter.fillRect(bar, gradient)
    face, metrics = typeface(SMALL, k)
    for label, y in zip(bar_labels(heat), (bar.bottom(), bar.top() + metrics.capHeight())):
        draw_text(painter, face, theme.muted, QPointF(bar.right() + BAR_EDGE * k, y), label)


def _paint_text(painter: QPainter, layout: ChartLayout, theme: Theme) -> None:
    """Draw title, note and legend, and the names of rules and of many lines, off the data."""
    geometry, chart = layout.geometry, layout.chart
    k, left, drawn = geometry.type_scale, geometry.plot.left(), layout.obstacles
    room = QRectF(left, 5 * k, geometry.width - left - 10 * k, 0)
    paint_title(painter, theme, room, layout.title, layout.note, k)
    paint_legend(painter, layout, theme, room.top() + title_height(layout.title, layout.note, k))
    visible = drawn[inside(drawn, box_of(geometry.plot))]
    free = LabelPlacement(geometry.plot, visible, k, [layout.panel] if layout.panel is not None else [])
    paint_labels(painter, geometry, theme, rule_names(chart, geometry.bounds), free)
    if names_at_ends(chart):
        room_for_names = free if chart.names_at_ends else LabelPlacement(geometry.plot)
        paint_labels(painter, geometry, theme, line_names(chart), room_for_names)
