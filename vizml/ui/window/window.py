"""The main window: stages in the middle, tools to the left, the panel to the right, docks on demand."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from vizml.data import Dataset
from vizml.data.wording import plural
from vizml.run.worker import await_closed
from vizml.scene.figure import Emphasis
from vizml.ui.canvas.canvas import Canvas, dropped
from vizml.ui.canvas.selection import NO_POINT
from vizml.ui.compare.stages import Stages
from vizml.ui.diagnostics.controls import restored_settings, settings_text
from vizml.ui.diagnostics.docks import DiagnosticDocks
from vizml.ui.messages import Log, LogRelay, Messages
from vizml.ui.preferences import QtPreferences
from vizml.ui.readout.results import Readout
from vizml.ui.readout.tabs import ReadoutTabs
from vizml.ui.stage import Stage
from vizml.ui.table.linked import pointed_id
from vizml.ui.table.panel import TablePanel
from vizml.ui.widget_helpers import listen
from vizml.ui.widgets import appearance
from vizml.ui.widgets.appearance import Appearance
from vizml.ui.widgets.focus import MAC, keeps
from vizml.ui.widgets.side_panel import SidePanel
from vizml.ui.widgets.tool_rail import ToolRail
from vizml.ui.window.actions import CommandActions
from vizml.ui.window.commands import COMMANDS
from vizml.ui.window.data_commands import Generators, open_point_menu
from vizml.ui.window.docks import Docks
from vizml.ui.window.export import AnimationExport, FigureExport
from vizml.ui.window.files import Files
from vizml.ui.window.finder import Finder
from vizml.ui.window.hints import DataHints
from vizml.ui.window.menus import ICON, VISIBLE, ToolBar, menu_bar
from vizml.ui.window.notes import LectureNotes
from vizml.ui.window.recovery import Recovery
from vizml.ui.window.sections import SectionsPanel
from vizml.ui.window.status_bar import StageObserver, StatusBar, ToolOptions, restore_tools, save_tools
from vizml.workspace import Document

MIN_SIZE, FIRST_SIZE = QSize(900, 560), QSize(1280, 800)
CHART = ": "
"""Separator of the name of a chart's dock, empty for the first, and the title of the chart in preferences."""


class Window(QMainWindow):
    """Create the parts of the window and connect them; what they do is their own."""

    def __init__(self, document: Document, preferences: QtPreferences, folder: Path) -> None:
        super().__init__()
        self.document, self.preferences = document, preferences
        self._appearance: Appearance | None = None
        self.has_diagram: bool | None = None
        """Whether the model has a diagram, as far as it is known."""
        self.log, self.log_relay = Log(), LogRelay(self)
        self.log_relay.received.connect(self.log.add)
        first = Stage(document, preferences, parent=self)
        try:
            self._build(first, folder)
        except BaseException:
            self.log_relay.close_down()
            first.close_down()  # or its thread would keep a program alive that has no window
            raise

    @property
    def stage(self) -> Stage:
        """The active stage."""
        return self.stages.active

    @property
    def canvas(self) -> Canvas:
        """The canvas of the active stage."""
        return self.stages.active.canvas

    def close_down(self) -> None:
        """End all workers; work whose saving was not asked about is autosaved first."""
        self.log_relay.close_down()
        self.animation_export.queue.close()
        self.figure_export.queue.finish()
        self.recovery.flush()
        for part in (
            self.files,
            self.sections,
            self.diagnostic_docks,
            self.readout,
            self.readout_tabs,
            self.observer,
            self.panel,
            self.stages,
        ):
            part.close_down()
        await_closed()

    # -- commands --------------------------------------------------------------------------------------------

    def clear(self) -> None:
        """Remove all points."""
        if count := len(self.document.dataset):
            dataset, kept = self.document.dataset, {}
            if dataset.surface is not None:
                kept = {"surface": dataset.surface, "axes": dataset.axes}
            self.document.set_dataset(f"clear {plural(count, 'point')}", Dataset.empty(**kept))

    def rename_class(self) -> None:
        """Ask for another name of the current class."""
        self.rail.rename(self.canvas.label)

    def add_chart(self, name: str = "", title: str = "") -> None:
        """Open a further dock of charts, or the one of a name again, with the chart of a title."""
        docks = self.diagnostic_docks
        chart = docks.add_chart()
        chart.setObjectName(name)
        chart.choose(title)
        self.docks.add_chart(chart, lambda: docks.remove_chart(chart))

    def show_readout(self, tab: str) -> None:
        """Show a tab of the readout."""
        self.docks.show(self.docks.readout, True)
        self.readout_tabs.show_tab(tab)

    def set_full_screen(self, full: bool) -> None:
        """Show only the stages and their timeline, on the whole screen."""
        for part in (self.bar, self.rail, self.status):
            part.setVisible(not full)
        self.docks.fold(away=full)
        flag = Qt.WindowState.WindowFullScreen
        self.setWindowState(self.windowState() | flag if full else self.windowState() & ~flag)
        self.stage.setFocus()

    # -- construction ----------------------------------------------------------------------------------------

    def _build(self, first: Stage, folder: Path) -> None:
        document, preferences = self.document, self.preferences
        self.stages = Stages(first, document, preferences)
        self.messages, self.readout, self.status = Messages(), Readout(), StatusBar()
        self.files = Files(document, self.stages, preferences, self.messages, self)
        self.recovery = Recovery(document, self.files, preferences, self.messages, folder)
        self.generators = Generators(document, self.stages, self)
        self.figure_export = FigureExport(self.stages, document, preferences, self.messages, self)
        self.animation_export = AnimationExport(self.figure_export, preferences, self.messages, self)
        self.diagnostic_docks = DiagnosticDocks(self.stages, document, preferences, self.messages)
        self.panel = SidePanel(document, parent=self)
        self.table = TablePanel(document, self.stages)
        self.readout_tabs = ReadoutTabs(self.readout, document, self.stages)
        charts = self.diagnostic_docks
        charts.saver.run = self.figure_export.queue.add
        self.sections = SectionsPanel(self.figure_export, charts.saver)
        inside = charts.diagnostics, charts.structure
        self._column = QVBoxLayout()
        self.docks = Docks(
            self,
            self.panel,
            self.readout_tabs,
            self.log,
            *inside,
            column=self._column,
            middle=self.stages,
            table=self.table,
            sections=self.sections,
        )
        self.commands = CommandActions(self, COMMANDS)
        self.finder = Finder(self)
        self.bar = ToolBar(self)
        self.rail = ToolRail(first.canvas)
        self.status.insertPermanentWidget(1, ToolOptions(first.canvas))
        self.observer = StageObserver(self.stages, document, self.status, self.readout, self.messages)
        self.hints = DataHints(self.stages, document, self.messages)
        self.notes = LectureNotes(self)
        self._lay_out()
        self._connect()
        self._restore()
        self._apply_preferences()
        self._update_title()
        self._update_history()

    def _lay_out(self) -> None:
        middle = QWidget()
        column = self._column
        column.addWidget(self.messages)
        column.addWidget(self.stages, 1)
        row = QHBoxLayout(middle)
        row.addWidget(self.rail)
        row.addLayout(column, 1)
        for layout in (row, column):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        self.setCentralWidget(middle)
        if MAC:
            self.setMenuBar(menu_bar(self))
        self.addToolBar(self.bar)
        self.setStatusBar(self.status)
        self.setMinimumSize(MIN_SIZE)
        self.setAcceptDrops(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setFocusProxy(self.stages)
        self.stage.setFocus()

    def _connect(self) -> None:
        for changed in (self.rail.classes_renamed, self.generators.drawn, self.docks.shown_changed):
            changed.connect(self._update_commands)
        listen(self.document.history_changed, self._update_history)
        listen(self.document.file_changed, self._update_title)
        listen(self.preferences.changed, self._apply_preferences)
        self.sections.follow(self.stages.frame_changed, self._show_sections)
        values = self.panel.card.values
        for signal in (self.stages.frame_changed, self.stages.pointer_moved, self.stages.selection_changed):
            values.follow(signal, self._show_card_values)
        self.table.refused.connect(self.status.refuse)
        self.messages.posted.connect(self.log.add)
        self.panel.columns.reported.connect(self.messages.info)
        self.panel.formula.pointed.connect(self._emphasise)
        self.stages.files_dropped.connect(self.files.open_paths)
        self.stages.menu_requested.connect(self._open_point_menu)
        self.stages.active_changed.connect(lambda stage: self.panel.show_experiment(stage.index))
        self.stages.frame_changed.connect(self._offer_model)

    def _restore(self) -> None:
        self.resize(FIRST_SIZE)
        self.restoreGeometry(self.preferences.blob("window/geometry"))
        first, *others = self.preferences.texts("window/charts", (CHART,))
        self.diagnostic_docks.diagnostics.choose(first.removeprefix(CHART))
        for chart in others:
            name, _, title = chart.partition(CHART)
            self.add_chart(name, title)
        settings = restored_settings(self.preferences.text("window/settings"))
        for panel in self.diagnostic_docks.charts:
            panel.configured = settings.get(panel.objectName(), {})
        self.restoreState(self.preferences.blob("window/state"))
        swapped = self.findChild(QDockWidget, self.preferences.text("window/swapped"))
        if swapped is not None and not swapped.isHidden():
            self.docks.swap(swapped)
        restore_tools(self.canvas, self.preferences)

    def _save_layout(self) -> None:
        """Remember the layout, as it is without full screen."""
        if self.isFullScreen():
            self.set_full_screen(False)
        self.preferences.set_blob("window/geometry", self.saveGeometry())
        self.preferences.set_blob("window/state", self.saveState())
        charts = self.diagnostic_docks.charts
        self.preferences.set_texts("window/charts", (f"{c.objectName()}{CHART}{c.title}" for c in charts))
        settings = {chart.objectName(): chart.configured.values() for chart in charts}
        self.preferences.set_text("window/settings", settings_text(settings))
        swapped = self.docks.swapped
        self.preferences.set_text("window/swapped", swapped.objectName() if swapped is not None else "")
        save_tools(self.canvas, self.preferences)

    # -- reactions -------------------------------------------------------------------------------------------

    @Slot(int)
    def _open_point_menu(self, id: int) -> None:
        at = self.canvas.pointer.at
        if at is not None:
            open_point_menu(self, id, self.canvas.mapToGlobal(QPoint(*map(round, at.pixel))))

    @Slot()
    def _show_sections(self) -> None:
        self.sections.set_frame(self.document.experiment(self.stage.index).model, self.stage.frame)

    @Slot()
    def _show_card_values(self) -> None:
        stage, values = self.stage, self.panel.card.values
        at, selected = pointed_id(stage.canvas, self.document), stage.canvas.selection.ids
        if at != NO_POINT or len(selected) == 1:  # else the latest point stays, and nothing below moves
            values.point = at if at != NO_POINT else int(selected[0])
        values.set_frame(self.document.experiment(stage.index).model, stage.frame)

    @Slot(str)
    def _emphasise(self, letter: str) -> None:
        """Let what a letter of the formula stands for stand out on the stage."""
        about = self.document.experiment(self.stage.index).model.symbols.get(letter)
        self.canvas.set_emphasis(Emphasis(frozenset(about[1:])) if about else None)

    @Slot()
    def _offer_model(self) -> None:
        """Offer the model's dock where the model has a diagram."""
        state = self.stages.active.state
        if state is not None and state.has_diagram is not self.has_diagram:
            self.has_diagram = state.has_diagram
            self.docks.offer_model(self.has_diagram)
            self.commands.update("model")

    @Slot()
    def _apply_preferences(self) -> None:
        """Apply theme and size of type."""
        preferences = self.preferences
        wanted = Appearance(preferences.look.theme, preferences.type_scale)
        app = QApplication.instance()
        if isinstance(app, QApplication) and appearance.current() != wanted:
            appearance.apply(app, wanted.theme, wanted.type_scale)
        if self._appearance != wanted:
            self._appearance = wanted
            self.commands.set_icons(wanted.theme, round(ICON * wanted.type_scale), VISIBLE)
            self.bar.set_theme(wanted.theme, wanted.type_scale)
            self.docks.settle()
        self._update_commands()

    @Slot()
    def _update_commands(self) -> None:
        self.commands.update()

    @Slot()
    def _update_history(self) -> None:
        self.setWindowModified(self.document.modified)
        self.commands.update("undo", "redo", "compare", "compare_less", "equal", "log_x", "log_y")

    @Slot()
    def _update_title(self) -> None:
        self.setWindowTitle(f"{self.files.name}[*] \N{EN DASH} VizML")

    # -- events ----------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Leave keys to the widget with the focus that needs them: they pass by here on their way up."""
        override = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride
        if override and keeps(QApplication.focusWidget(), cast("QKeyEvent", event)):
            event.accept()
            return True
        if event.type() == QEvent.Type.WindowStateChange:
            self._update_commands()
        return super().event(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open dropped files after the drop has ended: opening may ask a question."""
        paths = dropped(event.mimeData())
        event.acceptProposedAction()
        QTimer.singleShot(0, self, lambda: self.files.open_paths(paths))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved work, then end the workers and wait for them."""
        self.stage.setFocus()  # a field or cell that is being edited passes its value on now
        if not self.files.may_leave():
            event.ignore()
            return
        self._save_layout()
        self.recovery.close_down()
        self.hide()  # a worker may take a while to end
        self.close_down()
        event.accept()
