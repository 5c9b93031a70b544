"""The columns of a CSV file: missing values and outliers of each, and a choice of kinds and inputs."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHeaderView, QTableWidget, QTableWidgetItem

from vizml.data.cells import CellColumn
from vizml.data.tables import Table
from vizml.ui.widget_helpers import named
from vizml.ui.widgets.appearance import current

MOST = 200
"""Columns that are listed; the others keep their kinds."""
HEADS = ("Column", "Kind", "Missing", "Outliers", "Input")
KINDS = {"numbers": "Numbers", "dates": "Dates", "text": "Categories", "mixed": "Categories"}
KIND, MISSING, OUTLIERS, INPUT = range(1, 5)
NUMERIC = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ColumnTable(QTableWidget):
    """A row for each column of a file."""

    changed = Signal()
    """A kind or an input was chosen."""

    def __init__(self, table: Table) -> None:
        count = min(MOST, len(table.columns))
        super().__init__(count, len(HEADS))
        self.table = table
        """The columns with the chosen kinds."""
        self._boxes: list[QTableWidgetItem] = []
        named(self, "Columns of the file", "Kinds of the columns, and which ones models learn from")
        self.setHorizontalHeaderLabels(HEADS)
        self.verticalHeader().hide()
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setShowGrid(False)
        for row in range(count):
            self._add(row, table.columns[row])
        self._fit(count)
        self.itemChanged.connect(self.changed)

    @property
    def inputs(self) -> tuple[int, ...]:
        """Indices of the columns that were chosen as inputs."""
        checked = Qt.CheckState.Checked
        return tuple(row for row, item in enumerate(self._boxes) if item.checkState() == checked)

    def _add(self, row: int, column: CellColumn) -> None:
        self.setItem(row, 0, QTableWidgetItem(column.name))
        self.setCellWidget(row, KIND, self._kinds(row, column))
        box = QTableWidgetItem()
        box.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
        box.setCheckState(Qt.CheckState.Unchecked)
        self._boxes.append(box)
        self.setItem(row, INPUT, box)
        self._describe(row)

    def _kinds(self, row: int, column: CellColumn) -> QComboBox:
        box = named(QComboBox(), f"Kind of {column.name}")
        own, other = KINDS[column.kind], "category" if column.kind in ("numbers", "dates") else "number"
        box.addItem(own, "")
        box.addItem("Categories" if other == "category" else "Numbers", other)
        box.setProperty("row", row)
        box.currentIndexChanged.connect(self._change_kind)
        return box

    @Slot()
    def _change_kind(self) -> None:
        """Convert the column of the sender."""
        box = self.sender()
        row = box.property("row")
        columns = list(self.table.columns)
        columns[row] = columns[row].as_kind(box.currentData())  # type: ignore[attr-defined]
        self.table = self.table.with_columns(columns)
        self.blockSignals(True)
        self._describe(row)
        self.blockSignals(False)
        self.changed.emit()

    def _describe(self, row: int) -> None:
        """Write the numbers of missing values and outliers, nothing for none."""
        column = self.table.columns[row].column
        for place, count in ((MISSING, int(column.missing.sum())), (OUTLIERS, column.outliers)):
            item = QTableWidgetItem(f"{count:,}" if count else "")
            item.setTextAlignment(NUMERIC)
            self.setItem(row, place, item)

    def _fit(self, count: int) -> None:
        """Show at least three rows; the names take the room that is left."""
        px = current().px
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(KIND, QHeaderView.ResizeMode.Fixed)
        boxes = (self.cellWidget(row, KIND).sizeHint().width() for row in range(count))
        header.resizeSection(KIND, max(boxes) + px(16))
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.verticalHeader().setDefaultSectionSize(px(32))
        self.setMinimumHeight(px(32) * (min(count, 3) + 1) + 4)
