"""Qt front ends of the workers: requests go out, the newest answer comes back through a mailbox of one."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from vizml.field.cancellation import cancellable
from vizml.run.request import Job, RenderRequest
from vizml.run.worker import (
    PAINT_TIMEOUT,
    DiagnosticRequest,
    DiagnosticResult,
    DiagnosticWorker,
    LatestWorker,
    TrainingWorker,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from vizml.data import Dataset
    from vizml.evaluate.diagnostic import Diagnostic, DiagnosticSubject
    from vizml.learn import Model

log = logging.getLogger(__name__)
SOON = 10
"""Milliseconds after which an item that has just arrived is painted: Qt asks for that within 5."""


class Item(Protocol):
    """Anything with the token of the request that it answers."""

    @property
    def token(self) -> int: ...


class Mailbox(QObject):
    """Hold the newest item of the newest token, and wake the window once however many are posted."""

    arrived = Signal(object)
    """The item, in the window's thread."""
    _wake = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.token = 0
        self._lock = threading.Lock()
        self._item: Item | None = None
        self._wake.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def post(self, item: Item) -> None:
        """Called by a worker: leave an item in place of the one before it."""
        with self._lock:  # or `close` could return, and the signal go, between the question and the signal
            if item.token != self.token:
                return
            waiting, self._item = self._item is not None, item
            if not waiting:
                self._wake.emit()

    def close(self) -> None:
        """Take no more items: a worker may outlive the mailbox."""
        with self._lock:
            self.token += 1

    @Slot()
    def _deliver(self) -> None:
        with self._lock:
            item, self._item = self._item, None
        if item is not None and item.token == self.token:
            self.arrived.emit(item)


class Runner(QObject):
    """Trains and composes away from the window. Every method returns at once."""

    frame = Signal(object)
    """A Frame, in the window's thread; never one of a superseded job."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._mail = Mailbox(self)
        self._mail.arrived.connect(self.frame)
        self._worker = TrainingWorker(self._mail.post)

    @property
    def token(self) -> int:
        """The token of the newest job."""
        return self._mail.token

    def start(
        self, model: Model, seed: int, train: Dataset, held: Dataset, *, standardise: bool = False
    ) -> int:
        """Supersede what is running; the token of the new job."""
        self._mail.token += 1
        job = Job(self._mail.token, model, seed, train, held, standardise)
        self._worker.change(job=job)
        return self._mail.token

    def show(self, request: RenderRequest) -> None:
        """Replace the request that the frames of the current job answer."""
        self._worker.change(request=request)

    def cancel(self) -> None:
        """Stop training where it is; its recording stays."""
        self._worker.change(cancelled=self._mail.token)

    def close(self) -> None:
        """End the thread after the step that it is at."""
        self._mail.close()
        self._worker.close()


class DiagnosticRunner(QObject):
    """Compute diagnostics away from the window, one at a time, in a thread of its own."""

    result = Signal(object)
    """A DiagnosticResult, in the window's thread; never one of a superseded request."""

    def __init__(self, parent: QObject | None = None, paint_timeout: float = PAINT_TIMEOUT) -> None:
        super().__init__(parent)
        self._mail = Mailbox(self)
        self._mail.arrived.connect(self._pass_on)
        self._worker = DiagnosticWorker(self._mail.post, paint_timeout)
        self._painted = QTimer(self, singleShot=True, interval=SOON)
        self._painted.timeout.connect(self._worker.acknowledge)

    @property
    def busy(self) -> bool:
        """Whether the thread computes, even a request that was cancelled."""
        return self._worker.busy

    def start(self, diagnostic: Diagnostic, subject: DiagnosticSubject) -> int:
        """Supersede the request that is being computed; the token of the new one."""
        self._mail.token += 1
        self._worker.submit(DiagnosticRequest(self._mail.token, diagnostic, subject))
        self._worker.acknowledge()
        return self._mail.token

    def cancel(self) -> None:
        """Stop computing; results that have arrived stay with whoever shows them."""
        self._mail.token += 1
        self._worker.cancel()

    def close(self) -> None:
        """End the thread, where there is one, as soon as it finds that nothing is wanted."""
        self._mail.close()
        self._painted.stop()
        self._worker.close()

    @Slot(object)
    def _pass_on(self, result: DiagnosticResult) -> None:
        self.result.emit(result)
        self._painted.start()


@dataclass(frozen=True)
class BackgroundRequest:
    """A function to call in a worker's thread, and the mailbox for its answer."""

    token: int
    find: Callable[[], object]
    mail: Mailbox


@dataclass(frozen=True)
class Answer:
    """The result of a request, or its error."""

    token: int
    found: object = None
    error: Exception | None = None


def _answer(request: BackgroundRequest) -> None:
    with cancellable(lambda: request.token != request.mail.token):
        request.mail.post(Answer(request.token, request.find()))


def _answer_error(request: BackgroundRequest, error: Exception) -> None:
    log.error("A query in the background failed: %s", error, exc_info=error)
    request.mail.post(Answer(request.token, error=error))


QueryWorker: TypeAlias = LatestWorker[BackgroundRequest]


def query_worker(name: str) -> QueryWorker:
    """Return a worker whose thread background queries can share."""
    return LatestWorker(name, _answer, _answer_error)


DOCKS, POINTER = query_worker("vizml-docks"), query_worker("vizml-pointer")
"""Shared threads: one for charts, diagrams, figures and formulas, one for answers that the hand waits for.

Each runs only while a query that uses it is open.
"""


class BackgroundQuery(QObject):
    """Call a function away from the window; a newer call supersedes the one before it."""

    answered = Signal(object)
    """The result, in the window's thread; never of a superseded call."""
    failed = Signal(object)
    """The exception that the call raised instead."""

    def __init__(self, parent: QObject | None = None, worker: QueryWorker = DOCKS) -> None:
        super().__init__(parent)
        self._worker, self._mail = worker, Mailbox(self)
        self._mail.arrived.connect(self._deliver)
        self.waiting = self._closed = False
        """Whether an answer is to come."""
        self._key: object = None
        self._next: tuple[object, Callable[[], object]] | None = None

    def ask(self, find: Callable[[], object]) -> None:
        """Call a function in place of the one that is waited for; nothing is called after `close`."""
        if not self._closed:
            self._mail.token += 1
            self.waiting = True
            self._worker.submit(BackgroundRequest(self._mail.token, find, self._mail), self)

    def follow(self, key: object, find: Callable[[], object]) -> None:
        """Call a function for a key unless it was called for it last; not before a pending answer is here."""
        self._next = None
        if self.waiting:
            self._next = key, find
        elif key is not self._key:
            self._key = key
            self.ask(find)

    def cancel(self) -> None:
        """Wait for no answer any more."""
        self._mail.token += 1
        self.waiting = False
        self._key = self._next = None
        self._worker.cancel(self)

    def close(self) -> None:
        """Cancel, and end the thread after what has begun unless others use it."""
        self._closed = True
        self._mail.close()
        self.cancel()
        self._worker.close(self)

    def wait(self) -> None:
        """Wait for the end of what has begun."""
        self._worker.wait(self)

    @Slot(object)
    def _deliver(self, answer: Answer) -> None:
        self.waiting = False
        if answer.error is None:
            self.answered.emit(answer.found)
        else:
            self.failed.emit(answer.error)
        if self._next is not None:
            self.follow(*self._next)
