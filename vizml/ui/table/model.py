"""Model of the table editor: columns and classes of the document's data set, in an order of rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal

from vizml.data import Dataset
from vizml.data.columns import Column, Ints
from vizml.data.editing import cell_columns, cell_text, pasted, with_cells
from vizml.data.wording import quoted
from vizml.scene.typesetting import typeset
from vizml.ui.canvas.viewport import replaced
from vizml.ui.table.linked import AnyIndex, PointRows
from vizml.workspace import Document

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
