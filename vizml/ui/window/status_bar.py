"""The status bar: coordinates and prediction at the pointer, options of the tool, state of the training."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStatusBar, QWidget

from vizml.data.params import Integer
from vizml.data.wording import duration, plural
from vizml.run.prediction import Prediction, coordinates, described_rows, predicted, row_counts
from vizml.run.request import Failure, Frame
from vizml.run.runner import POINTER, BackgroundQuery
from vizml.ui.canvas.canvas import Canvas
from vizml.ui.compare.stages import Stages
from vizml.ui.messages import Messages
from vizml.ui.readout.results import Readout
from vizml.ui.widget_helpers import listen, named
from vizml.ui.widgets.appearance import Appearance, FollowsAppearance, role, tabular
from vizml.ui.widgets.focus import native_keys
from vizml.ui.widgets.labels import ElidedLabel
from vizml.ui.widgets.layouts import clear_layout
from vizml.ui.widgets.slider import SIZE, NumberScale, Slider
from vizml.workspace import Document
from vizml.workspace.preferences import Preferences
from vizml.workspace.work import Change

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
                    tool.set_option(param.name, param.coerce(text))
    with suppress(ValueError):
        canvas.set_label(round(preferences.number("tools/class", canvas.label)))
    with suppress(ValueError):
        canvas.set_tool(preferences.text("tools/tool", canvas.tool))


FIRST_MODEL = "first model"
"""Key of the hint about the model of the first start, which is wrong for any other model."""
RUN = "run"
"""Key of the message about a run that failed, which the next run removes."""
PLACE_DELAY = 60
"""Milliseconds after which the coordinates are shown without the prediction of a slow model."""
QUICK = 1e-3
"""Seconds: a model that took no longer the last time, on about as many points, is asked at once, others in a
thread."""


class StageObserver(QObject):
    """Follow the frames and the pointer of the active stage."""

    def __init__(
        self, stages: Stages, document: Document, status: StatusBar, readout: Readout, messages: Messages
    ) -> None:
        super().__init__(stages)
        self._stages, self._document = stages, document
        self._status, self._readout, self._messages = status, readout, messages
        self._point: tuple[float, float] | None = None
        self._key = object()
        """Stands for the newest question."""
        self._quick: object = None
        """Cost of the view of the last answer, where it was quick."""
        self.query = BackgroundQuery(self, POINTER)
        self.query.answered.connect(self._on_answer)
        self._delay = QTimer(self, singleShot=True, interval=PLACE_DELAY)
        self._delay.timeout.connect(self._show)
        self._failure: Failure | None = None
        stages.frame_changed.connect(self._on_frame)
        stages.pointer_moved.connect(self._on_pointer)
        stages.arrow_keys_changed.connect(self._show_arrow_keys)
        stages.active_changed.connect(self._show_arrow_keys)
        listen(document.changed, self._on_document, to=Change.MODEL | Change.SEED)
        listen(document.changed, self._show_rows, to=Change.ALGORITHM | Change.TABLE)
        stages.active_changed.connect(self._show_rows)
        self._show_rows()
        readout.follow(stages.frame_changed, self._show_result)

    def close_down(self) -> None:
        """End the thread."""
        self._delay.stop()
        self.query.close()

    @Slot(object)
    def _on_frame(self, frame: Frame) -> None:
        self._status.set_frame(frame)
        if self._point is not None:
            self._read()
        if frame.failure != self._failure:
            self._failure = frame.failure
            self._show_failure(frame.failure)

    def _show_failure(self, failure: Failure | None) -> None:
        """Show an error of a run; a failure without details is shown by the timeline's note."""
        if failure is not None and failure.details:
            self._messages.error(failure.sentence, failure.details, key=RUN)
        else:
            self._messages.dismiss(RUN)

    @Slot(object)
    def _on_pointer(self, point: tuple[float, float] | None) -> None:
        if point != self._point:
            self._point = point
            self._read()

    @Slot()
    def _show_arrow_keys(self) -> None:
        self._status.show_arrow_keys(self._stages.active.canvas.arrow_keys)

    @Slot(object)
    def _on_document(self, change: Change) -> None:
        if Change.MODEL in change:
            self._messages.dismiss(FIRST_MODEL)
        self._show_result()

    @Slot()
    def _show_result(self) -> None:
        stage = self._stages.active
        if self._readout.isVisible():
            counts = self._count_rows()
            self._readout.show_result(self._document.experiment(stage.index), stage.frame, counts)

    def _count_rows(self) -> dict[str, int]:
        model = self._document.experiment(self._stages.active.index).model
        return row_counts(model, self._document.work.dataset, self._document.placed)

    @Slot()
    def _show_rows(self) -> None:
        counts = self._count_rows()
        self._status.rows.setText(described_rows(counts) if len(counts) > 1 else "")

    def _read(self) -> None:
        """Ask for the prediction at the pointer; show the coordinates with it, or soon without it."""
        canvas, key = self._stages.active.canvas, object()
        view, self._key = canvas.view, key
        if self._point is None or view is None:
            self.query.cancel()
            self._show()
            return
        unit = canvas.plot_geometry.unit_at(*self._point)
        find = partial(predicted, view, self._document.work.dataset, *self._point, unit)
        cost = canvas.cost
        if cost == self._quick:
            self.query.cancel()
            self._on_answer((key, cost, find()))
            return
        if not self._delay.isActive():
            self._delay.start()
        self.query.follow(key, lambda: (key, cost, find()))

    @Slot(object)
    def _on_answer(self, found: tuple[object, object, Prediction]) -> None:
        key, cost, answer = found
        self._quick = cost if answer.seconds < QUICK else None
        if key is self._key:
            self._show(answer.text)

    @Slot()
    def _show(self, prediction: str = "") -> None:
        """Show the coordinates, with a prediction or without one."""
        self._delay.stop()
        canvas, point = self._stages.active.canvas, self._point
        geometry, place = canvas.plot_geometry, ""
        if point is not None:
            place = coordinates(*point, geometry.unit_at(*point), canvas.view, geometry.categories)
        self._status.pointer.set_full_text(f"{place}      {prediction}".rstrip())
