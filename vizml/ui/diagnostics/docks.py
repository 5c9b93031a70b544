"""The docks of diagnostics and of the model's structure, connected to the active stage and its parameters."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QObject, Slot

from vizml.data.columns import Ints
from vizml.data.params import Integer, Param, Real, Value
from vizml.evaluate.diagnostics.last_test import UNLOCK
from vizml.evaluate.diagnostics.roc import THRESHOLD
from vizml.learn import Model
from vizml.run.errors import guarded
from vizml.run.worker import DiagnosticResult
from vizml.ui.charts.diagram_panel import DiagramPanel
from vizml.ui.charts.saving import Saver
from vizml.ui.compare.stages import Stages
from vizml.ui.diagnostics.controller import DiagnosticController
from vizml.ui.diagnostics.panel import DiagnosticsPanel
from vizml.ui.messages import Messages
from vizml.ui.stage import Stage
from vizml.ui.state_panel import StatePanel
from vizml.workspace import Document
from vizml.workspace.preferences import Preferences

FAULT = "diagnostic"
"""Key of the message about a diagnostic that failed with an error."""
DRAG = "diagnostics"
"""Merge key of parameters set on a chart: one drag is one undo entry."""


class DiagnosticDocks(QObject):
    """Show frames and results in the docks, and apply what is done there to timeline, canvas and document."""

    def __init__(
        self, stages: Stages, document: Document, preferences: Preferences, messages: Messages
    ) -> None:
        super().__init__(stages)
        self._stages, self._document, self._messages = stages, document, messages
        self.saver = Saver(preferences, self)
        self.diagnostics, self.structure = DiagnosticsPanel(self.saver), DiagramPanel(self.saver)
        self.controller = DiagnosticController(document, stages, self)
        self._connect_docks()
        self._more: dict[DiagnosticsPanel, DiagnosticController] = {}

    def close_down(self) -> None:
        """End the workers."""
        for panel in tuple(self._more):
            self.remove_chart(panel)
        for part in (self.controller, self.diagnostics, self.structure):
            part.close_down()

    @property
    def charts(self) -> tuple[DiagnosticsPanel, ...]:
        """The panel of charts, and further ones."""
        return self.diagnostics, *self._more

    def add_chart(self) -> DiagnosticsPanel:
        """Return a further panel of charts of the active stage."""
        panel = DiagnosticsPanel(self.saver)
        self._more[panel] = controller = DiagnosticController(self._document, self._stages, self)
        self._connect(panel, controller)
        return panel

    def remove_chart(self, panel: DiagnosticsPanel) -> None:
        """End the workers of a further panel."""
        controller = self._more.pop(panel)
        for part in (controller, panel):
            part.close_down()
        controller.deleteLater()

    def _connect_docks(self) -> None:
        self._connect(self.diagnostics, self.controller)
        self.saver.told.connect(self._messages.info)
        self.saver.failed.connect(self._messages.error)
        self.structure.view.pointed.connect(self._point_at)
        self.structure.view.cut.connect(self._set_parameters)
        self.structure.view.released.connect(self._document.seal)
        self._follow_stage(self.structure)
        for signal in (self._stages.frame_changed, self._stages.pointer_moved):
            self.structure.follow(signal, self._highlight)

    def _connect(self, dock: DiagnosticsPanel, controller: DiagnosticController) -> None:
        self._follow_stage(dock)
        dock.index_requested.connect(self._show_step)
        dock.diagnostic_requested.connect(controller.choose)
        dock.status.cancel_asked.connect(controller.cancel)
        dock.status.again_asked.connect(controller.rerun)
        dock.chart_actions.taken.connect(lambda values: self._apply(controller, values))
        dock.view.handled.connect(self._on_handle)
        dock.view.points_picked.connect(self._select)
        dock.view.picked.connect(self._set_parameters)
        dock.view.released.connect(self._document.seal)
        controller.found.connect(dock.show_diagnostic)
        controller.found.connect(self._report_failure)
        controller.status_changed.connect(dock.show_status)

    @property
    def _stage(self) -> Stage:
        return self._stages.active

    def _model(self) -> Model:
        return self._document.experiment(self._stage.index).model

    # -- from the stage and the controller -------------------------------------------------------------------

    def _follow_stage(self, dock: StatePanel) -> None:
        dock.follow(self._stages.frame_changed, lambda: dock.set_frame(self._model(), self._stage.frame))

    @Slot()
    def _highlight(self) -> None:
        """Highlight the nodes of the diagram that the point under the pointer belongs to."""
        view, point = self._stage.canvas.view, self._stage.canvas.point
        trail, lines = tuple[str, ...](), tuple[str, ...]()
        if point is not None and view is not None:
            at = np.array(point)
            trail = guarded(view.state, "trail", lambda: view.trail(at), ())
            inputs = view.section.lift(at[None, : view.section.dimensions])[0]
            lines = guarded(view.state, "calculation", lambda: view.state.calculation(inputs), ())
        self.structure.view.highlight(trail)
        self.structure.show_calculation(lines)

    @Slot(object)
    def _report_failure(self, result: DiagnosticResult) -> None:
        failure = result.failure
        if failure is not None and failure.details:
            self._messages.error(f"The diagnostic failed: {failure.sentence}", failure.details, key=FAULT)

    # -- from the docks --------------------------------------------------------------------------------------

    @Slot(int)
    def _show_step(self, index: int) -> None:
        self._stage.timeline.show_step(index)

    @Slot(object)
    def _point_at(self, node: str | None) -> None:
        self._stage.point_at(node)

    @Slot(object)
    def _select(self, ids: Ints) -> None:
        """Select the points that a cell of a chart counts."""
        self._stage.canvas.selection.set_ids(ids)

    @Slot(str, float)
    def _on_handle(self, name: str, value: float) -> None:
        if name == THRESHOLD:
            self._stage.set_threshold(value)

    def _apply(self, controller: DiagnosticController, values: Mapping[str, Value]) -> None:
        """Apply the action of a chart: set the threshold or parameters, or unlock the test set."""
        if THRESHOLD in values:
            self._stage.set_threshold(float(values[THRESHOLD]))
        elif UNLOCK in values:
            controller.unlock()
        else:
            self._set_parameters(values)
            self._document.seal()

    @Slot(object)
    def _set_parameters(self, values: Mapping[str, Value]) -> None:
        """Set parameters of the model to the values of a chart or a diagram, within their ranges."""
        model = self._model()
        try:
            changed = model.with_(**fitted(model, values))
        except ValueError:
            return
        labels = [param.label for param in model.parameters() if param.name in values]
        self._document.set_model(changed, self._stage.index, label=f"set {' and '.join(labels)}", merge=DRAG)


def fitted(model: Model, values: Mapping[str, Value]) -> dict[str, Value]:
    """The values of those parameters that the model has, within their ranges."""
    known = {param.name: param for param in model.parameters()}
    return {name: _within(known[name], value) for name, value in values.items() if name in known}


def _within(param: Param, value: Value) -> Value:
    if isinstance(value, str | bool) or not isinstance(param, Real | Integer):
        return value
    near = min(max(value, param.lo), param.hi)
    return round(near) if isinstance(param, Integer) else near
