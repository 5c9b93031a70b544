"""The worker that computes diagnostics: one at a time, posting charts while they are refined."""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from vizml.evaluate.diagnostic import NO_OVERLAY, ChartResult, Diagnostic, DiagnosticSubject, Overlay
from vizml.field.cancellation import Cancelled, cancellable
from vizml.run.frame import Failure
from vizml.run.latest_worker import LatestWorker
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


class DiagnosticWorker(LatestWorker[DiagnosticRequest]):
    """Compute the newest request; `post` is called in the thread of the worker."""

    def __init__(self, post: Callable[[DiagnosticResult], None]) -> None:
        self._post = post
        self._painted = threading.Event()
        super().__init__("vizml-diagnostics", self._compute, self._fail)

    def acknowledge(self) -> None:
        """Continue: the chart posted last has been painted."""
        self._painted.set()

    def cancel(self, client: object = None) -> None:
        super().cancel(client)
        self._painted.set()

    def _compute(self, request: DiagnosticRequest) -> None:
        newest: ChartResult | None = None
        failure: Failure | None = None
        due = 0.0
        try:
            with cancellable(lambda: not self.wants(request)):
                for newest in request.diagnostic.results(request.subject):
                    if not self.wants(request):
                        return
                    if perf_counter() >= due:
                        self._show(request, newest)
                        due = perf_counter() + PAUSE
        except Cancelled:
            return
        except Exception as error:  # noqa: BLE001 (an error in a diagnostic ends it, not the program)
            failure = failure_of(request, error)
        chart, overlay = newest or (None, NO_OVERLAY)
        self._post(DiagnosticResult(request.token, chart, overlay, done=True, failure=failure))

    def _fail(self, request: DiagnosticRequest, error: Exception) -> None:
        self._post(DiagnosticResult(request.token, done=True, failure=failure_of(request, error)))

    def _show(self, request: DiagnosticRequest, result: ChartResult) -> None:
        """Post a chart, then wait until it has been painted: calls of Qt would wait for this thread."""
        self._painted.clear()
        self._post(DiagnosticResult(request.token, *result))
        if self.wants(request):
            self._painted.wait(PAINT_TIMEOUT)


def failure_of(request: DiagnosticRequest, error: Exception) -> Failure:
    """Return a message for the dock; errors other than ValueError are faults, which are logged."""
    if isinstance(error, ValueError):
        return Failure(str(error))
    log.error("The diagnostic '%s' failed: %s", type(request.diagnostic).__name__, error, exc_info=error)
    return Failure(str(error) or type(error).__name__, "".join(traceback.format_exception(error)))
