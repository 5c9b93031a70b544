"""View of the table editor: rows that are selected and pointed at together with the points on the canvas."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QComboBox,
    QCompleter,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from vizml.data.editing import copied
from vizml.data.labels import Ints
from vizml.field.arrays import Mask
from vizml.scene.marks import true_runs
from vizml.ui.canvas.selection import NO_POINT
from vizml.ui.table.model import DatasetModel
from vizml.ui.widget_helpers import named
from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, tabular
from vizml.ui.widgets.focus import TakesText

ROW, NARROW, WIDE = 30, 80, 240
"""Height of a row and limits of the width of a column in pixels, scaled with the type."""
MEASURED = 30
"""Rows that the width of a column is fitted to."""
MOST_RUNS = 200
"""Runs of selected rows that Qt is told of: it takes long to paint many. Others are only highlighted."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
State = QStyle.StateFlag
AnyIndex = QModelIndex | QPersistentModelIndex


class CellDelegate(QStyledItemDelegate):
    """Highlight whole rows, and edit categories with a list of those that exist."""

    def __init__(self, table: DataTable) -> None:
        super().__init__(table)
        self._table = table

    def initStyleOption(self, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        super().initStyleOption(option, index)
        row, table = index.row(), self._table
        for flag, on in (
            (State.State_Selected, table.selected[row]),
            (State.State_MouseOver, row == table.hot),
        ):
            option.state = option.state | flag if on else option.state & ~flag

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


class DataTable(TakesText, FollowsAppearance, QTableView):
    """Rows are selected as in a list; keys copy, paste and delete them, and typing edits a cell."""

    picked = Signal(object)
    """Ids of the rows that the user has selected."""
    hovered = Signal(int)
    """Id of the row under the pointer, or NO_POINT."""
    deleted = Signal()
    """The selected rows are to be removed."""

    def __init__(self, model: DatasetModel) -> None:
        super().__init__()
        self.source = model
        self.selected: Mask = np.zeros(0, dtype=bool)
        """Rows of the table that are selected."""
        self.hot = -1
        """Row of the table that is pointed at, here or on the canvas; -1 for none."""
        self._ids: Ints = np.arange(0)
        self._names: list[str] = []
        self._mirroring = False
        named(
            self,
            "Table of the data",
            "Rows of the data: typing changes a cell, an empty cell is a missing value",
        )
        self.setToolTip("")
        self.setModel(model)
        self.setItemDelegate(CellDelegate(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self._set_up_headers()
        self.entered.connect(self._on_entered)
        self.selectionModel().selectionChanged.connect(self._on_selection)
        model.modelReset.connect(self._on_reset)
        model.layoutChanged.connect(self._on_reset)
        self._on_reset()
        self.update_appearance()

    def _set_up_headers(self) -> None:
        header = self.horizontalHeader()
        # with that of the table, the header looks at each selected row whenever it is painted
        header.setSelectionModel(QItemSelectionModel(self.source, header))
        header.setSectionsClickable(True)
        header.setHighlightSections(False)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        header.setResizeContentsPrecision(MEASURED)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.verticalHeader().setHighlightSections(False)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def apply_appearance(self, look: Appearance) -> None:
        self.setFont(tabular(self.font()))
        self.verticalHeader().setDefaultSectionSize(look.px(ROW))
        self.horizontalHeader().setMinimumSectionSize(look.px(NARROW))
        self.horizontalHeader().setMaximumSectionSize(look.px(WIDE))
        self.resizeColumnsToContents()

    # -- selection and pointer -------------------------------------------------------------------------------

    def show_selection(self, ids: Ints) -> None:
        """Select the rows with these ids and no others, and show the first one."""
        if np.array_equal(ids, self._ids):
            return
        self._ids = ids
        self._highlight()
        self._mirror()
        if self.selected.any():
            self.scrollTo(
                self.source.index(int(np.argmax(self.selected)), max(self.currentIndex().column(), 0))
            )

    def set_hot(self, id: int) -> None:
        """Highlight the row with an id; NO_POINT for none."""
        found = np.flatnonzero(self.source.ids == id)
        hot = int(found[0]) if len(found) else -1
        if hot != self.hot:
            self.hot = hot
            self.viewport().update()

    def _highlight(self) -> None:
        self.selected = np.isin(self.source.ids, self._ids)
        self.viewport().update()

    def _mirror(self) -> None:
        """Tell Qt which rows are selected, for the keyboard and for screen readers."""
        runs, selection = true_runs(self.selected), QItemSelection()
        for run in runs if len(runs) <= MOST_RUNS else ():
            selection.select(self.source.index(run.start, 0), self.source.index(run.stop - 1, 0))
        self._mirroring = True
        flags = self.selectionModel().SelectionFlag
        self.selectionModel().select(selection, flags.ClearAndSelect | flags.Rows)
        self._mirroring = False

    @Slot()
    def _on_selection(self) -> None:
        if self._mirroring:
            return
        self.selected = np.zeros(len(self.source.order), dtype=bool)
        for part in list(self.selectionModel().selection()):  # type: ignore[call-overload]
            self.selected[part.top() : part.bottom() + 1] = True
        self._ids = self.source.ids[self.selected]
        self.viewport().update()
        self.picked.emit(self._ids)

    @Slot()
    def _on_reset(self) -> None:
        self.hot = -1
        self._highlight()
        self._mirror()
        names = [column.name for column in self.source.columns]
        if names != self._names:
            self._names = names
            self.resizeColumnsToContents()

    @Slot(QModelIndex)
    def _on_entered(self, index: QModelIndex) -> None:
        self.hovered.emit(int(self.source.ids[index.row()]))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hovered.emit(NO_POINT)

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
