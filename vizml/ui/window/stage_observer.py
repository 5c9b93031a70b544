"""Bring what happens on the active stage to the status bar, the readout and the messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, singledispatch
from time import perf_counter

import numpy as np
from PySide6.QtCore import QObject, QTimer, Slot

from vizml.data import UNLABELLED, Dataset
from vizml.learn import Classifier, Clusterer, Density, Regressor, State
from vizml.run.errors import guarded
from vizml.run.frame import Failure, Frame
from vizml.run.runner import POINTER, BackgroundQuery
from vizml.ui.compare.stages import Stages
from vizml.ui.messages import Messages
from vizml.ui.stage import Stage
from vizml.ui.widget_helpers import listen
from vizml.ui.window.readout import Readout
from vizml.ui.window.status_bar import StatusBar
from vizml.workspace import Document
from vizml.workspace.work import Change

FIRST_MODEL = "first model"
"""Key of the hint about the model of the first start, which is wrong for any other model."""
RUN = "run"
"""Key of the message about a run that failed, which the next run removes."""
PLACE_DELAY = 60
"""Milliseconds after which the coordinates are shown without the prediction of a slow model."""
QUICK = 1e-3
"""Seconds: a state whose kind took no longer the last time is asked at once, others in a thread."""


@dataclass(frozen=True)
class PointerAnswer:
    """The prediction at the pointer as text, and how long a state of its kind took for it."""

    kind: type[State]
    seconds: float
    text: str


class StageObserver(QObject):
    """Follow the frames and the pointer of the active stage."""

    def __init__(
        self, stages: Stages, document: Document, status: StatusBar, readout: Readout, messages: Messages
    ) -> None:
        super().__init__(stages)
        self._stages, self._document = stages, document
        self._status, self._readout, self._messages = status, readout, messages
        self._point: tuple[float, float] | None = None
        self._wanted: Callable[[], PointerAnswer] | None = None
        self._asked: Callable[[], PointerAnswer] | None = None
        self._quick: type[State] | None = None
        self._query = BackgroundQuery(self, POINTER)
        self._query.answered.connect(self._on_answer)
        self._delay = QTimer(self, singleShot=True, interval=PLACE_DELAY)
        self._delay.timeout.connect(self._on_delay)
        self._failure: Failure | None = None
        stages.frame_changed.connect(self._on_frame)
        stages.pointer_moved.connect(self._on_pointer)
        listen(document.changed, self._on_document)

    @property
    def _stage(self) -> Stage:
        return self._stages.active

    @property
    def waiting(self) -> bool:
        """Whether a prediction at the pointer is to come."""
        return self._query.waiting

    def close_down(self) -> None:
        """End the thread."""
        self._delay.stop()
        self._query.close()

    @Slot(object)
    def _on_frame(self, frame: Frame) -> None:
        self._status.set_frame(frame)
        self._readout.show_result(self._document.experiment(self._stage.index), frame)
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

    @Slot(object)
    def _on_document(self, change: Change) -> None:
        if Change.MODEL in change:
            self._messages.dismiss(FIRST_MODEL)
        if change & (Change.MODEL | Change.SEED):
            self._readout.show_result(self._document.experiment(self._stage.index), self._stage.frame)

    def _read(self) -> None:
        """Ask for the prediction at the pointer; show the coordinates with it, or soon without it."""
        state, dataset = self._stage.state, self._document.dataset
        if self._point is None:
            self._wanted = None
            self._delay.stop()
            self._status.set_pointer("")
        elif state is None or not len(dataset):
            self._wanted = None
            self._status.set_pointer(self._place())
        else:
            self._wanted = partial(_answer, state, dataset, *self._point)
            if type(state) is self._quick:
                self._query.cancel()
                self._asked = self._wanted
                self._on_answer(self._wanted())
                return
            if not self._delay.isActive():
                self._delay.start()
            self._ask()

    def _ask(self) -> None:
        if self._wanted is not None and not self._query.waiting:
            self._asked = self._wanted
            self._query.ask(self._asked)

    @Slot(object)
    def _on_answer(self, answer: PointerAnswer) -> None:
        self._quick = answer.kind if answer.seconds < QUICK else None
        if self._asked is self._wanted:
            self._delay.stop()
            self._status.set_pointer(f"{self._place()}      {answer.text}".rstrip())
        else:
            self._ask()

    @Slot()
    def _on_delay(self) -> None:
        if self._wanted is not None:
            self._status.set_pointer(self._place())

    def _place(self) -> str:
        return "" if self._point is None else coordinates(*self._point, self._stage.canvas.plot_geometry.unit)


def _answer(state: State, dataset: Dataset, x: float, y: float) -> PointerAnswer:
    started = perf_counter()
    text = guarded(state, "predict", lambda: prediction_text(state, dataset, x, y), "")
    return PointerAnswer(type(state), perf_counter() - started, text)


MAX_CLASSES_SHOWN, LEADING = 4, 3
"""Of more classes than this only the most probable ones are shown, and how many of them."""
MAX_LETTERS = 60
"""Names of classes with more letters together leave no room for all of them."""


def coordinates(x: float, y: float, unit: tuple[float, float]) -> str:
    """The coordinates with as many decimals as a pixel resolves."""
    return f"x {_fixed(x, unit[0])}   y {_fixed(y, unit[1])}"


@singledispatch
def prediction_text(state: State, dataset: Dataset, x: float, y: float) -> str:
    """The prediction of a state at a point; each kind of state registers its own."""
    del state, dataset, x, y
    return ""


@prediction_text.register(Classifier)
def _(state: Classifier, dataset: Dataset, x: float, y: float) -> str:
    values = (state.proba if state.has_proba else state.scores)([[x, y]])[0]
    form = percent if state.has_proba else _score
    names = [dataset.name(int(label)) for label in state.classes]
    brief = len(values) <= MAX_CLASSES_SHOWN and sum(map(len, names)) <= MAX_LETTERS
    order = range(len(values)) if brief else np.argsort(-values, kind="stable")[:LEADING]
    return "   ".join(f"{names[k]} {form(values[k])}" for k in order)


@prediction_text.register(Clusterer)
def _(state: Clusterer, dataset: Dataset, x: float, y: float) -> str:
    del dataset
    index = int(state.predict([[x, y]])[0])
    return "noise" if index == UNLABELLED else f"cluster {index + 1}"


@prediction_text.register(Regressor)
def _(state: Regressor, dataset: Dataset, x: float, y: float) -> str:
    del y
    name, band = dataset.axes[1], state.band(np.array([x]))
    if band is None:
        return _minus(f"predicted {name} {state.predict(np.array([x]))[0]:.3g}")
    mean, low, high = (values[0] for values in band)
    return _minus(f"predicted {name} {mean:.3g}   ({low:.3g} to {high:.3g})")


@prediction_text.register(Density)
def _(state: Density, dataset: Dataset, x: float, y: float) -> str:
    del dataset
    return f"log p {state.log_density([[x, y]])[0]:.2f}"


def percent(share: float) -> str:
    """A share in per cent; 0 % and 100 % only where it is exact."""
    if 0.995 <= share < 1.0:
        return "> 99 %"
    if 0.0 < share <= 0.005:
        return "< 1 %"
    return f"{100 * share:.0f} %"


def _score(value: float) -> str:
    return _minus(f"{value:+.2f}")


def _fixed(value: float, unit: float) -> str:
    """A number with the decimals that a step of `unit` changes, in powers of ten where these are too many."""
    if not np.isfinite(unit) or unit <= 0:
        return f"{value:g}"
    places = int(np.ceil(-np.log10(unit)))
    if places > 6 or abs(value) >= 1e7:
        return _minus(f"{value:.6g}")
    return _minus(f"{value:z.{max(places, 0)}f}")


def _minus(text: str) -> str:
    """Use the minus sign, which is as wide as a digit."""
    return text.replace("-", "\N{MINUS SIGN}")
