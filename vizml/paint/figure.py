"""Painting of a figure, in the layers that a canvas caches separately."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from vizml.field.arrays import Floats
from vizml.paint.axes import paint_axes, paint_grid, paint_heading
from vizml.paint.captions import CaptionPainter
from vizml.paint.clipping import box_of, inside
from vizml.paint.geometry import Geometry
from vizml.paint.marks import paint_mark, rim
from vizml.paint.overlay_placement import LabelPlacement, paint_labels
from vizml.paint.pens import antialiased, colour
from vizml.paint.points import paint_points
from vizml.paint.region import paint_region
from vizml.paint.symbols import SIZE
from vizml.scene import Dots, Mark, TextLabels, Theme
from vizml.scene.figure import Figure
from vizml.scene.scene import GRID, REGIONS


def lines_of(figure: Figure) -> list[Mark]:
    """Return the marks below the points; on a map of colours, their rims come before them."""
    lines = [mark for mark in figure.marks if not mark.over]
    mapped = figure.lens is not None and not figure.lens.rising
    return [*filter(None, map(rim, lines)), *lines] if mapped else lines


def paint(painter: QPainter, geometry: Geometry, figure: Figure) -> None:
    """Paint all layers of a figure."""
    paint_under(painter, geometry, figure)
    paint_points(painter, geometry, figure)
    paint_over(painter, geometry, figure)


def paint_under(painter: QPainter, geometry: Geometry, figure: Figure, part: QRectF | None = None) -> None:
    """Paint ground, region, grid and the marks below the points, of all the plot or of a part of it."""
    theme, look, scene = figure.look.theme, figure.look, figure.scene
    with antialiased(painter):
        if not look.transparent:
            painter.fillRect(QRectF(0, 0, geometry.width, geometry.height), colour(theme.ground))
        if scene is not None and scene.region is not None and look.shows(REGIONS):
            paint_region(painter, geometry, scene.region, part)
        if look.shows(GRID):
            paint_grid(painter, geometry, theme)
        for mark in lines_of(figure):
            paint_mark(painter, geometry, theme, mark, part)


def paint_over(painter: QPainter, geometry: Geometry, figure: Figure) -> None:
    """Paint marks above the points, axes, title, scores, legend and text labels."""
    theme = figure.look.theme
    with antialiased(painter):
        for mark in figure.marks:
            for each in filter(None, (rim(mark), mark)) if mark.over else ():
                paint_mark(painter, geometry, theme, each)
        paint_axes(painter, geometry, theme, ("", "") if geometry.low else figure.axes)
        if figure.title:
            paint_heading(painter, geometry, theme, figure.title)
        obstacles = _obstacles(geometry, figure)
        captions = CaptionPainter(painter, geometry, figure, obstacles)
        captions.paint()
        labels = [mark for mark in figure.marks if isinstance(mark, TextLabels)]
        if labels:
            clear = SIZE / 2 * geometry.symbol_scale + geometry.type_scale
            room = LabelPlacement(geometry.plot, obstacles, clear, captions.panels)
            paint_labels(painter, geometry, theme, labels, room)


def paint_marks(painter: QPainter, geometry: Geometry, theme: Theme, marks: Iterable[Mark]) -> None:
    """Paint marks on their own, for previews and probes."""
    labels = []
    with antialiased(painter):
        for mark in marks:
            paint_mark(painter, geometry, theme, mark)
            labels += [mark] if isinstance(mark, TextLabels) else []
        if labels:
            paint_labels(painter, geometry, theme, labels, LabelPlacement(geometry.plot))


def _obstacles(geometry: Geometry, figure: Figure) -> Floats:
    """Points that text should avoid, in pixels: the visible data, and the dots of the model."""
    groups = [figure.points.positions[figure.drawn]]
    groups += [mark.points.reshape(-1, 2) for mark in figure.marks if isinstance(mark, Dots)]
    places = geometry.to_pixels(np.concatenate(groups))
    return np.asarray(places[inside(places, box_of(geometry.plot))])
