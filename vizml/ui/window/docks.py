"""The docks around the stages: panel, readout, diagnostics, further charts, log, model and table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow, QTabBar, QVBoxLayout, QWidget

from vizml.ui.widgets.appearance import current, role
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.layouts import Box, Direction

RIGHT, BOTTOM = Qt.DockWidgetArea.RightDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea
FOOT, TALL = 260, 400
"""Least initial height in pixels of a dock and of a chart below the panel; each has at least half."""
LOW = 720
"""Height in pixels (scaled with the type) below which the model is a tab to the right."""


class ChartDock(QDockWidget):
    """A dock for a further chart, which ends when it is closed."""

    closed = Signal()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()


class Docks(QObject):
    """The panel to the right, readout, diagnostics, log as tabs below it; model, table, charts at the foot.

    The content of a dock can change places with the stages.
    """

    shown_changed = Signal()

    def __init__(
        self,
        window: QMainWindow,
        panel: QWidget,
        readout: QWidget,
        log: QWidget,
        diagnostics: QWidget,
        model: QWidget,
        *,
        table: QWidget,
        sections: QWidget,
        column: QVBoxLayout,
        middle: QWidget,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._before: list[QDockWidget] = []
        self._aside = False
        self._withheld = False
        """Whether the model's dock is hidden only because the model has no diagram."""
        self._column, self._stages, self._middle = column, middle, middle
        self.swapped: QDockWidget | None = None
        """The dock that holds the stages, while its content is in the middle of the window."""
        self.charts: list[QDockWidget] = []
        self.panel = self._dock("panel", "Panel", panel)
        self.panel.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.panel.setTitleBarWidget(QWidget())  # Qt leaves out the title bar for an empty widget
        self.readout = self._dock("readout", "Readout", readout)
        self.log = self._dock("log", "Log", log)
        self.diagnostics = self._dock("diagnostics", "Diagnostics", diagnostics)
        self.model = self._dock("model", "Model", model)
        self.table = self._dock("table", "Table", table)
        self._tabs = (self.readout, self.diagnostics, self.log)
        self.sections = self._dock("sections", "Sections", sections)
        self._foot = (self.model, self.table, self.sections)
        self._all = (self.panel, *self._tabs, *self._foot)
        window.setDockNestingEnabled(True)
        window.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
        window.addDockWidget(RIGHT, self.panel)
        window.addDockWidget(RIGHT, self.readout)
        for dock in self._tabs[1:]:
            window.tabifyDockWidget(self.readout, dock)
        for dock in self._foot:
            window.addDockWidget(BOTTOM, dock)
        for dock in self._all[1:]:
            self._equip(dock, swaps=dock in (self.diagnostics, *self._foot))
            dock.hide()

    def show(self, dock: QDockWidget, shown: bool) -> None:
        """Show a dock in front of others in its place, or hide it."""
        if shown and dock in self._foot:
            self.settle()
        right = (*self._tabs, *self._foot) if self._aside else self._tabs
        first = shown and not any(other.isVisible() for other in right)
        width = self.panel.width()
        dock.setVisible(shown)
        if shown:
            dock.raise_()
        if shown and dock in right and self.panel.isVisible():
            self._window.resizeDocks([self.panel], [width], Qt.Orientation.Horizontal)
        if shown and dock in self._foot and not self._aside:
            height = TALL if dock is self.sections else FOOT
            self._window.resizeDocks([dock], [current().px(height)], Qt.Orientation.Vertical)
        if first and dock in right:
            whole = self._window.height()
            foot = max(current().px(TALL if dock is self.diagnostics else FOOT), whole // 2)
            height = max(whole - foot, FOOT)
            self._window.resizeDocks([self.panel, dock], [height, foot], Qt.Orientation.Vertical)

    def swap(self, dock: QDockWidget) -> None:
        """Let the content of a dock and the stages change places, or put both back."""
        before = self.swapped
        if before is not None:
            self._exchange(before)
        if before is not dock:
            self._exchange(dock)
        self._stages.setFocus()

    def add_chart(self, chart: QWidget, ended: Callable[[], object]) -> None:
        """Show a further chart beside the model, or as a tab; `ended` is called when it is closed.

        A chart has the name of its dock. One with a name is restored, and Qt knows the place of its dock.
        """
        self.settle()
        taken = {dock.objectName() for dock in self.charts}
        name = chart.objectName() or next(f"chart {n}" for n in count(2) if f"chart {n}" not in taken)
        dock = ChartDock(name.capitalize(), self._window)
        dock.setObjectName(name)
        chart.setObjectName(name)
        dock.setAccessibleName(dock.windowTitle())
        dock.setWidget(chart)
        self._equip(dock, swaps=True)
        self.charts.append(dock)
        dock.closed.connect(partial(self._end_chart, dock, ended))
        if self._aside:
            self.show(self.diagnostics, shown=True)
            self._window.tabifyDockWidget(self.diagnostics, dock)
            dock.show()
            dock.raise_()
        else:
            self._window.addDockWidget(BOTTOM, dock, Qt.Orientation.Horizontal)
            dock.show()
            self._window.resizeDocks([dock], [current().px(FOOT)], Qt.Orientation.Vertical)

    def offer_model(self, available: bool) -> None:
        """Hide the model's dock while the model has no diagram, and show it again afterwards."""
        if not available and not self.model.isHidden():
            self._withheld = True
            self.model.hide()
        elif available and self._withheld and not self._window.isFullScreen():
            self._withheld = False
            self.show(self.model, shown=True)

    def settle(self) -> None:
        """Place model and table below the stages, or to the right where the window is too low."""
        aside = self._window.height() < current().px(LOW)
        if aside == self._aside:
            return
        self._aside = aside
        for dock in self._foot:
            shown = not dock.isHidden()
            if aside:
                self._window.tabifyDockWidget(self.readout, dock)
            else:
                self._window.addDockWidget(BOTTOM, dock)
            dock.setVisible(shown)
            if shown:
                self.show(dock, shown=True)

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
            self._before = [dock for dock in (*self._all, *self.charts) if not dock.isHidden()]
            for dock in self._before:
                dock.hide()
        else:
            for dock in self._before:
                dock.show()

    def _exchange(self, dock: QDockWidget) -> None:
        """Exchange the widget of a dock and the widget in the middle."""
        content, middle = dock.widget(), self._middle
        self._column.replaceWidget(middle, content)
        dock.setWidget(middle)
        self._middle = content
        for widget in (content, middle):
            widget.show()
        self.swapped = dock if self.swapped is None else None
        dock.setWindowTitle(dock.accessibleName() if self.swapped is None else "Stages")

    @Slot()
    def _restore_middle(self) -> None:
        """Put the stages back when the dock that holds them is hidden."""
        if self.swapped is not None and self.swapped.isHidden():
            self._exchange(self.swapped)

    def _end_chart(self, dock: QDockWidget, ended: Callable[[], object]) -> None:
        if dock is self.swapped:
            self._exchange(dock)
        self.charts.remove(dock)
        ended()
        self._window.removeDockWidget(dock)
        dock.deleteLater()

    def _equip(self, dock: QDockWidget, *, swaps: bool) -> None:
        """Give a dock its title bar, and watch whether it is visible."""
        dock.setTitleBarWidget(_title(dock, partial(self.swap, dock) if swaps else None))
        for reaction in (self._update_tab_stops, self.shown_changed, self._restore_middle):
            dock.visibilityChanged.connect(reaction)

    def _dock(self, name: str, title: str, content: QWidget) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(name)
        dock.setAccessibleName(title)
        dock.setWidget(content)
        return dock


def _title(dock: QDockWidget, swap: Callable[[], object] | None) -> QWidget:
    """A title bar with a close button; the dock can be dragged by it."""
    bar = Box(Direction.LeftToRight, 8, (16, 8, 12, 0))
    bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    heading = QLabel(dock.windowTitle())
    role(heading, "heading")
    cross = IconButton("close", f"Close {dock.windowTitle().lower()}", size=24)
    cross.clicked.connect(dock.close)
    bar.box.addWidget(heading, 1)
    dock.windowTitleChanged.connect(heading.setText)
    if swap is not None:
        places = IconButton("swap", "Swap with the stages", size=24)
        places.clicked.connect(swap)
        bar.box.addWidget(places)
    bar.box.addWidget(cross)
    return bar
