"""The options of a data set; each change is on the canvas at once, and all of them are one undo entry."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from vizml.data import describe
from vizml.data.params import Param
from vizml.ui.widgets.appearance import role
from vizml.ui.widgets.controls import Control, control_for
from vizml.ui.window.generators import Generators
from vizml.ui.window.parts import button, named


class GeneratorDialog(QDialog):
    """A small window beside the work, never in its way."""

    changed = Signal()

    def __init__(self, generators: Generators, merge: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._generators, self._merge = generators, merge
        self._source = describe(generators.last)
        self._values = dict(generators.values)
        self.controls: dict[str, Control] = {}
        self.setWindowTitle(self._source.title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._told = QLabel()
        self._told.setWordWrap(True)
        self._told.hide()
        role(self._told, "danger")
        self._lay_out()
        self._show_values()

    def set_option(self, name: str, value: object) -> None:
        """Draw again with another value; one that is not allowed is refused in place."""
        param = self._source.option(name)
        try:
            taken = param.parse(value) if isinstance(value, str) else param.coerce(value)
        except ValueError as problem:
            self.controls[name].refuse()
            self._tell(str(problem))
            return
        self._tell("")
        self._values[name] = taken
        self._draw()

    def _draw(self) -> None:
        try:
            self._generators.redraw(self._source.name, self._values, self._merge)
        except ValueError as problem:
            self._tell(str(problem))
            return
        self._show_values()
        self.changed.emit()

    def _reset(self) -> None:
        self._values = self._source.values()
        self._draw()

    def _new_seed(self) -> None:
        self.set_option("seed", int(self._values["seed"]) + 1)

    def _ask(self, name: str, value: object, _gesture: str) -> None:
        self.set_option(name, self._values[name] if value is None else value)

    def _tell(self, text: str) -> None:
        self._told.setText(text)
        self._told.setVisible(bool(text))

    def _show_values(self) -> None:
        for name, control in self.controls.items():
            control.show_value(self._values[name])

    def _lay_out(self) -> None:
        about = QLabel(_sentence(self._source.help))
        about.setWordWrap(True)
        role(about, "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(12)
        column.addWidget(about)
        for param in self._source.options:
            column.addLayout(self._row(param))
        column.addWidget(self._told)
        column.addStretch()
        column.addLayout(self._foot())
        self.setMinimumWidth(320)

    def _row(self, param: Param) -> QGridLayout:
        control = self.controls[param.name] = control_for(param)
        control.describe(param.label, param.help)
        control.asked.connect(partial(self._ask, param.name))
        label = named(QLabel(param.label), param.label, param.help)
        row = QGridLayout()
        row.setVerticalSpacing(2)
        row.addWidget(label, 0, 0)
        row.addWidget(control.head, 0, 1, Qt.AlignmentFlag.AlignRight)
        if control.body is not None:
            row.addWidget(control.body, 1, 0, 1, 2)
        return row

    def _foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(button("New seed", "Draw other points of the same kind", self._new_seed))
        foot.addWidget(button("Reset", "Back to the defaults", self._reset))
        foot.addStretch()
        tip = "Close; an undo takes all changes back at once"
        foot.addWidget(button("Done", tip, self.accept, default=True))
        return foot


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."
