"""A box for a number: typed in any notation, stepped by keys, wheel and its arrows."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QValidator
from PySide6.QtWidgets import QAbstractSpinBox, QWidget

from vizml.ui.widgets.appearance import Appearance, Dressed, current, mark, tabular
from vizml.ui.widgets.keys import KeepsWheelOut


class NumberBox(KeepsWheelOut, Dressed, QAbstractSpinBox):
    """Takes any text and passes it on; whether it is right is for the parameter to say."""

    typed = Signal(str)
    """A text other than the one shown, on Enter or when the focus leaves; empty to have the old one back."""
    stepped = Signal(int)

    def __init__(self, unit: str = "", width: int = 96, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unit = f" {unit}" if unit else ""
        self._shown = ""
        self._wide = width
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.lineEdit().setAccessibleName("number")
        self.editingFinished.connect(self._finish)
        self.redress()

    def show_text(self, text: str, hint: str = "") -> None:
        """Show a number; without one, the hint says in muted words what is in force."""
        self._shown = f"{text}{self._unit}" if text else ""
        self.lineEdit().setPlaceholderText(hint)
        self.lineEdit().setText(self._shown)
        self.lineEdit().setCursorPosition(0)
        mark(self, wrong=False)

    def refuse(self) -> None:
        """Leave the text as it was typed and mark it."""
        mark(self, wrong=True)

    @property
    def text_typed(self) -> str:
        """What stands in it, without the unit."""
        text = self.lineEdit().text().strip()
        return text.removesuffix(self._unit.strip()).strip() if self._unit else text

    def dress(self, look: Appearance) -> None:
        self.setFont(tabular(self.font()))
        self.setFixedWidth(look.px(self._wide))

    def sizeHint(self) -> QSize:
        return QSize(current().px(self._wide), current().px(28))

    def stepBy(self, steps: int) -> None:
        self.stepped.emit(steps)
        self.selectAll()

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        step = QAbstractSpinBox.StepEnabledFlag
        return step.StepUpEnabled | step.StepDownEnabled

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        return QValidator.State.Acceptable, text, position

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.lineEdit().text() != self._shown:
            self.lineEdit().clear()
            self._finish()
            return
        super().keyPressEvent(event)

    def _finish(self) -> None:
        if self.lineEdit().text() != self._shown:
            self.typed.emit(_point(self.text_typed))


def _point(text: str) -> str:
    """A decimal comma read as a point, where it can be nothing else."""
    return text.replace(",", ".") if text.count(",") == 1 and "." not in text else text
