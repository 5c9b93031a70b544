"""Controls of the diagnostics dock: settings and how they are stored, actions of a chart, status line.

Also the position of the current parameters of a model on charts over parameters.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QProgressBar, QPushButton, QSizePolicy, QWidget

from vizml.data.params import Choice, Flag, Integer, Param, Real, Text, Value
from vizml.evaluate.diagnostic import AUTO, Diagnostic, diagnostics
from vizml.learn import Model
from vizml.scene import Chart, Offer
from vizml.scene.typesetting import typeset
from vizml.ui.widgets.appearance import current, role
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.layouts import Box, Direction, FlowBox, StableScrollArea, clear_layout
from vizml.ui.widgets.parameter_rows import ParameterRow, label_of

MAX_HEIGHT = 150
"""Pixels of height above which the settings scroll, so that the chart keeps its room."""


class DiagnosticSettings(StableScrollArea):
    """The parameters of a diagnostic, as rows."""

    asked = Signal(object)
    """The diagnostic with a changed parameter."""
    built = Signal()
    """The rows have been replaced."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._diagnostic: Diagnostic | None = None
        self._shape: tuple[object, ...] = ()
        self.rows: dict[str, ParameterRow] = {}
        self._body = Box(Direction.TopToBottom, 4, (4, 4, 12, 4))
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(self._body)
        self.setAccessibleName("Settings of the diagnostic")

    def show_diagnostic(self, diagnostic: Diagnostic, model: Model) -> None:
        """Show the values of a diagnostic, in new rows where its kind or the kind of model has changed."""
        self._diagnostic = diagnostic
        shape = type(diagnostic), type(model)
        if shape != self._shape:
            self._shape = shape
            self._build(diagnostic, model)
        values = diagnostic.values
        for name, row in self.rows.items():
            row.show_value(values[name])
            row.setVisible(row.param.relevant(values))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        wanted = self._body.sizeHint()
        return QSize(wanted.width(), min(wanted.height(), current().px(MAX_HEIGHT)))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def _build(self, diagnostic: Diagnostic, model: Model) -> None:
        clear_layout(self._body.box)
        self.rows = {}
        for param in diagnostic.parameters():
            shown = as_choice(param, model)
            row = ParameterRow(shown, partial(self._put, shown.name), _nothing)
            self.rows[shown.name] = row
            self._body.box.addWidget(row)
        self._body.box.addStretch(1)
        self.built.emit()

    def _put(self, name: str, value: object, _merge: str) -> None:
        if self._diagnostic is not None:
            self._diagnostic = self._diagnostic.with_(**{name: value})
            self.asked.emit(self._diagnostic)


def as_choice(param: Param, model: Model) -> Param:
    """A parameter that names a parameter of the model, as a choice among these."""
    if not isinstance(param, Text) or param.default != AUTO:
        return param
    known = [p for p in model.parameters() if isinstance(p, Real | Integer | Choice | Flag)]
    labels = {AUTO: "automatic", **{p.name: label_of(p) for p in known}}
    options = AUTO, *(p.name for p in known)
    made = Choice(name=param.name, default=AUTO, help=param.help, title=param.title, options=options)
    return replace(made, labels=labels)


def _nothing() -> None:
    """Ignore the end of a gesture: settings of a diagnostic have no undo history."""


class ChartActions(FlowBox):
    """Buttons for the actions that a chart offers.

    They are replaced only where their texts change: a live chart arrives ten times a second.
    """

    taken = Signal(object)
    """The values of the action, by the names of what they set."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(8, parent)
        self._offers: tuple[Offer, ...] = ()
        self.buttons: list[QPushButton] = []

    def show_chart(self, chart: Chart | None) -> None:
        """Show the actions of a chart."""
        offers = chart.offers if chart is not None else ()
        if [offer.text for offer in offers] != [offer.text for offer in self._offers]:
            self._build(offers)
        self._offers = offers
        for button, offer in zip(self.buttons, offers, strict=True):
            button.setToolTip(typeset(offer.tip))
        self.setVisible(bool(offers))

    def _build(self, offers: tuple[Offer, ...]) -> None:
        self.buttons = []
        for number, offer in enumerate(offers):
            button = QPushButton(typeset(offer.text))
            button.setAutoDefault(False)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(partial(self._take, number))
            self.buttons.append(button)
        self.hold(self.buttons)

    def _take(self, number: int, _checked: bool = False) -> None:
        self.taken.emit(self._offers[number].values)


class DiagnosticStatus(Box):
    """Status and progress of the computation, and buttons to stop and repeat it; hidden while empty."""

    cancel_asked = Signal()
    again_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Direction.LeftToRight, 8, (4, 0, 0, 0), parent)
        self.words = QLabel()
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.words.setWordWrap(True)
        role(self.words, "muted")
        self.progress = QProgressBar(textVisible=False, maximum=0)
        self.progress.setAccessibleName("Progress of the diagnostic")
        self.cancel = IconButton("cancel", "Stop; results so far are kept.", size=24)
        self.again = IconButton("reset", "Compute once more.", size=24)
        for widget in (self.words, self.progress, self.cancel, self.again):
            self.box.addWidget(widget, int(widget is self.words))
        self.cancel.clicked.connect(self.cancel_asked)
        self.again.clicked.connect(self.again_asked)
        self.say("")

    def say(self, words: str, *, running: bool = False, stopped: bool = False) -> None:
        """Show a status."""
        self.words.setText(words)
        self.words.setToolTip(words)
        self.progress.setVisible(running)
        self.cancel.setVisible(running)
        self.again.setVisible(stopped)
        self.setVisible(bool(words) or running or stopped)


def settings_text(configured: Mapping[str, Iterable[Diagnostic]]) -> str:
    """Return the values other than the defaults of the diagnostics of each chart, by its name, as JSON."""
    stored = {name: dict(map(_changed, chosen)) for name, chosen in configured.items()}
    return json.dumps(
        {name: {id: values for id, values in own.items() if values} for name, own in stored.items()}
    )


def restored_settings(text: str) -> dict[str, dict[str, Diagnostic]]:
    """Return diagnostics by the name of their chart and their id; settings that are not valid are ignored."""
    try:
        stored = json.loads(text)
        return {name: dict(_configured(own)) for name, own in stored.items() if own}
    except (ValueError, AttributeError, TypeError):
        return {}


def _changed(diagnostic: Diagnostic) -> tuple[str, dict[str, Any]]:
    defaults = type(diagnostic)().values
    return diagnostic.id, {
        name: value for name, value in diagnostic.values.items() if value != defaults[name]
    }


def _configured(stored: Mapping[str, Mapping[str, Any]]) -> Iterable[tuple[str, Diagnostic]]:
    for kind in diagnostics():
        if kind.id in stored:
            with suppress(ValueError, TypeError):
                yield kind.id, kind().with_(**stored[kind.id])


HALF_CELL = 0.5 + 1e-9
"""Distance beyond the last cell, in cells, up to which a value still belongs to it."""


def parameter_position(chart: Chart, model: Model) -> float | None:
    """Return the position on the x-axis of the parameter that a chart varies; None for a named value."""
    value = model.values.get(chart.sets[0]) if chart.sets else None
    if value is None or not chart.choices:
        return None
    if chart.x.ticks and value in chart.choices[0]:
        return float(chart.choices[0].index(value))
    param = next(param for param in model.parameters() if param.name == chart.sets[0])
    return None if isinstance(value, str) or _unlimited(param, value) else float(value)


def parameter_cell(chart: Chart, model: Model) -> tuple[int, int] | None:
    """Return row and column of the heat map's cell nearest to the current parameters."""
    known = {param.name: param for param in model.parameters()}
    if chart.heat is None or len(chart.sets) != 2 or not set(chart.sets) <= set(known):
        return None
    column, row = (
        _nearest_choice(known[name], model.values[name], choices)
        for name, choices in zip(chart.sets, chart.choices, strict=True)
    )
    return None if row is None or column is None else (row, column)


def _nearest_choice(param: Param, value: Value, choices: Sequence[Value]) -> int | None:
    """Return the index of the nearest choice, by logarithms where the parameter's scale is logarithmic."""
    if value in choices:
        return choices.index(value)
    if not isinstance(param, Real | Integer) or isinstance(value, str) or _unlimited(param, value):
        return None
    log = param.log and float(value) > 0
    scale = [math.log(float(each)) if log else float(each) for each in choices]
    at = math.log(value) if log else float(value)
    distance = np.abs(np.array(scale) - at)
    nearest = int(distance.argmin())
    cell = float(np.abs(np.diff(scale)).min(initial=math.inf))
    inside = min(scale) <= at <= max(scale) or distance[nearest] <= HALF_CELL * cell
    return nearest if inside else None


def _unlimited(param: Param, value: Value) -> bool:
    return isinstance(param, Integer) and param.unlimited(value)
