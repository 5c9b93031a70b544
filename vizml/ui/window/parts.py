"""Small parts of bars and dialogs, each with its name and tooltip."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtWidgets import QPushButton, QWidget

W = TypeVar("W", bound=QWidget)


def named(widget: W, name: str, tip: str = "") -> W:
    """A widget with what a screen reader says of it, and a tooltip (the name, if there is nothing to add)."""
    widget.setAccessibleName(name)
    widget.setToolTip(tip or name)
    return widget


def button(text: str, tip: str, run: Callable[[], object], *, default: bool = False) -> QPushButton:
    """A button that does something; Enter means the default one."""
    made = QPushButton(text)
    made.setToolTip(tip)
    made.setAutoDefault(default)
    made.setDefault(default)
    made.clicked.connect(lambda: run())  # noqa: PLW0108 (the signal passes whether it is checked)
    return made
