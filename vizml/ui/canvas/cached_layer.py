"""Layers of the canvas that are painted once and reused while their content stays the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from vizml.data import Bounds
from vizml.paint import Geometry, lines_of, paint_under
from vizml.paint.geometry import EMPTY
from vizml.paint.marks import reach
from vizml.paint.region import NEAR
from vizml.scene import Profile
from vizml.scene.figure import Figure
from vizml.scene.scene import GRID

Key: TypeAlias = tuple[object, ...]


class CachedLayer:
    """As large as its widget. Putting it there takes one call, and so no waiting for a busy worker."""

    def __init__(self, widget: QWidget) -> None:
        self._widget = widget
        self._key: Key | None = None
        self.pixmap = QPixmap()

    def put(self, painter: QPainter, key: Key, paint: Callable[[QPainter], None]) -> None:
        """Put it onto the widget, painted anew where the key is another one."""
        if not self.holds(key):
            self._key = self._whole(key)
            self._renew(paint)
        painter.drawPixmap(0, 0, self.pixmap)

    def holds(self, key: Key) -> bool:
        """Whether what is on it has this key."""
        return self._whole(key) == self._key

    def forget(self) -> None:
        """Have it painted anew, whatever comes next."""
        self._key = None

    def _whole(self, key: Key) -> Key:
        return (*key, self._widget.size(), self._widget.devicePixelRatioF())

    def _renew(self, paint: Callable[[QPainter], None]) -> None:
        ratio = self._widget.devicePixelRatioF()
        size = self._widget.size() * ratio
        if self.pixmap.size() != size:
            self.pixmap = QPixmap(size)
        self.pixmap.setDevicePixelRatio(ratio)
        self.pixmap.fill(Qt.GlobalColor.transparent)
        with brush_on(self.pixmap) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint(painter)


@contextmanager
def brush_on(pixmap: QPixmap) -> Iterator[QPainter]:
    """A painter that is done whatever happens: Qt would crash on one left at work by an error."""
    painter = QPainter(pixmap)
    try:
        yield painter
    finally:
        painter.end()


FARTHEST = 0.5
"""A push by more than this share of the plot would leave too little."""
SMOOTH = 2.0
"""Pixels around a mark that its smooth edge may touch."""


class PanCache(CachedLayer):
    """Hundreds of lines take longer than a display allows; a view that pans shows most of them again."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._bounds: Bounds = EMPTY
        """What it shows: the view it was painted for, moved by as many whole pixels as it was pushed."""

    def show(self, painter: QPainter, geometry: Geometry, figure: Figure) -> None:
        """Put it onto the widget: as it is, pushed, or painted anew."""
        key = replace(geometry, bounds=EMPTY), figure.scene, figure.look
        push = self._push_to(geometry, figure) if self.holds(key) else None
        if push is None:
            self._bounds = geometry.bounds
            self.forget()
        elif push != (0, 0):
            self._push(push, geometry, figure)
        self.put(painter, key, lambda brush: paint_under(brush, geometry, figure))

    def _push_to(self, geometry: Geometry, figure: Figure) -> tuple[int, int] | None:
        """By how many device pixels to push it right and down; None where that would not do."""
        ratio, (across, up), plot = self.pixmap.devicePixelRatio(), geometry.unit, geometry.plot
        edges = np.array(plot.getRect()) * ratio
        left, right, bottom, top = (np.subtract(self._bounds, geometry.bounds) * ratio).tolist()
        exact = np.array([[left / across, -bottom / up], [right / across, -top / up]])
        whole = np.rint(exact[0])
        if np.any(np.abs(exact - whole) > NEAR) or np.any(edges != np.rint(edges)):
            return None
        far = np.abs(whole) > FARTHEST * ratio * np.array([plot.width(), plot.height()])
        if far.any() or (whole.any() and not _rolls(figure)):
            return None
        return int(whole[0]), int(whole[1])

    def _push(self, push: tuple[int, int], geometry: Geometry, figure: Figure) -> None:
        (dx, dy), ratio, (across, up) = push, self.pixmap.devicePixelRatio(), geometry.unit
        left, right, bottom, top = self._bounds
        x, y = dx / ratio * across, dy / ratio * up
        self._bounds = left - x, right - x, bottom + y, top + y
        margin = math.ceil(SMOOTH + max((reach(mark, geometry) for mark in lines_of(figure)), default=0.0))
        plot, much = _scaled(geometry.plot, ratio).toRect(), math.ceil(margin * ratio)
        outer = plot.adjusted(-much, -much, much, much).intersected(self.pixmap.rect())
        self.pixmap.scroll(dx, dy, outer)
        with brush_on(self.pixmap) as painter:
            for band in _uncovered(plot, dx, dy, much, outer):
                part = _scaled(band.toRectF(), 1 / ratio)
                painter.setClipRect(part)
                painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
                painter.fillRect(part, Qt.GlobalColor.transparent)
                painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
                near = part.adjusted(-margin, -margin, margin, margin)
                paint_under(painter, geometry, figure, near.intersected(geometry.plot))


def _rolls(figure: Figure) -> bool:
    """Whether all that is on the sheet moves with the plane: profiles stand on the axes, ticks may change."""
    upright = any(isinstance(mark, Profile) for mark in lines_of(figure))
    return figure.scene is not None and not upright and not figure.look.shows(GRID)


def _scaled(rect: QRectF, factor: float) -> QRectF:
    return QRectF(rect.x() * factor, rect.y() * factor, rect.width() * factor, rect.height() * factor)


def _uncovered(plot: QRect, dx: int, dy: int, margin: int, outer: QRect) -> Iterator[QRect]:
    """The bands along the sides of a pushed plot in which marks come, go, or were beyond the edge."""
    kept = plot.translated(dx, dy).intersected(plot)
    aside, above = (margin if dx else -margin), (margin if dy else -margin)
    kept = kept.adjusted(aside, above, -aside, -above).intersected(outer)
    if kept.isEmpty():
        yield outer
        return
    yield from filter(
        QRect.isValid,
        (
            QRect(outer.topLeft(), QPoint(outer.right(), kept.top() - 1)),
            QRect(QPoint(outer.left(), kept.bottom() + 1), outer.bottomRight()),
            QRect(QPoint(outer.left(), kept.top()), QPoint(kept.left() - 1, kept.bottom())),
            QRect(QPoint(kept.right() + 1, kept.top()), QPoint(outer.right(), kept.bottom())),
        ),
    )
