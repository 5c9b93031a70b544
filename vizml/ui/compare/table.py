"""The table below several stages: scores, steps, times, and agreement with the active stage."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QSizePolicy, QTableWidget, QTableWidgetItem

from vizml.data import Dataset
from vizml.data.wording import duration
from vizml.field.arrays import Floats
from vizml.learn import State
from vizml.run.layers import agreement
from vizml.run.request import Frame
from vizml.run.runner import BackgroundQuery
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
        self._query = BackgroundQuery(self)
        self._query.answered.connect(self._show_agreements)

    def show_stages(
        self, shown: Sequence[tuple[Experiment, Frame | None]], active: int, dataset: Dataset
    ) -> None:
        """Show the current results, one row for each stage; agreement follows from a thread."""
        if self.rowCount() != len(shown):
            self._lay_out(len(shown))
        for row, texts in enumerate(comparison(shown)):
            for column, text in enumerate(texts):
                self._put(row, column, text)
        self.selectRow(active)
        states = [frame.state if frame is not None else None for _, frame in shown]
        self._query.follow(object(), partial(agreements, states, active, dataset.features))

    @Slot(object)
    def _show_agreements(self, texts: Sequence[str]) -> None:
        for row, text in enumerate(texts):
            self._put(row, len(COLUMNS) - 1, text)

    def _put(self, row: int, column: int, text: str) -> None:
        if (item := self.item(row, column)) is not None and item.text() != text:
            item.setText(text)

    def close_down(self) -> None:
        """End the thread."""
        self._query.close()

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


def comparison(shown: Sequence[tuple[Experiment, Frame | None]]) -> list[tuple[str, ...]]:
    """Return the texts of each row but for the agreement."""
    titles = stage_titles([experiment for experiment, _ in shown])
    found = []
    for number, (experiment, frame) in enumerate(shown):
        moment = frame.shown if frame is not None else None
        title = f"{number + 1}  {titles[number]}"
        if frame is None or moment is None:
            found.append((title, *("",) * (len(COLUMNS) - 2)))
            continue
        score = experiment.model.task.score
        scores = (
            score.text(value) if score is not None and value is not None else ""
            for value in (moment.train, moment.held)
        )
        steps = f"{frame.steps[moment.index]} / {frame.steps[-1]}"
        found.append((title, *scores, steps, duration(frame.seconds)))
    return found


def agreements(states: Sequence[State | None], active: int, X: Floats) -> list[str]:
    """Return the text of the agreement of each state with the active one."""
    leader = states[active]
    shares = (
        agreement(leader, state, X) if leader and state and number != active else None
        for number, state in enumerate(states)
    )
    return ["" if share is None else f"{100 * share:.1f} %" for share in shares]
