"""The order in which Tab goes from control to control: that in which they stand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QScrollArea, QWidget


def chain(around: QWidget) -> None:
    """Let Tab go through what is laid out within a widget from its top to its end.

    Qt goes in the order in which widgets were made: rows that came later would be last.
    """
    for one, other in pairwise(stops(around)):
        QWidget.setTabOrder(one, other)


def stops(around: QWidget) -> Iterator[QWidget]:
    """The widgets that Tab stops at, in the order of their layouts."""
    inner = around.widget() if isinstance(around, QScrollArea) else None
    if inner is not None:
        yield from stops(inner)
    layout = around.layout()
    if layout is not None:
        yield from _within(layout)


def _within(layout: QLayout) -> Iterator[QWidget]:
    for place in range(layout.count()):
        item = layout.itemAt(place)
        widget, inner = (item.widget(), item.layout()) if item is not None else (None, None)
        if widget is not None:
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                yield widget
            yield from stops(widget)
        elif inner is not None:
            yield from _within(inner)
