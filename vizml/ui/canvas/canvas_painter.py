"""Painting of the canvas: cached layers, points, hints, then everything that follows the pointer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from vizml.data import MAX_CLASSES
from vizml.field.arrays import Floats
from vizml.learn import Task
from vizml.paint import Geometry, paint_emphasis, paint_marks, paint_over, paint_points
from vizml.paint.legend import LegendEntry, Placed
from vizml.paint.pens import colour, font, pen
from vizml.paint.symbols import MANY, SIZE, paint_symbol, ring, stamp, style_of
from vizml.run.figures import kind_of
from vizml.scene import Theme
from vizml.scene.figure import Figure
from vizml.scene.palette import Rgb
from vizml.ui.canvas.cached_layer import CachedLayer, PanCache, SameArray
from vizml.ui.canvas.pointer_probe import PointerProbe
from vizml.ui.canvas.selection import NO_POINT
from vizml.ui.canvas.tools import Pointer

if TYPE_CHECKING:
    from vizml.ui.canvas.canvas import Canvas

INVITATION = "Click to add points"
RING_GAP, RING_WIDTH = 4.5, 2.0
"""Pixels between a symbol and the ring around it, and width of the ring."""
LARGE, SMALL = 20, 14
"""Pixels of the two lines at the normal type size."""
RADIUS = 6.0
SYMBOL_SPACING, SYMBOLS_BELOW, FAINT = 26, 40, 0.6
TEXT_WIDTH, TEXT_HEIGHT = 310, 150
"""Room that the text needs at the normal type size."""
PREVIEW_OPACITY = 0.5


def over_key(geometry: Geometry, figure: Figure) -> tuple[object, ...]:
    """Return all that the layer over the points depends on, except for their positions.

    The legend avoids the points anew with each frame only, or it would move during a drag.
    """
    points = figure.points
    under = geometry, figure.scene, figure.look, figure.scores, figure.axes
    names = (*points.names.items(), *points.fill_names.items())
    return (*under, points.present, names)


class CanvasPainter:
    """Paint the canvas, and keep costly layers from one paint event to the next."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._under, self._over, self.probe = PanCache(canvas), CachedLayer(canvas), PointerProbe(canvas)
        self.probe.found.connect(canvas.update)
        self._points: CachedLayer | None = None
        self._legend: Placed = []

    def paint(self) -> None:
        """Paint the whole canvas."""
        canvas = self._canvas
        geometry, figure = canvas.plot_geometry, canvas.figure
        with QPainter(canvas) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._under.show(painter, geometry, figure)
            self._paint_points(painter, geometry, figure)
            if canvas.emphasis is not None:
                paint_emphasis(painter, geometry, figure, canvas.emphasis)
            key = (canvas.frame, *over_key(geometry, figure))
            self._over.put(painter, key, partial(self._paint_over, geometry, figure))
            self._paint_hints(painter, geometry)

    def entry_at(self, position: QPointF) -> LegendEntry | None:
        """Return the entry of the legend at a position in pixels."""
        return next((entry for rect, entry in self._legend if rect.contains(position)), None)

    def _paint_over(self, geometry: Geometry, figure: Figure, layer: QPainter) -> None:
        self._legend = paint_over(layer, geometry, figure)

    def _paint_points(self, painter: QPainter, geometry: Geometry, figure: Figure) -> None:
        """Paint few points directly; keep many in a layer of their own."""
        if len(figure.points.positions) <= MANY:
            self._points = None
            paint_points(painter, geometry, figure)
            return
        self._points = self._points or CachedLayer(self._canvas)
        key = geometry, SameArray(figure.points.positions), figure.look, *figure.points.key
        self._points.put(painter, key, lambda layer: paint_points(layer, geometry, figure))

    def _paint_hints(self, painter: QPainter, geometry: Geometry) -> None:
        canvas, theme = self._canvas, self._canvas.look.theme
        if canvas.drop_names:
            paint_drop_target(painter, geometry, theme, canvas.drop_names)
            return
        if not len(canvas.document.work.dataset):
            paint_hint(painter, geometry, theme, canvas.task)
        painter.save()
        painter.setClipRect(geometry.plot)
        if canvas.highlight:
            paint_marks(painter, geometry, theme, canvas.highlight)
        if canvas.pointed != NO_POINT:
            placed = canvas.document.placed
            paint_rings(
                painter, geometry, theme, geometry.to_pixels(placed.points[placed.ids == canvas.pointed])
            )
        if canvas.pointer.at:
            self._paint_pointer(painter, geometry, canvas.pointer.at)
        painter.restore()
        if canvas.crosshair.visible:
            paint_focus(painter, geometry, theme)

    def _paint_pointer(self, painter: QPainter, geometry: Geometry, at: Pointer) -> None:
        """Paint the probe of the model, the cross-hair, and the preview of the tool."""
        canvas, theme = self._canvas, self._canvas.look.theme
        preview = canvas.pointer.tool.preview(at)
        cross = canvas.crosshair.marks(at) if canvas.crosshair.visible else ()
        probes = preview.probes and not canvas.pointer.stroke
        probe = self.probe.marks(canvas.view, at.point, canvas.cost) if probes else ()
        paint_marks(painter, geometry, theme, (*filter(canvas.look.draws, probe), *cross, *preview.marks))
        if len(preview.affected):
            paint_rings(painter, geometry, theme, geometry.to_pixels(preview.affected))
        if len(preview.added):
            work = canvas.document.work
            landing = canvas.task.landing(work.dataset, work.model.landing(preview.added), canvas.label)
            pixels, kind = geometry.to_pixels(landing), kind_of(canvas.label, canvas.task)
            paint_symbols(painter, geometry, theme, pixels, kind, PREVIEW_OPACITY)


def paint_symbols(
    painter: QPainter, geometry: Geometry, theme: Theme, pixels: Floats, kind: int, opacity: float
) -> None:
    """Paint translucent symbols at positions in pixels."""
    style = style_of(kind, theme)
    painter.save()
    painter.setOpacity(opacity)
    for x, y in pixels.tolist():
        paint_symbol(painter, style, x, y, geometry.symbol_scale)
    painter.restore()


def paint_rings(painter: QPainter, geometry: Geometry, theme: Theme, pixels: Floats) -> None:
    """Paint a ring around each point at positions in pixels."""
    scale, ratio = geometry.type_scale, painter.device().devicePixelRatioF()
    radius = SIZE / 2 * geometry.symbol_scale + RING_GAP * scale
    stamp(painter, ring(radius, RING_WIDTH * scale, theme.accent, 1.0, ratio), pixels)


def paint_hint(painter: QPainter, geometry: Geometry, theme: Theme, task: Task) -> None:
    """Paint the first steps in the centre of an empty canvas, and the symbols of the classes below."""
    _paint_lines(painter, geometry, (INVITATION, task.hint), (theme.text, theme.muted))
    if task.point_colours == "class":
        centre, scale = geometry.plot.center(), _scale(geometry)
        for label in range(MAX_CLASSES):
            x = centre.x() + (label - (MAX_CLASSES - 1) / 2) * SYMBOL_SPACING * scale
            position = np.array([[x, centre.y() + SYMBOLS_BELOW * scale]])
            paint_symbols(painter, geometry, theme, position, label, FAINT)


def paint_drop_target(painter: QPainter, geometry: Geometry, theme: Theme, names: str) -> None:
    """Paint a frame and a text while files are dragged over the canvas."""
    painter.fillRect(geometry.plot, colour(theme.ground, 0.85))
    painter.setPen(pen(theme.accent, 2.0, stroke="dash"))
    painter.setBrush(colour(theme.accent, 0.08))
    painter.drawRoundedRect(geometry.plot.adjusted(10, 10, -10, -10), RADIUS, RADIUS)
    _paint_lines(painter, geometry, ("Drop to open", names), (theme.accent, theme.muted))


def paint_focus(painter: QPainter, geometry: Geometry, theme: Theme) -> None:
    """Paint a frame around the plot while the keyboard works on it."""
    painter.setPen(pen(theme.accent, 2.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(geometry.plot.adjusted(-1, -1, 1, 1))


def _scale(geometry: Geometry) -> float:
    """Return the type scale, reduced where the text would not fit."""
    plot = geometry.plot
    return min(geometry.type_scale, plot.width() / TEXT_WIDTH, plot.height() / TEXT_HEIGHT)


def _paint_lines(
    painter: QPainter, geometry: Geometry, lines: tuple[str, str], colours: tuple[Rgb, Rgb]
) -> None:
    plot, scale = geometry.plot, _scale(geometry)
    y = plot.center().y() - 2.2 * LARGE * scale
    for text, size, rgb in zip(lines, (LARGE, SMALL), colours):
        painter.setFont(font(size, scale))
        painter.setPen(colour(rgb))
        box = QRectF(plot.left() + 8, y, plot.width() - 16, 1.6 * size * scale)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        y += box.height()
