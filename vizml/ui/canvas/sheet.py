"""Sheets that stay as they are painted until what is on them changes; device pixel for device pixel."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget


class Sheet:
    """As large as its widget. Putting it there takes one call, and so no waiting for a busy worker."""

    def __init__(self, widget: QWidget) -> None:
        self._widget = widget
        self._key: tuple[object, ...] = ()
        self._pixmap = QPixmap()

    def put(self, painter: QPainter, key: tuple[object, ...], paint: Callable[[QPainter], None]) -> None:
        """Put it onto the widget, painted anew where the key is another one."""
        key = (*key, self._widget.size(), self._widget.devicePixelRatioF())
        if key != self._key:
            self._key = key
            self._renew(paint)
        painter.drawPixmap(0, 0, self._pixmap)

    def _renew(self, paint: Callable[[QPainter], None]) -> None:
        ratio = self._widget.devicePixelRatioF()
        size = self._widget.size() * ratio
        if self._pixmap.size() != size:
            self._pixmap = QPixmap(size)
        self._pixmap.setDevicePixelRatio(ratio)
        self._pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(self._pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint(painter)
        painter.end()
