"""The status bar: coordinates and prediction at the pointer, options of the tool, state of the training."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QLabel, QStatusBar, QWidget

from vizml.run.frame import Frame
from vizml.ui.text import duration
from vizml.ui.widget_helpers import ElidedLabel, named
from vizml.ui.widgets.appearance import tabular

L = TypeVar("L", bound=QLabel)
NOTICEABLE = 0.15
"""Seconds after which a run is reported as training: shorter ones only show their result."""


class StatusBar(QStatusBar):
    """The pointer to the left, the training to the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._pointer = _label(ElidedLabel(), "Pointer", "Coordinates and prediction at the pointer")
        self._training = _label(QLabel(), "Training", "Steps and duration of the training")
        self.addWidget(self._pointer, 1)
        self.addPermanentWidget(self._training)

    def insert(self, widget: QWidget) -> None:
        """Add a widget between pointer and training."""
        self.insertPermanentWidget(1, widget)

    @property
    def pointer_text(self) -> str:
        """The whole text, even where it is elided."""
        return self._pointer.full_text

    @property
    def training_text(self) -> str:
        return self._training.text()

    def set_pointer(self, text: str) -> None:
        self._pointer.set_full_text(text)

    def set_frame(self, frame: Frame) -> None:
        """Show the progress of the run that a frame belongs to."""
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
