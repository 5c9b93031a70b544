"""The dock 'Readout': results, learned parameters, values of points and rules as tabs."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QStackedLayout, QWidget

from vizml.ui.compare.stages import Stages
from vizml.ui.readout.value_panel import ParametersPanel, PointsPanel, RulesPanel, ValuePanel
from vizml.ui.widgets.buttons import Chips
from vizml.ui.widgets.layouts import Box, Direction
from vizml.workspace import Document

RESULTS, PARAMETERS, POINTS, RULES = "results", "parameters", "points", "rules"
TITLES = {RESULTS: "Results", PARAMETERS: "Parameters", POINTS: "Points", RULES: "Rules"}


class ReadoutTabs(Box):
    """Shows one panel at a time: those that are hidden do no work."""

    def __init__(self, results: QWidget, document: Document, stages: Stages) -> None:
        super().__init__(Direction.TopToBottom, 4, (0, 0, 0, 0))
        self._document, self._stages = document, stages
        self.parameters, self.points = ParametersPanel(), PointsPanel(document, stages)
        self.rules = RulesPanel()
        self.tabs = Chips(tuple(TITLES.items()))
        self.tabs.setAccessibleName("Readout")
        self.tabs.setToolTip(
            "Results of the step shown, learned parameters, values of points, or rules of a tree"
        )
        head = Box(Direction.LeftToRight, 0, (16, 8, 16, 0))
        head.box.addWidget(self.tabs)
        head.box.addStretch()
        self._pages = QStackedLayout()
        self.box.addWidget(head)
        self.box.addLayout(self._pages, 1)
        for page in (results, *self._panels):
            self._pages.addWidget(page)
        self.tabs.picked.connect(self.show_tab)
        for panel in self._panels:
            panel.follow(stages.frame_changed, self._take_frame)
        self.show_tab(RESULTS)

    @property
    def _panels(self) -> tuple[ValuePanel, ...]:
        return self.parameters, self.points, self.rules

    @Slot(str)
    def show_tab(self, name: str) -> None:
        """Show a tab: results, parameters, points or rules."""
        self.tabs.show_value(name)
        self._pages.setCurrentIndex(list(TITLES).index(name))

    def close_down(self) -> None:
        """End the threads."""
        for panel in self._panels:
            panel.close_down()

    @Slot()
    def _take_frame(self) -> None:
        panel, stage = self._pages.currentWidget(), self._stages.active
        if isinstance(panel, ValuePanel):
            panel.set_frame(self._document.experiment(stage.index).model, stage.frame)
