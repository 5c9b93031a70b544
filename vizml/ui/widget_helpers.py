"""Widgets of bars and dialogs with their accessible names and tooltips; slots for events of the workspace."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QSizePolicy, QWidget

from vizml.workspace.observer import Event

GAP, BELOW = 16, 56
"""Pixels between a dialog and the right edge, and the top edge, of its window."""
W = TypeVar("W", bound=QWidget)


class EventRelay(QObject):
    """Emit a Qt signal whenever an event of the workspace occurs, for as long as the receiver exists."""

    _occurred = Signal(object)

    def __init__(self, event: Event[...], slot: Callable[..., object], receiver: QObject) -> None:
        super().__init__(receiver)
        self._occurred.connect(slot)
        event.connect(self._emit)

    def _emit(self, value: object = None) -> None:
        self._occurred.emit(value)


def listen(event: Event[...], *slots: Callable[..., object]) -> None:
    """Call slots of QObjects whenever an event of the workspace occurs."""
    for slot in slots:
        EventRelay(event, slot, cast("QObject", getattr(slot, "__self__", None)))


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
