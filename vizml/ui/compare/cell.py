"""A stage among several, with the header above it: number, title of the model and a close button."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from vizml.paint.pens import colour
from vizml.ui.stage import Stage
from vizml.ui.widgets.appearance import current, role
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.labels import ElidedLabel
from vizml.ui.widgets.layouts import Box, Direction

MARK = 3
"""Pixels of the line along the top of the active stage."""


class StageHeader(Box):
    """Number and title of a stage, and a button that removes it."""

    pressed = Signal()
    close_asked = Signal()

    def __init__(self) -> None:
        super().__init__(Direction.LeftToRight, 8, (12, 4, 8, 4))
        self.title = ElidedLabel()
        role(self.title, "heading")
        self.cross = IconButton("close", "Remove this stage", size=24)
        self.cross.clicked.connect(self.close_asked)
        self.box.addWidget(self.title, 1)
        self.box.addWidget(self.cross)
        self._active = False

    def show_title(self, number: int, title: str, *, active: bool) -> None:
        """Show the number and title of the stage, marked where it is the active one."""
        self._active = active
        self.title.set_full_text(f"{number}  {title}")
        self.title.setToolTip(title)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.pressed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = current()
        painter = QPainter(self)
        tone = look.theme.accent if self._active else look.theme.line
        painter.fillRect(QRectF(0, 0, self.width(), look.px(MARK)), colour(tone))
        painter.end()


class StageCell(QWidget):
    """A stage below its header, which is visible where there are several stages."""

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self.stage, self.head = stage, StageHeader()
        self.linked = False
        """Whether it is synchronised and compared with other stages."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(stage, 1)
