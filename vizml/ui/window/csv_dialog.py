"""Which columns of a CSV file are x, y and the class, with its first rows to look at."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from vizml.data import Dataset
from vizml.data.table import Mapping, Table, to_dataset
from vizml.ui.widget_helpers import named
from vizml.ui.widgets.appearance import colour, current

SHOWN = 6
"""How many rows are shown."""
NO_CLASS = -1


class CsvDialog(QDialog):
    """Asks for the columns; what is wrong with a choice is said in place, and only a good one is taken."""

    chosen = Signal(object)
    """The Dataset."""

    def __init__(self, table: Table, mapping: Mapping, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._dataset: Dataset | None = None
        self.setWindowTitle(f"Import {table.name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.across = self._columns("Column of x")
        self.up = self._columns("Column of y")
        self.label = self._columns("Column of the class")
        self.label.insertItem(0, "none", NO_CLASS)
        self._told = named(QLabel(), "What would be imported")
        self._told.setWordWrap(True)
        self._rows = _first_rows(table)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.take = self._buttons.addButton("Import", QDialogButtonBox.ButtonRole.AcceptRole)
        self._buttons.accepted.connect(self._take)
        self._buttons.rejected.connect(self.reject)
        self._lay_out()
        for box, column in ((self.across, mapping.x), (self.up, mapping.y), (self.label, mapping.label)):
            box.setCurrentIndex(box.findData(NO_CLASS if column is None else column))
            box.currentIndexChanged.connect(self._try)
        self._try()

    @property
    def mapping(self) -> Mapping:
        """The columns as they are chosen now."""
        label = self.label.currentData()
        return Mapping(self.across.currentData(), self.up.currentData(), None if label == NO_CLASS else label)

    @property
    def told(self) -> str:
        return self._told.text()

    def _try(self) -> None:
        """Make the data set of the choice, or say why there is none."""
        try:
            self._dataset = to_dataset(self._table, self.mapping)
            self._told.setText(summary(self._dataset))
        except ValueError as problem:
            self._dataset = None
            self._told.setText(str(problem))
        self.take.setEnabled(self._dataset is not None)
        self._emphasise()

    def _take(self) -> None:
        if self._dataset is not None:
            self.chosen.emit(self._dataset)
        self.accept()

    def _columns(self, name: str) -> QComboBox:
        box = named(QComboBox(), name, f"{name} in {self._table.name}")
        for index, column in enumerate(self._table.columns):
            box.addItem(column.name if column.kind == "numbers" else f"{column.name}  ({column.kind})", index)
        return box

    def _emphasise(self) -> None:
        """Say over each column what it is taken for; the others are muted."""
        mapping, look = self.mapping, current()
        used = {mapping.x: "x", mapping.y: "y", mapping.label: "class"}
        for column, name in enumerate(self._table.header):
            title = f"{name} \N{RIGHTWARDS ARROW} {used[column]}" if column in used else name
            self._rows.setHorizontalHeaderItem(column, QTableWidgetItem(title))
            for row in range(self._rows.rowCount()):
                if (item := self._rows.item(row, column)) is not None:
                    item.setFlags(Qt.ItemFlag.ItemIsEnabled if column in used else Qt.ItemFlag.NoItemFlags)
                    item.setForeground(colour(look.theme.text if column in used else look.faint))

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for words, box in (("x", self.across), ("y", self.up), ("Class", self.label)):
            form.addRow(words, box)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(16)
        column.addLayout(form)
        column.addWidget(self._rows)
        column.addWidget(self._told)
        column.addWidget(self._buttons)
        self.resize(560, self.sizeHint().height())


def summary(dataset: Dataset) -> str:
    """What a data set holds, in a line."""
    points = "1 point" if len(dataset) == 1 else f"{len(dataset):,} points"
    count = len(dataset.present)
    if not count:
        return points
    return f"{points} of {'1 class' if count == 1 else f'{count} classes'}"


def _first_rows(table: Table) -> QTableWidget:
    count = min(SHOWN, len(table))
    rows = named(QTableWidget(count, len(table.columns)), "First rows of the file")
    rows.setVerticalHeaderLabels([str(line) for line in table.lines[:count]])
    rows.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    rows.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    for column, cells in enumerate(table.columns):
        for row in range(count):
            rows.setItem(row, column, QTableWidgetItem(cells.texts[row]))
    rows.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    rows.horizontalHeader().setStretchLastSection(True)
    rows.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    height = rows.verticalHeader().defaultSectionSize() * (count + 1)
    rows.setFixedHeight(height + rows.horizontalScrollBar().sizeHint().height() + 4)
    return rows
