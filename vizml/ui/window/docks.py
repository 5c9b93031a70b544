"""The docks around the stages: panel, readout, diagnostics, log and model."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow, QTabBar, QWidget

from vizml.ui.widgets.appearance import current, role
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.layouts import Box, Direction

RIGHT, BOTTOM = Qt.DockWidgetArea.RightDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea
FOOT, TALL = 260, 400
"""Initial height in pixels of a readout and of a chart below the panel; a chart has at least half."""
LOW = 720
"""Height in pixels (scaled with the type) below which the model is a tab to the right."""


class Docks(QObject):
    """The panel to the right, readout, diagnostics and log as tabs below it, the model below the stages."""

    shown_changed = Signal()

    def __init__(
        self,
        window: QMainWindow,
        panel: QWidget,
        readout: QWidget,
        log: QWidget,
        diagnostics: QWidget,
        model: QWidget,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._before: list[QDockWidget] = []
        self._aside = False
        self.panel = self._dock("panel", "Panel", panel)
        self.panel.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.panel.setTitleBarWidget(QWidget())  # Qt leaves out the title bar for an empty widget
        self.readout = self._dock("readout", "Readout", readout)
        self.log = self._dock("log", "Log", log)
        self.diagnostics = self._dock("diagnostics", "Diagnostics", diagnostics)
        self.model = self._dock("model", "Model", model)
        self._tabs = (self.readout, self.diagnostics, self.log)
        self._all = (self.panel, *self._tabs, self.model)
        window.setDockNestingEnabled(True)
        window.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
        window.addDockWidget(RIGHT, self.panel)
        window.addDockWidget(RIGHT, self.readout)
        for dock in self._tabs[1:]:
            window.tabifyDockWidget(self.readout, dock)
        window.addDockWidget(BOTTOM, self.model)
        for dock in self._all[1:]:
            dock.setTitleBarWidget(_title(dock))
            _set_line(dock, above=dock is not self.model)
            dock.hide()
            dock.visibilityChanged.connect(self._update_tab_stops)
            dock.visibilityChanged.connect(self.shown_changed)

    def show(self, dock: QDockWidget, shown: bool) -> None:
        """Show a dock in front of others in its place, or hide it."""
        if shown and dock is self.model:
            self.settle()
        right = (*self._tabs, self.model) if self._aside else self._tabs
        first = shown and not any(other.isVisible() for other in right)
        dock.setVisible(shown)
        if shown:
            dock.raise_()
        if shown and dock is self.model and not self._aside:
            self._window.resizeDocks([dock], [current().px(FOOT)], Qt.Orientation.Vertical)
        if first and dock in right:
            whole = self._window.height()
            foot = FOOT if dock in (self.readout, self.log) else max(TALL, whole // 2)
            height = max(whole - foot, FOOT)
            self._window.resizeDocks([self.panel, dock], [height, foot], Qt.Orientation.Vertical)

    def settle(self) -> None:
        """Place the model below the stages, or to the right where the window is too low."""
        aside = self._window.height() < current().px(LOW)
        if aside == self._aside:
            return
        self._aside = aside
        _set_line(self.model, above=aside)
        shown = not self.model.isHidden()
        if aside:
            self._window.tabifyDockWidget(self.readout, self.model)
        else:
            self._window.addDockWidget(BOTTOM, self.model)
        self.model.setVisible(shown)
        if shown:
            self.show(self.model, shown=True)

    @Slot()
    def _update_tab_stops(self) -> None:
        """Give the focus only to tab bars with tabs: Qt keeps an invisible empty one."""
        bars = self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        for bar in bars:
            several = bar.count() > 1
            bar.setFocusPolicy(Qt.FocusPolicy.TabFocus if several else Qt.FocusPolicy.NoFocus)

    def fold(self, away: bool) -> None:
        """Hide all docks, or show those that were visible before."""
        if away:
            self._before = [dock for dock in self._all if not dock.isHidden()]
            for dock in self._before:
                dock.hide()
        else:
            for dock in self._before:
                dock.show()

    def _dock(self, name: str, title: str, content: QWidget) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(name)
        dock.setAccessibleName(title)
        dock.setWidget(content)
        return dock


def _set_line(dock: QDockWidget, *, above: bool) -> None:
    """Draw a line above the title or none; Qt draws none between two docks in one place."""
    role(dock.titleBarWidget(), "head" if above else "")


def _title(dock: QDockWidget) -> QWidget:
    """A title bar with a close button; the dock can be dragged by it."""
    bar = Box(Direction.LeftToRight, 8, (16, 8, 12, 0))
    bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    heading = QLabel(dock.windowTitle())
    role(heading, "heading")
    cross = IconButton("close", f"Close {dock.windowTitle().lower()}", size=24)
    cross.clicked.connect(dock.close)
    bar.box.addWidget(heading, 1)
    bar.box.addWidget(cross)
    return bar
