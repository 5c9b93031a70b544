"""Playback of a recording: a timer that advances the step, and the buttons that control it."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from vizml.ui.widgets.appearance import Appearance, FollowsAppearance
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.layouts import Box, Direction

TICK = 33
LENGTH = 10.0
"""Seconds that a long recording takes at normal speed."""
SLOWEST = 4.0
"""Moments a second that a short recording shows at the ordinary speed."""
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


class Player(QObject):
    """Advance the step of a recording by a timer, which runs during playback only."""

    moved = Signal(int)
    """Index of the recorded step to show."""
    playing_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.count, self.growing, self.loop = 0, False, False
        self.speed: float | None = 1.0
        """Factor of the normal speed; None fits the whole recording into ten seconds."""
        self._position, self._shown, self._last_tick = 0.0, -1, 0.0
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
        """Play from a step; from the last one, start again."""
        if self.count < 2:
            return
        over = start >= self.count - 1 and not self.growing
        self._position, self._shown, self._last_tick = 0.0 if over else float(start), start, time.monotonic()
        self._timer.start()
        self.playing_changed.emit(True)
        self._show()

    def stop(self) -> None:
        """Stop at the current step."""
        if self._timer.isActive():
            self._timer.stop()
            self.playing_changed.emit(False)

    def _tick(self) -> None:
        now = time.monotonic()
        self.advance(now - self._last_tick)
        self._last_tick = now

    def advance(self, seconds: float) -> None:
        """Advance by a time; at the end start again, wait for further steps, or stop."""
        last = self.count - 1
        self._position += seconds * self.rate
        if self._position < last:
            self._show()
        elif self.loop and not self.growing and self._shown >= last:
            self._position = 0.0
            self._show()
        else:
            self._position = float(last)
            self._show()
            if not self.growing and not self.loop:
                self.stop()

    def _show(self) -> None:
        if int(self._position) != self._shown:
            self._shown = int(self._position)
            self.moved.emit(self._shown)


class PlaybackButtons(Box):
    """Buttons: first step, back, play or pause, forward, last step."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Direction.LeftToRight, 0, parent=parent)
        self.start = IconButton("start", "First step (Home)")
        self.back = IconButton("back", "Step back (Left)")
        self.play = IconButton("play", "Play (Space)")
        self.forward = IconButton("step", "Step forward (Right)")
        self.end = IconButton("end", "Last step (End)")
        self.buttons = (self.start, self.back, self.play, self.forward, self.end)
        for button in self.buttons:
            self.box.addWidget(button)
        for button in (self.back, self.forward):
            button.setAutoRepeat(True)

    def show_playing(self, playing: bool) -> None:
        """Show the button as pause during playback."""
        self.play.show_icon("pause" if playing else "play")
        text = "Pause" if playing else "Play"
        self.play.setToolTip(f"{text} (Space)")
        self.play.setAccessibleName(text)

    def show_narrow(self, narrow: bool) -> None:
        """Show only the play button in a narrow window."""
        for button in self.buttons:
            button.setVisible(not narrow or button is self.play)


class SpeedButton(FollowsAppearance, QToolButton):
    """Menu button of the playback speed."""

    picked = Signal(object)
    """Factor of the normal speed; None fits the whole recording into ten seconds."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("speed")
        self.setToolTip("Playback speed")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu, group = QMenu(self), QActionGroup(self)
        for speed in (*SPEEDS, None):
            action = QAction(_words(speed), menu, checkable=True, checked=speed == 1.0)
            action.setData(speed)
            group.addAction(action)
            menu.addAction(action)
        group.triggered.connect(self._pick)
        self.setMenu(menu)
        self.setText(_words(1.0))
        self.update_appearance()

    def apply_appearance(self, look: Appearance) -> None:
        self.setFixedSize(look.px(48), look.px(28))

    def _pick(self, action: QAction) -> None:
        speed = action.data()
        self.setText("10 s" if speed is None else action.text())
        self.picked.emit(speed)


def _words(speed: float | None) -> str:
    return "Fit into 10 s" if speed is None else f"{speed:g}×"
