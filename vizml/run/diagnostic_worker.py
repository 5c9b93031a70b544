"""The worker that computes diagnostics: one at a time, posting charts while they are refined."""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from vizml.evaluate.diagnostic import NO_OVERLAY, Diagnostic, DiagnosticSubject, Overlay
from vizml.field.cancellation import cancellable, check_cancelled
from vizml.run.frame import Failure
from vizml.run.worker import LatestWorker
from vizml.scene import Chart

log = logging.getLogger(__name__)
PAUSE, PAINT_TIMEOUT = 0.1, 0.3
"""Seconds between two charts of a diagnostic, and the longest wait until a chart has been painted."""


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


NOTHING: tuple[Chart | None, Overlay] = (None, NO_OVERLAY)


class DiagnosticWorker(LatestWorker[DiagnosticRequest]):
    """Compute the newest request; `post` is called in the thread of the worker."""

    def __init__(
        self, post: Callable[[DiagnosticResult], None], paint_timeout: float = PAINT_TIMEOUT
    ) -> None:
        self._post, self._paint_timeout = post, paint_timeout
        self._painted = threading.Event()
        self._result: tuple[Chart | None, Overlay] = NOTHING
        super().__init__("vizml-diagnostics", self._compute, self._finish)

    def acknowledge(self) -> None:
        """Continue: the chart posted last has been painted."""
        self._painted.set()

    def cancel(self, client: object = None) -> None:
        super().cancel(client)
        self._painted.set()

    def _compute(self, request: DiagnosticRequest) -> None:
        self._result = NOTHING
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
