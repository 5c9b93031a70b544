"""Painting of the canvas: cached layers, points, then everything that follows the pointer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QPainter

from vizml.paint import Geometry, paint_marks, paint_over, paint_points
from vizml.paint.points import MANY
from vizml.run.errors import guarded
from vizml.run.figures import kind_of
from vizml.scene import Mark
from vizml.scene.figure import Figure
from vizml.ui.canvas.cached_layer import CachedLayer, PanCache, SameArray
from vizml.ui.canvas.hints import paint_drop_target, paint_focus, paint_hint, paint_rings, paint_symbols
from vizml.ui.canvas.tools import Pointer

if TYPE_CHECKING:
    from vizml.ui.canvas.canvas import Canvas
    from vizml.ui.canvas.document_view import AnyView

PREVIEW_OPACITY = 0.5
PROBE_BUDGET = 0.008
"""Seconds that a probe may take, half a frame of the display, before it is suspended."""
PROBE_PAUSE = 30
"""Positions of the pointer until a suspended probe is tried again, half a second of motion."""


class PointerProbe:
    """Marks of a view for the pointer: the last ones are kept, slow views are suspended."""

    def __init__(self) -> None:
        self._view: AnyView | None = None
        self._point = (0.0, 0.0)
        self._marks: tuple[Mark, ...] = ()
        self._skips = 0

    def marks(self, view: AnyView | None, point: tuple[float, float]) -> tuple[Mark, ...]:
        """Return the marks of a view for a point; none while it is too slow."""
        if view is not self._view or point != self._point:
            self._view, self._point, self._marks = view, point, ()
            if self._skips:
                self._skips -= 1
            elif view is not None:
                start = time.perf_counter()
                self._marks = guarded(view.state, "probe", lambda: view.probe(np.array(point)), ())
                self._skips = PROBE_PAUSE if time.perf_counter() - start > PROBE_BUDGET else 0
        return self._marks


def over_key(geometry: Geometry, figure: Figure) -> tuple[object, ...]:
    """Return all that the layer over the points depends on, except for their positions.

    The legend avoids the points anew with each frame only, or it would move during a drag.
    """
    points = figure.points
    under = geometry, figure.scene, figure.look, figure.scores, figure.axes
    names = (*points.names.items(), *points.fill_names.items())
    return (*under, points.present, points.present_fills, names)


class CanvasPainter:
    """Paint the canvas, and keep costly layers from one paint event to the next."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._under, self._over, self._probe = PanCache(canvas), CachedLayer(canvas), PointerProbe()
        self._points: CachedLayer | None = None

    def paint(self) -> None:
        """Paint the whole canvas."""
        canvas = self._canvas
        geometry, figure = canvas.plot_geometry, canvas.figure
        with QPainter(canvas) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._under.show(painter, geometry, figure)
            self._paint_points(painter, geometry, figure)
            key = (canvas.frame, *over_key(geometry, figure))
            self._over.put(painter, key, lambda layer: paint_over(layer, geometry, figure))
            self._paint_hints(painter, geometry)

    def _paint_points(self, painter: QPainter, geometry: Geometry, figure: Figure) -> None:
        """Paint few points directly; keep many in a layer of their own."""
        if len(figure.points) <= MANY:
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
        if not len(canvas.document.dataset):
            paint_hint(painter, geometry, theme, canvas.task)
        painter.save()
        painter.setClipRect(geometry.plot)
        paint_marks(painter, geometry, theme, canvas.highlight)
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
        probe = self._probe.marks(canvas.view, at.point) if probes else ()
        paint_marks(painter, geometry, theme, (*filter(canvas.look.draws, probe), *cross, *preview.marks))
        if len(preview.affected):
            paint_rings(painter, geometry, theme, geometry.to_pixels(preview.affected))
        if len(preview.added):
            pixels, kind = geometry.to_pixels(preview.added), kind_of(canvas.label, canvas.task)
            paint_symbols(painter, geometry, theme, pixels, kind, PREVIEW_OPACITY)
