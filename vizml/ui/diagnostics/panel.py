"""The dock of charts: those of the run, and those of diagnostics; one at a time, chosen by its title."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QWidget

from vizml.data.wording import capitalised
from vizml.evaluate.diagnostic import Diagnostic, diagnostics
from vizml.learn import Model, State
from vizml.run.figures import loss_chart, score_note, state_charts
from vizml.run.request import Frame
from vizml.scene import Chart
from vizml.ui.charts.chart_view import ChartView
from vizml.ui.charts.saving import Drawing, Saver
from vizml.ui.diagnostics.controls import (
    ChartActions,
    DiagnosticSettings,
    DiagnosticStatus,
    parameter_cell,
    parameter_position,
)
from vizml.ui.state_panel import StatePanel
from vizml.ui.widget_helpers import named
from vizml.ui.widgets.appearance import role
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.controls import ElidingCombo
from vizml.ui.widgets.focus import set_tab_order
from vizml.ui.widgets.labels import Note
from vizml.ui.widgets.layouts import Box, Direction

if TYPE_CHECKING:
    from vizml.run.worker import DiagnosticResult

SHORTEST = 12
"""Letters of a title that are always visible: the longest one must not widen the dock."""
DEFAULTS = ("confusion", "residuals")
"""Diagnostics that are shown first where the run has no charts of its own."""


class DiagnosticsPanel(StatePanel):
    """Shows the loss of the run, a chart of its state, or a diagnostic."""

    index_requested = Signal(int)
    """The index of a recorded step that the timeline should show."""
    diagnostic_requested = Signal(object)
    """The Diagnostic to be computed from now on, or None."""

    def __init__(self, saver: Saver, parent: QWidget | None = None) -> None:
        super().__init__(4, (16, 4, 16, 12), parent)
        self._saver = saver
        self._charts: tuple[Chart, ...] = ()
        self._listed: dict[str, Chart] = {}
        self._title = ""
        self.configured: dict[str, Diagnostic] = {}
        """Diagnostics with their last settings, by their ids."""
        self.diagnostic: Diagnostic | None = None
        """The diagnostic that is shown, where it is not a chart of the run itself."""
        self.result: DiagnosticResult | None = None
        """The last result of the diagnostic."""
        self._diagnostic_chart: Chart | None = None
        self._shown: Chart | None = None
        self._groups: tuple[list[str], ...] = ()
        self._progress = False, False
        self._build()
        self._connect()

    @property
    def title(self) -> str:
        """The title of the chosen chart; empty until one is chosen."""
        return self._title

    def set_frame(self, model: Model, frame: Frame | None) -> None:
        """Set model and frame of the charts."""
        super().set_frame(model, frame)
        self._show_position()

    def show_diagnostic(self, result: DiagnosticResult) -> None:
        """Show an intermediate or final result; a chart stays until there is another one, or none to come."""
        self.result = result
        if result.chart is not None or result.done:
            self._diagnostic_chart = result.chart
        self._show()

    @Slot(bool, bool)
    def show_status(self, running: bool, waiting: bool) -> None:
        """Show whether the diagnostic is running, or waits for the end of training."""
        self._progress = running, waiting
        self._update_status()

    def choose(self, title: str) -> None:
        """Show the chart with a title, now and whenever there is one."""
        self._title = title
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._request(None)

    # -- list of charts --------------------------------------------------------------------------------------

    def computation(self, state: State) -> Callable[[], tuple[Chart, ...]]:
        return partial(state_charts, state, self._frame.held if self._frame is not None else None)

    def refresh(self) -> None:
        super().refresh()
        self._list_charts()

    def show_found(self, charts: tuple[Chart, ...] | None) -> None:
        self._charts = charts or ()
        self._list_charts()

    def _list_charts(self) -> None:
        """List the loss, unless the state has a chart of it, the charts of the state, and diagnostics."""
        frame, model = self._frame, self._model
        self._listed = {chart.title: chart for chart in self._charts}
        if frame is not None and model is not None:
            note = score_note(frame.shown, model.task) if frame.shown else ""
            loss = loss_chart(frame.steps, frame.losses, note)
            if loss is not None and loss.title not in self._listed:
                self._listed = {loss.title: loss, **self._listed}
        kinds = diagnostics(model.task) if model is not None else ()
        live, others = ([kind.title for kind in kinds if kind.live is on] for on in (True, False))
        groups = list(self._listed), live, others
        if groups != self._groups:
            self._groups = groups
            self._fill_chooser()
        self._show()

    def _fill_chooser(self) -> None:
        self.chooser.clear()
        for group in filter(None, self._groups):
            if self.chooser.count():
                self.chooser.insertSeparator(self.chooser.count())
            self.chooser.addItems(group)

    def _chosen_diagnostic(self) -> Diagnostic | None:
        """Return the diagnostic with the chosen title, with its last settings."""
        if self._model is None or self._title in self._listed:
            return None
        kinds = diagnostics(self._model.task)
        kind = next((kind for kind in kinds if kind.title == self._title), None) or self._default(kinds)
        return None if kind is None else self.configured.setdefault(kind.id, kind())

    def _default(self, kinds: Sequence[type[Diagnostic]]) -> type[Diagnostic] | None:
        """Return a quick diagnostic where the run has no chart of its own."""
        if self._frame is None or self._frame.shown is None or self._listed or self._query.waiting:
            return None
        live = [kind for kind in kinds if kind.live]
        return min(live, key=lambda kind: kind.id not in DEFAULTS, default=None)

    # -- chart on show ---------------------------------------------------------------------------------------

    def _show(self) -> None:
        diagnostic = self._chosen_diagnostic()
        if self.isVisible():
            self._request(diagnostic)
        run_chart = self._listed.get(self._title) or next(iter(self._listed.values()), None)
        chart = self._diagnostic_chart if diagnostic is not None else run_chart
        title = diagnostic.title if diagnostic is not None else chart.title if chart is not None else ""
        self.chooser.setCurrentIndex(self.chooser.findText(title) if title else -1)
        self.chooser.setEnabled(self.chooser.count() > 0)
        self.menu_button.setEnabled(chart is not None)
        self._set_chart(chart, "" if chart is not None else self._message(diagnostic))
        self._show_position()
        self.chart_actions.show_chart(chart)
        self._show_settings(diagnostic)
        self._update_status()

    def _set_chart(self, chart: Chart | None, message: str) -> None:
        """Show a chart, its note on a line of its own, after its title where the chooser has another one."""
        if chart is not self._shown or chart is None:
            if chart is None or self._shown is None or chart.title != self._shown.title:
                self.note.set_full_text("")  # gives back the room of the note of another chart
            self._shown = chart
            titled = chart is not None and chart.title != self.chooser.currentText()
            parts = (chart.title if titled else "", chart.note) if chart is not None else ()
            self.note.set_full_text("; ".join(filter(None, parts)))
            self.note.setVisible(any(parts))
            self.view.set_chart(replace(chart, note="") if chart is not None else None, message)

    def _show_settings(self, diagnostic: Diagnostic | None) -> None:
        has = diagnostic is not None and bool(diagnostic.parameters()) and self._model is not None
        self.settings_button.setEnabled(has)
        self.settings.setVisible(has and self.settings_button.isChecked())
        if has and diagnostic is not None and self._model is not None:
            self.settings.show_diagnostic(diagnostic, self._model)

    def _request(self, diagnostic: Diagnostic | None) -> None:
        """Request another diagnostic; the last result of the same kind stays until its own arrives."""
        if diagnostic != self.diagnostic:
            if type(diagnostic) is not type(self.diagnostic):
                self.result = self._diagnostic_chart = None
            self.diagnostic = diagnostic
            self.diagnostic_requested.emit(diagnostic)

    def configure(self, diagnostic: Diagnostic) -> None:
        """Change the settings of the diagnostic."""
        self.configured[diagnostic.id] = diagnostic
        self._show()

    def _update_status(self) -> None:
        diagnostic, result, (running, waiting) = self.diagnostic, self.result, self._progress
        failure = result.failure if result is not None and result.chart is not None else None
        slow = diagnostic is not None and not diagnostic.live
        if slow and waiting:
            self.status.say("Waiting for the end of training")
        elif slow and running:
            self.status.say("Computing…", running=True)
        elif diagnostic is not None and failure is not None:
            self.status.say(failure.sentence, stopped=slow)
        elif slow and (result is None or not result.done):
            self.status.say("Stopped", stopped=True)
        else:
            self.status.say("")

    def _message(self, diagnostic: Diagnostic | None) -> str:
        """Say why there is no chart."""
        if diagnostic is not None:
            failure = self.result.failure if self.result is not None else None
            return capitalised(failure.sentence) if failure is not None else ""
        if self._frame is None or self._frame.shown is None or self._model is None:
            return "Charts of the training appear here once there are points to learn from."
        return f"{self._model.title} has no charts of its own. Choose a diagnostic above."

    def _show_position(self) -> None:
        """Mark the step of the timeline, or the current parameters, on the chart."""
        chart, model = self.view.chart, self._model
        self.view.set_step(self._step())
        self.view.set_cell(parameter_cell(chart, model) if chart is not None and model is not None else None)

    def _step(self) -> float | None:
        """Return the step of the timeline, or the value of the parameter that the chart varies."""
        chart, frame = self.view.chart, self._frame
        if chart is not None and not chart.cursor:
            return parameter_position(chart, self._model) if self._model is not None else None
        if frame is None or frame.shown is None or frame.shown.index >= len(frame.steps):
            return None
        return float(frame.steps[frame.shown.index])

    # -- requests of the user --------------------------------------------------------------------------------

    def _request_step(self, step: int) -> None:
        """Request the recorded step nearest to a step of the training."""
        frame = self._frame
        if frame is not None and len(frame.steps):
            self.index_requested.emit(int(abs(frame.steps - step).argmin()))

    def _show_menu_below(self) -> None:
        self._show_menu(self.menu_button.mapToGlobal(self.menu_button.rect().bottomLeft()))

    def _show_menu(self, at: QPoint) -> None:
        if self._shown is not None:
            drawing = Drawing.of_chart(self._shown)
            self._saver.show_menu(drawing, self.view.size(), self, at, self.view.fit)

    # -- construction ----------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.chooser = named(ElidingCombo(), "Chart", "Chart to show")
        self.chooser.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.chooser.setPlaceholderText("Choose a chart")
        self.chooser.setMaxVisibleItems(30)
        self.chooser.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.chooser.setMinimumContentsLength(SHORTEST)
        self.settings_button = IconButton("settings", "Settings of the diagnostic", checkable=True)
        self.menu_button = IconButton("export", "Save or copy the chart")
        self.settings, self.view, self.note = DiagnosticSettings(), ChartView(), Note(lines=2)
        role(self.note, "muted")
        self.chart_actions, self.status = ChartActions(), DiagnosticStatus()
        head = Box(Direction.LeftToRight, 8)
        head.box.addWidget(self.chooser, 1)
        head.box.addWidget(self.settings_button)
        head.box.addWidget(self.menu_button)
        for widget in (head, self.settings, self.note, self.view, self.chart_actions, self.status):
            self.box.addWidget(widget, int(widget is self.view))

    def _connect(self) -> None:
        self.chooser.textActivated.connect(self.choose)
        self.settings_button.toggled.connect(lambda _on: self._show_settings(self.diagnostic))
        self.settings.asked.connect(self.configure)
        self.settings.built.connect(lambda: set_tab_order(self))
        self.menu_button.clicked.connect(self._show_menu_below)
        self.view.menu_requested.connect(self._show_menu)
        self.view.step_requested.connect(self._request_step)
