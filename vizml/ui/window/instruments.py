"""Diagnostics and the model's inside, wired to the stage they are about and to the parameters they set."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Slot

from vizml.data.params import Integer, Param, Real, Value
from vizml.learn import Model
from vizml.run.frame import Frame
from vizml.ui.charts.diagnostics import Diagnostics
from vizml.ui.charts.saving import Saver
from vizml.ui.charts.structure import Structure
from vizml.ui.document import Document
from vizml.ui.preferences import Preferences
from vizml.ui.stage import Stage
from vizml.ui.window.messages import Messages

DRAG = "instruments"
"""What a hand sets in one go is one thing to undo."""


class Instruments(QObject):
    """Brings frames to the docks, and what is done there to timeline, canvas and document."""

    def __init__(
        self, stage: Stage, document: Document, preferences: Preferences, messages: Messages
    ) -> None:
        super().__init__(stage)
        self._stage, self._document = stage, document
        self.saver = Saver(preferences, self)
        self.diagnostics, self.structure = Diagnostics(self.saver), Structure(self.saver)
        self.saver.told.connect(messages.info)
        self.saver.failed.connect(messages.error)
        stage.frame_changed.connect(self._on_frame)
        self.diagnostics.moment_asked.connect(stage.timeline.show_moment)
        self.structure.view.pointed.connect(stage.point_at)
        self.diagnostics.view.picked.connect(self._set)
        self.structure.view.cut.connect(self._set)
        for view in (self.diagnostics.view, self.structure.view):
            view.released.connect(document.seal)

    @Slot(object)
    def _on_frame(self, frame: Frame) -> None:
        model = self._document.experiment().model
        self.diagnostics.show_result(model, frame)
        self.structure.show_result(model, frame)

    @Slot(object)
    def _set(self, values: Mapping[str, Value]) -> None:
        """Give parameters the values that a chart or a diagram stands for, as near as they may be."""
        model = self._document.experiment().model
        try:
            changed = model.with_(**fitted(model, values))
        except ValueError:
            return
        labels = [param.label for param in model.parameters() if param.name in values]
        self._document.set_model(changed, label=f"set {' and '.join(labels)}", merge=DRAG)


def fitted(model: Model, values: Mapping[str, Value]) -> dict[str, Value]:
    """The values of parameters that the model has, within their ranges."""
    known = {param.name: param for param in model.parameters()}
    return {name: _within(known[name], value) for name, value in values.items() if name in known}


def _within(param: Param, value: Value) -> Value:
    if isinstance(value, str | bool) or not isinstance(param, Real | Integer):
        return value
    near = min(max(value, param.lo), param.hi)
    return round(near) if isinstance(param, Integer) else near
