"""The readout: scores, metrics and parameters of the step shown, as a table that can be copied."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFont, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
)

from vizml.data import Dataset
from vizml.data.wording import capitalised, duration
from vizml.evaluate.metrics import part_figures
from vizml.learn import State, Task
from vizml.run.errors import guarded
from vizml.run.request import Frame
from vizml.scene.typesetting import typeset
from vizml.ui.state_panel import StatePanel
from vizml.ui.widget_helpers import button, named
from vizml.ui.widgets.focus import ArrowsAfterTab
from vizml.ui.widgets.parameter_rows import label_of, shown
from vizml.workspace import Experiment

FITTED = "Fitted"
"""Name of the row with the equation of a curve, which is also shown in full above the table."""
SCORE = "{:z.4f}"
"""Format of scores, and of figures beside them that are shares as well."""
NAME_SHARE = 0.4
"""Share of the width that names keep where values are long."""
ROW_PADDING = 8
"""Pixels of a row besides the height of its text."""
PLAIN = Qt.ItemDataRole.UserRole
"""Item data with the plain value for the clipboard: the one shown is typeset."""


@dataclass(frozen=True)
class ReadoutRow:
    """A name with its value, or the heading of a section where there is no value."""

    name: str
    value: str = ""


Metrics: TypeAlias = dict[str, str]


def readout_rows(
    experiment: Experiment, frame: Frame | None, metrics: Metrics, counts: Mapping[str, int]
) -> list[ReadoutRow]:
    """The results of the step shown, the parameters of the model, then the numbers of rows."""
    model = experiment.model
    values = model.values
    rows = [] if frame is None else _results(model.task, frame, metrics)
    rows.append(ReadoutRow(model.title))
    rows += [
        ReadoutRow(label_of(param), shown(param, values[param.name]))
        for param in model.parameters()
        if param.relevant(values)
    ]
    if experiment.standardise and model.standardises:
        rows.append(ReadoutRow("Inputs", "standardised"))
    rows.append(ReadoutRow("Seed", str(experiment.seed)))
    rows.append(ReadoutRow("Data"))
    return rows + [ReadoutRow(capitalised(name), f"{count:,}") for name, count in counts.items()]


def _results(task: Task, frame: Frame, metrics: Metrics) -> list[ReadoutRow]:
    step = frame.shown
    if step is None:
        return []
    rows = [ReadoutRow(f"After step {frame.steps[step.index]}")]
    if task.score is not None:
        scores = (("train", step.train), ("held out", step.held))
        rows += [
            ReadoutRow(f"{task.score.name}, {part}", SCORE.format(value))
            for part, value in scores
            if value is not None
        ]
    rows += [ReadoutRow(capitalised(name.replace("_", " ")), value) for name, value in metrics.items()]
    rows.append(ReadoutRow("Time", duration(frame.seconds)))
    return rows


def metrics_of(state: State, held: Dataset | None = None) -> Metrics:
    """The figures of the parts of the data and the metrics of a state as text; its equation, if any."""
    compared = guarded(state, "part_figures", partial(part_figures, state, held), {})
    equation = guarded(state, "equation", lambda: str(getattr(state, "equation", "")), "")
    metrics: Mapping[str, object] = {**compared, **guarded(state, "metrics", state.metrics, {})}
    shares = {name for name in compared if name.startswith("baseline")}
    texts = {name: SCORE.format(v) if name in shares else _text(v) for name, v in metrics.items()}
    return {**texts, "fitted": equation} if equation else texts


class Readout(StatePanel):
    """The table, and a button that copies it."""

    def __init__(self) -> None:
        super().__init__(8, (16, 8, 16, 12))
        self._experiment: Experiment | None = None
        self._rows: list[ReadoutRow] = []
        self._metrics: Metrics = {}
        self._counts: Mapping[str, int] = {}
        self.table, self.equation = ReadoutTable(), _equation_label()
        foot = QHBoxLayout()
        foot.addStretch()
        foot.addWidget(button("Copy", "Copy the table", self.copy))
        self.box.addWidget(self.equation)
        self.box.addWidget(self.table)
        self.box.addLayout(foot)

    def show_result(self, experiment: Experiment, frame: Frame | None, counts: Mapping[str, int]) -> None:
        """Show the results of an experiment, and numbers of rows."""
        self._experiment, self._counts = experiment, counts
        self.set_frame(experiment.model, frame)

    def copy(self) -> None:
        """Copy the whole table, its columns separated by tabs."""
        QGuiApplication.clipboard().setText("\n".join(f"{row.name}\t{row.value}" for row in self._rows))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._rows = []
            self.refresh()

    def computation(self, state: State) -> Callable[[], Metrics]:
        return partial(metrics_of, state, None if self._frame is None else self._frame.held)

    def show_found(self, metrics: Metrics | None) -> None:
        self._metrics = metrics or {}
        self._fill()

    def refresh(self) -> None:
        super().refresh()
        self._fill()

    def _fill(self) -> None:
        if self._experiment is None:
            return
        rows = readout_rows(self._experiment, self._frame, self._metrics, self._counts)
        if rows == self._rows:
            return
        equation = next((row.value for row in rows if row.name == FITTED), "")
        self.equation.setText(equation)
        self.equation.setVisible(bool(equation))
        same_names = [row.name for row in rows] == [row.name for row in self._rows]
        self._rows = rows
        if not same_names:
            self.table.set_rows(rows)
        for number, row in enumerate(rows):
            if (item := self.table.item(number, 1)) is not None:
                item.setText(typeset(row.value))
                item.setToolTip(typeset(row.value))
                item.setData(PLAIN, row.value)
        self.table.fit_columns()


def _equation_label() -> QLabel:
    """A label with selectable text."""
    label = QLabel()
    label.setWordWrap(True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    named(label, "Fitted equation", "Equation of the fitted curve, rounded.")
    label.hide()
    return label


class ReadoutTable(ArrowsAfterTab, QTableWidget):
    """Names and values, headings across both columns; Ctrl+C copies the selected rows."""

    def __init__(self) -> None:
        super().__init__(0, 2)
        named(self, "Parameters and metrics", "Parameters and metrics of the step shown")
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setShowGrid(False)
        self.setFrameShape(QTableWidget.Shape.NoFrame)
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setMinimumSectionSize(0)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def set_rows(self, rows: list[ReadoutRow]) -> None:
        """Replace the rows; headings are bold."""
        self.clearSpans()
        self.setRowCount(len(rows))
        for number, row in enumerate(rows):
            name = QTableWidgetItem(row.name)
            name.setToolTip(row.name)
            if not row.value:
                font = QFont(self.font())
                font.setBold(True)
                name.setFont(font)
                self.setSpan(number, 0, 1, 2)
            self.setItem(number, 0, name)
            self.setItem(number, 1, QTableWidgetItem(row.value))
        self._fit_rows()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_rows()

    def _fit_rows(self) -> None:
        """Fit the height of the rows to the type."""
        height = self.fontMetrics().height() + ROW_PADDING
        for row in range(self.rowCount()):
            self.setRowHeight(row, height)

    def fit_columns(self) -> None:
        """Divide the width: values have priority over names."""
        room = self.viewport().width()
        names, values = self.sizeHintForColumn(0), self.sizeHintForColumn(1)
        kept = names if names + values <= room else max(room - values, min(names, round(room * NAME_SHARE)))
        self.setColumnWidth(0, kept)
        self.setColumnWidth(1, room - kept)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not event.matches(QKeySequence.StandardKey.Copy):
            super().keyPressEvent(event)
            return
        chosen = sorted({index.row() for index in self.selectedIndexes()})
        lines = ("\t".join(self.plain_text(row, column) for column in (0, 1)) for row in chosen)
        QGuiApplication.clipboard().setText("\n".join(lines))

    def plain_text(self, row: int, column: int) -> str:
        """The text of a cell without typesetting."""
        item = self.item(row, column)
        if item is None:
            return ""
        plain = item.data(PLAIN)
        return item.text() if plain is None else str(plain)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}".replace("inf", "∞").replace("nan", "undefined")
    return str(value)
