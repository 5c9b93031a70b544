"""Keys and wheel that a control keeps for itself while it has the focus, whatever the window does."""

from __future__ import annotations

import sys
from typing import cast

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

MAC = sys.platform == "darwin"
COMMAND = "\N{PLACE OF INTEREST SIGN}"
Key = Qt.Key
ARROWS = frozenset({Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down})
MOVES = ARROWS | {Key.Key_Home, Key.Key_End, Key.Key_PageUp, Key.Key_PageDown}


class KeepsKeys:
    """Beside QWidget among a widget's bases: the keys of `kept` reach it before the window's shortcuts."""

    kept: frozenset[Qt.Key] = MOVES

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            key = cast(QKeyEvent, event)
            if key.key() in self.kept and key.modifiers() in (Qt.KeyboardModifier.NoModifier, _KEYPAD):
                event.accept()
                return True
        return bool(super().event(event))  # type: ignore[misc]


class KeepsWheelOut:
    """The wheel changes a value only where the focus is; else it goes on to what scrolls."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if cast(QWidget, self).hasFocus():
            super().wheelEvent(event)  # type: ignore[misc]
        else:
            event.ignore()


def told(words: str) -> str:
    """Words about keys as the system calls these: what Qt takes for Ctrl is Command on a Mac."""
    return words.replace("Ctrl+", COMMAND).replace("Ctrl", COMMAND) if MAC else words


_KEYPAD = Qt.KeyboardModifier.KeypadModifier
