"""What a paint event of the canvas does: the sheet, the points, then all that follows the pointer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QPainter

from vizml.paint import Geometry, paint_marks, paint_over, paint_points
from vizml.paint.points import MANY
from vizml.run.figures import kind_of
from vizml.scene import Mark
from vizml.scene.figure import Figure
from vizml.ui.canvas.ghosts import paint_ghosts, paint_rings
from vizml.ui.canvas.hints import paint_focus, paint_invitation, paint_welcome
from vizml.ui.canvas.probe import Probe
from vizml.ui.canvas.scroll import Scroll
from vizml.ui.canvas.sheet import Sheet
from vizml.ui.canvas.tools import Pointer
from vizml.ui.canvas.tools.anchors import AnchorStroke

if TYPE_CHECKING:
    from vizml.ui.canvas.canvas import Canvas

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


class Easel:
    """Holds what is costly to paint from one event to the next."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._under, self._over, self._probe = Scroll(canvas), Sheet(canvas), Probe()
        self._crowd: Sheet | None = None

    def paint(self) -> None:
        """Paint the whole canvas."""
        canvas = self._canvas
        geometry, figure = canvas.geometry_now, canvas.figure
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
        self._crowd = self._crowd or Sheet(self._canvas)
        key = geometry, id(figure.points.positions), figure.look, *figure.points.key
        self._crowd.put(painter, key, partial(_points, geometry, figure))

    def _paint_spotlight(self, painter: QPainter, geometry: Geometry) -> None:
        if self._canvas.spotlight:
            painter.save()
            painter.setClipRect(geometry.plot)
            paint_marks(painter, geometry, self._canvas.look.theme, self._canvas.spotlight)
            painter.restore()

    def _paint_hints(self, painter: QPainter, geometry: Geometry) -> None:
        canvas, theme = self._canvas, self._canvas.look.theme
        if canvas.drop_names:
            paint_welcome(painter, geometry, theme, canvas.drop_names)
            return
        if not len(canvas.document.dataset):
            paint_invitation(painter, geometry, theme, canvas.task)
        if canvas.hand.at:
            self._paint_pointer(painter, geometry, canvas.hand.at)
        if canvas.crosshair.out:
            paint_focus(painter, geometry, theme)

    def _paint_pointer(self, painter: QPainter, geometry: Geometry, at: Pointer) -> None:
        canvas, theme = self._canvas, self._canvas.look.theme
        painter.save()
        painter.setClipRect(geometry.plot)
        paint_marks(painter, geometry, theme, self._marks(at))
        tool = canvas.hand.tool
        paint_rings(painter, geometry, theme, geometry.to_pixels(tool.taken(at)))
        coming, kind = geometry.to_pixels(tool.coming(at)), kind_of(canvas.label, canvas.task)
        paint_ghosts(painter, geometry, theme, coming, kind, GHOSTLY)
        painter.restore()

    def _marks(self, at: Pointer) -> tuple[Mark, ...]:
        """What the model shows for the pointer, the cross-hair, and what the tool is about to do."""
        canvas, tool = self._canvas, self._canvas.hand.tool
        cross = canvas.crosshair.marks(at) if canvas.crosshair.out else ()
        busy = canvas.hand.stroke or (isinstance(tool, AnchorStroke) and len(tool.held(at)))
        probed = () if busy else self._probe.marks(canvas.state, at.data)
        shown = tuple(mark for mark in probed if canvas.look.draws(mark))
        return (*shown, *cross, *tool.ghost(at))
