"""Timing of the chosen diagnostic of the active stage: live ones with each frame, others after a run."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from vizml.evaluate.diagnostic import NO_OVERLAY, Diagnostic, DiagnosticSubject, Overlay
from vizml.evaluate.resampling import generator_samplers
from vizml.learn import State
from vizml.learn.model import standardised
from vizml.run.runner import DiagnosticRunner
from vizml.ui.compare.stages import Stages
from vizml.ui.stage import Stage
from vizml.workspace import Document
from vizml.workspace.work import Change

if TYPE_CHECKING:
    from vizml.learn import Model
    from vizml.run.worker import DiagnosticResult

NO_STEPS = np.empty(0, dtype=np.int64)
PAUSE = 0.1
"""Least seconds between two requests of a live diagnostic; longer ones pause for as long as they take."""
SLOW = 0.25
"""Seconds after which a live request about a state that is no longer shown is superseded."""


class DiagnosticController(QObject):
    """Compute one diagnostic at a time for the active stage; without a diagnostic, do nothing."""

    found = Signal(object)
    """A DiagnosticResult for the state that the stage shows now."""
    status_changed = Signal(bool, bool)
    """Whether a result is to come, and whether it waits for the end of training."""

    def __init__(self, document: Document, stages: Stages, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._stages, self._stage = document, stages, stages.active
        self.diagnostic: Diagnostic | None = None
        self.subject: DiagnosticSubject | None = None
        """The subject of the newest request of the chosen diagnostic."""
        self.running = False
        """Whether a result is to come."""
        self._waiting = self._overlaid = False
        self._key: tuple[object, ...] = ()
        self._started = self._due = 0.0
        self.runner = DiagnosticRunner(self)
        self.runner.result.connect(self._on_result)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._refresh)
        stages.active_changed.connect(self._on_stage)

    def choose(self, diagnostic: Diagnostic | None) -> None:
        """Compute this diagnostic from now on, or none."""
        if diagnostic != self.diagnostic:
            self.cancel()
            self._show_overlay(NO_OVERLAY)
            if (diagnostic is None) is not (self.diagnostic is None):
                self._listen(on=diagnostic is not None)
            self.diagnostic, self.subject, self._key, self._due = diagnostic, None, (), 0.0
            self._refresh()

    def _listen(self, *, on: bool) -> None:
        """Hear of changes only while there is a diagnostic that may depend on them."""
        for event in (self._document.changed, self._stages.shown_changed):
            (event.connect if on else event.disconnect)(self._refresh)

    @Slot(object)
    def _on_stage(self, stage: Stage) -> None:
        """Switch the diagnostics to another stage."""
        self.cancel()
        self._stage, self._key = stage, ()
        self._refresh()

    def rerun(self) -> None:
        """Compute the diagnostic once more."""
        self._key = ()
        self._refresh()

    def unlock(self) -> None:
        """Evaluate the model on the test set; any change locks it again."""
        self._document.view_test_set(self._stage.index)
        self.rerun()

    def cancel(self, *, waiting: bool = False) -> None:
        """Stop computing, until training ends or something changes; the newest result stays."""
        self._timer.stop()
        self.runner.cancel()
        self._set_status(running=False, waiting=waiting)

    def close_down(self) -> None:
        """End the worker."""
        self._overlaid = False
        self.choose(None)
        self.runner.close()

    @Slot()
    def _refresh(self, _change: Change = Change.ALL) -> None:
        """Request a result, unless the newest request was about the same."""
        if self.diagnostic is None:
            return
        key = self._dependencies(self.diagnostic)
        if key == self._key:
            return
        if self.diagnostic.live:
            self._request_live(self.diagnostic, key)
        elif self._stage.settled:
            self._request(self.diagnostic, key)
        else:
            self.cancel(waiting=True)

    def _request_live(self, diagnostic: Diagnostic, key: tuple[object, ...]) -> None:
        """Make one request at a time with a pause between two, so that the training is not held up."""
        now = perf_counter()
        frame = self._stage.frame
        current = frame is not None and frame.token == self._stage.runner.token
        if not current or self._stage.behind or (self.running and now - self._started < SLOW):
            return
        if now >= self._due:
            self._request(diagnostic, key)
        elif not self._timer.isActive():
            self._timer.start(int((self._due - now) * 1000) + 1)

    def _request(self, diagnostic: Diagnostic, key: tuple[object, ...]) -> None:
        self._timer.stop()
        self._key, self.subject, self._started = key, self._make_subject(), perf_counter()
        self.runner.start(diagnostic, self.subject)
        self._set_status(running=True, waiting=False)

    @Slot(object)
    def _on_result(self, result: DiagnosticResult) -> None:
        if result.done:
            now = perf_counter()
            self._due = now + max(PAUSE, now - self._started)
            self._set_status(running=False, waiting=False)
        self._show_overlay(result.overlay)
        self.found.emit(result)
        if result.done:
            self._refresh()

    def _show_overlay(self, overlay: Overlay) -> None:
        """Show an overlay on the stage; a controller without one leaves that of another alone."""
        if overlay is not NO_OVERLAY or self._overlaid:
            self._overlaid = overlay is not NO_OVERLAY
            self._stage.set_overlay(overlay)

    def _set_status(self, *, running: bool, waiting: bool) -> None:
        if (running, waiting) != (self.running, self._waiting):
            self.running, self._waiting = running, waiting
            self.status_changed.emit(running, waiting)

    # -- subject ---------------------------------------------------------------------------------------------

    def _dependencies(self, diagnostic: Diagnostic) -> tuple[object, ...]:
        """Everything that a result depends on: the step shown, the run so far, or only model and data.

        Parameters that the diagnostic varies itself are left out: a click on one of its values sets the
        parameter, and the result stays the same.
        """
        stage, frame = self._stage, self._stage.frame
        if not diagnostic.live or frame is None:
            work = self._document.work
            experiment = work.experiments[stage.index]
            model = with_defaults(diagnostic, experiment.model)
            run = experiment.seed, experiment.standardise
            return diagnostic, model, *run, work.dataset, work.used_split, work.generator
        so_far = frame.token, frame.count, frame.running
        if diagnostic.whole_run:
            return diagnostic, *so_far
        others = self._stages.named_states if diagnostic.compares else ()
        return diagnostic, *so_far, stage.state, stage.threshold, others

    def _make_subject(self) -> DiagnosticSubject:
        stage, work = self._stage, self._document.work
        experiment = self._document.experiment(stage.index)
        inputs = experiment.model.task.inputs(work.dataset)
        frame = stage.frame if _takes(stage.state, inputs) else None
        sampler, noiseless = generator_samplers(work.generator, work.used_split)
        dataset, kept = work.dataset, work.used_split.masks(work.dataset)[1]
        unlocked = self._document.test_set_views.includes(work, stage.index) and bool(kept.any())
        return DiagnosticSubject(
            standardised(experiment.model, on=experiment.standardise),
            experiment.seed,
            stage.train,
            stage.held,
            stage.state if frame else None,
            stage.threshold,
            sampler,
            noiseless,
            work.generator,
            frame.states if frame else (),
            frame.steps if frame else NO_STEPS,
            test=dataset.take(kept) if unlocked else None,
            locked=0 if unlocked else int(kept.sum()),
            test_evaluations=self._document.test_set_views.count(work),
            running=bool(frame and frame.running),
            compared=tuple(named for named in self._stages.named_states if _takes(named[1], inputs)),
        )


def _takes(state: State | None, inputs: tuple[str, ...]) -> bool:
    """Whether a state takes the inputs of the data; that of a superseded run may take others."""
    return state is not None and state.space.names == inputs


def with_defaults(diagnostic: Diagnostic, model: Model) -> Model:
    """The model with defaults for the parameters that a diagnostic varies."""
    try:
        varied = diagnostic.varies(model)
    except ValueError:
        return model
    defaults = {param.name: param.default for param in model.parameters()}
    return model.with_(**{name: defaults[name] for name in varied if name in defaults})
