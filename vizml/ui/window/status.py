"""The status bar: the place under the pointer and what the model says there, and how training goes."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStatusBar, QWidget

from vizml.run.frame import Frame
from vizml.ui.text import duration
from vizml.ui.widgets.appearance import tabular
from vizml.ui.window.parts import named

L = TypeVar("L", bound=QLabel)
NOTICEABLE = 0.15
"""Runs of fewer seconds than this come and go without a word."""


class Elided(QLabel):
    """Words that are cut where the room for them ends, and claim none."""

    def __init__(self) -> None:
        super().__init__(textFormat=Qt.TextFormat.PlainText)
        self.words = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def say(self, words: str) -> None:
        """Show other words."""
        self.words = words
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.contentsRect().width()
        self.setText(self.fontMetrics().elidedText(self.words, Qt.TextElideMode.ElideRight, room))


class Status(QStatusBar):
    """Pointer to the left, training to the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._pointer = _label(Elided(), "Pointer", "Where the pointer is, and what the model says there")
        self._training = _label(QLabel(), "Training", "How training goes, and how long it took")
        self.addWidget(self._pointer, 1)
        self.addPermanentWidget(self._training)

    def hold(self, widget: QWidget) -> None:
        """Take in something that belongs to the tool in hand, between pointer and training."""
        self.insertPermanentWidget(1, widget)

    @property
    def pointer_text(self) -> str:
        """All of it, whatever there is room for."""
        return self._pointer.words

    @property
    def training_text(self) -> str:
        return self._training.text()

    def set_pointer(self, text: str) -> None:
        self._pointer.say(text)

    def set_frame(self, frame: Frame) -> None:
        """Show how the run of a frame goes."""
        if not frame.running:
            self._training.setText(_summary(frame))
        elif frame.seconds >= NOTICEABLE:
            share = "" if frame.progress is None else f" {100 * frame.progress:.0f} %"
            self._training.setText(f"training…{share}")


def _summary(frame: Frame) -> str:
    if frame.failure is not None or not frame.count:
        return ""
    steps = int(frame.steps[-1]) if len(frame.steps) else frame.count
    return f"{steps} {'step' if steps == 1 else 'steps'} in {duration(frame.seconds)}"


def _label(label: L, name: str, tip: str) -> L:
    named(label, name, tip)
    label.setContentsMargins(8, 0, 8, 0)
    label.setFont(tabular(label.font()))
    return label
