"""The algorithm's name as a combo box that opens a list with search."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from vizml.learn import Model
from vizml.ui.widgets.search import SearchPopup


class Picker(QComboBox):
    """Typing a letter on it opens the list with that letter."""

    picked = Signal(object)
    """A model class."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kinds: tuple[type[Model], ...] = ()
        self.setAccessibleName("algorithm")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumContentsLength(1)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.popup = SearchPopup(self)
        self.popup.picked.connect(self.picked)

    def show_model(self, model: Model, kinds: Sequence[type[Model]]) -> None:
        """Show the current one; the others can be picked."""
        self._kinds = tuple(kinds)
        self.clear()
        self.addItem(model.title, type(model))
        self.setToolTip(f"<p>{model.about}</p>")

    def showPopup(self) -> None:
        self.search("")

    def search(self, query: str) -> None:
        """Open the list, narrowed already."""
        if self._kinds:
            self.popup.open_below(self, self._kinds, self.currentData(), query)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F4)
        if event.text().strip().isprintable() and event.text().strip():
            self.search(event.text())
        elif Qt.Key(event.key()) in keys:
            self.showPopup()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
