"""Painting of the canvas: cached layers, points, hints, then everything that follows the pointer."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap, QRegion, QTransform
from PySide6.QtWidgets import QWidget

from vizml.data import MAX_CLASSES
from vizml.field.arrays import Bounds, Floats
from vizml.learn import Task
from vizml.paint import Geometry, lines_of, paint_emphasis, paint_marks, paint_over, paint_points, paint_under
from vizml.paint.figure import NEAR
from vizml.paint.geometry import EMPTY
from vizml.paint.legend import LegendEntry, Placed
from vizml.paint.marks import reach
from vizml.paint.pens import colour, font, pen
from vizml.paint.symbols import MANY, SIZE, paint_symbol, ring, stamp, style_of
from vizml.run.figures import kind_of
from vizml.scene import Profile, Theme
from vizml.scene.figure import GRID, Figure
from vizml.scene.palette import Rgb
from vizml.ui.canvas.pointer_input import PointerProbe
from vizml.ui.canvas.selection import NO_POINT
from vizml.ui.canvas.tools import Pointer
from vizml.ui.canvas.viewport import panned

if TYPE_CHECKING:
    from vizml.ui.canvas.canvas import Canvas

LayerKey: TypeAlias = tuple[object, ...]
FARTHEST = 0.5
"""A shift by more than this share of the plot leaves too little to reuse."""
SMOOTH = 2.0
"""Pixels around a mark that its antialiased edge may touch."""


@dataclass(frozen=True, eq=False)
class SameArray:
    """An array in a key, compared by identity. The key keeps it alive, as ids of freed arrays are reused."""

    array: Floats

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameArray) and self.array is other.array

    __hash__ = None  # type: ignore[assignment]


class CachedLayer:
    """A pixmap as large as its widget, in device pixels.

    Drawing it takes one call, which does not wait for the interpreter lock that a training thread may hold.
    """

    def __init__(self, widget: QWidget) -> None:
        self._widget = widget
        self._key: LayerKey | None = None
        self.pixmap = QPixmap()

    def put(self, painter: QPainter, key: LayerKey, paint: Callable[[QPainter], None]) -> None:
        """Draw the layer, painted anew where the key, the size or the device pixel ratio has changed."""
        ratio = self._widget.devicePixelRatioF()
        size = self._widget.size() * ratio
        if self.pixmap.size() != size:
            self.pixmap, self._key = QPixmap(size), None
        if key != self._key or ratio != self.pixmap.devicePixelRatio():
            self._key = key
            self.pixmap.setDevicePixelRatio(ratio)
            self.pixmap.fill(Qt.GlobalColor.transparent)
            with QPainter(self.pixmap) as layer:
                layer.setRenderHint(QPainter.RenderHint.Antialiasing)
                paint(layer)
        painter.drawPixmap(0, 0, self.pixmap)


class PanCache(CachedLayer):
    """The layer under the points: shifted with a view that is panned, and painted only where it is uncovered.

    Hundreds of lines take longer than a display frame; a panned view shows most of them again.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._range: Bounds = EMPTY
        """Range of the axes for which it was painted, moved by the whole pixels of each shift."""

    def show(self, painter: QPainter, geometry: Geometry, figure: Figure) -> None:
        """Draw the layer: as it is, shifted, or painted anew."""
        layout = geometry.plot.getRect(), geometry.type_scale, geometry.grain, geometry.log
        key = layout, figure.scene, figure.look
        if key == self._key and geometry.range != self._range:
            shift = self._shift(geometry, figure)
            if shift is None:
                self._key = None
            elif shift != (0, 0):
                self._apply(shift, geometry, figure)
        if key != self._key:
            self._range = geometry.range
        self.put(painter, key, lambda layer: paint_under(layer, geometry, figure))

    def _shift(self, geometry: Geometry, figure: Figure) -> tuple[int, int] | None:
        """Return the device pixels to shift right and down; None where that is not exact or not worth it."""
        ratio, (across, up), plot = self.pixmap.devicePixelRatio(), geometry.unit, geometry.plot
        edges = np.array(plot.getRect()) * ratio
        left, right, bottom, top = (np.subtract(self._range, geometry.range) * ratio).tolist()
        exact = np.array([[left / across, -bottom / up], [right / across, -top / up]])
        whole = np.rint(exact[0])
        if np.any(np.abs(exact - whole) > NEAR) or np.any(edges != np.rint(edges)):
            return None
        far = np.abs(whole) > FARTHEST * ratio * np.array([plot.width(), plot.height()])
        if far.any() or (whole.any() and not _moves_with_view(figure)):
            return None
        return int(whole[0]), int(whole[1])

    def _apply(self, shift: tuple[int, int], geometry: Geometry, figure: Figure) -> None:
        (dx, dy), ratio, (across, up) = shift, self.pixmap.devicePixelRatio(), geometry.unit
        self._range = panned(self._range, -dx / ratio * across, dy / ratio * up)
        margin = math.ceil(SMOOTH + max((reach(mark, geometry) for mark in lines_of(figure)), default=0.0))
        device, logical = QTransform.fromScale(ratio, ratio), QTransform.fromScale(1 / ratio, 1 / ratio)
        plot, device_margin = device.mapRect(geometry.plot).toRect(), math.ceil(margin * ratio)
        outer = plot.adjusted(-device_margin, -device_margin, device_margin, device_margin)
        outer = outer.intersected(self.pixmap.rect())
        self.pixmap.scroll(dx, dy, outer)
        with QPainter(self.pixmap) as painter:
            for band in _uncovered(plot, dx, dy, device_margin, outer):
                part = logical.mapRect(band.toRectF())
                painter.setClipRect(part)
                painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
                painter.fillRect(part, Qt.GlobalColor.transparent)
                painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
                near = part.adjusted(-margin, -margin, margin, margin)
                paint_under(painter, geometry, figure, near.intersected(geometry.plot))


def _moves_with_view(figure: Figure) -> bool:
    """Whether all of a figure moves with the view: profiles stand on the axes, and grid lines may change."""
    upright = any(isinstance(mark, Profile) for mark in lines_of(figure))
    return figure.scene is not None and not upright and not figure.look.shows(GRID)


def _uncovered(plot: QRect, dx: int, dy: int, margin: int, outer: QRect) -> list[QRect]:
    """Return the bands along the sides of a shifted plot in which marks appear, disappear or were clipped."""
    kept = plot.translated(dx, dy).intersected(plot)
    aside, above = (margin if dx else -margin), (margin if dy else -margin)
    bands = QRegion(outer) - QRegion(kept.adjusted(aside, above, -aside, -above))
    return list(bands)  # type: ignore[call-overload,no-any-return] # its stub lacks __iter__


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
        if marks := (*filter(canvas.look.draws, probe), *cross, *preview.marks):
            paint_marks(painter, geometry, theme, marks)
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
