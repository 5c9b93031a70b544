"""Texts of stages side by side: titles, the header above each, and the table of scores below them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from vizml.data import Dataset
from vizml.data.params import Choice, Flag, Param, Text, Value
from vizml.data.wording import duration
from vizml.field.arrays import Floats
from vizml.learn import State
from vizml.paint.pens import colour
from vizml.run.layers import agreement
from vizml.run.request import Frame
from vizml.run.runner import BackgroundQuery
from vizml.ui.stage import Stage
from vizml.ui.widgets.appearance import current, role, tabular
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.controls import option_text
from vizml.ui.widgets.labels import ElidedLabel
from vizml.ui.widgets.layouts import Box, Direction
from vizml.ui.widgets.parameter_rows import shown, symbol_of
from vizml.workspace import Experiment


def stage_titles(experiments: Sequence[Experiment]) -> list[str]:
    """Return the title of each stage: 'SVM, linear' and 'SVM, Gaussian, C = 10' for the same model."""
    return [
        _title(each, [other for other in experiments if type(other.model) is type(each.model)])
        for each in experiments
    ]


def _title(experiment: Experiment, alike: list[Experiment]) -> str:
    """Return a title, options first; numbers at their defaults are left out unless titles would be equal."""
    if len(alike) == 1:
        return experiment.model.title
    brief = {_differences(other, alike, brief=True) for other in alike}
    differences = _differences(experiment, alike, brief=len(brief) == len(set(alike)))
    return ", ".join((experiment.model.short, *differences))


def _differences(experiment: Experiment, alike: list[Experiment], *, brief: bool) -> tuple[str, ...]:
    model = experiment.model
    values = model.values
    params = sorted(model.parameters(), key=lambda param: not isinstance(param, Choice))
    texts = [
        _setting(param, values[param.name])
        for param in params
        if len({other.model.values[param.name] for other in alike}) > 1
        and param.relevant(values)
        and (isinstance(param, Choice) or not brief or values[param.name] != param.default)
    ]
    if len({other.standardise for other in alike}) > 1 and (experiment.standardise or not brief):
        texts.append("standardised inputs" if experiment.standardise else "inputs as they are")
    if len({other.seed for other in alike}) > 1 and not brief:
        texts.append(f"seed {experiment.seed}")
    return tuple(texts)


def _setting(param: Param, value: Value) -> str:
    """Return a value as text: options without explanations, numbers with the symbol of their parameter."""
    if isinstance(param, Choice):
        return option_text(param, str(value)).partition(" (")[0].partition(":")[0]
    if isinstance(param, Flag):
        return param.label if value else f"no {param.label}"
    if isinstance(param, Text):
        return f"{param.label} {value}"
    return f"{symbol_of(param) or param.label} = {shown(param, value)}"


MARK = 3
"""Pixels of the line along the top of the active stage."""


class StageHeader(Box):
    """Number and title of a stage, and a button that removes it."""

    pressed = Signal()
    close_asked = Signal()

    def __init__(self) -> None:
        super().__init__(Direction.LeftToRight, 8, (12, 4, 8, 4))
        self.title = ElidedLabel()
        role(self.title, "heading")
        self.cross = IconButton("close", "Remove this stage", size=24)
        self.cross.clicked.connect(self.close_asked)
        self.box.addWidget(self.title, 1)
        self.box.addWidget(self.cross)
        self._active = False

    def show_title(self, number: int, title: str, *, active: bool) -> None:
        """Show the number and title of the stage, marked where it is the active one."""
        self._active = active
        self.title.set_full_text(f"{number}  {title}")
        self.title.setToolTip(title)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.pressed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        look = current()
        painter = QPainter(self)
        tone = look.theme.accent if self._active else look.theme.line
        painter.fillRect(QRectF(0, 0, self.width(), look.px(MARK)), colour(tone))
        painter.end()


class StageCell(QWidget):
    """A stage below its header, which is visible where there are several stages."""

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self.stage, self.head = stage, StageHeader()
        self.linked = False
        """Whether it is synchronised and compared with other stages."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(stage, 1)


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
