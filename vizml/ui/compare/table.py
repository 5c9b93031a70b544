"""The table below several stages: scores, steps, times, and how far each agrees with the active one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from vizml.data import Dataset
from vizml.learn import Task
from vizml.run.frame import Frame
from vizml.run.rivalry import agreement
from vizml.ui.widgets.appearance import tabular
from vizml.ui.window.status import duration
from vizml.workspace import Experiment

COLUMNS = ("Model", "Train", "Held out", "Steps", "Time", "Agrees")
AGREES = "The share of the points on which it answers as the active one does"


class Table(QTableWidget):
    """A row for each stage; a click makes its stage the active one."""

    picked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, len(COLUMNS), parent)
        self.setAccessibleName("Comparison")
        self.setHorizontalHeaderLabels(COLUMNS)
        last, way = len(COLUMNS) - 1, Qt.Orientation.Horizontal
        self.model().setHeaderData(last, way, AGREES, Qt.ItemDataRole.ToolTipRole)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setShowGrid(False)
        self.setFrameShape(QTableWidget.Shape.NoFrame)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.setFont(tabular(self.font()))
        self._wanted = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.cellClicked.connect(lambda row, _column: self.picked.emit(row))

    def show_stages(
        self, shown: Sequence[tuple[Experiment, Frame | None]], active: int, dataset: Dataset
    ) -> None:
        """One row for each, as it is now."""
        if self.rowCount() != len(shown):
            self._lay_out(len(shown))
        for row, words in enumerate(rows(shown, active, dataset)):
            for column, word in enumerate(words):
                if (item := self.item(row, column)) is not None and item.text() != word:
                    item.setText(word)
        self.selectRow(active)

    def _lay_out(self, count: int) -> None:
        self.setRowCount(count)
        height = self.fontMetrics().height() + 8
        for row in range(count):
            self.setRowHeight(row, height)
            for column in range(len(COLUMNS)):
                self.setItem(row, column, QTableWidgetItem())
        self._wanted = height * count + self.horizontalHeader().sizeHint().height() + 8
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._wanted)


def rows(
    shown: Sequence[tuple[Experiment, Frame | None]], active: int, dataset: Dataset
) -> list[tuple[str, ...]]:
    """The words of each row."""
    frame = shown[active][1]
    leader = frame.moment.state if frame is not None and frame.moment is not None else None
    found = []
    for number, (experiment, other) in enumerate(shown):
        moment = other.moment if other is not None else None
        title = f"{number + 1}  {experiment.model.title}"
        if other is None or moment is None:
            found.append((title, *("",) * (len(COLUMNS) - 1)))
            continue
        same = agreement(leader, moment.state, dataset.points) if leader and number != active else None
        scores = (_score(value, experiment.model.task) for value in (moment.train, moment.held))
        agrees = "" if same is None else f"{100 * same:.1f} %"
        found.append((title, *scores, f"{moment.index + 1} / {other.count}", duration(other.seconds), agrees))
    return found


def _score(value: float | None, task: Task) -> str:
    if value is None:
        return ""
    return f"R² {value:.3f}" if task is Task.REGRESS else f"{100 * value:.1f} %"
