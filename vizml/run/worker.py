"""Worker threads, which serve the newest requests: trainings with their frames, and diagnostics."""

from __future__ import annotations

import logging
import threading
import traceback
from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from weakref import WeakSet

from vizml.evaluate.diagnostic import NO_OVERLAY, Diagnostic, DiagnosticSubject, Overlay
from vizml.field.cancellation import Cancelled, cancellable, check_cancelled
from vizml.run.compose import LONG_WAIT, RenderPacing
from vizml.run.request import Failure, RenderRequest
from vizml.run.session import Session
from vizml.scene import Chart

if TYPE_CHECKING:
    from vizml.run.request import Frame, Job


log = logging.getLogger(__name__)
SLICE = 0.008
"""Seconds of training between two looks at the inbox."""
QUIET = 0.1
"""A run that takes less time shows only its result."""
DISPLAY = 1 / 60
"""Seconds between two frames of a display."""
PAUSE, PAINT_TIMEOUT = 0.1, 0.3
"""Seconds between two charts of a diagnostic, and the longest wait until a chart has been painted."""
NO_RESULT: tuple[Chart | None, Overlay] = (None, NO_OVERLAY)

Request = TypeVar("Request")
CLOSED: WeakSet[threading.Thread] = WeakSet()
"""Threads that end as soon as their work is done, unless a new client comes."""


def await_closed() -> None:
    """Wait for the end of all threads whose last client has closed."""
    for thread in [*CLOSED]:
        thread.join()


class LatestWorker(Generic[Request]):
    """Serve several clients in turn, each with its newest request only.

    `work` runs in the thread. `Cancelled` ends a request without a word; any other exception is handed to
    `failed`, also in the thread. The next request works as usual. The thread starts with the first request
    and ends when the last client has closed, once its work is done: nobody waits for it but `await_closed`.
    """

    def __init__(
        self, name: str, work: Callable[[Request], object], failed: Callable[[Request, Exception], object]
    ) -> None:
        self._name, self._work, self._failed = name, work, failed
        self._news = threading.Condition()
        self._newest: dict[Hashable, Request | None] = {}
        self._pending: dict[Hashable, Request] = {}
        self._running: tuple[Hashable, ...] = ()
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        """Whether a request is being worked on, even one that was cancelled."""
        return bool(self._running)

    def wants(self, request: Request, client: Hashable = None) -> bool:
        """Whether a request is still the newest of its client."""
        return self._newest.get(client) is request

    def submit(self, request: Request, client: Hashable = None) -> None:
        """Replace the request of a client."""
        with self._news:
            self._newest[client] = self._pending[client] = request
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name=self._name)
                self._thread.start()
            CLOSED.discard(self._thread)
            self._news.notify_all()

    def cancel(self, client: Hashable = None) -> None:
        """Drop the request of a client; work that has begun may ask `wants` and stop."""
        with self._news:
            self._pending.pop(client, None)
            if client in self._newest:
                self._newest[client] = None
            self._news.notify_all()

    def wait(self, client: Hashable = None) -> None:
        """Wait until nothing of a client is pending or running."""
        with self._news:
            self._news.wait_for(lambda: client not in (*self._pending, *self._running))

    def close(self, client: Hashable = None) -> None:
        """Cancel the request of a client; the thread ends after the last client, without being waited for."""
        self.cancel(client)
        with self._news:
            self._newest.pop(client, None)
            if not self._newest and self._thread is not None:
                CLOSED.add(self._thread)
            self._news.notify_all()

    def finish(self) -> None:
        """Called in the thread before it ends."""

    def _serve(self) -> None:
        while True:
            with self._news:
                self._running = ()
                self._news.notify_all()
                self._news.wait_for(lambda: self._pending or not self._newest)
                if not self._newest:
                    self.finish()
                    self._thread = None
                    return
                client, request = next(iter(self._pending.items()))
                del self._pending[client]
                self._running = (client,)
            try:
                self._work(request)
            except Cancelled:
                pass
            except Exception as error:  # noqa: BLE001 (handed on: one request must not end the thread)
                self._failed(request, error)
            with self._news:
                if self.wants(request, client):
                    self._newest[client] = None
            del client, request  # or a waiting thread would keep their data, and be the last to hold them


@dataclass(frozen=True)
class Order:
    """Everything that is wanted of the worker now. A newer order replaces an older one as a whole."""

    job: Job | None = None
    request: RenderRequest | None = None
    cancelled: int = 0
    """Token of the job that is to stop."""


NOTHING = Order()


class TrainingWorker(LatestWorker[Order]):
    """Trains until `close`, which waits for it. `post` is called in its thread."""

    def __init__(self, post: Callable[[Frame], None]) -> None:
        super().__init__("vizml-worker", self._follow, _log_failure)
        self.order = NOTHING
        """The newest order."""
        self._post = post
        self._closed = False
        self._pacings: defaultdict[tuple[type, int], RenderPacing] = defaultdict(RenderPacing)
        """By model and order of magnitude of the points: their pictures take about equally long."""
        self._scheduler: TrainingScheduler | None = None

    def change(self, **changes: Any) -> None:
        """Replace parts of the order; nothing is done after `close`."""
        if not self._closed:
            self.order = replace(self.order, **changes)
            self.submit(self.order)

    def close(self, client: object = None) -> None:
        self._closed, self.order = True, NOTHING
        super().close(client)

    def finish(self) -> None:
        self._scheduler = None  # an iterator must end in the thread that started it

    def _follow(self, order: Order) -> None:
        """Train and show what an order wants, until there is nothing left to do or another order."""
        job, scheduler = order.job, self._scheduler
        if job is None:
            self._scheduler = None
        if job is None or order.request is None:
            return
        if scheduler is None or scheduler.job is not job:
            kind = type(job.model), len(job.train).bit_length()
            scheduler = self._scheduler = TrainingScheduler(job, self._pacings[kind])
        while scheduler.turn(order, self._post, lambda: self.order) and self.order is order:
            pass


def _log_failure(_order: Order, error: Exception) -> None:
    log.error("The training worker failed: %s", error, exc_info=error)


class TrainingScheduler:
    """Train a session in slices, and post a frame whenever the display can show one."""

    def __init__(self, job: Job, pacing: RenderPacing) -> None:
        self.job = job
        self._session = Session(job, pacing)
        self._pacing = pacing
        self._shown: RenderRequest | None = None
        self._unseen = False
        self._due = perf_counter() + QUIET

    def turn(self, order: Order, post: Callable[[Frame], None], newest: Callable[[], Order]) -> bool:
        """Train for a slice, then post what is due: new states and requests once a display frame.

        Return whether more is to do without a new order.
        """
        if self._session.running:
            if order.cancelled == self.job.token:
                self._session.cancel()
                self._unseen = True
            else:
                with cancellable(lambda: newest().job is not self.job):
                    self._unseen |= self._session.advance(SLICE)
                if newest().job is not self.job:
                    return False
        request = order.request
        over = self._unseen and not self._session.running  # an end is shown at once
        due = perf_counter() >= self._due and (self._unseen or request is not self._shown)
        if request is None or not (over or due):
            return self._session.running or self._unseen
        self._shown, self._unseen = request, False
        started, pacing, pixels = perf_counter(), self._pacing, request.viewport.pixels
        with cancellable(lambda: newest().job is not self.job):
            for frame in self._session.frames(  # a slow scene ends with its request, a quick one does not
                request, lambda: newest().request is request or pacing.exact_seconds(pixels) <= LONG_WAIT
            ):
                post(frame)
        now = perf_counter()
        self._due = now + max(DISPLAY, now - started) if self._session.running else now
        return self._session.running


@dataclass(frozen=True)
class DiagnosticRequest:
    """A diagnostic of a subject. The token rises from request to request."""

    token: int
    diagnostic: Diagnostic
    subject: DiagnosticSubject


@dataclass(frozen=True)
class DiagnosticResult:
    """The newest chart of a request, or the reason why there is none; `done` with the last of them."""

    token: int
    chart: Chart | None = None
    overlay: Overlay = NO_OVERLAY
    done: bool = False
    failure: Failure | None = None


class DiagnosticWorker(LatestWorker[DiagnosticRequest]):
    """Compute the newest request; `post` is called in the thread of the worker."""

    def __init__(
        self, post: Callable[[DiagnosticResult], None], paint_timeout: float = PAINT_TIMEOUT
    ) -> None:
        self._post, self._paint_timeout = post, paint_timeout
        self._painted = threading.Event()
        self._result: tuple[Chart | None, Overlay] = NO_RESULT
        super().__init__("vizml-diagnostics", self._compute, self._finish)

    def acknowledge(self) -> None:
        """Continue: the chart posted last has been painted."""
        self._painted.set()

    def cancel(self, client: object = None) -> None:
        super().cancel(client)
        self._painted.set()

    def _compute(self, request: DiagnosticRequest) -> None:
        self._result = NO_RESULT
        due = 0.0
        with cancellable(lambda: not self.wants(request)):
            for self._result in request.diagnostic.results(request.subject):
                check_cancelled()
                if perf_counter() >= due:
                    self._show(request, self._result)
                    due = perf_counter() + PAUSE
        self._finish(request)

    def _finish(self, request: DiagnosticRequest, error: Exception | None = None) -> None:
        """Post the last chart again, with the error that ended the diagnostic where there is one."""
        failure = None if error is None else failure_of(request, error)
        self._post(DiagnosticResult(request.token, *self._result, done=True, failure=failure))

    def _show(self, request: DiagnosticRequest, result: tuple[Chart | None, Overlay]) -> None:
        """Post a chart, then wait until it has been painted: calls of Qt would wait for this thread."""
        self._painted.clear()
        self._post(DiagnosticResult(request.token, *result))
        if self.wants(request):
            self._painted.wait(self._paint_timeout)


def failure_of(request: DiagnosticRequest, error: Exception) -> Failure:
    """Return a message for the dock; errors other than ValueError are faults, which are logged."""
    if isinstance(error, ValueError):
        return Failure(str(error))
    log.error("The diagnostic '%s' failed: %s", type(request.diagnostic).__name__, error, exc_info=error)
    return Failure(str(error) or type(error).__name__, "".join(traceback.format_exception(error)))
