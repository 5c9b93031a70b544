"""Layers of a widget that are painted once and reused while their content stays the same."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPixmap, QRegion, QTransform
from PySide6.QtWidgets import QWidget

from vizml.field.arrays import Bounds, Floats
from vizml.paint import Geometry, lines_of, paint_under
from vizml.paint.figure import NEAR
from vizml.paint.geometry import EMPTY
from vizml.paint.marks import reach
from vizml.scene import Profile
from vizml.scene.figure import GRID, Figure
from vizml.ui.canvas.viewport import panned

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
        shift = self._shift(geometry, figure) if key == self._key else None
        if shift is None:
            self._range, self._key = geometry.range, None
        elif shift != (0, 0):
            self._apply(shift, geometry, figure)
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
