"""How marks get from one scene to the next: they slide, where that explains something and nobody minds."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QVariantAnimation, Signal
from PySide6.QtWidgets import QApplication, QStyle

from vizml.paint import blend, slides
from vizml.scene import Scene

MILLISECONDS = 180
HURRY = 0.15
"""Scenes that follow one another within so many seconds move by themselves."""


def animations_enabled() -> bool:
    """Whether the system lets things move."""
    return QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0


class MarkAnimation(QObject):
    """The scene to show now, on its way to the newest one."""

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.allowed = True
        self.scene: Scene | None = None
        """What is to be painted."""
        self._from: Scene | None = None
        self._to: Scene | None = None
        self._arrived = 0.0
        self._way = QVariantAnimation(self)
        self._way.setDuration(MILLISECONDS)
        self._way.setStartValue(0.0)
        self._way.setEndValue(1.0)
        self._way.valueChanged.connect(self._step)

    def to(self, scene: Scene | None) -> None:
        """Go on to another scene: at once in a hurry, or where motion is not wanted."""
        now = time.monotonic()
        hurry, self._arrived = now - self._arrived < HURRY, now
        self._way.stop()
        self._from, self._to, self.scene = self.scene, scene, scene
        if scene is not None and not hurry and self._may() and slides(self._from, scene):
            self._way.start()

    def stop(self) -> None:
        """Be there."""
        self._way.stop()
        self.scene = self._to

    def _may(self) -> bool:
        return self.allowed and animations_enabled()

    def _step(self, share: float) -> None:
        if self._to is not None:
            self.scene = blend(self._from, self._to, share)
            self.moved.emit()
