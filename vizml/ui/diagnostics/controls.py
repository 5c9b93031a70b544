"""Controls of the diagnostics dock: settings of the diagnostic, actions that a chart offers, status line."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QProgressBar, QPushButton, QSizePolicy, QWidget

from vizml.data.params import Choice, Flag, Integer, Param, Real, Text
from vizml.evaluate.diagnostic import AUTO, Diagnostic
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
