"""Animation of marks from one scene to the next, where it explains a change."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QVariantAnimation, Signal
from PySide6.QtWidgets import QApplication, QStyle

from vizml.scene import Scene
from vizml.scene.scene import interpolated, moving_dots

DURATION = 180
"""Milliseconds of the animation: long enough to follow a mark, short enough not to delay the next click."""
RAPID = 0.15
"""Scenes that follow one another within so many seconds are shown at once: they move by themselves."""


def animations_enabled() -> bool:
    """Whether the system allows animations."""
    return QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0


class MarkAnimation(QObject):
    """Blend the scene that is shown into the newest one."""

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.allowed = True
        self.scene: Scene | None = None
        """Scene to paint now."""
        self._from: Scene | None = None
        self._to: Scene | None = None
        self._changed = 0.0
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(DURATION)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.valueChanged.connect(self._blend)

    @property
    def running(self) -> bool:
        return self._animation.state() == QVariantAnimation.State.Running

    def to(self, scene: Scene | None) -> None:
        """Show another scene: at once in rapid succession, or where animations are disabled."""
        now = time.monotonic()
        rapid, self._changed = now - self._changed < RAPID, now
        self._animation.stop()
        self._from, self._to, self.scene = self.scene, scene, scene
        animated = self.allowed and animations_enabled() and not rapid
        if scene is not None and animated and moving_dots(self._from, scene):
            self._animation.start()

    def stop(self) -> None:
        """Show the newest scene."""
        self._animation.stop()
        self.scene = self._to

    def _blend(self, share: float) -> None:
        if self._to is not None:
            self.scene = interpolated(self._from, self._to, share)
            self.moved.emit()
