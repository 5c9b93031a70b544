"""The worker of diagnostics: one at a time, charts as they grow, dropped as soon as another is wanted."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from vizml.evaluate.diagnostic import Diagnostic, Exhibit, Overlay, Subject
from vizml.learn.model import Interrupted, interruptible
from vizml.run.frame import NOTHING, Failure
from vizml.scene import Chart

PAUSE, REST = 0.1, 0.03
"""Seconds between two charts of a growing one, and how long the window is left alone with each."""


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
        self._closing = False
        self._thread = threading.Thread(target=self._live, name="vizml-surveyor")
        self._thread.start()

    def ask(self, question: Question | None) -> None:
        """Find out something else from now on, or nothing."""
        with self._news:
            self._question = question
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
                current = self._question
            if current is not None:
                self._answer(current)

    def _answer(self, question: Question) -> None:
        shown: Exhibit | None = None
        due = 0.0
        try:
            with interruptible(lambda: self._question is not question):
                for shown in question.diagnostic.exhibits(question.subject):
                    if self._question is not question:
                        return
                    if perf_counter() >= due:
                        self._post(Finding(question.token, shown.chart, shown.overlay))
                        self._rest(question)
                        due = perf_counter() + PAUSE
        except Interrupted:
            return
        except Exception as error:  # noqa: BLE001 (a fault of a diagnostic ends it, not the program)
            details = "" if isinstance(error, ValueError) else "".join(traceback.format_exception(error))
            failure = Failure(str(error) or type(error).__name__, details)
            self._post(_last(question, shown, failure))
            return
        self._post(_last(question, shown))

    def _rest(self, question: Question) -> None:
        """Let the window paint what was posted: each call of Qt would wait for this thread otherwise."""
        with self._news:
            if self._question is question:
                self._news.wait(REST)


def _last(question: Question, shown: Exhibit | None, failure: Failure | None = None) -> Finding:
    if shown is None:
        return Finding(question.token, done=True, failure=failure)
    return Finding(question.token, shown.chart, shown.overlay, done=True, failure=failure)
