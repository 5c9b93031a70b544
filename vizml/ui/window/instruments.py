"""Diagnostics and the model's inside, wired to the stage they are about and to the parameters they set."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QObject, Slot

from vizml.data.dataset import Ints
from vizml.data.params import Integer, Param, Real, Value
from vizml.evaluate.diagnostics.last_test import UNLOCK
from vizml.evaluate.diagnostics.roc import THRESHOLD
from vizml.learn import Model
from vizml.run.diagnostic_worker import DiagnosticResult
from vizml.run.errors import guarded
from vizml.run.frame import Frame
from vizml.ui.charts.diagnostics import Diagnostics
from vizml.ui.charts.saving import Saver
from vizml.ui.charts.structure import Structure
from vizml.ui.lab.lab import Lab
from vizml.ui.preferences import Preferences
from vizml.ui.stage import Stage
from vizml.ui.window.messages import Messages
from vizml.workspace import Document

FAULT = "diagnostic"
"""The key of the message about a diagnostic that failed by a fault of its own."""
DRAG = "instruments"
"""What a hand sets in one go is one thing to undo."""


class Instruments(QObject):
    """Brings frames to the docks, and what is done there to timeline, canvas and document."""

    def __init__(
        self, stage: Stage, document: Document, preferences: Preferences, messages: Messages
    ) -> None:
        super().__init__(stage)
        self._stage, self._document, self._messages = stage, document, messages
        self.saver = Saver(preferences, self)
        self.diagnostics, self.structure = Diagnostics(self.saver), Structure(self.saver)
        self._pointer: tuple[float, float] | None = None
        self.saver.told.connect(messages.info)
        self.saver.failed.connect(messages.error)
        self._listen()
        self.diagnostics.moment_asked.connect(self._go)
        self.structure.view.pointed.connect(self._point_at)
        self.lab = Lab(document, stage, self)
        self._study()
        self.diagnostics.view.picked.connect(self._set)
        self.structure.view.cut.connect(self._set)
        for view in (self.diagnostics.view, self.structure.view):
            view.released.connect(document.seal)

    def follow(self, stage: Stage) -> None:
        """Be about another stage from now on."""
        self._stage.frame_changed.disconnect(self._on_frame)
        self._stage.canvas.pointed.disconnect(self._follow)
        self._stage.point_at(None)
        self._stage, self._pointer = stage, None
        self._listen()
        if stage.frame is not None:
            self._on_frame(stage.frame)
        self.lab.follow(stage)

    def _listen(self) -> None:
        self._stage.frame_changed.connect(self._on_frame)
        self._stage.canvas.pointed.connect(self._follow)

    def _model(self) -> Model:
        """That of the stage; when it is taken away, the first until another stage is followed."""
        shown = self._document.work.experiments
        return shown[self._stage.index if self._stage.index < len(shown) else 0].model

    @Slot(int)
    def _go(self, moment: int) -> None:
        self._stage.timeline.show_moment(moment)

    @Slot(object)
    def _point_at(self, node: str | None) -> None:
        self._stage.point_at(node)

    def close_down(self) -> None:
        """End the workers, as a window does before it goes."""
        self.lab.close_down()
        self.diagnostics.close_down()
        self.structure.close_down()

    def _study(self) -> None:
        """What is found out goes to the dock, what is done there to the lab, the canvas and the threshold."""
        dock, lab = self.diagnostics, self.lab
        dock.study_asked.connect(lab.choose)
        dock.foot.cancel_asked.connect(lab.cancel)
        dock.foot.again_asked.connect(lab.again)
        dock.offers.taken.connect(self._take)
        dock.view.handled.connect(self._handle)
        dock.view.lit.connect(self._light)
        lab.found.connect(self._on_finding)
        lab.status_changed.connect(self._on_status)

    @Slot(object)
    def _on_finding(self, finding: DiagnosticResult) -> None:
        self.diagnostics.show_finding(finding)
        failure = finding.failure
        if failure is not None and failure.details:
            self._messages.error(f"The diagnostic failed: {failure.sentence}", failure.details, key=FAULT)

    @Slot()
    def _on_status(self) -> None:
        self.diagnostics.show_status(running=self.lab.running, waiting=self.lab.waiting)

    @Slot(str, float)
    def _handle(self, name: str, value: float) -> None:
        if name == THRESHOLD:
            self._stage.set_threshold(value)

    @Slot(object)
    def _light(self, ids: Ints) -> None:
        """Select the points that a cell counts."""
        self._stage.canvas.selection.set_ids(ids)

    @Slot(object)
    def _take(self, values: Mapping[str, Value]) -> None:
        """Do what a chart offers: set a threshold or parameters, or look at the test part."""
        if THRESHOLD in values:
            self._stage.set_threshold(float(values[THRESHOLD]))
        elif UNLOCK in values:
            self.lab.unlock()
        else:
            self._set(values)
            self._document.seal()

    @Slot(object)
    def _on_frame(self, frame: Frame) -> None:
        model = self._model()
        self.diagnostics.show_result(model, frame)
        self.structure.show_result(model, frame)
        if self._pointer is not None:
            self._follow(self._pointer)

    @Slot(object)
    def _follow(self, point: tuple[float, float] | None) -> None:
        """Let the nodes stand out that the place under the pointer belongs to."""
        self._pointer = point
        frame, view = self._stage.frame, self.structure.view
        if not view.isVisible():
            return
        if point is None or frame is None or frame.moment is None:
            view.highlight(())
            return
        state = frame.moment.state
        view.highlight(guarded(state, "trail", lambda: state.trail(np.array(point)), ()))

    @Slot(object)
    def _set(self, values: Mapping[str, Value]) -> None:
        """Give parameters the values that a chart or a diagram stands for, as near as they may be."""
        model = self._model()
        try:
            changed = model.with_(**fitted(model, values))
        except ValueError:
            return
        labels = [param.label for param in model.parameters() if param.name in values]
        self._document.set_model(changed, self._stage.index, label=f"set {' and '.join(labels)}", merge=DRAG)


def fitted(model: Model, values: Mapping[str, Value]) -> dict[str, Value]:
    """The values of parameters that the model has, within their ranges."""
    known = {param.name: param for param in model.parameters()}
    return {name: _within(known[name], value) for name, value in values.items() if name in known}


def _within(param: Param, value: Value) -> Value:
    if isinstance(value, str | bool) or not isinstance(param, Real | Integer):
        return value
    near = min(max(value, param.lo), param.hi)
    return round(near) if isinstance(param, Integer) else near
