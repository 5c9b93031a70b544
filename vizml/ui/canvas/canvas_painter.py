"""Painting of the canvas: cached layers, points, then everything that follows the pointer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtGui import QPainter

from vizml.field.arrays import Floats
from vizml.paint import Geometry, paint_marks, paint_over, paint_points
from vizml.paint.points import MANY
from vizml.run.errors import guarded
from vizml.run.figures import kind_of
from vizml.scene import Mark
from vizml.scene.figure import Figure
from vizml.ui.canvas.cached_layer import CachedLayer, PanCache, SameArray
from vizml.ui.canvas.hints import paint_drop_target, paint_focus, paint_hint, paint_rings, paint_symbols
from vizml.ui.canvas.tools import Pointer
from vizml.ui.canvas.tools.anchors import AnchorTool

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

    def marks(self, view: AnyView | None, point: Floats) -> tuple[Mark, ...]:
        """Return the marks of a view for a point (2,); none while it is too slow."""
        key = (float(point[0]), float(point[1]))
        if view is not self._view or key != self._point:
            self._view, self._point = view, key
            self._marks = () if view is None else self._evaluate(view, point)
        return self._marks

    def _evaluate(self, view: AnyView, point: Floats) -> tuple[Mark, ...]:
        if self._skips:
            self._skips -= 1
            return ()
        start = time.perf_counter()
        marks = guarded(view.state, "probe", lambda: view.probe(point), ())
        if time.perf_counter() - start > PROBE_BUDGET:
            self._skips = PROBE_PAUSE
        return marks


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
        painter = QPainter(canvas)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        try:
            self._under.show(painter, geometry, figure)
            self._paint_points(painter, geometry, figure)
            key = (canvas.frame, *over_key(geometry, figure))
            self._over.put(painter, key, lambda layer: paint_over(layer, geometry, figure))
            if canvas.highlight:
                self._paint_clipped(painter, geometry, canvas.highlight)
            self._paint_hints(painter, geometry)
        finally:
            painter.end()  # Qt crashes on a painter that is left active by an error

    def _paint_points(self, painter: QPainter, geometry: Geometry, figure: Figure) -> None:
        """Paint few points directly; keep many in a layer of their own."""
        if len(figure.points) <= MANY:
            self._points = None
            paint_points(painter, geometry, figure)
            return
        self._points = self._points or CachedLayer(self._canvas)
        key = geometry, SameArray(figure.points.positions), figure.look, *figure.points.key
        self._points.put(painter, key, lambda layer: paint_points(layer, geometry, figure))

    def _paint_clipped(self, painter: QPainter, geometry: Geometry, marks: tuple[Mark, ...]) -> None:
        painter.save()
        painter.setClipRect(geometry.plot)
        paint_marks(painter, geometry, self._canvas.look.theme, marks)
        painter.restore()

    def _paint_hints(self, painter: QPainter, geometry: Geometry) -> None:
        canvas, theme = self._canvas, self._canvas.look.theme
        if canvas.drop_names:
            paint_drop_target(painter, geometry, theme, canvas.drop_names)
            return
        if not len(canvas.document.dataset):
            paint_hint(painter, geometry, theme, canvas.task)
        if canvas.pointer.at:
            self._paint_pointer(painter, geometry, canvas.pointer.at)
        if canvas.crosshair.visible:
            paint_focus(painter, geometry, theme)

    def _paint_pointer(self, painter: QPainter, geometry: Geometry, at: Pointer) -> None:
        canvas, theme, tool = self._canvas, self._canvas.look.theme, self._canvas.pointer.tool
        self._paint_clipped(painter, geometry, self._marks(at))
        painter.save()
        painter.setClipRect(geometry.plot)
        paint_rings(painter, geometry, theme, geometry.to_pixels(tool.affected(at)))
        added, kind = geometry.to_pixels(tool.added(at)), kind_of(canvas.label, canvas.task)
        paint_symbols(painter, geometry, theme, added, kind, PREVIEW_OPACITY)
        painter.restore()

    def _marks(self, at: Pointer) -> tuple[Mark, ...]:
        """Return the probe of the model, the cross-hair, and the preview of the tool."""
        canvas, tool = self._canvas, self._canvas.pointer.tool
        cross = canvas.crosshair.marks(at) if canvas.crosshair.visible else ()
        busy = canvas.pointer.stroke or (isinstance(tool, AnchorTool) and len(tool.anchor_position(at)))
        probe = () if busy else self._probe.marks(canvas.view, at.data)
        return (*filter(canvas.look.draws, probe), *cross, *tool.preview(at))
