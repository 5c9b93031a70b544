"""The dialog with the options of the last generated data set; each change is drawn at once."""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from vizml.data import describe
from vizml.data.generator import SEEDS
from vizml.data.params import Value
from vizml.ui.widget_helpers import beside, button
from vizml.ui.widgets.appearance import role
from vizml.ui.widgets.parameter_rows import ParameterRow

if TYPE_CHECKING:
    from vizml.ui.window.data_commands import Generators
    from vizml.ui.window.window import Window

_sessions = count(1)
WIDTH = 320


def open_dialog(window: Window) -> None:
    """Show the options of the last data set; all changes until it is closed are one undo entry."""
    dialog = GeneratorDialog(window.generators, f"data options {next(_sessions)}", window)
    dialog.changed.connect(window.stages.fit_all)
    dialog.finished.connect(lambda _: window.document.seal())
    beside(dialog, window)


class GeneratorDialog(QDialog):
    """The options as rows, with buttons for another seed and for the defaults."""

    changed = Signal()

    def __init__(self, generators: Generators, merge: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._generators, self._merge = generators, merge
        self._source = describe(generators.last)
        self._values = dict(generators.values)
        self.setWindowTitle(self._source.title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.rows = {
            param.name: ParameterRow(param, partial(self._put, param.name), lambda: None)
            for param in self._source.options
        }
        self._lay_out()
        self._show_values()

    def set_option(self, name: str, value: object) -> None:
        """Draw with another value of an option; ValueError where it is not allowed."""
        self._draw({**self._values, name: self._source.option(name).coerce(value)})

    def _put(self, name: str, value: object, _merge: str) -> None:
        param = self._source.option(name)
        self.set_option(name, param.coerce(value) if isinstance(value, str) else value)

    def _draw(self, values: dict[str, Value]) -> None:
        self._generators.redraw(self._source.name, values, self._merge)
        self._values = values
        self._show_values()
        self.changed.emit()

    def _show_values(self) -> None:
        for name, row in self.rows.items():
            row.show_value(self._values[name])

    def _lay_out(self) -> None:
        heading = QLabel(self._source.title)
        role(heading, "heading")
        about = QLabel(self._source.help)
        about.setWordWrap(True)
        role(about, "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        for widget in (heading, about, *self.rows.values()):
            column.addWidget(widget)
        column.addStretch()
        column.addSpacing(8)
        column.addLayout(self._foot())
        self.setMinimumWidth(WIDTH)

    def _foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(
            button(
                "New seed",
                "Draw with another random seed",
                lambda: self.set_option("seed", (int(self._values["seed"]) + 1) % SEEDS),
            )
        )
        foot.addWidget(button("Reset", "Restore the defaults", lambda: self._draw(self._source.values())))
        foot.addStretch()
        tip = "Close. One undo reverts all changes."
        foot.addWidget(button("Done", tip, self.accept, default=True))
        return foot
