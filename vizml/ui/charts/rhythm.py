"""Refreshing at a measure: no more often than can be read, and only while somebody looks."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

PAUSE = 100
"""Milliseconds between two refreshments at the least."""
SHARE = 4
"""The pause is at least so many times as long as charts take to be made."""


class Rhythm(QTimer):
    """Lets something be done at once where it has rested, else when it has; never while nobody looks."""

    def __init__(self, do: Callable[[], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.setSingleShot(True)
        self._do, self._widget, self._due = do, parent, False
        self.timeout.connect(self._rested)

    def ask(self) -> None:
        """Have it done soon."""
        self._due = True
        if self._widget.isVisible() and not self.isActive():
            self._run()

    def _rested(self) -> None:
        if self._due and self._widget.isVisible():
            self._run()

    def _run(self) -> None:
        self._due, started = False, perf_counter()
        self._do()
        self.start(max(PAUSE, round(SHARE * 1000 * (perf_counter() - started))))
