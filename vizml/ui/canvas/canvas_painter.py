"""Painting of the canvas: cached layers, points, then everything that follows the pointer."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QPainter

from vizml.data.dataset import Floats
from vizml.learn import State
from vizml.paint import Geometry, paint_marks, paint_over, paint_points
from vizml.paint.points import MANY
from vizml.run.errors import guarded
from vizml.run.figures import kind_of
from vizml.scene import Mark
from vizml.scene.figure import Figure
from vizml.ui.canvas.cached_layer import CachedLayer, PanCache
from vizml.ui.canvas.hints import paint_focus, paint_ghosts, paint_invitation, paint_rings, paint_welcome
from vizml.ui.canvas.tools import Pointer
from vizml.ui.canvas.tools.anchors import AnchorTool

if TYPE_CHECKING:
    from vizml.ui.canvas.canvas import Canvas


BUDGET = 0.008
"""Seconds that a probe may take before it is left out."""
PATIENCE = 30
"""How many places to leave out before it is tried again."""


class PointerProbe:
    """Remembers its last answer, and whether the state was too slow for it."""

    def __init__(self) -> None:
        self._state: State | None = None
        self._place = (0.0, 0.0)
        self._marks: tuple[Mark, ...] = ()
        self._skips = 0

    def marks(self, state: State | None, point: Floats) -> tuple[Mark, ...]:
        """The marks of a state for a point; none while it is too slow."""
        place = (float(point[0]), float(point[1]))
        if state is not self._state or place != self._place:
            self._state, self._place = state, place
            self._marks = () if state is None else self._asked(state, point)
        return self._marks

    def _asked(self, state: State, point: Floats) -> tuple[Mark, ...]:
        if self._skips:
            self._skips -= 1
            return ()
        start = time.perf_counter()
        marks = guarded(state, "probe", lambda: state.probe(point), ())
        if time.perf_counter() - start > BUDGET:
            self._skips = PATIENCE
        return marks


GHOSTLY = 0.5


def over_key(geometry: Geometry, figure: Figure) -> tuple[object, ...]:
    """What the sheet over the points depends on, but for their places: these it dodges with each frame."""
    points = figure.points
    under = geometry, figure.scene, figure.look, figure.scores, figure.axes
    names = (*points.names.items(), *points.fill_names.items())
    return (*under, points.present, points.present_fills, names)


def _points(geometry: Geometry, figure: Figure, painter: QPainter) -> None:
    paint_points(painter, geometry, figure)


def _over(geometry: Geometry, figure: Figure, painter: QPainter) -> None:
    paint_over(painter, geometry, figure)


class CanvasPainter:
    """Holds what is costly to paint from one event to the next."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._under, self._over, self._probe = PanCache(canvas), CachedLayer(canvas), PointerProbe()
        self._crowd: CachedLayer | None = None

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
            self._over.put(painter, key, partial(_over, geometry, figure))
            self._paint_spotlight(painter, geometry)
            self._paint_hints(painter, geometry)
        finally:
            painter.end()  # or Qt would crash on a painter left at work by an error

    def _paint_points(self, painter: QPainter, geometry: Geometry, figure: Figure) -> None:
        """Many points stay on a sheet of their own while they look alike; few are painted as fast."""
        if len(figure.points) <= MANY:
            self._crowd = None
            paint_points(painter, geometry, figure)
            return
        self._crowd = self._crowd or CachedLayer(self._canvas)
        key = geometry, id(figure.points.positions), figure.look, *figure.points.key
        self._crowd.put(painter, key, partial(_points, geometry, figure))

    def _paint_spotlight(self, painter: QPainter, geometry: Geometry) -> None:
        if self._canvas.highlight:
            painter.save()
            painter.setClipRect(geometry.plot)
            paint_marks(painter, geometry, self._canvas.look.theme, self._canvas.highlight)
            painter.restore()

    def _paint_hints(self, painter: QPainter, geometry: Geometry) -> None:
        canvas, theme = self._canvas, self._canvas.look.theme
        if canvas.drop_names:
            paint_welcome(painter, geometry, theme, canvas.drop_names)
            return
        if not len(canvas.document.dataset):
            paint_invitation(painter, geometry, theme, canvas.task)
        if canvas.pointer.at:
            self._paint_pointer(painter, geometry, canvas.pointer.at)
        if canvas.crosshair.out:
            paint_focus(painter, geometry, theme)

    def _paint_pointer(self, painter: QPainter, geometry: Geometry, at: Pointer) -> None:
        canvas, theme = self._canvas, self._canvas.look.theme
        painter.save()
        painter.setClipRect(geometry.plot)
        paint_marks(painter, geometry, theme, self._marks(at))
        tool = canvas.pointer.tool
        paint_rings(painter, geometry, theme, geometry.to_pixels(tool.taken(at)))
        coming, kind = geometry.to_pixels(tool.coming(at)), kind_of(canvas.label, canvas.task)
        paint_ghosts(painter, geometry, theme, coming, kind, GHOSTLY)
        painter.restore()

    def _marks(self, at: Pointer) -> tuple[Mark, ...]:
        """What the model shows for the pointer, the cross-hair, and what the tool is about to do."""
        canvas, tool = self._canvas, self._canvas.pointer.tool
        cross = canvas.crosshair.marks(at) if canvas.crosshair.out else ()
        busy = canvas.pointer.stroke or (isinstance(tool, AnchorTool) and len(tool.held(at)))
        probed = () if busy else self._probe.marks(canvas.state, at.data)
        shown = tuple(mark for mark in probed if canvas.look.draws(mark))
        return (*shown, *cross, *tool.ghost(at))
