"""Between window and workers: jobs and questions go out, the newest answer comes back by a mailbox of one."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from vizml.run.frame import Frame, Job, View
from vizml.run.insight import Answer, Reader, Request
from vizml.run.survey import Finding, Question, Surveyor
from vizml.run.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from vizml.data import Dataset
    from vizml.evaluate.diagnostic import Diagnostic, Subject
    from vizml.learn import Model

SOON = 10
"""Milliseconds after which what has just arrived is painted: Qt asks for that within 5."""


class Mailbox(QObject):
    """Holds the newest item of the newest token, and rings once however many are left."""

    arrived = Signal(object)
    """The item, in the window's thread."""
    _wake = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.token = 0
        self._lock = threading.Lock()
        self._item: Frame | Finding | Answer | None = None
        self._wake.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def post(self, item: Frame | Finding | Answer) -> None:
        """Called by a worker: leave an item in place of the one before it."""
        if item.token != self.token:
            return
        with self._lock:
            waiting, self._item = self._item is not None, item
        if not waiting:
            self._wake.emit()

    @Slot()
    def _deliver(self) -> None:
        with self._lock:
            item, self._item = self._item, None
        if item is not None and item.token == self.token:
            self.arrived.emit(item)


class Runner(QObject):
    """Trains and composes away from the window. Every method but `close` returns at once."""

    frame = Signal(object)
    """A Frame, in the window's thread; never one of a superseded job."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._mail = Mailbox(self)
        self._mail.arrived.connect(self.frame)
        self._worker = Worker(self._mail.post)

    @property
    def token(self) -> int:
        """The token of the newest job."""
        return self._mail.token

    def start(self, model: Model, seed: int, train: Dataset, held: Dataset) -> int:
        """Supersede what is running; the token of the new job."""
        self._mail.token += 1
        job = Job(self._mail.token, model, seed, train, held)
        self._worker.give(replace(self._worker.order, job=job))
        return self._mail.token

    def show(self, view: View) -> None:
        """What is to be looked at from now on; the current job's frames follow it."""
        self._worker.give(replace(self._worker.order, view=view))

    def cancel(self) -> None:
        """Stop training where it is; its recording stays."""
        self._worker.give(replace(self._worker.order, cancelled=self._mail.token))

    def close(self) -> None:
        """End the thread and wait for it."""
        self._mail.token += 1
        self._worker.close()


class Inquiry(QObject):
    """Finds out diagnostics away from the window, one at a time, in a thread of its own."""

    finding = Signal(object)
    """A Finding, in the window's thread; never one of a superseded question."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._mail = Mailbox(self)
        self._mail.arrived.connect(self._pass_on)
        self._surveyor: Surveyor | None = None
        self._painted = QTimer(self, singleShot=True, interval=SOON)
        self._painted.timeout.connect(self._go_on)

    @property
    def busy(self) -> bool:
        """Whether its thread is at work, be it on what nobody waits for any more."""
        return self._surveyor is not None and self._surveyor.busy

    def ask(self, diagnostic: Diagnostic, subject: Subject) -> int:
        """Supersede what is being found out; the token of the new question."""
        self._mail.token += 1
        if self._surveyor is None:
            self._surveyor = Surveyor(self._mail.post)
        self._surveyor.ask(Question(self._mail.token, diagnostic, subject))
        return self._mail.token

    def cancel(self) -> None:
        """Find out nothing; what has been found stays with whoever shows it."""
        self._mail.token += 1
        if self._surveyor is not None:
            self._surveyor.ask(None)

    def close(self) -> None:
        """End the thread, where there is one, and wait for it."""
        self.cancel()
        self._painted.stop()
        if self._surveyor is not None:
            self._surveyor.close()
            self._surveyor = None

    @Slot(object)
    def _pass_on(self, finding: Finding) -> None:
        self.finding.emit(finding)
        self._painted.start()

    @Slot()
    def _go_on(self) -> None:
        if self._surveyor is not None:
            self._surveyor.acknowledge()


class Insight(QObject):
    """Looks into states away from the window, in a thread of its own that starts with the first request."""

    told = Signal(object)
    """What was found, in the window's thread; never of a superseded request."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._mail = Mailbox(self)
        self._mail.arrived.connect(self._tell)
        self._reader: Reader | None = None
        self._waiting = self._closed = False

    @property
    def waiting(self) -> bool:
        """Whether an answer is to come."""
        return self._waiting

    def ask(self, find: Callable[[], object]) -> None:
        """Supersede what is being looked for; after `close` nothing is looked for any more."""
        if self._closed:
            return
        self._mail.token += 1
        self._waiting = True
        if self._reader is None:
            self._reader = Reader(self._mail.post)
        self._reader.ask(Request(self._mail.token, find))

    def drop(self) -> None:
        """Look for nothing."""
        self._mail.token += 1
        self._waiting = False
        if self._reader is not None:
            self._reader.ask(None)

    def close(self) -> None:
        """End the thread, where there is one, and wait for it."""
        self._closed = True
        self.drop()
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    @Slot(object)
    def _tell(self, answer: Answer) -> None:
        self._waiting = False
        self.told.emit(answer.found)
