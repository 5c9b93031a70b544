"""The worker of diagnostics: one at a time, charts as they grow, dropped as soon as another is wanted."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from vizml.evaluate.diagnostic import NOTHING, Diagnostic, Exhibit, Overlay, Subject
from vizml.field.cancellation import Cancelled, cancellable
from vizml.run.clerk import Clerk
from vizml.run.frame import Failure
from vizml.scene import Chart

PAUSE, PATIENCE = 0.1, 0.3
"""Seconds between two charts of a growing one, and how long it waits at most for each to be painted."""


@dataclass(frozen=True)
class Question:
    """What is to be found out. Its token rises from question to question."""

    token: int
    diagnostic: Diagnostic
    subject: Subject


@dataclass(frozen=True)
class Finding:
    """The newest chart of a question, or why there is none; `done` with the last of them."""

    token: int
    chart: Chart | None = None
    overlay: Overlay = NOTHING
    done: bool = False
    failure: Failure | None = None


class Surveyor(Clerk[Question]):
    """`post` is called in its thread."""

    def __init__(self, post: Callable[[Finding], None]) -> None:
        self._post = post
        self._painted = True
        super().__init__("vizml-surveyor")

    def acknowledge(self) -> None:
        """What was posted last has been painted."""
        with self.news:
            self._painted = True
            self.news.notify()

    def work(self, order: Question) -> None:
        shown: Exhibit | None = None
        due = 0.0
        try:
            with cancellable(lambda: not self.wants(order)):
                for shown in order.diagnostic.exhibits(order.subject):
                    if not self.wants(order):
                        return
                    if perf_counter() >= due:
                        self._show(order, shown)
                        due = perf_counter() + PAUSE
        except Cancelled:
            return
        except Exception as error:  # noqa: BLE001 (a fault of a diagnostic ends it, not the program)
            details = "" if isinstance(error, ValueError) else "".join(traceback.format_exception(error))
            failure = Failure(str(error) or type(error).__name__, details)
            self._post(_last(order, shown, failure))
            return
        self._post(_last(order, shown))

    def _show(self, question: Question, shown: Exhibit) -> None:
        """Let the window paint it before anything else: each call of Qt would wait for this thread."""
        self._painted = False
        self._post(Finding(question.token, shown.chart, shown.overlay))
        with self.news:
            self.news.wait_for(lambda: self._painted or not self.wants(question), PATIENCE)


def _last(question: Question, shown: Exhibit | None, failure: Failure | None = None) -> Finding:
    if shown is None:
        return Finding(question.token, done=True, failure=failure)
    return Finding(question.token, shown.chart, shown.overlay, done=True, failure=failure)
