"""The status bar: coordinates and prediction at the pointer, options of the tool, state of the training."""

from __future__ import annotations

from contextlib import suppress
from typing import TypeVar

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStatusBar, QWidget

from vizml.data.params import Integer
from vizml.data.wording import duration, plural
from vizml.run.request import Frame
from vizml.ui.canvas.canvas import Canvas
from vizml.ui.widget_helpers import named
from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, role, tabular
from vizml.ui.widgets.focus import native_keys
from vizml.ui.widgets.labels import ElidedLabel
from vizml.ui.widgets.layouts import clear_layout
from vizml.ui.widgets.slider import SIZE, NumberScale, Slider
from vizml.workspace.preferences import Preferences

L = TypeVar("L", bound=QLabel)
REFUSAL = 8000
"""Milliseconds for which the reason of a refused edit is shown."""
NOTICEABLE = 0.15
"""Seconds after which a run is reported as training: shorter ones only show their result."""


class StatusBar(QStatusBar):
    """The pointer to the left, the training to the right."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self.pointer = _label(ElidedLabel(), "Pointer", "Coordinates and prediction at the pointer")
        self.keys = _label(QLabel(), "Arrow keys", "Esc leaves the arrow keys to the timeline")
        role(self.keys, "muted")
        self.rows = _label(QLabel(), "Rows", "Rows with missing values and what becomes of them")
        role(self.rows, "muted")
        self.training = _label(QLabel(), "Training", "Steps and duration of the training")
        self.addWidget(self.pointer, 1)
        self.addPermanentWidget(self.keys)
        self.addPermanentWidget(self.rows)
        self.addPermanentWidget(self.training)

    def show_arrow_keys(self, moved: str) -> None:
        """Say what the arrow keys move where that is not the timeline."""
        self.keys.setText(f"Arrow keys move the {moved}; Esc: timeline" if moved else "")

    @Slot(str)
    def refuse(self, sentence: str) -> None:
        """Say for a while why an edit is not possible."""
        self.showMessage(sentence, REFUSAL)

    def set_frame(self, frame: Frame) -> None:
        """Show the progress of the run that a frame belongs to."""
        if not frame.running:
            done = ""
            if frame.failure is None and frame.count:
                done = f"{plural(int(frame.steps[-1]), 'step')} in {duration(frame.seconds)}"
            self.training.setText(done)
        elif frame.seconds >= NOTICEABLE:
            share = "" if frame.progress is None else f" {100 * frame.progress:.0f} %"
            self.training.setText(f"training…{share}")


def _label(label: L, name: str, tip: str) -> L:
    named(label, name, tip)
    label.setContentsMargins(8, 0, 8, 0)
    label.setFont(tabular(label.font()))
    return label


WIDTH = 96


class ToolOptions(FollowsAppearance, QWidget):
    """The sliders of the current tool of a canvas; as high without any, so that the canvas stays in place."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__()
        self._canvas = canvas
        self._shown: tuple[Integer, ...] = ()
        self.options: dict[str, OptionSlider] = {}
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 16, 0)
        self._row.setSpacing(16)
        canvas.options_changed.connect(self._refresh)
        self._refresh()
        self.update_appearance()

    def apply_appearance(self, look: Appearance) -> None:
        self.setMinimumHeight(look.px(SIZE[1]))

    @Slot()
    def _refresh(self) -> None:
        params = self._canvas.active.params
        if params != self._shown:
            self._rebuild(params)
        values = self._canvas.active.values
        for name, option in self.options.items():
            option.show_value(float(values[name]))

    def _rebuild(self, params: tuple[Integer, ...]) -> None:
        clear_layout(self._row)
        self._shown = params
        self.options = {param.name: OptionSlider(param, self._canvas) for param in params}
        for option in self.options.values():
            self._row.addWidget(option)


class OptionSlider(QWidget):
    """The name of an option, a slider and its value."""

    def __init__(self, param: Integer, canvas: Canvas) -> None:
        super().__init__()
        self._param, self._canvas = param, canvas
        default = float(param.default)
        scale = NumberScale(param.lo, param.hi, param.log, whole=True)
        self.slider = named(
            Slider(scale, default), param.label, native_keys(f"{param.help}: {param.lo:g} to {param.hi:g}")
        )
        self.slider.setFixedWidth(WIDTH)
        self.slider.dragged.connect(self._set)
        self.slider.stepped.connect(self._step)
        self._number = QLabel()
        self._number.setFont(tabular(self._number.font()))
        self._number.setMinimumWidth(self._number.fontMetrics().horizontalAdvance("000 points"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        name = QLabel(param.label.capitalize())
        role(name, "muted")
        for widget in (name, self.slider, self._number):
            row.addWidget(widget)

    def show_value(self, value: float) -> None:
        """Show the current value."""
        self.slider.show_number(value)
        unit = f" {self._param.unit}" if self._param.unit else ""
        self._number.setText(f"{value:.4g}{unit}")

    def _set(self, value: float) -> None:
        self._canvas.set_tool_option(self._param.name, round(value))

    def _step(self, steps: int) -> None:
        now = float(self._canvas.active.values[self._param.name])
        self._set(min(max(now + steps, self._param.lo), self._param.hi))


def save_tools(canvas: Canvas, preferences: Preferences) -> None:
    """Save the tool, the class and the options of each tool."""
    preferences.set_text("tools/tool", canvas.tool)
    preferences.set_number("tools/class", canvas.label)
    for name, tool in canvas.tools.items():
        for option, value in tool.values.items():
            preferences.set_text(f"tools/{name}/{option}", str(value))


def restore_tools(canvas: Canvas, preferences: Preferences) -> None:
    """Restore the tool, the class and the options; values that are not allowed any more are ignored."""
    for name, tool in canvas.tools.items():
        for param in tool.params:
            if text := preferences.text(f"tools/{name}/{param.name}"):
                with suppress(ValueError):
                    tool.set_option(param.name, param.parse(text))
    with suppress(ValueError):
        canvas.set_label(round(preferences.number("tools/class", canvas.label)))
    with suppress(ValueError):
        canvas.set_tool(preferences.text("tools/tool", canvas.tool))
