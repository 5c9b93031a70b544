"""Controls for the kinds of parameters: number, choice, flag, text."""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPaintEvent, QValidator
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from vizml.data.params import Choice, Flag, Integer, Param, Real, Text, Value
from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, role, set_style_property, tabular
from vizml.ui.widgets.buttons import Chips
from vizml.ui.widgets.focus import WheelNeedsFocus
from vizml.ui.widgets.layouts import Direction, box_of
from vizml.ui.widgets.slider import LimitScale, NumberScale, Slider

GESTURE_PAUSE = 0.8
"""Seconds without a key or wheel step after which the next step makes another undo entry."""
CHIP_LETTERS, ROW_LETTERS = 18, 26
"""Letters of all options that fit side by side, and with those of the label into a row."""
BESIDE_LETTERS = 20
"""Letters of label and one option that fit into a row beside a number box."""
NUMBER_WIDTH = 96
"""Pixels of a number box."""
COMBO_LETTERS = 16
"""Letters of an option that fit beside the label; a longer one has a line of its own."""


class NumberBox(WheelNeedsFocus, FollowsAppearance, QAbstractSpinBox):
    """Box for a number in any notation: it emits the text, the parameter validates it."""

    typed = Signal(str)
    """A text other than the one shown, on Enter or when the focus leaves; empty restores the value."""
    stepped = Signal(int)

    def __init__(self, unit: str = "", width: int = NUMBER_WIDTH) -> None:
        super().__init__()
        self._width = width
        self._unit = f" {unit}" if unit else ""
        self._shown = ""
        self._clicked = False
        """Whether the box has the focus by a click into its text."""
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.lineEdit().installEventFilter(self)
        self.lineEdit().setAccessibleName("number")
        self.editingFinished.connect(self._finish)
        self.update_appearance()

    def show_text(self, text: str, placeholder: str = "") -> None:
        """Show a number, or a placeholder where there is none."""
        self._shown = f"{text}{self._unit}" if text else ""
        self.lineEdit().setPlaceholderText(placeholder)
        self.lineEdit().setText(self._shown)
        self.lineEdit().setCursorPosition(0)
        set_style_property(self, wrong=False)

    def refuse(self) -> None:
        """Mark the text as wrong."""
        set_style_property(self, wrong=True)

    @property
    def text_typed(self) -> str:
        """Text without the unit."""
        text = self.lineEdit().text().strip()
        return text.removesuffix(self._unit.strip()).strip() if self._unit else text

    def apply_appearance(self, look: Appearance) -> None:
        self.setFont(tabular(self.font()))
        self.setFixedWidth(look.px(self._width))

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
        home = self.window().focusProxy()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._clicked and home is not None:
            home.setFocus()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._clicked = event.reason() == Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the focus by a click into the text, not by one on the arrows beside it."""
        if watched is self.lineEdit() and event.type() == QEvent.Type.MouseButtonPress:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        return super().eventFilter(watched, event)

    def _finish(self) -> None:
        if self.lineEdit().text() != self._shown:
            text = self.text_typed
            decimal_comma = text.count(",") == 1 and "." not in text
            self.typed.emit(text.replace(",", ".") if decimal_comma else text)


class Control(QObject):
    """Widgets of a row: `head` beside the label, `body` below it where there is one."""

    value_requested = Signal(object, str)
    """A value or a text of one, and the gesture that it belongs to, or an empty string."""
    gesture_ended = Signal()

    def __init__(self, param: Param, head: QWidget, body: QWidget | None = None) -> None:
        super().__init__(head)
        self.param, self.head, self.body = param, head, body

    def show_value(self, value: Value) -> None:
        """Show the current value."""
        raise NotImplementedError

    def refuse(self) -> None:
        """Mark the input as wrong and leave it for correction."""

    def describe(self, name: str, tip: str) -> None:
        """Set accessible name and tooltip."""
        for widget in (self.head, self.body):
            if widget is not None:
                widget.setAccessibleName(name)
                widget.setToolTip(tip)


class NumberControl(Control):
    """A slider and a box, and buttons for automatic values where the parameter has any."""

    def __init__(self, param: Real | Integer) -> None:
        grain = 1.0 if param.unit == "%" else 0.0
        default = None if isinstance(param.default, str) else float(param.default)
        self._zero = param.zero if isinstance(param, Integer) else ""
        kind, lo = (LimitScale, max(param.lo, 1)) if self._zero else (NumberScale, param.lo)
        self.scale = kind(lo, param.hi, param.log, isinstance(param, Integer), grain)
        self.slider, self.box = Slider(self.scale, default), NumberBox(param.unit)
        automatic = [(word, option_text(param, word)) for word in getattr(param, "words", ())]
        self.chips = Chips(automatic, can_be_none=True) if automatic else None
        beside = len(automatic) == 1 and _letters(param) + len(automatic[0][1]) <= BESIDE_LETTERS
        super().__init__(param, *self._arranged(beside=beside))
        self._number = self.scale.value(0.5) if default is None else default
        self._gestures, self._last_step = 0, 0.0
        self.slider.sliderPressed.connect(self._begin)
        self.slider.dragged.connect(self._drag)
        self.slider.sliderReleased.connect(self.gesture_ended)
        self.slider.stepped.connect(self._step)
        self.box.stepped.connect(self._step)
        self.box.typed.connect(lambda text: self.value_requested.emit(text or None, ""))
        if self.chips:
            self.chips.picked.connect(lambda word: self.value_requested.emit(word or self._number, ""))

    def _arranged(self, *, beside: bool) -> tuple[QWidget, QWidget]:
        """Return head and body; the button of an automatic value stands in the head where it fits."""
        if self.chips is None:
            return self.box, self.slider
        if beside:
            return box_of(Direction.LeftToRight, self.chips, self.box), self.slider
        return self.box, box_of(Direction.TopToBottom, self.slider, self.chips)

    def show_value(self, value: Value) -> None:
        word = value if isinstance(value, str) else ""
        if not word:
            self._number = float(value)
        self.slider.show_number(self._number, idle=bool(word))
        zero = self._zero if self._number == 0 else ""
        self.box.show_text("" if word else zero or self.scale.text(self._number), "auto")
        if self.chips:
            self.chips.show_value(word)

    def refuse(self) -> None:
        self.box.refuse()

    def describe(self, name: str, tip: str) -> None:
        super().describe(name, tip)
        self.box.setAccessibleName(name)
        if self.chips:
            self.chips.setAccessibleName(f"{name}, found from the data")

    def _begin(self) -> None:
        self._gestures += 1

    def _drag(self, number: float) -> None:
        self.value_requested.emit(number, f"gesture {self._gestures}")

    def _step(self, steps: int) -> None:
        now = time.monotonic()
        if now - self._last_step > GESTURE_PAUSE:
            self._begin()
        self._last_step = now
        self._drag(self.scale.moved(self._number, steps))


class ElidingCombo(QComboBox):
    """Combo box that elides its text, which Qt only does without a style sheet."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        box, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        self.initStyleOption(option)
        room = self.style().subControlRect(box, option, field, self).width() - 2
        text = self.currentText() or self.placeholderText()
        option.currentText = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.drawComplexControl(box, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class Combo(WheelNeedsFocus, ElidingCombo):
    """Combo box of options (id, label), which is as wide as its place."""

    def __init__(self, options: list[tuple[str, str]]) -> None:
        super().__init__()
        for option, text in options:
            self.addItem(text, option)
        self.long = max(len(text) for _, text in options) > COMBO_LETTERS
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMinimumContentsLength(1)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        if self.long:
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        else:
            role(self, "parameter")


class ComboControl(Control):
    """One of several options, in a combo box."""

    def __init__(self, param: Choice) -> None:
        self.combo = Combo(_options(param))
        super().__init__(param, *((QWidget(), self.combo) if self.combo.long else (self.combo,)))
        self.combo.currentIndexChanged.connect(
            lambda index: self.value_requested.emit(self.combo.itemData(index), "")
        )

    def show_value(self, value: Value) -> None:
        with QSignalBlocker(self.combo):
            self.combo.setCurrentIndex(self.combo.findData(value))


class ChipsControl(Control):
    """One of two or three short options, side by side."""

    def __init__(self, param: Choice) -> None:
        self.chips = Chips(_options(param))
        super().__init__(param, self.chips)
        self.chips.picked.connect(lambda option: self.value_requested.emit(option, ""))

    def show_value(self, value: Value) -> None:
        self.chips.show_value(str(value))


class FlagControl(Control):
    """A check box."""

    def __init__(self, param: Flag) -> None:
        self.check = QCheckBox()
        super().__init__(param, self.check)
        self.check.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        role(self.check, "parameter")
        self.check.clicked.connect(lambda on: self.value_requested.emit(on, ""))

    def show_value(self, value: Value) -> None:
        self.check.setChecked(bool(value))


class TextControl(Control):
    """A line of text; a wrong one stays for correction."""

    def __init__(self, param: Text) -> None:
        self.line = QLineEdit()
        self._shown = ""
        super().__init__(param, self.line)
        role(self.line, "parameter")
        self.line.editingFinished.connect(self._finish)

    def show_value(self, value: Value) -> None:
        self._shown = str(value)
        if self.line.text() != self._shown:
            self.line.setText(self._shown)
            self.line.setCursorPosition(0)
        set_style_property(self.line, wrong=False)

    def refuse(self) -> None:
        set_style_property(self.line, wrong=True)

    def _finish(self) -> None:
        text = self.line.text().strip()
        if text != self._shown or self.line.property("wrong"):
            self.value_requested.emit(text, "")


def option_text(param: Param, option: str) -> str:
    """Return the label of an option, or of an automatic value."""
    labels = param.labels if isinstance(param, Choice | Real) else {}
    return labels.get(option, option.replace("_", " "))


def control_for(param: Param) -> Control:
    """Return a control that fits a parameter."""
    for kind, make in CONTROLS.items():
        if isinstance(param, kind):
            return make(param)
    raise TypeError(f"there is no control for {type(param).__name__}")


def _options(param: Choice) -> list[tuple[str, str]]:
    return [(option, option_text(param, option)) for option in param.options]


def _choice(param: Choice) -> Control:
    letters = sum(len(text) for _, text in _options(param))
    few = len(param.options) <= 3 and letters <= CHIP_LETTERS and letters + _letters(param) <= ROW_LETTERS
    return ChipsControl(param) if few else ComboControl(param)


def _text(param: Text) -> Control:
    if param.items is None:
        return TextControl(param)
    from vizml.ui.widgets import list_controls  # its editors contain rows of parameters with their controls

    return list_controls.list_control(param, param.items)


def _letters(param: Param) -> int:
    """Return the approximate length of a parameter's label: title, gap and symbol."""
    return len(param.label) + 3 * bool(param.symbol)


CONTROLS = {Real: NumberControl, Integer: NumberControl, Choice: _choice, Flag: FlagControl, Text: _text}
