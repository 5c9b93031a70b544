"""The declared parameters of a diagnostic as rows; names of parameters are chosen from those of the model."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from vizml.data.params import Choice, Flag, Integer, Param, Real, Text
from vizml.evaluate.diagnostic import Diagnostic
from vizml.evaluate.diagnostics.named import AUTO
from vizml.learn import Model
from vizml.ui.widgets.appearance import current
from vizml.ui.widgets.boxes import Box, Direction, emptied
from vizml.ui.widgets.row import Row, label_of

HIGHEST = 150
"""Pixels after which the rows scroll: the chart needs its room."""


class Settings(QScrollArea):
    """Shows the values of a diagnostic and asks for another one."""

    asked = Signal(object)
    """The diagnostic with another value."""
    built = Signal()
    """There are other rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._diagnostic: Diagnostic | None = None
        self._shape: tuple[object, ...] = ()
        self.rows: dict[str, Row] = {}
        self._body = Box(Direction.TopToBottom, 4, (4, 4, 12, 4))
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(self._body)
        self.setAccessibleName("Settings of the diagnostic")

    def show_diagnostic(self, diagnostic: Diagnostic, model: Model) -> None:
        """Show its values, in new rows where it is of another kind or about another kind of model."""
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
        return QSize(wanted.width(), min(wanted.height(), current().px(HIGHEST)))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def _build(self, diagnostic: Diagnostic, model: Model) -> None:
        emptied(self._body.box)
        self.rows = {}
        for param in diagnostic.parameters():
            shown = offered(param, model)
            row = Row(shown, partial(self._put, shown.name), _nothing)
            self.rows[shown.name] = row
            self._body.box.addWidget(row)
        self._body.box.addStretch(1)
        self.built.emit()

    def _put(self, name: str, value: object, _merge: str) -> None:
        if self._diagnostic is not None:
            self._diagnostic = self._diagnostic.with_(**{name: value})
            self.asked.emit(self._diagnostic)


def offered(param: Param, model: Model) -> Param:
    """A parameter that names one of the model's as a choice among them."""
    if not isinstance(param, Text) or param.default != AUTO:
        return param
    known = [p for p in model.parameters() if isinstance(p, Real | Integer | Choice | Flag)]
    labels = {AUTO: "by itself", **{p.name: label_of(p) for p in known}}
    options = AUTO, *(p.name for p in known)
    made = Choice(name=param.name, default=AUTO, help=param.help, title=param.title, options=options)
    return replace(made, labels=labels)


def _nothing() -> None:
    """A diagnostic has no history: the end of a gesture means nothing to it."""
