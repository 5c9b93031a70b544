"""Small parts of bars and dialogs, each with its name and tooltip."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtWidgets import QDialog, QPushButton, QWidget

GAP, BELOW = 16, 56
"""Pixels between a dialog and the right edge, and the top edge, of its window."""
W = TypeVar("W", bound=QWidget)


def named(widget: W, name: str, tip: str = "") -> W:
    """A widget with what a screen reader says of it, and a tooltip (the name, if there is nothing to add)."""
    widget.setAccessibleName(name)
    widget.setToolTip(tip or name)
    return widget


def beside(dialog: QDialog, window: QWidget) -> None:
    """Show a dialog over the right edge of a window, where it leaves the stage in sight."""
    dialog.adjustSize()
    corner = window.mapToGlobal(window.rect().topRight())
    dialog.move(corner.x() - dialog.width() - GAP, corner.y() + BELOW)
    dialog.finished.connect(window.activateWindow)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()


def button(text: str, tip: str, run: Callable[[], object], *, default: bool = False) -> QPushButton:
    """A button that does something; Enter means the default one."""
    made = QPushButton(text)
    made.setToolTip(tip)
    made.setAutoDefault(default)
    made.setDefault(default)
    made.clicked.connect(lambda: run())  # noqa: PLW0108 (the signal passes whether it is checked)
    return made
