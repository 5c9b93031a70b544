"""The tabs of the readout besides its results: learned parameters, values of points, rules of a tree."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QStackedLayout, QWidget

from vizml.data.columns import Ints
from vizml.data.wording import plural
from vizml.learn import State
from vizml.run.errors import guarded
from vizml.run.value_tables import ValueTable, cell_text, is_text, parameter_table, point_table, rule_table
from vizml.ui.compare.stages import Stages
from vizml.ui.state_panel import StatePanel
from vizml.ui.table.linked import CanvasLink, LinkedTable, PointRows
from vizml.ui.widget_helpers import add_entry, named
from vizml.ui.widgets.appearance import Appearance, role
from vizml.ui.widgets.buttons import Chips, IconButton
from vizml.ui.widgets.layouts import Box, Direction
from vizml.workspace import Document

Roles = Qt.ItemDataRole


class ValueModel(PointRows):
    """Cells of a table of values, which sorts numbers as numbers; a new table keeps its order."""

    def __init__(self) -> None:
        super().__init__()
        self.values = ValueTable()
        self.columns: list[NDArray[Any]] = []
        self._numbers: Ints = self.order
        self._key, self._descending = "", False

    @property
    def ids(self) -> Ints:
        known = self.values.ids
        return self.order if known is None else known[self.order]

    @property
    def headings(self) -> tuple[str, ...]:
        return self.values.headings

    def set_values(self, values: ValueTable, numbers: Ints | None = None) -> None:
        """Show another table; `numbers` are those of its rows, by default from 1."""
        self.beginResetModel()
        self.values = values
        self.columns = list(values.columns.values())
        self._numbers = np.arange(1, len(values) + 1) if numbers is None else numbers
        self.order = self._in_order()
        self.endResetModel()

    def _in_order(self) -> Ints:
        column = self.values.columns.get(self._key)
        if column is None:
            return np.arange(len(self.values))
        keys = np.unique(column.astype(str), return_inverse=True)[1] if is_text(column) else column
        return np.argsort(-keys if self._descending else keys, kind="stable")

    # -- what the view asks ----------------------------------------------------------------------------------

    def holds_text(self, column: int) -> bool:
        return is_text(self.columns[column])

    def cell(self, row: int, column: int, role: int) -> str | None:
        shown = role in (Roles.DisplayRole, Roles.ToolTipRole)
        return cell_text(self.columns[column][row]) if shown else None

    def number(self, row: int) -> int:
        return int(self._numbers[row])

    def sorted_by(self, column: int, *, descending: bool) -> Ints:
        self._key = self.headings[column] if 0 <= column < len(self.headings) else ""
        self._descending = descending
        return self._in_order()


RESULTS, PARAMETERS, POINTS, RULES = "results", "parameters", "points", "rules"
TITLES = {RESULTS: "Results", PARAMETERS: "Parameters", POINTS: "Points", RULES: "Rules"}
ROW, NARROW = 24, 44
"""Height of a row and least width of a column in pixels, scaled with the type."""

Form: TypeAlias = Callable[[ValueTable, Ints], str]
FORMS: tuple[tuple[str, Form], ...] = (
    ("Text", ValueTable.text), ("CSV", ValueTable.csv), ("LaTeX", ValueTable.latex),
)  # fmt: skip
"""Forms in which rows are copied."""


class ValueView(LinkedTable):
    """A table to look at; Ctrl+C copies the selected rows, or all."""

    def __init__(self, model: ValueModel, name: str, tip: str) -> None:
        super().__init__(model)
        self.source = model
        named(self, name, tip)
        self.setToolTip("")
        self.setEditTriggers(self.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu_at)

    def apply_appearance(self, look: Appearance) -> None:
        super().apply_appearance(look)
        self.verticalHeader().setDefaultSectionSize(look.px(ROW))
        self.horizontalHeader().setMinimumSectionSize(look.px(NARROW))
        self.horizontalHeader().setMaximumSectionSize(-1)  # no limit
        self.resizeColumnsToContents()

    def widen_columns(self) -> None:
        """Widen columns to their contents; none becomes narrower, or they would move while a run goes on."""
        header = self.horizontalHeader()
        for column in range(header.count() - header.stretchLastSection()):
            header.resizeSection(column, max(header.sectionSize(column), self.sizeHintForColumn(column)))

    @property
    def chosen(self) -> Ints:
        """Rows of the table of values that are selected, or all, in the order that is shown."""
        order = self.source.order
        return order[self.selected] if self.selected.any() else order

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy(ValueTable.text)
        else:
            super().keyPressEvent(event)

    def copy(self, form: Form) -> None:
        """Copy rows of the present values in a form: text, CSV or LaTeX."""
        QGuiApplication.clipboard().setText(form(self.source.values, self.chosen))

    def show_menu(self, at: QPoint) -> None:
        """Show the forms in which rows are copied."""
        menu = QMenu(self)
        menu.setAccessibleName("Copy rows")
        for text, form in FORMS:
            add_entry(menu, f"Copy as {text}", partial(self.copy, form))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    @Slot(QPoint)
    def _show_menu_at(self, at: QPoint) -> None:
        self.show_menu(self.viewport().mapToGlobal(at))


class ValuePanel(StatePanel):
    """The table, or a sentence in its place; the number of rows, and a button that copies them."""

    name: str
    tip: str
    unit: str
    """Kind of the rows, in the singular."""
    missing: str
    """Sentence about models without such values."""

    def __init__(self) -> None:
        super().__init__(4, (16, 0, 16, 4))
        self.model = ValueModel()
        self.table = ValueView(self.model, self.name, self.tip)
        self.count, self.message = QLabel(), QLabel(wordWrap=True)
        for label in (self.count, self.message):
            role(label, "muted")
        self.message.setAlignment(Qt.AlignmentFlag.AlignTop)
        # A stacked layout shows its first widget at once: as a window of its own, were it outside the panel.
        self._stack = QStackedLayout()
        self.box.addLayout(self._stack, 1)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.message)
        self.copy_button = IconButton("copy", "Copy the selected rows, or all, as text, CSV or LaTeX")
        self.copy_button.clicked.connect(self._show_menu)
        foot = QHBoxLayout()
        foot.addWidget(self.count, 1)
        foot.addWidget(self.copy_button)
        self.box.addLayout(foot)
        self.show_found(None)

    def show_found(self, found: ValueTable | None) -> None:
        values = ValueTable() if found is None else found
        self.model.set_values(values, self.numbers(values))
        self.table.widen_columns()
        self._stack.setCurrentIndex(0 if len(values) else 1)
        self.message.setText(self._sentence(found))
        self.copy_button.setEnabled(len(values) > 0)
        self.describe()

    def numbers(self, values: ValueTable) -> Ints | None:
        """Return the numbers of the rows; None for those from 1."""
        del values
        return None

    @Slot()
    def describe(self) -> None:
        """Show the numbers of rows."""
        rows, chosen = plural(len(self.model.values), self.unit), int(self.table.selected.sum())
        self.count.setText(f"{rows}, {chosen:,} selected" if chosen else rows)

    def _sentence(self, found: ValueTable | None) -> str:
        return f"{self.name} appear here once a model has been trained." if found is None else self.missing

    def _show_menu(self) -> None:
        self.table.show_menu(self.copy_button.mapToGlobal(self.copy_button.rect().bottomLeft()))


class StateValuePanel(ValuePanel):
    """Values of the state that follow from one of its hooks."""

    hook: str
    table_of: Callable[[State], ValueTable]

    def __init__(self) -> None:
        super().__init__()
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setStretchLastSection(True)

    def computation(self, state: State) -> Callable[[], ValueTable]:
        return partial(guarded, state, self.hook, partial(self.table_of, state), ValueTable())


class ParametersPanel(StateValuePanel):
    """Every learned parameter under its name in textbooks."""

    name = "Learned parameters"
    tip = "Parameters that the model has learned by the step shown, one number in each row."
    unit = "number"
    missing = "This model has no parameters: it predicts from the training points themselves."
    hook, table_of = "learned", staticmethod(parameter_table)


class RulesPanel(StateValuePanel):
    """A decision tree as IF ... THEN rules, one for each leaf."""

    name = "Rules"
    tip = "Rules of the decision tree at the step shown, with the number of training points of each."
    unit = "rule"
    missing = "This model has no rules: choose a decision tree, ID3 or C4.5."
    hook, table_of = "rules", staticmethod(rule_table)

    def __init__(self) -> None:
        super().__init__()
        self.table.horizontalHeader().sectionResized.connect(self.table.resizeRowsToContents)
        self.table.setWordWrap(True)

    def show_found(self, found: ValueTable | None) -> None:
        super().show_found(found)
        self.table.resizeRowsToContents()


class PointsPanel(ValuePanel):
    """A row for each training and held-out point, linked with the canvas."""

    name = "Values of points"
    tip = "Prediction and other values of each point. The row of the point under the pointer is highlighted."
    unit = "point"
    missing = "There are no points."

    def __init__(self, document: Document, stages: Stages) -> None:
        self._document = document
        super().__init__()
        self._link = CanvasLink(self, self.table, document, stages)
        self.follow(stages.selection_changed, self.describe)

    def computation(self, state: State) -> Callable[[], ValueTable]:
        held = None if self._frame is None else self._frame.held
        return partial(guarded, state, "by_point", partial(point_table, state, held), ValueTable())

    def show_found(self, found: ValueTable | None) -> None:
        super().show_found(found)
        if found is not None:
            self._link.show_selection()
            self.describe()

    def numbers(self, values: ValueTable) -> Ints | None:
        """Return the row of each point in the table of the data; of points that are gone, 0."""
        known = self._document.dataset.ids
        if values.ids is None or not len(known):
            return None
        rising = np.argsort(known)
        found = rising[np.searchsorted(known, values.ids, sorter=rising).clip(max=len(known) - 1)]
        return np.where(known[found] == values.ids, found + 1, 0)


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
