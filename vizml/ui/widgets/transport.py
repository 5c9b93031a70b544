"""The buttons of a timeline: start, back, play, forward, end; loop and speed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from vizml.ui.widgets.appearance import Appearance, Dressed
from vizml.ui.widgets.boxes import Box, Direction
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.player import SPEEDS


class Transport(Box):
    """To start, back, play or pause, forward, to end."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Direction.LeftToRight, 0, parent=parent)
        self.start = IconButton("start", "To the first step (Home)")
        self.back = IconButton("back", "One step back (Left)")
        self.play = IconButton("play", "Play (Space)")
        self.forward = IconButton("step", "One step forward (Right)")
        self.end = IconButton("end", "To the newest step (End)")
        self.buttons = (self.start, self.back, self.play, self.forward, self.end)
        for button in self.buttons:
            self.box.addWidget(button)
        for button in (self.back, self.forward):
            button.setAutoRepeat(True)

    def show_playing(self, playing: bool) -> None:
        """Offer to pause what plays."""
        self.play.show_icon("pause" if playing else "play")
        words = "Pause" if playing else "Play"
        self.play.setToolTip(f"{words} (Space)")
        self.play.setAccessibleName(words)

    def show_narrow(self, narrow: bool) -> None:
        """Keep only play where there is no room."""
        for button in self.buttons:
            button.setVisible(not narrow or button is self.play)


class SpeedButton(Dressed, QToolButton):
    """How fast it plays."""

    picked = Signal(object)
    """Times the ordinary speed; None fits all of it into ten seconds."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("speed")
        self.setToolTip("Speed of playing")
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
        self.redress()

    def dress(self, look: Appearance) -> None:
        self.setFixedSize(look.px(48), look.px(28))

    def _pick(self, action: QAction) -> None:
        speed = action.data()
        self.setText("10 s" if speed is None else action.text())
        self.picked.emit(speed)


def _words(speed: float | None) -> str:
    return "Fit into 10 s" if speed is None else f"{speed:g}×"
