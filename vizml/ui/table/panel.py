"""The dock 'Table': the table editor, its model, and buttons; linked with the canvas of the active stage."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QComboBox,
    QCompleter,
    QHBoxLayout,
    QLabel,
    QStyleOptionViewItem,
    QWidget,
)

from vizml.data import Dataset
from vizml.data.columns import Column, Ints
from vizml.data.editing import cell_columns, cell_text, copied, pasted, with_cells
from vizml.data.wording import plural, quoted
from vizml.scene.typesetting import typeset
from vizml.ui.canvas.viewport import replaced
from vizml.ui.compare.stages import Stages
from vizml.ui.state_panel import FollowingPanel
from vizml.ui.table.linked import AnyIndex, CanvasLink, LinkedTable, PointRows, RowDelegate
from vizml.ui.widget_helpers import named
from vizml.ui.widgets.appearance import role
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.focus import TakesText, native_keys
from vizml.workspace import Document
from vizml.workspace.work import Change

Roles = Qt.ItemDataRole


class DatasetModel(PointRows):
    """Cells of a document's data set; each edit is an entry of its history."""

    refused = Signal(str)
    """A sentence that says why an edit is not possible."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.dataset = Dataset.empty()
        self.columns: tuple[Column, ...] = ()
        self.refresh()

    @property
    def ids(self) -> Ints:
        return self.dataset.ids[self.order]

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def refresh(self) -> None:
        """Show the current data set; rows keep their order, new ones come last."""
        names, shown = [column.name for column in self.columns], self.ids
        before, self.dataset = self.dataset, self._document.dataset
        columns = cell_columns(self.dataset)
        if names == [column.name for column in columns] and np.array_equal(before.ids, self.dataset.ids):
            self.columns = columns
            if len(self.order):  # without rows there is no index to name
                self.dataChanged.emit(self.index(0, 0), self.index(len(self.order) - 1, len(columns) - 1))
            return
        self.beginResetModel()
        self.columns = columns
        fresh = replaced(before, self.dataset)
        self.order = np.arange(len(self.dataset)) if fresh else places(shown, self.dataset.ids)
        self.endResetModel()

    # -- edits -----------------------------------------------------------------------------------------------

    def paste(self, row: int, column: int, text: str) -> None:
        """Paste cells over those from a row and a column on, and append rows where there are more."""
        self._edit("paste cells", lambda: pasted(self.dataset, self.order[row:], column, text))

    def setData(self, index: AnyIndex, value: str, role: int = Roles.EditRole) -> bool:
        if role != Roles.EditRole or value == self.data(index, Roles.EditRole):
            return role == Roles.EditRole
        name, rows = quoted(self.columns[index.column()].name, 20), self.order[[index.row()]]
        return self._edit(f"set {name}", lambda: with_cells(self.dataset, rows, index.column(), [[value]]))

    def _edit(self, label: str, change: Callable[[], Dataset]) -> bool:
        """Make an edit, or say why it is not possible."""
        try:
            dataset = change()
        except ValueError as problem:
            self.refused.emit(str(problem))
            return False
        self._document.set_dataset(label, dataset)
        return True

    # -- what the view asks ----------------------------------------------------------------------------------

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() else flags

    def holds_text(self, column: int) -> bool:
        return bool(self.columns[column].categories)

    def cell(self, row: int, column: int, role: int) -> str | None:
        exact = role == Roles.EditRole
        if not exact and role != Roles.DisplayRole:
            return None
        text = cell_text(self.columns[column], row, exact=exact)
        return text if exact or self.holds_text(column) else typeset(text)

    def number(self, row: int) -> int:
        return row + 1

    def sorted_by(self, column: int, *, descending: bool) -> Ints:
        if 0 <= column < len(self.columns):
            return sorted_rows(self.columns[column], descending=descending)
        return np.arange(len(self.dataset))


def places(shown: Ints, ids: Ints) -> Ints:
    """Return the positions of ids in the order in which they were shown; those that were not come last."""
    if not len(shown):
        return np.arange(len(ids))
    rising = np.argsort(shown)
    found = rising[np.searchsorted(shown, ids, sorter=rising).clip(max=len(shown) - 1)]
    return np.argsort(np.where(shown[found] == ids, found, len(shown)), kind="stable")


def sorted_rows(column: Column, *, descending: bool) -> Ints:
    """Return the rows in the order of their values, categories by their names, missing values last."""
    keys = column.numbers
    if column.categories:
        rank = np.argsort(np.argsort(column.categories))
        keys = np.where(column.missing, np.nan, rank[column.values])
    return np.argsort(-keys if descending else keys, kind="stable")


ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class CellDelegate(RowDelegate):
    """Highlight whole rows, and edit categories with a list of those that exist."""

    def __init__(self, table: DataTable) -> None:
        super().__init__(table)
        self._table = table

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: AnyIndex) -> QWidget:
        column = self._table.source.columns[index.column()]
        if not column.categories:
            return named(super().createEditor(parent, option, index), f"Value of {column.name}")
        box = named(QComboBox(parent), f"Category of {column.name}", "Choose a category, or type a new one")
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        box.addItems(column.categories)
        # a timer waits for the event by which Qt itself takes over a text after Enter
        box.activated.connect(lambda: QTimer.singleShot(1, box, partial(self._commit, box)))
        completer = QCompleter(column.categories, box, caseSensitivity=Qt.CaseSensitivity.CaseInsensitive)
        box.setCompleter(completer)
        return box

    def _commit(self, box: QComboBox) -> None:
        """Take over a category that was chosen in the list, unless Enter has done so already."""
        if box.isVisible():
            self.commitData.emit(box)
            self.closeEditor.emit(box)

    def setEditorData(self, editor: QWidget, index: AnyIndex) -> None:
        super().setEditorData(editor, index)
        if isinstance(editor, QComboBox) and (field := editor.lineEdit()) is not None:
            field.selectAll()  # as Qt does in a line edit, so that typing replaces the text


class DataTable(TakesText, LinkedTable):
    """Rows are selected as in a list; keys copy, paste and delete them, and typing edits a cell."""

    deleted = Signal()
    """The selected rows are to be removed."""

    def __init__(self, model: DatasetModel) -> None:
        super().__init__(model)
        self.source = model
        named(
            self,
            "Table of the data",
            "Rows of the data: typing changes a cell, an empty cell is a missing value",
        )
        self.setToolTip("")
        self.setItemDelegate(CellDelegate(self))
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed)

    # -- keys ------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = QKeySequence.StandardKey
        if event.matches(keys.Copy):
            self.copy()
        elif event.matches(keys.Paste):
            self.paste()
        elif event.matches(keys.Delete):
            self.deleted.emit()
        elif event.key() in ENTER and self.state() == self.State.NoState:
            if self.currentIndex().isValid():
                self.edit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def commitData(self, editor: QWidget) -> None:
        """Take over a value, unless the rows have been replaced since Enter, and the editor was hidden."""
        if not editor.isHidden():
            super().commitData(editor)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """End the editing of a cell; after Enter, the cell below is the current one."""
        if editor.isHidden():
            return
        super().closeEditor(editor, hint)
        at = self.currentIndex()
        if (
            hint == QAbstractItemDelegate.EndEditHint.SubmitModelCache
            and at.siblingAtRow(at.row() + 1).isValid()
        ):
            self.setCurrentIndex(at.siblingAtRow(at.row() + 1))

    def copy(self) -> None:
        """Copy the selected rows with the names of the columns, all rows where none is selected."""
        rows = self.source.order[self.selected] if self.selected.any() else self.source.order
        QGuiApplication.clipboard().setText(copied(self.source.dataset, rows))

    def paste(self) -> None:
        """Paste rows from the current cell on; without a current cell, at the end."""
        at = self.currentIndex()
        row, column = (at.row(), at.column()) if at.isValid() else (len(self.source.order), 0)
        self.source.paste(row, column, QGuiApplication.clipboard().text())


class TablePanel(FollowingPanel):
    """The table, the numbers of rows, and buttons."""

    refused = Signal(str)
    """A sentence that says why an edit is not possible."""

    def __init__(self, document: Document, stages: Stages) -> None:
        super().__init__(8, (16, 8, 16, 12))
        self._document = document
        self.model = DatasetModel(document, self)
        self.table = DataTable(self.model)
        self.count = QLabel()
        role(self.count, "muted")
        self._lay_out()
        self.model.refused.connect(self.refused)
        self.table.deleted.connect(self.delete_rows)
        self.follow(document.changed, self._refresh)
        self._link = CanvasLink(self, self.table, document, stages)
        self.follow(stages.selection_changed, self._describe)

    def add_row(self) -> None:
        """Add a row of the current class with the median of each column, and edit its first cell."""
        placed = self._document.placed
        self._document.add([[placed.median(axis) for axis in placed.axes]], self._link.canvas.label)
        last = self.model.index(len(self.model.order) - 1, 0)
        self.table.setCurrentIndex(last)
        self.table.edit(last)

    @Slot()
    def delete_rows(self) -> None:
        """Remove the selected rows."""
        self._link.canvas.selection.delete()

    def _lay_out(self) -> None:
        foot = QHBoxLayout()
        foot.addWidget(self.count, 1)
        for icon_name, tip, run in (
            ("add", "Add a row with the median of each column", self.add_row),
            ("trash", "Delete the selected rows (Del)", self.delete_rows),
            ("copy", "Copy the selected rows, or all (Ctrl+C)", self.table.copy),
            ("paste", "Paste rows of a spreadsheet at the current cell (Ctrl+V)", self.table.paste),
        ):
            button = IconButton(icon_name, native_keys(tip))
            button.pressed.connect(self.table.setFocus)  # a cell that is being edited passes its value on
            button.clicked.connect(run)
            foot.addWidget(button)
        self.box.addWidget(self.table, 1)
        self.box.addLayout(foot)

    def _refresh(self, change: Change = Change.ALL) -> None:
        if change & (Change.DATA | Change.CLASSES):
            self.model.refresh()
            self._describe()

    @Slot()
    def _describe(self) -> None:
        chosen = int(self.table.selected.sum())
        rows = plural(len(self.model.order), "row")
        self.count.setText(f"{rows}, {chosen:,} selected" if chosen else rows)
