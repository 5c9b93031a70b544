"""Widgets of bars and dialogs with their accessible names and tooltips."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QSizePolicy, QWidget

GAP, BELOW = 16, 56
"""Pixels between a dialog and the right edge, and the top edge, of its window."""
W = TypeVar("W", bound=QWidget)


class ElidedLabel(QLabel):
    """A text that is elided to the width of the label, which does not depend on it."""

    def __init__(self) -> None:
        super().__init__(textFormat=Qt.TextFormat.PlainText)
        self.full_text = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def set_full_text(self, text: str) -> None:
        """Show another text."""
        self.full_text = text
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.contentsRect().width()
        self.setText(self.fontMetrics().elidedText(self.full_text, Qt.TextElideMode.ElideRight, room))


def named(widget: W, name: str, tip: str = "") -> W:
    """Set the accessible name and the tooltip of a widget (the name, where there is no tip)."""
    widget.setAccessibleName(name)
    widget.setToolTip(tip or name)
    return widget


def beside(dialog: QDialog, window: QWidget) -> None:
    """Show a dialog over the right edge of a window, where it leaves the stage visible."""
    dialog.adjustSize()
    corner = window.mapToGlobal(window.rect().topRight())
    dialog.move(corner.x() - dialog.width() - GAP, corner.y() + BELOW)
    dialog.finished.connect(window.activateWindow)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()


def button(text: str, tip: str, run: Callable[[], object], *, default: bool = False) -> QPushButton:
    """A push button; Enter triggers the default one."""
    made = QPushButton(text)
    made.setToolTip(tip)
    made.setAutoDefault(default)
    made.setDefault(default)
    made.clicked.connect(lambda: run())  # noqa: PLW0108 (the signal passes whether it is checked)
    return made
