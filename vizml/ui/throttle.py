"""Throttling of refreshes: at most as often as they can be seen, and only while the widget is visible."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

INTERVAL = 100
"""Least milliseconds between two refreshes."""
SHARE = 4
"""The interval is at least so many times as long as a refresh takes."""


class Throttle(QTimer):
    """Calls a function at once or at the end of an interval, while its widget is visible."""

    def __init__(self, call: Callable[[], None], widget: QWidget) -> None:
        super().__init__(widget)
        self.setSingleShot(True)
        self._call, self._widget, self._pending = call, widget, False
        self.timeout.connect(self._on_timeout)

    def request(self) -> None:
        """Call the function as soon as the interval allows."""
        self._pending = True
        if self._widget.isVisible() and not self.isActive():
            self._run()

    def _on_timeout(self) -> None:
        if self._pending and self._widget.isVisible():
            self._run()

    def _run(self) -> None:
        self._pending, started = False, perf_counter()
        self._call()
        self.start(max(INTERVAL, round(SHARE * 1000 * (perf_counter() - started))))
