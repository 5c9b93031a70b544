"""Keyboard focus: keys that controls keep for themselves, and the tab order."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLayout,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QTextEdit,
    QWidget,
)

MAC = sys.platform == "darwin"
COMMAND = "\N{PLACE OF INTEREST SIGN}"
Key = Qt.Key
ARROWS = frozenset({Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down})
MOVES = ARROWS | {Key.Key_Home, Key.Key_End, Key.Key_PageUp, Key.Key_PageDown}
STEP_KEYS = {
    Key.Key_Left: -1, Key.Key_Down: -1, Key.Key_Right: 1, Key.Key_Up: 1,
    Key.Key_PageDown: -10, Key.Key_PageUp: 10,
}  # fmt: skip
"""Steps of a slider's keys."""
TAB = Qt.FocusPolicy.TabFocus
TAB_REASONS = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
MODIFIERS = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)
SPACE = frozenset({Key.Key_Space})
TEXT_WIDGETS = (QLineEdit, QAbstractSpinBox, QTextEdit, QPlainTextEdit)
KEPT_KEYS: tuple[tuple[type | tuple[type, ...], frozenset[Key]], ...] = (
    (QAbstractSlider, MOVES),
    ((QComboBox, QAbstractItemView), MOVES | SPACE),
    (QAbstractButton, SPACE),
)
"""Keys that a widget keeps from the shortcuts of the window, unless it has an attribute `kept_keys`."""


def keeps(widget: QWidget | None, event: QKeyEvent) -> bool:
    """Return whether a key is for the widget with the focus rather than for a shortcut of the window."""
    if widget is None or event.modifiers() & MODIFIERS:
        return False
    types = isinstance(widget, TEXT_WIDGETS) or (isinstance(widget, QComboBox) and widget.isEditable())
    if types or isinstance(widget, TakesText):
        return bool(event.text()) or event.key() in MOVES | {Key.Key_F2}
    usual = next((keys for kind, keys in KEPT_KEYS if isinstance(widget, kind)), frozenset())
    return event.key() in getattr(widget, "kept_keys", usual)


class TakesText:
    """Mixin before QWidget: keys that type text, and F2 for the editor of a cell, are for the widget."""


class ArrowsAfterTab:
    """Mixin before QWidget: after a click, keys that move through a list are left to the timeline."""

    kept_keys: frozenset[Key] = frozenset()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.kept_keys = MOVES | SPACE if event.reason() in TAB_REASONS else frozenset()
        super().focusInEvent(event)  # type: ignore[misc]


class WheelNeedsFocus:
    """Mixin before QWidget: the wheel changes the value of a focused widget only, else it scrolls."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if cast(QWidget, self).hasFocus():
            super().wheelEvent(event)  # type: ignore[misc]
        else:
            event.ignore()


def native_keys(text: str) -> str:
    """Return a text with the keys as the system names them: Ctrl of Qt is Command on a Mac."""
    return text.replace("Ctrl+", COMMAND).replace("Ctrl", COMMAND) if MAC else text


def set_tab_order(parent: QWidget) -> None:
    """Set the tab order of the widgets laid out in a parent to that of their layouts.

    Qt uses the order in which widgets were created: rows that are added later would come last.
    """
    widgets = list(_laid_out(parent))
    policies = [widget.focusPolicy() for widget in widgets]
    for widget, policy in zip(widgets, policies):  # setTabOrder ignores widgets without focus
        widget.setFocusPolicy(policy | TAB)
    for one, other in pairwise(widgets):
        QWidget.setTabOrder(one, other)
    for widget, policy in zip(widgets, policies):
        widget.setFocusPolicy(policy)


def tab_stops(parent: QWidget) -> Iterator[QWidget]:
    """Yield the widgets at which Tab stops, in the order of their layouts."""
    return (widget for widget in _laid_out(parent) if widget.focusPolicy() & TAB)


def _laid_out(parent: QWidget) -> Iterator[QWidget]:
    inner = parent.widget() if isinstance(parent, QScrollArea) else None
    if inner is not None:
        yield from _laid_out(inner)
    layout = parent.layout()
    if layout is not None:
        yield from _within(layout)


def _within(layout: QLayout) -> Iterator[QWidget]:
    """Yield widgets that have the focus by Tab or, in a group of buttons, by arrow keys."""
    # wrappers of what itemAt returns would outlive it, and be taken for the next object at its address
    owner = layout.parentWidget()
    parts = [*layout.children(), *(owner.children() if owner is not None else ())]
    laid_out = [part for part in parts if isinstance(part, QLayout | QWidget) and layout.indexOf(part) >= 0]
    for part in sorted(laid_out, key=layout.indexOf):
        if isinstance(part, QLayout):
            yield from _within(part)
            continue
        grouped = isinstance(part, QAbstractButton) and part.group() is not None
        if grouped or part.focusPolicy() & TAB:
            yield part
        yield from _laid_out(part)
