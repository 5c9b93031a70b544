"""Keeps an eye on the stage: tells the status bar, the readout and the messages what goes on there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Slot

from vizml.data import Dataset
from vizml.learn import State
from vizml.run.errors import guarded
from vizml.run.frame import Failure, Frame
from vizml.run.runner import POINTER, BackgroundQuery
from vizml.ui.stage import Stage
from vizml.ui.window.messages import Messages
from vizml.ui.window.reading import place, reading
from vizml.ui.window.readout import Readout
from vizml.ui.window.status import Status
from vizml.workspace import Document, Experiment
from vizml.workspace.work import Change

FIRST_MODEL = "first model"
"""The key of the hint about the model of the first start: with another it is wrong."""
RUN = "run"
"""The key of the message about a run that failed: the next run takes it away."""


LATE = 60
"""Milliseconds after which the place is told without what the model says there."""
QUICK = 1e-3
"""Seconds: states of a kind that took no longer the last time are asked at once, others in a thread."""


@dataclass(frozen=True)
class Told:
    """The text for a point under the pointer, and how long a state of its kind took for it."""

    kind: type[State]
    seconds: float
    words: str


class Watch(QObject):
    """Listens to frames and to the pointer."""

    def __init__(
        self, stage: Stage, document: Document, status: Status, readout: Readout, messages: Messages
    ) -> None:
        super().__init__(stage)
        self._stage, self._document = stage, document
        self._status, self._readout, self._messages = status, readout, messages
        self._point: tuple[float, float] | None = None
        self._wanted: Callable[[], Told] | None = None
        self._asked: Callable[[], Told] | None = None
        self._quick: type[State] | None = None
        self._query = BackgroundQuery(self, POINTER)
        self._query.answered.connect(self._on_told)
        self._late = QTimer(self, singleShot=True, interval=LATE)
        self._late.timeout.connect(self._on_late)
        self._failure: Failure | None = None
        self._listen()
        document.changed.connect(self._on_document)

    def follow(self, stage: Stage) -> None:
        """Be about another stage from now on."""
        self._stage.frame_changed.disconnect(self._on_frame)
        self._stage.canvas.pointed.disconnect(self._on_pointer)
        self._stage, self._point = stage, None
        self._listen()
        self._read()
        if stage.frame is not None:
            self._on_frame(stage.frame)

    def _listen(self) -> None:
        self._stage.frame_changed.connect(self._on_frame)
        self._stage.canvas.pointed.connect(self._on_pointer)

    @Slot(object)
    def _on_frame(self, frame: Frame) -> None:
        self._status.set_frame(frame)
        self._readout.show_result(self._experiment(), frame)
        self._read()
        if frame.failure != self._failure:
            self._failure = frame.failure
            self._tell(frame.failure)

    def _tell(self, failure: Failure | None) -> None:
        """A failure with details is a fault; one without is what the timeline's note says."""
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
        self._readout.show_result(self._experiment(), self._stage.frame)

    def _experiment(self) -> Experiment:
        """That of the stage; when it is taken away, the first until another stage is followed."""
        shown = self._document.work.experiments
        return shown[self._stage.index] if self._stage.index < len(shown) else shown[0]

    def _read(self) -> None:
        """Have the model asked at the pointer: the place is told with its answer, or soon without."""
        frame, dataset = self._stage.frame, self._document.dataset
        if self._point is None:
            self._wanted = None
            self._late.stop()
            self._status.set_pointer("")
        elif frame is None or frame.moment is None or not len(dataset):
            self._wanted = None
            self._status.set_pointer(self._place())
        else:
            state = frame.moment.state
            self._wanted = partial(_reading, state, dataset, *self._point)
            if type(state) is self._quick:
                self._query.cancel()
                self._asked = self._wanted
                self._on_told(self._wanted())
                return
            if not self._late.isActive():
                self._late.start()
            self._ask()

    def _ask(self) -> None:
        if self._wanted is not None and not self._query.waiting:
            self._asked = self._wanted
            self._query.ask(self._asked)

    @Slot(object)
    def _on_told(self, told: Told) -> None:
        self._quick = told.kind if told.seconds < QUICK else None
        if self._asked is self._wanted:
            self._late.stop()
            self._status.set_pointer(f"{self._place()}      {told.words}".rstrip())
        if self._asked is not self._wanted:
            self._ask()

    @Slot()
    def _on_late(self) -> None:
        if self._wanted is not None:
            self._status.set_pointer(self._place())

    def _place(self) -> str:
        return "" if self._point is None else place(*self._point, self._stage.canvas.geometry_now.unit)

    @property
    def waiting(self) -> bool:
        """Whether an answer is to come."""
        return self._query.waiting

    def close_down(self) -> None:
        """End the thread in which models are asked."""
        self._late.stop()
        self._query.close()


def _reading(state: State, dataset: Dataset, x: float, y: float) -> Told:
    started = perf_counter()
    words = guarded(state, "predict", lambda: reading(state, dataset, x, y), "")
    return Told(type(state), perf_counter() - started, words)
