"""One to six stages on one document: one for each of its experiments, one of them active."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QVBoxLayout, QWidget

from vizml.data import Bounds
from vizml.learn import Model, State, models
from vizml.run.layers import CurvesLayer, DifferenceLayer
from vizml.run.request import Frame
from vizml.ui.compare.comparison import ComparisonTable, StageCell, stage_titles
from vizml.ui.compare.sync import TimelineSync, ViewSync
from vizml.ui.stage import Stage
from vizml.ui.widget_helpers import Throttle, listen
from vizml.workspace import Document
from vizml.workspace.preferences import Preferences
from vizml.workspace.work import Change

MAX_STAGES = 6
TABLE_SHARE, TABLE_MIN = 0.22, 84
"""Share of the height that the table may take before it scrolls, and the pixels that it always has."""
COLUMNS = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3}
"""Columns of the grid for each number of stages."""


class Stages(QWidget):
    """A grid of stages that follows the document; the stage with the focus is the active one."""

    active_changed = Signal(object)
    """The Stage that has become active."""
    frame_changed = Signal(object)
    """The Frame that the active stage shows now."""
    pointer_moved = Signal(object)
    """The point under the pointer on the active stage, or None."""
    selection_changed = Signal()
    """Other points are selected on the active stage."""
    arrow_keys_changed = Signal()
    """The arrow keys move something else on a canvas."""
    shown_changed = Signal()
    """A stage shows another state or has another threshold, or the number of stages has changed."""

    menu_requested = Signal(int)
    """Id of a point on the active stage whose menu is wanted."""
    files_dropped = Signal(object)
    """The paths of files that were dropped onto a canvas."""

    def __init__(self, first: Stage, document: Document, preferences: Preferences) -> None:
        super().__init__()
        self._document, self._preferences = document, preferences
        self.active = first
        self.compared: Stage | None = None
        """The stage whose predictions are compared with those of the active one."""
        self.combined = False
        """Whether the active stage shows the curves of all stages."""
        self.cells: list[StageCell] = []
        self.timelines, self.views = TimelineSync(self), ViewSync(first.canvas, self)
        self.table = ComparisonTable()
        self._throttle = Throttle(self._fill_table, self.table)
        self._grid = QGridLayout()
        self._grid.setSpacing(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._grid, 1)
        self._foot = QVBoxLayout()
        column.addLayout(self._foot)
        column.addWidget(self.table)
        self._relay(first)
        self._add_cell(first)
        self.setFocusProxy(first)
        listen(document.changed, self._follow, to=Change.MODEL | Change.SEED)
        listen(preferences.changed, self._apply_motion)
        self.table.picked.connect(self._pick)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus)
        self._follow()

    @property
    def stages(self) -> list[Stage]:
        return [cell.stage for cell in self.cells]

    @property
    def draws_curves(self) -> bool:
        """Whether the active stage draws its model as a curve."""
        task, dataset = self._document.experiment(self.active.index).model.task, self._document.dataset
        return bool(task.upright(dataset)) and len(task.canvas_axes(dataset).shown) == 1

    @property
    def titles(self) -> list[str]:
        """The title of each stage."""
        return stage_titles(self._document.work.experiments)

    @property
    def named_states(self) -> tuple[tuple[str, State], ...]:
        """The title and current state of each stage; empty for a single stage."""
        if len(self.stages) < 2:
            return ()
        shown = zip(self.titles, (stage.state for stage in self.stages), strict=False)
        return tuple(
            (f"{i} {title}", state) for i, (title, state) in enumerate(shown, 1) if state is not None
        )

    # -- what commands do ----------------------------------------------------------------------------------

    def add(self) -> None:
        """Add a stage with another algorithm."""
        if len(self.cells) < MAX_STAGES:
            index = self.stages.index(self.active)
            experiment = self._document.experiment(index)
            shown = {type(other.model) for other in self._document.work.experiments}
            model = contrasting(experiment.model, shown)
            self.active.canvas.keep_all()  # stages are narrower beside each other
            self._document.add_experiment(replace(experiment, model=model))
            self.activate(self.stages[-1])

    def remove(self, index: int | None = None) -> None:
        """Remove a stage: the active one, where no index is given."""
        self._document.remove_experiment(self.stages.index(self.active) if index is None else index)

    def activate(self, stage: Stage) -> None:
        """Make a stage the active one, which panel, docks and readout refer to."""
        if stage is not self.active:
            if stage is self.compared:
                self.compared = None
            self.active.clear_layers()
            self.active.canvas.pointer_moved.disconnect(self.pointer_moved)
            self.active.frame_changed.disconnect(self.frame_changed)
            self.active.canvas.selection.changed.disconnect(self.selection_changed)
            self._relay(stage)
            self.active = stage
            if self.combined:
                self._arrange()
            self.setFocusProxy(stage)
            self.views.set_leader(stage.canvas)
            self._compare()
            self._name()
            self._place_timelines()
            self._move_focus(stage)
            self.active_changed.emit(stage)
            self.pointer_moved.emit(stage.canvas.point)
            if stage.frame is not None:
                self.frame_changed.emit(stage.frame)
            self._throttle.request()

    def _relay(self, stage: Stage) -> None:
        """Pass on what the active stage emits."""
        stage.canvas.pointer_moved.connect(self.pointer_moved)
        stage.frame_changed.connect(self.frame_changed)
        stage.canvas.selection.changed.connect(self.selection_changed)

    def _move_focus(self, stage: Stage) -> None:
        """Move the focus along, or a click where it was would go unnoticed."""
        now = QApplication.focusWidget()
        if now is not None and any(other is not stage and other.isAncestorOf(now) for other in self.stages):
            stage.setFocus(Qt.FocusReason.OtherFocusReason)

    def compare_with(self, other: Stage | None) -> None:
        """Show on the active stage where the predictions of another one differ, or nothing for None."""
        self.compared = other if other is not self.active else None
        self._compare()

    def show_combined(self, *, on: bool) -> None:
        """Show the curves of all stages on the active one, which then fills the grid."""
        if on != self.combined:
            self.combined = on
            self._arrange()
            self._compare()

    def set_bounds(self, bounds: Bounds) -> None:
        """Show a rectangle of the plane on all stages."""
        self.active.canvas.set_bounds(bounds)

    def fit_all(self) -> None:
        """Show all points on all stages."""
        self.active.canvas.fit_all()

    def cancel(self) -> None:
        """Stop all training at its current step."""
        for stage in self.stages:
            stage.runner.cancel()

    def close_down(self) -> None:
        """End the workers of all stages and of the table."""
        self.table.close_down()
        for stage in self.stages:
            stage.close_down()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.table.setMaximumHeight(max(round(TABLE_SHARE * self.height()), TABLE_MIN))

    # -- as many as there are experiments ------------------------------------------------------------------

    @Slot()
    def _follow(self) -> None:
        """Add or remove stages until there is one for each experiment, and name them anew."""
        count = min(len(self._document.work.experiments), MAX_STAGES)
        changed = count != len(self.cells)
        if len(self.cells) > count:
            self._remove_cells(self.cells[count:])
        while len(self.cells) < count:
            stage = Stage(self._document, self._preferences, len(self.cells), self)
            self.views.add(stage.canvas)
            self._add_cell(stage)
            self._link_cells()
        if changed or self._grid.count() == 0:
            self._arrange()
        if changed:
            self.shown_changed.emit()
        if self.combined and (len(self.cells) < 2 or not self.draws_curves):
            self.show_combined(on=False)
        elif changed and self.combined:
            self._compare()
        if changed or len(self.cells) > 1:
            self._name()
            self._throttle.request()

    def _add_cell(self, stage: Stage) -> None:
        cell = StageCell(stage)
        cell.head.close_asked.connect(partial(self._close, cell))
        cell.head.pressed.connect(partial(self.activate, stage))
        stage.frame_changed.connect(self.shown_changed)
        stage.threshold_changed.connect(self.shown_changed)
        stage.canvas.files_dropped.connect(self.files_dropped)
        stage.canvas.menu_requested.connect(self.menu_requested)
        stage.canvas.space_tapped.connect(stage.timeline.play_pause)
        stage.canvas.arrow_keys_changed.connect(self.arrow_keys_changed)
        self.cells.append(cell)
        self._apply_motion()

    def _link_cells(self) -> None:
        """Synchronise and compare stages, once there are several."""
        for cell in self.cells:
            if not cell.linked:
                cell.linked = True
                self.timelines.add(cell.stage.timeline)
                cell.stage.frame_changed.connect(partial(self._on_frame, cell.stage))

    @Slot()
    def _apply_motion(self) -> None:
        """Allow or stop animation according to the preferences."""
        for stage in self.stages:
            if stage.canvas.animation.allowed == self._preferences.still:
                stage.canvas.set_motion(not self._preferences.still)

    def _remove_cells(self, removed: list[StageCell]) -> None:
        """Take cells out of the window; no focus, reference or timer may lead back to them.

        They are deleted one turn of the event loop later: it may be a button of theirs that asked for it.
        """
        self.cells = [cell for cell in self.cells if cell not in removed]
        stages = [cell.stage for cell in removed]
        now = QApplication.focusWidget()
        focused = now is not None and any(cell.isAncestorOf(now) for cell in removed)
        compared = self.compared in stages
        if compared:
            self.compared = None
        if self.active in stages:
            self.activate(self.cells[-1].stage)
        elif compared:
            self._compare()
        if focused:
            self.active.setFocus(Qt.FocusReason.OtherFocusReason)
        for cell in removed:
            self.timelines.remove(cell.stage.timeline)
            self.views.remove(cell.stage.canvas)
            cell.stage.take_timeline()  # it goes with its stage
            cell.hide()
            self._grid.removeWidget(cell)
            cell.stage.close_down()
            QTimer.singleShot(0, cell, cell.deleteLater)

    def _arrange(self) -> None:
        shown = [cell for cell in self.cells if not self.combined or cell.stage is self.active]
        wide = COLUMNS[len(shown)]
        for number, cell in enumerate(shown):
            self._grid.addWidget(cell, number // wide, number % wide)
        for place in range(max(COLUMNS.values())):
            self._grid.setColumnStretch(place, int(place < wide))
        several = len(self.cells) > 1
        self.table.setVisible(several)
        for cell in self.cells:
            cell.setVisible(cell in shown)
            cell.head.setVisible(several)
            cell.stage.set_stage_count(len(self.cells))
        self._place_timelines()

    def _place_timelines(self) -> None:
        """Show only the timeline of the active stage, below all stages."""
        for stage in self.stages:
            if len(self.cells) == 1:
                stage.take_timeline()
            else:
                self._foot.addWidget(stage.timeline)
                stage.timeline.setVisible(stage is self.active)

    def _name(self) -> None:
        for number, (cell, title) in enumerate(zip(self.cells, self.titles, strict=False), 1):
            cell.head.show_title(number, title, active=cell.stage is self.active)

    # -- what comes from stages ----------------------------------------------------------------------------

    def _on_frame(self, stage: Stage, _frame: Frame) -> None:
        if stage is self.compared or (self.combined and stage is not self.active):
            self._compare()
        self._throttle.request()

    def _compare(self) -> None:
        other = self.compared.state if self.compared is not None else None
        self.active.set_layer("difference", None if other is None else DifferenceLayer(other))
        self.active.set_layer("curves", self._other_curves() if self.combined else None)

    def _other_curves(self) -> CurvesLayer | None:
        """The models of the other stages, by their numbers and titles."""
        titles = [f"{i} {title}" for i, title in enumerate(self.titles, 1)]
        named = [(title, stage) for title, stage in zip(titles, self.stages) if stage is not self.active]
        others = [(title, state) for title, stage in named if (state := stage.state) is not None]
        return CurvesLayer(titles[self.stages.index(self.active)], tuple(others)) if others else None

    def _fill_table(self) -> None:
        if len(self.cells) > 1:
            shown = [(self._document.experiment(i), stage.frame) for i, stage in enumerate(self.stages)]
            self.table.show_stages(shown, self.stages.index(self.active), self._document.dataset)

    def _close(self, cell: StageCell) -> None:
        self.remove(self.cells.index(cell))

    def _pick(self, row: int) -> None:
        for stage in self.stages[row : row + 1]:  # none for the row of a stage that was just removed
            self.activate(stage)
            stage.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(QWidget, QWidget)
    def _on_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        for stage in self.stages:
            if now is not None and stage.isAncestorOf(now):
                self.activate(stage)


def contrasting(model: Model, shown: set[type[Model]]) -> Model:
    """Another algorithm for the same task that is not shown yet; the same model where there is none."""
    known = {kind.id: kind for kind in models(model.task)}
    wanted = (*model.task.contrasts, *known)
    return next((known[id]() for id in wanted if id in known and known[id] not in shown), model)
