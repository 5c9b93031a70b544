"""Keeps an eye on the stage: tells the status bar, the readout and the messages what goes on there."""

from __future__ import annotations

import traceback

from PySide6.QtCore import QObject, Slot

from vizml.run.frame import Failure, Frame
from vizml.ui.document import Document, Experiment
from vizml.ui.document.work import Change
from vizml.ui.stage import Stage
from vizml.ui.window.messages import Messages
from vizml.ui.window.reading import place, reading
from vizml.ui.window.readout import Readout
from vizml.ui.window.status import Status

FIRST_MODEL = "first model"
"""The key of the hint about the model of the first start: with another it is wrong."""
RUN = "run"
"""The key of the message about a run that failed: the next run takes it away."""


class Watch(QObject):
    """Listens to frames and to the pointer."""

    def __init__(
        self, stage: Stage, document: Document, status: Status, readout: Readout, messages: Messages
    ) -> None:
        super().__init__(stage)
        self._stage, self._document = stage, document
        self._status, self._readout, self._messages = status, readout, messages
        self._point: tuple[float, float] | None = None
        self._failure: Failure | None = None
        self._listen()
        document.changed.connect(self._on_document)

    def follow(self, stage: Stage) -> None:
        """Be about another stage from now on."""
        self._stage.frame_changed.disconnect(self._on_frame)
        self._stage.canvas.pointed.disconnect(self._on_pointer)
        self._stage, self._point = stage, None
        self._listen()
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
        if self._point is None:
            self._status.set_pointer("")
            return
        where = place(*self._point, self._stage.canvas.geometry_now.unit)
        self._status.set_pointer(f"{where}      {self._answer(*self._point)}".rstrip())

    def _answer(self, x: float, y: float) -> str:
        """What the model says; a model that fails here must not take the window along."""
        frame = self._stage.frame
        if frame is None or frame.moment is None or not len(self._document.dataset):
            return ""
        try:
            return reading(frame.moment.state, self._document.dataset, x, y)
        except Exception:  # noqa: BLE001 (models may come from anyone)
            self._messages.error("The model failed at the pointer.", traceback.format_exc(), key=RUN)
            return ""
