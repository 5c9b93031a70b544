"""The worker of diagnostics: one at a time, charts as they grow, dropped as soon as another is wanted."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from vizml.evaluate.diagnostic import NOTHING, Diagnostic, Exhibit, Overlay, Subject
from vizml.learn.model import Interrupted, interruptible
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


class Surveyor:
    """Lives until `close`, which waits for it. `post` is called in its thread."""

    def __init__(self, post: Callable[[Finding], None]) -> None:
        self._post = post
        self._news = threading.Condition()
        self._question: Question | None = None
        self._closing = self._busy = False
        self._painted = True
        self._thread = threading.Thread(target=self._live, name="vizml-surveyor")
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether it is at work, be it on what nobody waits for any more."""
        return self._busy

    def ask(self, question: Question | None) -> None:
        """Find out something else from now on, or nothing."""
        with self._news:
            self._question = question
            self._news.notify()

    def go_on(self) -> None:
        """What was posted last has been painted."""
        with self._news:
            self._painted = True
            self._news.notify()

    def close(self) -> None:
        """End the thread and wait for it."""
        with self._news:
            self._closing = True
            self._question = None
            self._news.notify()
        self._thread.join()

    def _live(self) -> None:
        current: Question | None = None
        while True:
            with self._news:
                while self._question is current and not self._closing:
                    self._news.wait()
                if self._closing:
                    return
                current, self._busy = self._question, self._question is not None
            if current is not None:
                self._answer(current)
                self._busy = False

    def _answer(self, question: Question) -> None:
        shown: Exhibit | None = None
        due = 0.0
        try:
            with interruptible(lambda: self._question is not question):
                for shown in question.diagnostic.exhibits(question.subject):
                    if self._question is not question:
                        return
                    if perf_counter() >= due:
                        self._show(question, shown)
                        due = perf_counter() + PAUSE
        except Interrupted:
            return
        except Exception as error:  # noqa: BLE001 (a fault of a diagnostic ends it, not the program)
            details = "" if isinstance(error, ValueError) else "".join(traceback.format_exception(error))
            failure = Failure(str(error) or type(error).__name__, details)
            self._post(_last(question, shown, failure))
            return
        self._post(_last(question, shown))

    def _show(self, question: Question, shown: Exhibit) -> None:
        """Let the window paint it before anything else: each call of Qt would wait for this thread."""
        self._painted = False
        self._post(Finding(question.token, shown.chart, shown.overlay))
        with self._news:
            self._news.wait_for(lambda: self._painted or self._question is not question, PATIENCE)


def _last(question: Question, shown: Exhibit | None, failure: Failure | None = None) -> Finding:
    if shown is None:
        return Finding(question.token, done=True, failure=failure)
    return Finding(question.token, shown.chart, shown.overlay, done=True, failure=failure)
