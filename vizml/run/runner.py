"""The one worker thread, and the mailbox that brings its newest frame to the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from vizml.data import Dataset
from vizml.learn import Model
from vizml.run.frame import View


class Runner(QObject):
    """Trains and composes away from the window. Every method returns at once."""

    frame = Signal(object)
    """A Frame, in the window's thread; never one of a superseded job."""

    def start(self, model: Model, seed: int, train: Dataset, held: Dataset) -> int:
        """Supersede what is running; the token of the new job."""
        raise NotImplementedError

    def show(self, view: View) -> None:
        """What is to be looked at from now on; the current job's frames follow it."""
        raise NotImplementedError

    def cancel(self) -> None:
        """Stop training where it is; its recording stays."""
        raise NotImplementedError

    def close(self) -> None:
        """End the thread and wait for it."""
        raise NotImplementedError
