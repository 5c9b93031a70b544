"""Asks what is to be found out about a stage, and when: live ones with the frames, others after a run."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance, Slot

from vizml.evaluate.diagnostic import NOTHING, Diagnostic, Subject
from vizml.evaluate.sources import sources_of
from vizml.learn import State
from vizml.run.runner import DiagnosticRunner
from vizml.ui.stage import Stage
from vizml.workspace import Document

if TYPE_CHECKING:
    from vizml.learn import Model
    from vizml.run.diagnostic_worker import DiagnosticResult

Company: TypeAlias = Callable[[], tuple[tuple[str, State], ...]]
NO_STEPS = np.empty(0, dtype=np.int64)
PAUSE = 0.1
"""Seconds between two questions of a live diagnostic at the least; longer ones rest as long as they take."""
SLOW = 0.25
"""A live question about what is no more there is let go after so long."""


class Lab(QObject):
    """One diagnostic at a time, about one stage; no diagnostic, no work."""

    found = Signal(object)
    """A DiagnosticResult about what the stage shows now."""
    status_changed = Signal()
    """Whether it is at work, or waits, is another."""

    def __init__(self, document: Document, stage: Stage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._stage = document, stage
        self._diagnostic: Diagnostic | None = None
        self._subject: Subject | None = None
        self._key: tuple[object, ...] = ()
        self._running = self._waiting = False
        self._company: Company = _alone
        self._started = self._due = 0.0
        self._runner = DiagnosticRunner(self)
        self._runner.result.connect(self._on_finding)
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._refresh)
        document.changed.connect(self._refresh)
        self._listen()

    @property
    def diagnostic(self) -> Diagnostic | None:
        return self._diagnostic

    @property
    def running(self) -> bool:
        """Whether something is being found out that one has to wait for."""
        return self._running

    @property
    def at_work(self) -> bool:
        """Whether its thread is, be it on what was cancelled just now."""
        return self._runner.busy

    @property
    def waiting(self) -> bool:
        """Whether it waits for the training to end."""
        return self._waiting

    def choose(self, diagnostic: Diagnostic | None) -> None:
        """Find out this from now on, or nothing."""
        if diagnostic != self._diagnostic:
            self._stop()
            self._stage.set_overlay(NOTHING)
            self._diagnostic, self._key, self._due = diagnostic, (), 0.0
            self._refresh()

    def keep_company(self, company: Company, changed: SignalInstance) -> None:
        """What gives the names and states of all stages, and what tells that one is another."""
        self._company = company
        changed.connect(self._refresh)

    def follow(self, stage: Stage) -> None:
        """Be about another stage from now on."""
        if stage is not self._stage:
            self._stop()
            self._stage.set_overlay(NOTHING)
            self._stage.frame_changed.disconnect(self._refresh)
            self._stage.threshold_changed.disconnect(self._refresh)
            self._stage, self._key = stage, ()
            self._listen()
            self._refresh()

    def again(self) -> None:
        """Find it out once more."""
        self._key = ()
        self._refresh()

    def unlock(self) -> None:
        """Judge the model by the points of the last test; any change locks them again."""
        self._document.look_at_test(self._stage.index)
        self.again()

    def cancel(self) -> None:
        """Stop where it is; what was found stays, until something changes."""
        self._stop()

    def close_down(self) -> None:
        """End the worker, as a window does before it goes."""
        self._stop()
        self._diagnostic = None
        self._runner.close()

    def _listen(self) -> None:
        self._stage.frame_changed.connect(self._refresh)
        self._stage.threshold_changed.connect(self._refresh)

    @Slot()
    def _refresh(self) -> None:
        """Ask, if what it would be about is not what was asked last."""
        if self._diagnostic is None or self._stage.index >= len(self._document.work.experiments):
            return
        key = self._about(self._diagnostic)
        if key == self._key:
            return
        if self._diagnostic.live:
            self._ask_live(self._diagnostic, key)
        elif self._rests():
            self._ask(self._diagnostic, key)
        else:
            self._stop()
            self._set_status(running=False, waiting=True)

    def _ask_live(self, diagnostic: Diagnostic, key: tuple[object, ...]) -> None:
        """One question at a time, and a pause between two: a run is not held up by what is told of it."""
        now = perf_counter()
        if not self._is_fresh() or (self._running and now - self._started < SLOW):
            return
        if now >= self._due:
            self._ask(diagnostic, key)
        elif not self._soon.isActive():
            self._soon.start(int((self._due - now) * 1000) + 1)

    def _ask(self, diagnostic: Diagnostic, key: tuple[object, ...]) -> None:
        self._soon.stop()
        self._key, self._subject, self._started = key, self._make_subject(), perf_counter()
        self._runner.start(diagnostic, self._subject)
        self._set_status(running=True, waiting=False)

    def _stop(self) -> None:
        self._soon.stop()
        self._runner.cancel()
        self._set_status(running=False, waiting=False)

    @Slot(object)
    def _on_finding(self, finding: DiagnosticResult) -> None:
        if finding.done:
            now = perf_counter()
            self._due = now + max(PAUSE, now - self._started)
            self._set_status(running=False, waiting=False)
        self._stage.set_overlay(finding.overlay)
        self.found.emit(finding)
        if finding.done:
            self._refresh()

    def _set_status(self, *, running: bool, waiting: bool) -> None:
        if (running, waiting) != (self._running, self._waiting):
            self._running, self._waiting = running, waiting
            self.status_changed.emit()

    # -- what it is about ------------------------------------------------------------------------------------

    def _about(self, diagnostic: Diagnostic) -> tuple[object, ...]:
        """What an answer depends on: the moment shown, the run so far, or only model and points.

        A parameter that the diagnostic varies itself does not matter: a click on one of its values sets it,
        and there is nothing to be found out anew.
        """
        stage, frame = self._stage, self._stage.frame
        if not diagnostic.live or frame is None:
            work = self._document.work
            experiment = work.experiments[stage.index]
            model = fixed(diagnostic, experiment.model)
            return diagnostic, model, experiment.seed, work.dataset, work.split, work.generator
        so_far = frame.token, frame.count, frame.running
        if diagnostic.whole:
            return diagnostic, *so_far
        others = self._company() if diagnostic.several else ()
        return diagnostic, *so_far, frame.moment and frame.moment.state, stage.threshold, others

    def _is_fresh(self) -> bool:
        """Whether the frame on the stage is of the newest run."""
        frame = self._stage.frame
        return frame is not None and frame.token == self._stage.runner.token

    def _rests(self) -> bool:
        """Whether the newest run is over."""
        frame = self._stage.frame
        return self._is_fresh() and frame is not None and not frame.running and not self._stage.behind

    def _make_subject(self) -> Subject:
        stage, frame, work = self._stage, self._stage.frame, self._document.work
        experiment = self._document.experiment(stage.index)
        source, clean = sources_of(work.generator, work.split)
        dataset, kept = work.dataset, work.split.tested(work.dataset)
        opened = self._document.looks.open(work, stage.index) and bool(kept.any())
        return Subject(
            experiment.model,
            experiment.seed,
            stage.train,
            stage.held,
            frame.moment.state if frame and frame.moment else None,
            stage.threshold,
            source,
            clean,
            frame.states if frame else (),
            frame.steps if frame else NO_STEPS,
            test=dataset.take(kept) if opened else None,
            locked=0 if opened else int(kept.sum()),
            looks=self._document.looks.count(work),
            running=bool(frame and frame.running),
            company=self._company(),
        )


def _alone() -> tuple[tuple[str, State], ...]:
    return ()


def fixed(diagnostic: Diagnostic, model: Model) -> Model:
    """A model whose parameters that a diagnostic varies are at their defaults."""
    try:
        varied = diagnostic.varies(model)
    except ValueError:
        return model
    defaults = {param.name: param.default for param in model.parameters()}
    return model.with_(**{name: defaults[name] for name in varied})
