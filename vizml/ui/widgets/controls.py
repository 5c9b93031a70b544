"""The control for each kind of parameter, and the table that says which."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QValidator
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QSizePolicy,
    QWidget,
)

from vizml.data.params import Choice, Flag, Integer, Param, Real, Text, Value
from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, current, set_style_property, tabular
from vizml.ui.widgets.buttons import Chips
from vizml.ui.widgets.focus import KeepsKeys, WheelNeedsFocus
from vizml.ui.widgets.layouts import box_of
from vizml.ui.widgets.slider import NumberScale, Slider


class NumberBox(WheelNeedsFocus, FollowsAppearance, QAbstractSpinBox):
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
        self.update_appearance()

    def show_text(self, text: str, hint: str = "") -> None:
        """Show a number; without one, the hint says in muted words what is in force."""
        self._shown = f"{text}{self._unit}" if text else ""
        self.lineEdit().setPlaceholderText(hint)
        self.lineEdit().setText(self._shown)
        self.lineEdit().setCursorPosition(0)
        set_style_property(self, wrong=False)

    def refuse(self) -> None:
        """Leave the text as it was typed and mark it."""
        set_style_property(self, wrong=True)

    @property
    def text_typed(self) -> str:
        """What stands in it, without the unit."""
        text = self.lineEdit().text().strip()
        return text.removesuffix(self._unit.strip()).strip() if self._unit else text

    def apply_appearance(self, look: Appearance) -> None:
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


PAUSE = 0.8
"""Seconds between two steps of keys or wheel that make them two gestures."""
SHORT, ROW = 18, 26
"""Letters of all options together that still fit side by side, and with those of the label in a row."""
BESIDE = 20
"""Letters of the label and of a word that still fit into a row with a box."""
LONG = 16
"""Letters of one option that still fit beside the label; longer ones have a line of their own."""
WIDE, LINE = 152, 144


class Control(QObject):
    """What a row holds: `head` beside the label, `body` below it where there is one."""

    asked = Signal(object, str)
    """A value or a text for one, and the gesture that it belongs to; empty for one by itself."""
    ended = Signal()
    """The gesture is over."""

    def __init__(self, param: Param, head: QWidget, body: QWidget | None = None) -> None:
        super().__init__(head)
        self.param, self.head, self.body = param, head, body

    def show_value(self, value: Value) -> None:
        """Show what is in force."""
        raise NotImplementedError

    def refuse(self) -> None:
        """Mark what was asked as wrong, and leave it to be mended."""

    def describe(self, name: str, tip: str) -> None:
        """Say what it is for, to a pointer and to a screen reader."""
        for widget in (self.head, self.body):
            if widget is not None:
                widget.setAccessibleName(name)
                widget.setToolTip(tip)


class NumberControl(Control):
    """A slider and a box; where words stand for a number found from the data, those beside it."""

    def __init__(self, param: Real | Integer) -> None:
        words = param.words if isinstance(param, Real) else ()
        grain = 1.0 if param.unit == "%" else 0.0
        track = NumberScale(param.lo, param.hi, param.log, isinstance(param, Integer), grain)
        default = None if isinstance(param.default, str) else float(param.default)
        self.track = track
        self.slider = Slider(track, default)
        self.box = NumberBox(param.unit)
        options = [(word, worded(param, word)) for word in words]
        self.chips = Chips(options, can_be_none=True) if options else None
        beside = len(options) == 1 and _letters(param) + len(options[0][1]) <= BESIDE
        super().__init__(param, *self._arranged(beside=beside))
        self._number = track.value(0.5) if default is None else default
        self._gestures, self._last = 0, 0.0
        self.slider.pressed.connect(self._begin)
        self.slider.slid.connect(self._slide)
        self.slider.released.connect(self.ended)
        self.slider.stepped.connect(self._step)
        self.box.stepped.connect(self._step)
        self.box.typed.connect(self._type)
        if self.chips:
            self.chips.picked.connect(self._pick)

    def _arranged(self, *, beside: bool) -> tuple[QWidget, QWidget]:
        """A word stands beside the box, unless the label needs the room."""
        if self.chips is None:
            return self.box, self.slider
        if beside:
            return box_of(QBoxLayout.Direction.LeftToRight, self.chips, self.box), self.slider
        return self.box, box_of(QBoxLayout.Direction.TopToBottom, self.slider, self.chips)

    def show_value(self, value: Value) -> None:
        word = value if isinstance(value, str) else ""
        if not word:
            self._number = float(value)
        self.slider.show_number(self._number, idle=bool(word))
        self.box.show_text("" if word else self.track.text(self._number), "auto")
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

    def _slide(self, number: float) -> None:
        self.asked.emit(number, f"gesture {self._gestures}")

    def _step(self, steps: int) -> None:
        now = time.monotonic()
        if now - self._last > PAUSE:
            self._begin()
        self._last = now
        self._slide(self.track.moved(self._number, steps))

    def _type(self, text: str) -> None:
        self.asked.emit(text or None, "")

    def _pick(self, word: str) -> None:
        self.asked.emit(word or self._number, "")


class _Combo(WheelNeedsFocus, FollowsAppearance, QComboBox):
    def __init__(self, options: list[tuple[str, str]]) -> None:
        super().__init__()
        for words, option in options:
            self.addItem(words, option)
        self.long = max(len(words) for words, _ in options) > LONG
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumContentsLength(1)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.update_appearance()

    def apply_appearance(self, look: Appearance) -> None:
        if self.long:
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        else:
            self.setFixedWidth(look.px(WIDE))


class _Check(KeepsKeys, FollowsAppearance, QCheckBox):
    kept = frozenset({Qt.Key.Key_Space})

    def apply_appearance(self, look: Appearance) -> None:
        self.setFixedWidth(look.px(18))


class _Line(FollowsAppearance, QLineEdit):
    def apply_appearance(self, look: Appearance) -> None:
        self.setFixedWidth(look.px(LINE))


class ComboControl(Control):
    """One of several words."""

    def __init__(self, param: Choice) -> None:
        self.combo = _Combo([(worded(param, option), option) for option in param.options])
        if self.combo.long:
            super().__init__(param, QWidget(), self.combo)
        else:
            super().__init__(param, self.combo)
        self.combo.currentIndexChanged.connect(self._pick)

    def show_value(self, value: Value) -> None:
        with QSignalBlocker(self.combo):
            self.combo.setCurrentIndex(self.combo.findData(value))

    def _pick(self, index: int) -> None:
        self.asked.emit(self.combo.itemData(index), "")


class ChipsControl(Control):
    """One of two or three short words, side by side."""

    def __init__(self, param: Choice) -> None:
        self.chips = Chips([(option, worded(param, option)) for option in param.options])
        super().__init__(param, self.chips)
        self.chips.picked.connect(lambda option: self.asked.emit(option, ""))

    def show_value(self, value: Value) -> None:
        self.chips.show_value(str(value))


class FlagControl(Control):
    """On or off."""

    def __init__(self, param: Flag) -> None:
        self.check = _Check()
        super().__init__(param, self.check)
        self.check.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.check.update_appearance()
        self.check.clicked.connect(lambda on: self.asked.emit(on, ""))

    def show_value(self, value: Value) -> None:
        self.check.setChecked(bool(value))


class TextControl(Control):
    """A line of text; a refused one stays to be mended."""

    def __init__(self, param: Text) -> None:
        self.line = _Line()
        self._shown = ""
        super().__init__(param, self.line)
        self.line.update_appearance()
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
            self.asked.emit(text, "")


def worded(param: Param, option: str) -> str:
    """What people read for an option, or for a word that stands for a number."""
    labels = param.labels if isinstance(param, Choice | Real) else {}
    return labels.get(option, option.replace("_", " "))


def control_for(param: Param) -> Control:
    """The control that fits a parameter."""
    for kind, make in CONTROLS.items():
        if isinstance(param, kind):
            return make(param)
    raise TypeError(f"there is no control for {type(param).__name__}")


def _choice(param: Choice) -> Control:
    letters = sum(len(worded(param, option)) for option in param.options)
    few = len(param.options) <= 3 and letters <= SHORT and letters + _letters(param) <= ROW
    return ChipsControl(param) if few else ComboControl(param)


def _letters(param: Param) -> int:
    """How long the label of a parameter is, about: its title, and a symbol after a gap."""
    return len(param.label) + 3 * bool(param.symbol)


CONTROLS = {
    Real: NumberControl,
    Integer: NumberControl,
    Choice: _choice,
    Flag: FlagControl,
    Text: TextControl,
}
