"""Section group of the side panel: the values at which inputs that are not shown are held."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QVariantAnimation, Signal, Slot

from vizml.data import Column
from vizml.data.params import Choice, Param, Real, Value
from vizml.learn.training_data import InputSpace
from vizml.ui.widget_helpers import listen
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.controls import NumberControl
from vizml.ui.widgets.labels import section_heading
from vizml.ui.widgets.layouts import Box, Direction, clear_layout
from vizml.ui.widgets.parameter_rows import ParameterRow, Put
from vizml.workspace import Document
from vizml.workspace.work import Change

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
        listen(document.changed, self.refresh, to=Change.TABLE | Change.MODEL | Change.SPLIT | Change.SECTION)
        self.refresh()

    @Slot(object)
    def refresh(self, change: Change = Change.ALL) -> None:
        """Show the inputs that are held, and their values."""
        work = self._document.work
        if change != Change.SECTION:
            held = work.task.canvas_axes(work.dataset).held if len(work.dataset) else ()
            space = work.space if held else None
            params = [] if space is None else [_param(work.dataset.column(name), space) for name in held]
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
    """Return the declaration of the value that a column is held at."""
    about = HELP.format(column.name)
    median = float(space.medians[space.index(column.name)])
    if column.categories:
        default = column.categories[int(median)]
        return Choice(
            name=column.name, title=column.name, default=default, options=column.categories, help=about
        )
    known = column.values[~column.missing]
    lo, hi = _round_range(float(known.min()), float(known.max()))
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
