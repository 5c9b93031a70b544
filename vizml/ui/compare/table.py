"""The table below several stages: scores, steps, times, and agreement with the active stage."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
)

from vizml.data import Dataset
from vizml.data.wording import duration
from vizml.run.frame import Frame
from vizml.run.layers import agreement
from vizml.ui.compare.titles import stage_titles
from vizml.ui.widgets.appearance import tabular
from vizml.workspace import Experiment

COLUMNS = ("Model", "Train", "Held out", "Steps", "Time", "Agreement")
AGREEMENT = "Share of the points with the same prediction as the active stage."


class ComparisonTable(QTableWidget):
    """A row for each stage; a click makes its stage the active one."""

    picked = Signal(int)

    def __init__(self) -> None:
        super().__init__(0, len(COLUMNS))
        self.setAccessibleName("Comparison")
        self.setHorizontalHeaderLabels(COLUMNS)
        last, horizontal = len(COLUMNS) - 1, Qt.Orientation.Horizontal
        self.model().setHeaderData(last, horizontal, AGREEMENT, Qt.ItemDataRole.ToolTipRole)
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
        """Show the current results, one row for each stage."""
        if self.rowCount() != len(shown):
            self._lay_out(len(shown))
        for row, texts in enumerate(comparison(shown, active, dataset)):
            for column, text in enumerate(texts):
                if (item := self.item(row, column)) is not None and item.text() != text:
                    item.setText(text)
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


def comparison(
    shown: Sequence[tuple[Experiment, Frame | None]], active: int, dataset: Dataset
) -> list[tuple[str, ...]]:
    """The texts of each row."""
    frame = shown[active][1]
    leader = frame.state if frame is not None else None
    titles = stage_titles([experiment for experiment, _ in shown])
    found = []
    for number, (experiment, other) in enumerate(shown):
        moment = other.shown if other is not None else None
        title = f"{number + 1}  {titles[number]}"
        if other is None or moment is None:
            found.append((title, *("",) * (len(COLUMNS) - 1)))
            continue
        score = experiment.model.task.score
        scores = (
            score.text(value) if score is not None and value is not None else ""
            for value in (moment.train, moment.held)
        )
        same = agreement(leader, moment.state, dataset.features) if leader and number != active else None
        agrees = "" if same is None else f"{100 * same:.1f} %"
        steps = f"{other.steps[moment.index]} / {other.steps[-1]}"
        found.append((title, *scores, steps, duration(other.seconds), agrees))
    return found
