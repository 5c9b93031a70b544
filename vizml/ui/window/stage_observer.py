"""Bring what happens on the active stage to the status bar, the readout and the messages."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QTimer, Slot

from vizml.run.prediction import Prediction, coordinates, described_rows, predicted, row_counts
from vizml.run.request import Failure, Frame
from vizml.run.runner import POINTER, BackgroundQuery
from vizml.ui.compare.stages import Stages
from vizml.ui.messages import Messages
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
        listen(document.changed, self._show_rows, to=Change.MODEL | Change.DATA)
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
