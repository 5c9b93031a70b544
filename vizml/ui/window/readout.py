"""The readout: parameters, scores and metrics of the moment shown, as a table that can be copied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QFont, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from vizml.learn import State, Task
from vizml.paint.letters import typeset
from vizml.run.errors import guarded
from vizml.run.frame import Frame
from vizml.run.runner import BackgroundQuery
from vizml.ui.text import duration
from vizml.ui.widgets.boxes import Box, Direction
from vizml.ui.widgets.row import label_of, shown
from vizml.ui.window.parts import button, named
from vizml.workspace import Experiment

FITTED = "Fitted"
"""The row of a curve's equation, which stands over the table as a whole: there it would be cut."""
LEAST = 0.4
"""The share of the width that names keep where values are long."""
AIR = 8
"""Pixels of a row besides the height of its words."""
PLAIN = Qt.ItemDataRole.UserRole
"""A value as it is copied: what is shown has signs and powers set as in a book."""
PAUSE = 120
"""Milliseconds between two refreshments while training runs: figures that change faster cannot be read."""


@dataclass(frozen=True)
class Row:
    """A name with its value; without a value, the heading of a section."""

    name: str
    value: str = ""


Figures: TypeAlias = dict[str, str]


def rows(experiment: Experiment, frame: Frame | None, figures: Figures) -> list[Row]:
    """All there is to say in figures: what came out, then what it was set to."""
    model = experiment.model
    values = model.values
    told = [] if frame is None or frame.moment is None else _result(model.task, frame, figures)
    told.append(Row(model.title))
    told += [Row(label_of(p), shown(p, values[p.name])) for p in model.parameters() if p.relevant(values)]
    told.append(Row("Seed", str(experiment.seed)))
    return told


def _result(task: Task, frame: Frame, figures: Figures) -> list[Row]:
    moment = frame.moment
    if moment is None:
        return []
    number = int(frame.steps[moment.index]) if moment.index < len(frame.steps) else moment.index + 1
    told = [Row(f"After step {number}")]
    name = "R²" if task is Task.REGRESS else "Accuracy"
    scores = (("train", moment.train), ("held out", moment.held))
    told += [Row(f"{name}, {where}", f"{score:.4f}") for where, score in scores if score is not None]
    told += [Row(_capital(name), value) for name, value in figures.items()]
    told.append(Row("Time", duration(frame.seconds)))
    return told


def figures_of(state: State) -> Figures:
    """The metrics of a state as text, and its equation where it has one."""
    metrics: Mapping[str, object] = guarded(state, "metrics", state.metrics, {})
    equation = guarded(state, "equation", lambda: str(getattr(state, "equation", "")), "")
    told = {name: _shown(value) for name, value in metrics.items()}
    return {**told, "fitted": equation} if equation else told


class Readout(Box):
    """The table, and a button that copies it. It costs nothing while it is hidden."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Direction.TopToBottom, 8, (16, 8, 16, 12), parent)
        self._experiment: Experiment | None = None
        self._frame: Frame | None = None
        self._told: list[Row] = []
        self._figures: Figures = {}
        self._of: State | None = None
        self._query = BackgroundQuery(self)
        self._query.answered.connect(self._on_figures)
        self.table, self.equation = _Table(0, 2), _equation()
        foot = QHBoxLayout()
        foot.addStretch()
        foot.addWidget(button("Copy", "Copy the table, for a spreadsheet or a text", self.copy))
        self.box.addWidget(self.equation)
        self.box.addWidget(self.table)
        self.box.addLayout(foot)
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
        self._look(self._frame.moment.state if self._frame is not None and self._frame.moment else None)
        self._put()

    def _put(self) -> None:
        """Write what is known into the table."""
        if self._experiment is None:
            return
        told = rows(self._experiment, self._frame, self._figures)
        if told == self._told:
            return
        fitted = next((row.value for row in told if row.name == FITTED), "")
        self.equation.setText(fitted)
        self.equation.setVisible(bool(fitted))
        same = [row.name for row in told] == [row.name for row in self._told]
        self._told = told
        if not same:
            self.table.lay_out(told)
        for number, row in enumerate(told):
            if (item := self.table.item(number, 1)) is not None:
                item.setText(typeset(row.value))
                item.setToolTip(typeset(row.value))
                item.setData(PLAIN, row.value)
        self.table.share_out()

    def close_down(self) -> None:
        """End the thread, as a window does before it goes."""
        self._pause.stop()
        self._query.close()

    def _look(self, state: State | None) -> None:
        """Have the figures of another state found; until then those of the one before it stay."""
        if state is None:
            self._of, self._figures = None, {}
            self._query.cancel()
        elif state is not self._of and not self._query.waiting:
            self._of = state
            self._query.ask(partial(figures_of, state))

    def _on_figures(self, figures: Figures) -> None:
        """What the state of a moment ago had; by now there may be another one."""
        self._figures = figures
        self._put()
        self._pause.start()


def _equation() -> QLabel:
    """Words that can be selected and copied."""
    label = QLabel()
    label.setWordWrap(True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    named(label, "Fitted equation", "The fitted curve, rounded as far as it allows")
    label.hide()
    return label


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
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setMinimumSectionSize(0)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def lay_out(self, told: list[Row]) -> None:
        """One row for each, headings bold."""
        self.clearSpans()
        self.setRowCount(len(told))
        for number, row in enumerate(told):
            name = QTableWidgetItem(row.name)
            name.setToolTip(row.name)
            if not row.value:
                font = QFont(self.font())
                font.setBold(True)
                name.setFont(font)
                self.setSpan(number, 0, 1, 2)
            self.setItem(number, 0, name)
            self.setItem(number, 1, QTableWidgetItem(row.value))
        self._stretch()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._stretch()

    def _stretch(self) -> None:
        """Rows as high as the type wants."""
        height = self.fontMetrics().height() + AIR
        for row in range(self.rowCount()):
            self.setRowHeight(row, height)

    def share_out(self) -> None:
        """All of the width to both columns: values are seen to their end before names are."""
        room = self.viewport().width()
        names, values = self.sizeHintForColumn(0), self.sizeHintForColumn(1)
        kept = names if names + values <= room else max(room - values, min(names, round(room * LEAST)))
        self.setColumnWidth(0, kept)
        self.setColumnWidth(1, room - kept)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.share_out()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not event.matches(QKeySequence.StandardKey.Copy):
            super().keyPressEvent(event)
            return
        chosen = sorted({index.row() for index in self.selectedIndexes()})
        lines = ("\t".join(self._cell(row, column) for column in (0, 1)) for row in chosen)
        QGuiApplication.clipboard().setText("\n".join(lines))

    def _cell(self, row: int, column: int) -> str:
        item = self.item(row, column)
        if item is None:
            return ""
        plain = item.data(PLAIN)
        return item.text() if plain is None else str(plain)


def _capital(name: str) -> str:
    """A name with a capital, unless it begins with a symbol: x and ρ are not X and P."""
    words = name.replace("_", " ")
    plain = words[:2].isascii() and words[:2].isalpha() and len(words) > 1
    return f"{words[:1].upper()}{words[1:]}" if plain else words


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)
