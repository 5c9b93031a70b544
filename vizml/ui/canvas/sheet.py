"""The sheet under the points: region, grid and quiet marks, kept as a pixmap until one of them changes."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from vizml.ui.picture import Geometry, Picture, paint_under


class Sheet:
    """Repainted when the scene, the look or the geometry is another one; device pixel for device pixel."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._pixmap = QPixmap()

    def paint(self, painter: QPainter, widget: QWidget, geometry: Geometry, picture: Picture) -> None:
        """Put it onto the widget."""
        size, ratio = widget.size(), widget.devicePixelRatioF()
        key = (picture.scene, picture.look, picture.task, geometry, size, ratio)
        if key != self._key:
            self._key = key
            self._repaint(geometry, picture, size * ratio, ratio)
        painter.drawPixmap(0, 0, self._pixmap)

    def _repaint(self, geometry: Geometry, picture: Picture, pixels: QSize, ratio: float) -> None:
        if self._pixmap.size() != pixels:
            self._pixmap = QPixmap(pixels)
        self._pixmap.setDevicePixelRatio(ratio)
        painter = QPainter(self._pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_under(painter, geometry, picture)
        painter.end()
