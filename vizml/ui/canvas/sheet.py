"""Sheets that stay as they are painted until what is on them changes; device pixel for device pixel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget

Key: TypeAlias = tuple[object, ...]


class Sheet:
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
