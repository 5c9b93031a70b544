"""The readout: parameters, scores and metrics of the moment shown, as a table that can be copied."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QFont, QGuiApplication, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from vizml.learn import Task
from vizml.run.frame import Frame
from vizml.ui.document import Experiment
from vizml.ui.widgets.row import label_of, shown
from vizml.ui.window.parts import button, named
from vizml.ui.window.status import duration

PAUSE = 120
"""Milliseconds between two refreshments while training runs: figures that change faster cannot be read."""


@dataclass(frozen=True)
class Row:
    """A name with its value; without a value, the heading of a section."""

    name: str
    value: str = ""


def rows(experiment: Experiment, frame: Frame | None) -> list[Row]:
    """All there is to say in figures: what came out, then what it was set to."""
    model = experiment.model
    values = model.values
    told = [] if frame is None or frame.moment is None else _result(model.task, frame)
    told.append(Row(model.title))
    told += [Row(label_of(p), shown(p, values[p.name])) for p in model.parameters() if p.relevant(values)]
    told.append(Row("Seed", str(experiment.seed)))
    return told


def _result(task: Task, frame: Frame) -> list[Row]:
    moment = frame.moment
    if moment is None:
        return []
    number = int(frame.steps[moment.index]) if moment.index < len(frame.steps) else moment.index + 1
    told = [Row(f"After step {number}")]
    name = "R²" if task is Task.REGRESS else "Accuracy"
    scores = (("train", moment.train), ("held out", moment.held))
    told += [Row(f"{name}, {where}", f"{score:.4f}") for where, score in scores if score is not None]
    told += [Row(_capital(name), _shown(value)) for name, value in moment.state.metrics().items()]
    if equation := getattr(moment.state, "equation", ""):
        told.append(Row("Fitted", str(equation)))
    told.append(Row("Time", duration(frame.seconds)))
    return told


class Readout(QWidget):
    """The table, and a button that copies it. It costs nothing while it is hidden."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._experiment: Experiment | None = None
        self._frame: Frame | None = None
        self._told: list[Row] = []
        self.table = _Table(0, 2)
        foot = QHBoxLayout()
        foot.addStretch()
        foot.addWidget(button("Copy", "Copy the table, for a spreadsheet or a text", self.copy))
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 12)
        column.setSpacing(8)
        column.addWidget(self.table)
        column.addLayout(foot)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._refresh)

    def show_result(self, experiment: Experiment, frame: Frame | None) -> None:
        """What to tell from now on."""
        self._experiment, self._frame = experiment, frame
        if self.isVisible() and not self._pause.isActive():
            self._pause.start()

    def copy(self) -> None:
        """The whole table to the clipboard, tabs between its columns."""
        QGuiApplication.clipboard().setText("\n".join(f"{row.name}\t{row.value}" for row in self._told))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._told = []
            self._refresh()

    def _refresh(self) -> None:
        if self._experiment is None:
            return
        told = rows(self._experiment, self._frame)
        if told == self._told:
            return
        same = [row.name for row in told] == [row.name for row in self._told]
        self._told = told
        if not same:
            self.table.lay_out(told)
        for number, row in enumerate(told):
            if (item := self.table.item(number, 1)) is not None:
                item.setText(row.value)


class _Table(QTableWidget):
    """Two columns, headings across both, Ctrl+C for the selected rows."""

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__(rows, columns)
        named(self, "Parameters and metrics", "Parameters and metrics of the moment shown")
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setShowGrid(False)
        self.setFrameShape(QTableWidget.Shape.NoFrame)
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setStretchLastSection(True)

    def lay_out(self, told: list[Row]) -> None:
        """One row for each, headings bold."""
        self.clearSpans()
        self.setRowCount(len(told))
        height = self.fontMetrics().height() + 8
        for number, row in enumerate(told):
            name = QTableWidgetItem(row.name)
            if not row.value:
                font = QFont(self.font())
                font.setBold(True)
                name.setFont(font)
                self.setSpan(number, 0, 1, 2)
            self.setItem(number, 0, name)
            self.setItem(number, 1, QTableWidgetItem(row.value))
            self.setRowHeight(number, height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not event.matches(QKeySequence.StandardKey.Copy):
            super().keyPressEvent(event)
            return
        chosen = sorted({index.row() for index in self.selectedIndexes()})
        lines = ("\t".join(self._cell(row, column) for column in (0, 1)) for row in chosen)
        QGuiApplication.clipboard().setText("\n".join(lines))

    def _cell(self, row: int, column: int) -> str:
        item = self.item(row, column)
        return item.text() if item is not None else ""


def _capital(name: str) -> str:
    words = name.replace("_", " ")
    return f"{words[:1].upper()}{words[1:]}"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)
