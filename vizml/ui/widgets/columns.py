"""Groups of the side panel about columns: their roles, and the values of inputs that are not shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, QVariantAnimation, Signal, Slot
from PySide6.QtWidgets import QAbstractScrollArea, QListWidget, QListWidgetItem

from vizml.data import Column, Dataset
from vizml.data.columns import PRINCIPAL, merge_report
from vizml.data.params import Choice, Param, Real, Value
from vizml.learn.training_data import InputSpace
from vizml.ui.widget_helpers import listen, named
from vizml.ui.widgets.appearance import Appearance, FollowsAppearance
from vizml.ui.widgets.buttons import Chips, IconButton
from vizml.ui.widgets.controls import Combo, NumberControl
from vizml.ui.widgets.focus import WheelNeedsFocus
from vizml.ui.widgets.labels import section_heading
from vizml.ui.widgets.layouts import Box, Direction, clear_layout
from vizml.ui.widgets.parameter_rows import ParameterLabel, ParameterRow, Put
from vizml.workspace import Document
from vizml.workspace.columns import (
    axis_options,
    class_options,
    input_options,
    target_options,
    with_axis,
    with_inputs,
    with_target,
)
from vizml.workspace.work import Change

AXIS_NAMES = "Horizontal", "Vertical"
AXES, ALL, SOME = "axes", "all", "some"
LIST_HEIGHT = 180
"""Greatest height in pixels of the list of inputs; it scrolls beyond that."""
INPUTS_HELP = (
    "Columns that models learn from: the two axes (of a regression the horizontal one), all, or chosen ones. "
    "Inputs that are not shown are held at values."
)


class ColumnRow(Box):
    """A role, and a combo box of the columns that can have it."""

    def __init__(self, title: str, help_: str, put: Callable[[str], None]) -> None:
        super().__init__(Direction.LeftToRight, 4)
        self.label, self.combo = ParameterLabel(title), Combo([("", "")])
        self._entries: list[tuple[str, str]] = []
        self.label.setBuddy(self.combo)
        self.label.setToolTip(f"<p>{help_}</p>")
        named(self.combo, title, f"<p>{help_}</p>")
        self.box.addWidget(self.label, 1)
        self.box.addWidget(self.combo)
        self.combo.currentIndexChanged.connect(lambda index: put(self.combo.itemData(index)))

    def offer(self, options: Sequence[str], chosen: str, nothing: str = "") -> None:
        """Offer columns, with an entry for no column where it has a text."""
        entries = [*([(nothing, "")] if nothing else []), *((name, name) for name in options)]
        with QSignalBlocker(self.combo):
            if entries != self._entries:
                self._entries = entries
                self.combo.clear()
                for text, name in entries:
                    self.combo.addItem(text, name)
            self.combo.setCurrentIndex(self.combo.findData(chosen))


class CheckList(WheelNeedsFocus, FollowsAppearance, QListWidget):
    """A list of names with check boxes, as high as its entries up to a limit."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizeAdjustPolicy(QAbstractScrollArea.SizeAdjustPolicy.AdjustToContents)
        self.update_appearance()

    def apply_appearance(self, look: Appearance) -> None:
        self.setMaximumHeight(look.px(LIST_HEIGHT))

    def show_names(self, names: Sequence[str], checked: Sequence[str]) -> None:
        """Show names, some of them checked."""
        with QSignalBlocker(self):
            if [item.text() for item in self._items()] != [*names]:
                self.clear()
                self.addItems([*names])
            for item in self._items():
                state = Qt.CheckState.Checked if item.text() in checked else Qt.CheckState.Unchecked
                item.setCheckState(state)

    @property
    def checked(self) -> tuple[str, ...]:
        """The checked names."""
        return tuple(item.text() for item in self._items() if item.checkState() is Qt.CheckState.Checked)

    def _items(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]


class ColumnsGroup(Box):
    """Roles of the columns of the document's data; hidden for two plain columns unless it is asked for."""

    reported = Signal(str)
    """A sentence about what a change has merged."""

    def __init__(self, document: Document) -> None:
        super().__init__(Direction.TopToBottom, 8)
        self._document = document
        self._wanted = self._choosing = False
        self.axes = tuple(
            ColumnRow(f"{name} axis", f"Column of the {name.lower()} axis.", partial(self._put_axis, axis))
            for axis, name in enumerate(AXIS_NAMES)
        )
        self.target = ColumnRow("Target", "Column that regressions predict.", self._put_target)
        self.classes = ColumnRow("Class", "Column of the classes.", self._put_class)
        self.kind = Chips([(AXES, "Axes"), (ALL, "All"), (SOME, "Choose")])
        self.kind.picked.connect(self._put_kind)
        named(self.kind, "Inputs", f"<p>{INPUTS_HELP}</p>")
        self.inputs = CheckList("Inputs")
        self.inputs.itemChanged.connect(self._put_inputs)
        label = ParameterLabel("Inputs")
        label.setToolTip(f"<p>{INPUTS_HELP}</p>")
        self.line = Box(Direction.LeftToRight, 4)
        self.line.box.addWidget(label, 1)
        self.line.box.addWidget(self.kind)
        rows = (*self.axes, self.line, self.inputs, self.target, self.classes)
        for widget in (section_heading("Columns"), *rows):
            self.box.addWidget(widget)
        listen(document.changed, self.refresh, to=Change.TABLE | Change.ALGORITHM)
        self.refresh()

    def ask(self) -> None:
        """Show the group for two plain columns as well, with the focus on its first control."""
        if not self._wanted:
            self._wanted = True
            listen(self._document.changed, self.refresh, to=Change.DATA)
        self.refresh()
        self.axes[0].combo.setFocus(Qt.FocusReason.TabFocusReason)

    @Slot()
    def refresh(self) -> None:
        """Show the roles of the data."""
        task, dataset = self._document.work.task, self._document.work.dataset
        several = not task.one_column
        shown = task.learns and bool(self._wanted or dataset.others or (dataset.chosen_inputs and several))
        self.setVisible(shown)
        if not shown:
            return
        target = task.upright(dataset)
        for axis, row in enumerate(self.axes):
            chosen = target if axis and not dataset.chosen_inputs and target else dataset.axes[axis]
            chosen = chosen if task.canvas_axes(dataset).plane is None else PRINCIPAL[axis]
            row.offer(axis_options(task, dataset, axis), chosen)
        names, inputs = input_options(task, dataset), task.inputs(dataset)
        kind = AXES if not dataset.chosen_inputs else ALL if len(inputs) == len(names) else SOME
        self.kind.show_value(SOME if self._choosing else kind)
        self.axes[1].setVisible(several)
        self.line.setVisible(several)
        self.inputs.setVisible(several and (self._choosing or kind == SOME))
        self.inputs.show_names(names, inputs)
        self.target.setVisible(bool(target))
        self.target.offer(target_options(dataset), target)
        self.classes.setVisible(several and not target)
        present = bool(len(dataset.present))
        options = ((dataset.label,) if present else ()) + class_options(dataset)
        self.classes.offer(options, dataset.label if present else "", "none")

    def _set(self, label: str, dataset: Dataset) -> None:
        self._document.set_dataset(label, dataset)
        self.refresh()  # also where nothing has changed

    def _put_axis(self, axis: int, name: str) -> None:
        work = self._document.work
        label = f"show {name} on the {AXIS_NAMES[axis].lower()} axis"
        self._set(label, with_axis(work.task, work.dataset, axis, name))

    def _put_target(self, name: str) -> None:
        work = self._document.work
        self._set(f"predict {name}", with_target(work.task, work.dataset, name))

    def _put_class(self, name: str) -> None:
        label = f"take the classes from {name}" if name else "remove the classes"
        before = self._document.dataset
        merged = merge_report(before.column(name)) if name in class_options(before) else ""
        self._set(label, before.with_roles(label=name))
        if merged:
            self.reported.emit(f"{name}: {merged}.")

    def _put_kind(self, kind: str) -> None:
        self._choosing = kind == SOME
        work = self._document.work
        if kind == SOME:
            self.refresh()
            self.inputs.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            names = input_options(work.task, work.dataset) if kind == ALL else ()
            label = f"learn from {'all columns' if names else 'the axes'}"
            self._set(label, with_inputs(work.task, work.dataset, names))

    @Slot()
    def _put_inputs(self) -> None:
        work, names = self._document.work, self.inputs.checked
        if names:
            self._set("choose inputs", with_inputs(work.task, work.dataset, names))
        else:
            self.refresh()  # a model needs an input


PERIOD = 6000
"""Milliseconds of an animation from the lowest value to the highest and back."""
HELP = "Value of {}, which the picture does not show. Models are not trained again."


class SectionRow(ParameterRow):
    """An input with the value that it is held at, and a button that varies it from low to high and back."""

    def __init__(self, param: Param, put: Put, seal: Callable[[], None]) -> None:
        super().__init__(param, put, seal)
        self.play = IconButton("play", f"Animate {param.label}", size=24, checkable=True)
        self.play.setVisible(isinstance(param, Real))
        self.line.box.insertWidget(2, self.play)
        self._animation = QVariantAnimation(self, duration=PERIOD)
        self._animation.setLoopCount(-1)
        for share, value in ((0.0, 0.0), (0.5, 1.0), (1.0, 0.0)):
            self._animation.setKeyValueAt(share, value)
        self._animation.valueChanged.connect(self._vary)
        self.play.toggled.connect(self._run)

    @Slot(bool)
    def _run(self, on: bool) -> None:
        self.play.show_icon("pause" if on else "play")
        if on:
            self._animation.start()
        else:
            self._animation.stop()
            self._seal()

    def _vary(self, share: float) -> None:
        if isinstance(self.control, NumberControl):
            self._request(self.control.scale.value(share), "animation")


class SectionGroup(Box):
    """A row for each input that the canvas does not show; hidden where there is none."""

    rows_changed = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__(Direction.TopToBottom, 8)
        self._document = document
        self.rows: dict[str, SectionRow] = {}
        self.median = IconButton("reset", "Hold all inputs at their medians", size=24)
        self.median.clicked.connect(lambda: document.hold({}))
        line, self._column = Box(Direction.LeftToRight, 4), Box(Direction.TopToBottom, 8)
        line.box.addWidget(section_heading("Section"), 1)
        line.box.addWidget(self.median)
        self.box.addWidget(line)
        self.box.addWidget(self._column)
        concerned = Change.TABLE | Change.ALGORITHM | Change.SPLIT | Change.SECTION
        listen(document.changed, self.refresh, to=concerned)
        self.refresh()

    @Slot(object)
    def refresh(self, change: Change = Change.ALL) -> None:
        """Show the inputs that are held, and their values."""
        work = self._document.work
        if change != Change.SECTION:
            held = work.task.canvas_axes(work.dataset).held if len(work.dataset) else ()
            space = work.space if held else None
            columns = [column for name in held if (column := work.dataset.column(name)).has_values]
            params = [] if space is None else [_param(column, space) for column in columns]
            self.setVisible(bool(params))
            if params != [row.param for row in self.rows.values()]:
                self._rebuild(params)
        for name, row in self.rows.items():
            row.show_value(_value(row.param, work.held[name]) if name in work.held else row.param.default)
        self.median.setEnabled(any(name in work.held for name in self.rows))

    def _rebuild(self, params: list[Param]) -> None:
        clear_layout(self._column.box)
        seal = self._document.seal
        self.rows = {param.name: SectionRow(param, partial(self._put, param), seal) for param in params}
        for row in self.rows.values():
            self._column.box.addWidget(row)
        self.rows_changed.emit()

    def _put(self, param: Param, value: object, merge: str) -> None:
        number = param.options.index(str(value)) if isinstance(param, Choice) else float(str(value))
        self._document.set_held(param.name, None if value == param.default else float(number), merge)


def _param(column: Column, space: InputSpace) -> Param:
    """Return the declaration of the value that a column with values is held at."""
    about = HELP.format(column.name)
    median = float(space.medians[space.index(column.name)])
    if column.categories:
        default = column.categories[int(median)]
        return Choice(
            name=column.name, title=column.name, default=default, options=column.categories, help=about
        )
    known = column.values[~column.missing]
    lo, hi = _round_range(min(float(known.min()), median), max(float(known.max()), median))
    return Real(name=column.name, title=column.name, default=median, lo=lo, hi=hi, help=about)


def _round_range(lo: float, hi: float) -> tuple[float, float]:
    """Return readable limits that contain a range: sliders show numbers of few digits."""
    grain = 10.0 ** math.floor(math.log10(hi - lo or 1.0) - 2)
    return float(f"{math.floor(lo / grain) * grain:.12g}"), float(f"{math.ceil(hi / grain) * grain:.12g}")


def _value(param: Param, number: float) -> Value:
    """Return the value of a row for the number that an input is held at."""
    if not isinstance(param, Choice):
        return number
    return param.options[min(max(round(number), 0), len(param.options) - 1)]
