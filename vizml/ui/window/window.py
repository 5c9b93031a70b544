"""The main window: a stage in the middle, tools to its left, the panel to its right, docks on demand."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from vizml.data import MAX_CLASSES, Dataset
from vizml.scene.scene import LEGEND
from vizml.ui.canvas.canvas import Canvas
from vizml.ui.canvas.drops import dropped
from vizml.ui.canvas.slide import motion_welcome
from vizml.ui.compare.stages import Stages
from vizml.ui.diagnostics.docks import DiagnosticDocks
from vizml.ui.preferences import Preferences
from vizml.ui.stage import Stage
from vizml.ui.widgets import style
from vizml.ui.widgets.appearance import Appearance
from vizml.ui.widgets.keys import MAC
from vizml.ui.widgets.panel import Panel
from vizml.ui.widgets.rail import Rail
from vizml.ui.window.actions import Actions
from vizml.ui.window.again import Again
from vizml.ui.window.bar import ICON, IN_SIGHT, Bar
from vizml.ui.window.commands import commands
from vizml.ui.window.docks import Docks
from vizml.ui.window.files import Files
from vizml.ui.window.filming import Filming
from vizml.ui.window.generators import Generators
from vizml.ui.window.keeper import Keeper
from vizml.ui.window.keys import KeysOverview, belongs_to
from vizml.ui.window.log import Log, LogRelay
from vizml.ui.window.main_menu import menu_bar
from vizml.ui.window.messages import Messages
from vizml.ui.window.pictures import Pictures
from vizml.ui.window.readout import Readout
from vizml.ui.window.status import Status
from vizml.ui.window.tool_options import ToolOptions
from vizml.ui.window.tools import recall, remember
from vizml.ui.window.watch import Watch
from vizml.workspace import Document

SMALLEST = QSize(900, 560)
FIRST = QSize(1280, 800)


class Window(QMainWindow):
    """Puts the parts together; what they do is theirs."""

    def __init__(self, document: Document, preferences: Preferences, folder: Path) -> None:
        super().__init__()
        self.document, self.preferences = document, preferences
        self._dressed: Appearance | None = None
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

    def _build(self, first: Stage, folder: Path) -> None:
        document, preferences = self.document, self.preferences
        self.stages = Stages(first, document, preferences)
        self.messages, self.readout, self.status = Messages(), Readout(), Status()
        self.files = Files(document, self.stages, preferences, self.messages, self)
        self.keeper = Keeper(document, self.files, preferences, self.messages, folder)
        self.generators = Generators(document, self.stages, self)
        self.pictures = Pictures(first, document, preferences, self.messages, self)
        self.again = Again(first, document, self.files, preferences, self.messages, self)
        self.filming = Filming(self.pictures, preferences, self.messages, self)
        self.diagnostic_docks = DiagnosticDocks(self.stages, document, preferences, self.messages)
        self.panel = Panel(document, parent=self)
        inside = self.diagnostic_docks.diagnostics, self.diagnostic_docks.structure
        self.docks = Docks(self, self.panel, self.readout, self.log, *inside)
        self.commands = Actions(self)
        self.commands.add(commands(self))
        self.bar = Bar(self)
        self.rail = Rail(first.canvas)
        self.status.hold(ToolOptions(first.canvas))
        self.watch = Watch(first, document, self.status, self.readout, self.messages)
        self._lay_out()
        self._connect()
        self._restore()
        self._dress()
        self._name_history()
        self._name_classes()
        self._name_window()

    def close_down(self) -> None:
        """End all workers, as before it goes; work that no close asked about is on the disk by then."""
        self.log_relay.close_down()
        self.filming.close_down()
        self.keeper.autosave.flush()
        self.diagnostic_docks.close_down()
        self.readout.close_down()
        self.watch.close_down()
        self.panel.close_down()
        self.stages.close_down()

    # -- what commands do ------------------------------------------------------------------------------------

    def clear(self) -> None:
        """Remove all points."""
        if count := len(self.document.dataset):
            words = "1 point" if count == 1 else f"{count:,} points"
            self.document.set_dataset(f"clear {words}", Dataset.empty())

    def rename_class(self) -> None:
        """Ask for another name of the class in hand."""
        self.rail.rename(self.canvas.label)

    def set_hard(self, hard: bool) -> None:
        self.preferences.set_shading("hard" if hard else "soft")

    def set_dark(self, dark: bool) -> None:
        self.preferences.set_theme_name("dark" if dark else "light")

    def show_keys(self) -> None:
        """All keys at a glance."""
        KeysOverview(self.commands, self)

    def open_menu(self, name: str) -> None:
        """Open a menu of the tool bar by a key."""
        self.bar.open_menu(name)

    def set_full_screen(self, full: bool) -> None:
        """Only the stage and its timeline, on all of the screen."""
        for part in (self.bar, self.rail, self.status):
            part.setVisible(not full)
        self.docks.fold(away=full)
        self.setWindowState(_toggled(self.windowState(), full))
        self.stage.setFocus()

    # -- parts -----------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        middle = QWidget()
        column = QVBoxLayout()
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
        self.setMinimumSize(SMALLEST)
        self.setAcceptDrops(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.stage.setFocus()

    def _connect(self) -> None:
        self.document.history_changed.connect(self._name_history)
        self.document.history_changed.connect(self._name_window)
        self.rail.named.connect(self._name_classes)
        self.files.path_changed.connect(self._name_window)
        self.preferences.changed.connect(self._dress)
        self.stages.files_dropped.connect(self.files.open_paths)
        self.messages.posted.connect(self.log.add)
        self.generators.drawn.connect(self._name_options)
        self.docks.shown_changed.connect(self._check)
        self.stages.active_changed.connect(self._work_on)

    def _restore(self) -> None:
        self.resize(FIRST)
        self.restoreGeometry(self.preferences.blob("window/geometry"))
        self.restoreState(self.preferences.blob("window/state"))
        recall(self.canvas, self.preferences)
        self._check()

    def _keep(self) -> None:
        """Remember the layout, as it is without full screen."""
        if self.isFullScreen():
            self.set_full_screen(False)
        self.preferences.set_blob("window/geometry", self.saveGeometry())
        self.preferences.set_blob("window/state", self.saveState())
        remember(self.canvas, self.preferences)

    @Slot(object)
    def _work_on(self, stage: Stage) -> None:
        """Panel, readout, docks and pictures are about the active stage."""
        self.panel.show_experiment(stage.index)
        for part in (self.watch, self.pictures, self.again):
            part.follow(stage)

    @Slot()
    def _dress(self) -> None:
        """Theme, size of type, and what shows them."""
        preferences = self.preferences
        wanted = Appearance(preferences.look.theme, preferences.type_scale)
        app = QApplication.instance()
        if isinstance(app, QApplication) and style.current() != wanted:
            style.apply(app, wanted.theme, wanted.type_scale)
        if self._dressed != wanted:
            self._dressed = wanted
            self.commands.dress(wanted.theme, round(ICON * wanted.type_scale), IN_SIGHT)
            self.bar.dress(wanted.theme, wanted.type_scale)
            self.docks.settle()
        self._check()

    @Slot()
    def _check(self) -> None:
        """Let the actions that are on or off say so."""
        look = self.preferences.look
        states = {
            "hard": look.shading == "hard",
            "legend": look.shows(LEGEND),
            "large": self.preferences.large_type,
            "dark": look.theme.name == "dark",
            "still": self.preferences.still or not motion_welcome(),
            "full": self.isFullScreen(),
            "panel": not self.docks.panel.isHidden(),
            "readout": not self.docks.readout.isHidden(),
            "log": not self.docks.log.isHidden(),
            "diagnostics": not self.docks.diagnostics.isHidden(),
            "model": not self.docks.model.isHidden(),
        }
        for id, on in states.items():
            self.commands[id].setChecked(on)
        self.commands["still"].setEnabled(motion_welcome())

    @Slot()
    def _name_history(self) -> None:
        for id, label in (("undo", self.document.undo_label), ("redo", self.document.redo_label)):
            self.commands[id].setEnabled(label is not None)
            self.commands.rename(id, f"{id.capitalize()} {label or ''}".strip())

    @Slot()
    def _name_classes(self) -> None:
        for number, name in enumerate(map(self.document.dataset.name, range(MAX_CLASSES)), start=1):
            self.commands.rename(f"class_{number}", f"Class {number}: {name}")

    @Slot()
    def _name_window(self) -> None:
        self.setWindowTitle(f"{self.files.name}[*] \N{EN DASH} VizML")
        self.setWindowModified(self.document.modified)

    @Slot(str)
    def _name_options(self, name: str) -> None:
        from vizml.data import describe

        self.commands.rename("options", f"Options of {describe(name).title.lower()}\N{HORIZONTAL ELLIPSIS}")

    # -- events ----------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """A key that the widget with the focus needs is not a shortcut; it comes by here on its way up."""
        override = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride
        if override and belongs_to(QApplication.focusWidget(), cast("QKeyEvent", event)):
            event.accept()
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self._check()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Let the drop end before what it brings is opened: that may ask something."""
        paths = dropped(event.mimeData())
        event.acceptProposedAction()
        QTimer.singleShot(0, self, lambda: self.files.open_paths(paths))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved work, then end the worker and wait for it."""
        if not self.files.may_leave():
            event.ignore()
            return
        self._keep()
        self.keeper.close_down()
        self.hide()  # a worker may be in the midst of something long
        self.close_down()
        event.accept()


def _toggled(state: Qt.WindowState, full: bool) -> Qt.WindowState:
    flag = Qt.WindowState.WindowFullScreen
    return state | flag if full else state & ~flag
