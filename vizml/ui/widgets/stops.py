"""The order in which Tab goes from control to control: that in which they stand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLayout, QScrollArea, QWidget

TAB = Qt.FocusPolicy.TabFocus


def chain(around: QWidget) -> None:
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


def stops(around: QWidget) -> Iterator[QWidget]:
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
