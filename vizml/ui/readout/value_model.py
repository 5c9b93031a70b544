"""Item model of a table of values, which sorts numbers as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, Qt

from vizml.data.labels import Ints
from vizml.run.value_tables import ValueTable, cell_text, is_text
from vizml.ui.table.linked import AnyIndex, PointRows

Roles = Qt.ItemDataRole
NUMBER = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
TEXT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
NO_PARENT = QModelIndex()


class ValueModel(PointRows):
    """Cells of a table of values in an order of rows; a new table keeps the column that is sorted by."""

    def __init__(self) -> None:
        super().__init__()
        self.values = ValueTable()
        self.columns: list[NDArray[Any]] = []
        self.order: Ints = np.arange(0)
        """Position in the table of values of each row that is shown."""
        self._numbers: Ints = self.order
        self._sorted_by, self._descending = "", False

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
        column = self.values.columns.get(self._sorted_by)
        if column is None:
            return np.arange(len(self.values))
        keys = np.unique(column.astype(str), return_inverse=True)[1] if is_text(column) else column
        return np.argsort(-keys if self._descending else keys, kind="stable")

    # -- what the view asks ----------------------------------------------------------------------------------

    def rowCount(self, parent: AnyIndex = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: AnyIndex = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.headings)

    def data(self, index: AnyIndex, role: int = Roles.DisplayRole) -> object:
        if not index.isValid():
            return None
        column = self.columns[index.column()]
        if role in (Roles.DisplayRole, Roles.ToolTipRole):
            return cell_text(column[self.order[index.row()]])
        if role == Roles.TextAlignmentRole:
            return TEXT if is_text(column) else NUMBER
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Roles.DisplayRole) -> object:
        if orientation == Qt.Orientation.Vertical:
            return str(self._numbers[self.order[section]]) if role == Roles.DisplayRole else None
        if role in (Roles.DisplayRole, Roles.ToolTipRole):
            return self.headings[section]
        if role == Roles.TextAlignmentRole:
            return TEXT if is_text(self.columns[section]) else NUMBER
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column, undefined numbers last; without a column in the order of the data."""
        self.layoutAboutToBeChanged.emit()
        self._sorted_by = self.headings[column] if 0 <= column < len(self.headings) else ""
        self._descending = order == Qt.SortOrder.DescendingOrder
        self.order = self._in_order()
        self.layoutChanged.emit()
