"""Between window and worker: jobs and views go out, the newest frame comes back by a mailbox of one."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from vizml.run.frame import Frame, Job, View
from vizml.run.worker import Worker

if TYPE_CHECKING:
    from vizml.data import Dataset
    from vizml.learn import Model


class Runner(QObject):
    """Trains and composes away from the window. Every method but `close` returns at once."""

    frame = Signal(object)
    """A Frame, in the window's thread; never one of a superseded job."""
    _wake = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._token = 0
        self._lock = threading.Lock()
        self._mail: Frame | None = None
        self._wake.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._worker = Worker(self._post)

    @property
    def token(self) -> int:
        """The token of the newest job."""
        return self._token

    def start(self, model: Model, seed: int, train: Dataset, held: Dataset) -> int:
        """Supersede what is running; the token of the new job."""
        self._token += 1
        self._worker.give(replace(self._worker.order, job=Job(self._token, model, seed, train, held)))
        return self._token

    def show(self, view: View) -> None:
        """What is to be looked at from now on; the current job's frames follow it."""
        self._worker.give(replace(self._worker.order, view=view))

    def cancel(self) -> None:
        """Stop training where it is; its recording stays."""
        self._worker.give(replace(self._worker.order, cancelled=self._token))

    def close(self) -> None:
        """End the thread and wait for it."""
        self._token += 1
        self._worker.close()

    def _post(self, frame: Frame) -> None:
        """Called by the worker: leave the newest frame, and ring once however many are left."""
        if frame.token != self._token:
            return
        with self._lock:
            waiting, self._mail = self._mail is not None, frame
        if not waiting:
            self._wake.emit()

    @Slot()
    def _deliver(self) -> None:
        with self._lock:
            mail, self._mail = self._mail, None
        if mail is not None and mail.token == self._token:
            self.frame.emit(mail)
