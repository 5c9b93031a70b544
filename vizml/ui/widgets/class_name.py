"""A small field beside the button of a class, in which the class gets another name."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from vizml.data.dataset import LONGEST_NAME
from vizml.ui.widgets.appearance import Appearance, Dressed, role

WIDTH, GAP = 200, 8


class ClassName(Dressed, QWidget):
    """Enter or a click elsewhere takes the name, Escape leaves the old one; a wrong one says why not."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._give: Callable[[str], None] | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        role(self, "popup")
        self.title, self.name, self.problem = QLabel(), QLineEdit(), QLabel()
        self.name.setMaxLength(LONGEST_NAME)
        self.name.returnPressed.connect(self._take)
        self.name.textEdited.connect(self.problem.hide)
        self.problem.setWordWrap(True)
        role(self.title, "muted")
        role(self.problem, "danger")
        self._column = QVBoxLayout(self)
        for widget in (self.title, self.name, self.problem):
            self._column.addWidget(widget)
        self.redress()

    def ask(self, place: QPoint, title: str, name: str, give: Callable[[str], None]) -> None:
        """Ask for a name in place of this one; `give` takes it, or refuses it by a ValueError."""
        self._give = give
        self.title.setText(title)
        self.name.setAccessibleName(title)
        self.name.setText(name)
        self.name.selectAll()
        self.problem.hide()
        self.adjustSize()
        screen = self.screen().availableGeometry()
        self.move(place.x(), min(place.y(), screen.bottom() - self.height()))
        self.show()
        self.name.setFocus()

    def dress(self, look: Appearance) -> None:
        self._column.setContentsMargins(*(look.px(GAP),) * 4)
        self._column.setSpacing(look.px(GAP / 2))
        self.setFixedWidth(look.px(WIDTH))
        self.name.setFixedHeight(look.px(28))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._give = None
        super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """No key is a shortcut of the window while a name is written."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """By a click elsewhere; there is no place left to say what is wrong with the name."""
        super().hideEvent(event)
        self._try()

    def _take(self) -> None:
        if problem := self._try():
            self.problem.setText(problem)
            self.problem.show()
            self.adjustSize()
        else:
            self.hide()

    def _try(self) -> str:
        """Hand the name over, once; why it was refused."""
        give, self._give = self._give, None
        if give is not None:
            try:
                give(self.name.text())
            except ValueError as refused:
                self._give = give
                return str(refused)
        return ""
