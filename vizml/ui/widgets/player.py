"""Plays a recording: which moment follows which, how fast, and when it ends."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer, Signal

TICK = 33
LENGTH = 10.0
"""Seconds that a long recording takes at the ordinary speed."""
SLOWEST = 4.0
"""Moments a second that a short recording shows at the ordinary speed."""
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


class Player(QObject):
    """Its timer runs only while it plays."""

    moved = Signal(int)
    """The moment to be shown now."""
    playing_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.count, self.growing, self.loop = 0, False, False
        self.speed: float | None = 1.0
        """Times the ordinary speed; None fits all of it into ten seconds."""
        self._at, self._told, self._then = 0.0, -1, 0.0
        self._timer = QTimer(self, interval=TICK)
        self._timer.timeout.connect(self._tick)

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    @property
    def rate(self) -> float:
        """Moments a second."""
        even = self.count / LENGTH
        return even if self.speed is None else max(even, SLOWEST) * self.speed

    def play(self, start: int) -> None:
        """Go on from a moment; from the last one, start over."""
        if self.count < 2:
            return
        over = start >= self.count - 1 and not self.growing
        self._at, self._told, self._then = 0.0 if over else float(start), start, time.monotonic()
        self._timer.start()
        self.playing_changed.emit(True)
        self._tell()

    def stop(self) -> None:
        """Stay where it is."""
        if self.playing:
            self._timer.stop()
            self.playing_changed.emit(False)

    def _tick(self) -> None:
        now = time.monotonic()
        self.advance(now - self._then)
        self._then = now

    def advance(self, seconds: float) -> None:
        """Go on by what a time is worth; at the end start over, wait for more, or stop."""
        last = self.count - 1
        self._at += seconds * self.rate
        if self._at < last:
            self._tell()
        elif self.loop and not self.growing and self._told >= last:
            self._at = 0.0
            self._tell()
        else:
            self._at = float(last)
            self._tell()
            if not self.growing and not self.loop:
                self.stop()

    def _tell(self) -> None:
        if int(self._at) != self._told:
            self._told = int(self._at)
            self.moved.emit(self._told)
