"""Bring what happens on the active stage to the status bar, the readout and the messages."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Slot

from vizml.learn import State
from vizml.run.frame import Failure, Frame
from vizml.run.prediction import Prediction, coordinates, predicted
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


class StageObserver(QObject):
    """Follow the frames and the pointer of the active stage."""

    def __init__(
        self, stages: Stages, document: Document, status: StatusBar, readout: Readout, messages: Messages
    ) -> None:
        super().__init__(stages)
        self._stages, self._document = stages, document
        self._status, self._readout, self._messages = status, readout, messages
        self._point: tuple[float, float] | None = None
        self._wanted: Callable[[], Prediction] | None = None
        self._asked: Callable[[], Prediction] | None = None
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
            self._wanted = partial(predicted, state, dataset, *self._point)
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
    def _on_answer(self, answer: Prediction) -> None:
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
