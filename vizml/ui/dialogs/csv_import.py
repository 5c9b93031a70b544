"""The dialog that assigns columns of a CSV file to x, y, the class and inputs, with a preview of its rows."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, Slot
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
from vizml.data.cells import CellColumn
from vizml.data.dataset import Missing
from vizml.data.tables import Mapping, Table, changes, to_dataset, undrawn, unlabelled
from vizml.data.wording import plural
from vizml.paint.pens import colour
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


SHOWN = 4
"""Number of rows in the preview."""
NO_CLASS = -1


def open_dialog(window: QWidget, table: Table, mapping: Mapping, take: Callable[[Dataset], object]) -> None:
    """Ask for the columns of a table, and pass on the chosen data set."""
    dialog = CsvDialog(table, mapping, window)
    dialog.chosen.connect(take)
    dialog.show()


class CsvDialog(QDialog):
    """Choose the columns; errors are shown at once, and only a valid choice can be imported."""

    chosen = Signal(object)
    """The Dataset."""

    def __init__(self, table: Table, mapping: Mapping, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._file = table
        self._dataset: Dataset | None = None
        self.setWindowTitle(f"Import {table.name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.across = self._columns("Column of x")
        self.up = self._columns("Column of y")
        self.label = self._columns("Column of the class")
        self.label.insertItem(0, "none", NO_CLASS)
        self.missing = named(
            QComboBox(), "Empty cells", "What becomes of rows without a value in x, y or an input"
        )
        self.missing.addItem("Leave the rows out", "drop")
        self.missing.addItem("Fill with the median of the column", "median")
        self.missing.currentIndexChanged.connect(self._try)
        self.summary = named(QLabel(), "Points to be imported")
        self.summary.setWordWrap(True)
        self.target = self._columns("Column of the target")
        self.target.insertItem(0, "y", NO_CLASS)
        self.columns = ColumnTable(table)
        self.columns.changed.connect(self._try)
        self.preview = _first_rows(table)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.take = self._buttons.addButton("Import", QDialogButtonBox.ButtonRole.AcceptRole)
        self._buttons.accepted.connect(self._take)
        self._buttons.rejected.connect(self.reject)
        self._lay_out()
        chosen = (self.across, mapping.x), (self.up, mapping.y), (self.label, mapping.label)
        for box, column in (*chosen, (self.target, mapping.target)):
            box.setCurrentIndex(box.findData(NO_CLASS if column is None else column))
            box.currentIndexChanged.connect(self._try)
        self._try()

    @property
    def _table(self) -> Table:
        """The file with the chosen kinds of columns."""
        return self.columns.table

    @property
    def mapping(self) -> Mapping:
        """The chosen columns."""
        x, y = self.across.currentData(), self.up.currentData()
        label, target = (
            None if box.currentData() == NO_CLASS else box.currentData() for box in (self.label, self.target)
        )
        inputs = tuple(index for index in self.columns.inputs if index not in (label, target))
        empty = any(self._table.columns[index].empty.any() for index in (x, y, *inputs))
        missing: Missing = self.missing.currentData() if empty else ""
        return Mapping(x, y, label, missing=missing, inputs=inputs, target=target)

    def _try(self) -> None:
        """Read the data set with the chosen columns, or show why that fails."""
        try:
            self._dataset = to_dataset(self._table, self.mapping, incomplete=True)
            changed = changes(self._table, self.mapping, incomplete=True)
            facts = summary(self._dataset), *changed, undrawn(self._dataset), unlabelled(self._dataset)
            self.summary.setText(", ".join(filter(None, facts)))
        except ValueError as problem:
            self._dataset = None
            self.summary.setText(str(problem))
        self._form.setRowVisible(self.missing, bool(self.mapping.missing))
        self.take.setEnabled(self._dataset is not None)
        self._emphasise()

    def _take(self) -> None:
        if self._dataset is not None:
            self.chosen.emit(self._dataset)
        self.accept()

    def _columns(self, name: str) -> QComboBox:
        box = named(QComboBox(), name, f"{name} in {self._file.name}")
        for index, column in enumerate(self._file.columns):
            box.addItem(column.name if column.kind == "numbers" else f"{column.name}  ({column.kind})", index)
        return box

    def _emphasise(self) -> None:
        """Mark the chosen columns in the header and mute the others."""
        mapping, look = self.mapping, current()
        used = dict.fromkeys(mapping.inputs, "input") | {mapping.target: "target"}
        used |= {mapping.x: "x", mapping.y: "y", mapping.label: "class"}
        for column, name in enumerate(self._table.header):
            title = f"{name} \N{RIGHTWARDS ARROW} {used[column]}" if column in used else name
            self.preview.setHorizontalHeaderItem(column, QTableWidgetItem(title))
            for row in range(self.preview.rowCount()):
                if (item := self.preview.item(row, column)) is not None:
                    item.setFlags(Qt.ItemFlag.ItemIsEnabled if column in used else Qt.ItemFlag.NoItemFlags)
                    item.setForeground(colour(look.theme.text if column in used else look.faint))

    def _lay_out(self) -> None:
        form = self._form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        boxes = self.across, self.up, self.label, self.target, self.missing
        for words, box in zip(("x", "y", "Class", "Target of regressions", "Empty cells"), boxes):
            form.addRow(words, box)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(16)
        column.addLayout(form)
        column.addWidget(self.columns, 1)
        column.addWidget(self.preview)
        column.addWidget(self.summary)
        column.addWidget(self._buttons)
        self.resize(current().px(640), self.sizeHint().height())


def summary(dataset: Dataset) -> str:
    """Numbers of points and classes of a data set."""
    count = len(dataset.present)
    classes = f" of {plural(count, 'class', 'classes')}" if count else ""
    return f"{plural(len(dataset), 'point')}{classes}"


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
    bars = rows.horizontalHeader(), rows.horizontalScrollBar()
    rows.setFixedHeight(rows.verticalHeader().length() + sum(bar.sizeHint().height() for bar in bars) + 4)
    return rows
