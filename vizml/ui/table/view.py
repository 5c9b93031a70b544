"""View of the table editor: rows that are selected and pointed at together with the points on the canvas."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QComboBox,
    QCompleter,
    QStyleOptionViewItem,
    QWidget,
)

from vizml.data.editing import copied
from vizml.ui.table.linked import AnyIndex, LinkedTable, RowDelegate
from vizml.ui.table.model import DatasetModel
from vizml.ui.widget_helpers import named
from vizml.ui.widgets.focus import TakesText

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

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """End the editing of a cell; after Enter, the cell below is the current one."""
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
