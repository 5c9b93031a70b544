"""Keyboard focus: keys that controls keep for themselves, and the tab order."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import cast

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QLayout, QScrollArea, QWidget

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


class WheelNeedsFocus:
    """The wheel changes a value only where the focus is; else it goes on to what scrolls."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if cast(QWidget, self).hasFocus():
            super().wheelEvent(event)  # type: ignore[misc]
        else:
            event.ignore()


def native_keys(words: str) -> str:
    """Words about keys as the system calls these: what Qt takes for Ctrl is Command on a Mac."""
    return words.replace("Ctrl+", COMMAND).replace("Ctrl", COMMAND) if MAC else words


_KEYPAD = Qt.KeyboardModifier.KeypadModifier


TAB = Qt.FocusPolicy.TabFocus


def set_tab_order(around: QWidget) -> None:
    """Let Tab go through what is laid out within a widget from its top to its end.

    Qt goes in the order in which widgets were made: rows that came later would be last.
    """
    found = list(_laid_out(around))
    before = [widget.focusPolicy() for widget in found]
    for widget, policy in zip(found, before):  # Qt gives no place to what just now has no focus
        widget.setFocusPolicy(policy | TAB)
    for one, other in pairwise(found):
        QWidget.setTabOrder(one, other)
    for widget, policy in zip(found, before):
        widget.setFocusPolicy(policy)


def tab_stops(around: QWidget) -> Iterator[QWidget]:
    """The widgets that Tab stops at, in the order of their layouts."""
    return (widget for widget in _laid_out(around) if widget.focusPolicy() & TAB)


def _laid_out(around: QWidget) -> Iterator[QWidget]:
    inner = around.widget() if isinstance(around, QScrollArea) else None
    if inner is not None:
        yield from _laid_out(inner)
    layout = around.layout()
    if layout is not None:
        yield from _within(layout)


def _within(layout: QLayout) -> Iterator[QWidget]:
    """Those that have the focus by Tab, or by arrows: of buttons in a group one after the other."""
    for place in range(layout.count()):
        item = layout.itemAt(place)
        widget, inner = (item.widget(), item.layout()) if item is not None else (None, None)
        if widget is not None:
            grouped = isinstance(widget, QAbstractButton) and widget.group() is not None
            if grouped or widget.focusPolicy() & TAB:
                yield widget
            yield from _laid_out(widget)
        elif inner is not None:
            yield from _within(inner)
