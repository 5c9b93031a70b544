"""The line above a stage among several: which model it shows, whether it is the one that is worked on."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from vizml.ui.widgets.appearance import colour, current, role
from vizml.ui.widgets.boxes import Box, Direction
from vizml.ui.widgets.buttons import IconButton

MARK = 3
"""Pixels of the line along the top of the stage that is worked on."""


class Head(Box):
    """A number and a title, and a cross."""

    pressed = Signal()
    close_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Direction.LeftToRight, 8, (12, 4, 8, 4), parent)
        self.title = QLabel()
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        role(self.title, "heading")
        self.cross = IconButton("close", "Take this stage away", size=24)
        self.cross.clicked.connect(self.close_asked)
        self.box.addWidget(self.title, 1)
        self.box.addWidget(self.cross)
        self._words, self._active = "", False

    def show_title(self, number: int, title: str, *, active: bool) -> None:
        """Say which it is."""
        self._words, self._active = f"{number}  {title}", active
        self.title.setToolTip(title)
        self._fit()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As much of the title as there is room for."""
        self.box.activate()
        metrics, elide = self.title.fontMetrics(), Qt.TextElideMode.ElideRight
        self.title.setText(metrics.elidedText(self._words, elide, self.title.width()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.pressed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = current()
        painter = QPainter(self)
        tone = look.theme.accent if self._active else look.theme.line
        painter.fillRect(QRectF(0, 0, self.width(), look.px(MARK)), colour(tone))
        painter.end()
