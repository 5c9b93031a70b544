"""The dock of charts: one of them at a time, chosen by its name, renewed as the training goes on."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QWidget

from vizml.learn import Model, State
from vizml.run.frame import Frame
from vizml.scene import Chart
from vizml.ui.charts.chart_view import ChartView
from vizml.ui.charts.losses import loss_chart
from vizml.ui.charts.rhythm import Rhythm
from vizml.ui.charts.saving import Drawing, Saver
from vizml.ui.widgets.boxes import Box, Direction
from vizml.ui.widgets.buttons import IconButton


class Diagnostics(Box):
    """Shows the loss of the run and the charts of its state; it costs nothing while it is hidden."""

    moment_asked = Signal(int)
    """A moment of the recording."""

    def __init__(self, saver: Saver, parent: QWidget | None = None) -> None:
        super().__init__(Direction.TopToBottom, 4, (8, 4, 8, 8), parent)
        self._saver = saver
        self._model: Model | None = None
        self._frame: Frame | None = None
        self._charts: tuple[Chart, ...] = ()
        self._listed: dict[str, Chart] = {}
        self._of: State | None = None
        self._wanted = ""
        self.chooser = QComboBox()
        self.chooser.setAccessibleName("Chart")
        self.chooser.setToolTip("Which chart to see")
        self.more = IconButton("export", "Save or copy the chart")
        self.view = ChartView()
        head = Box(Direction.LeftToRight, 8)
        head.box.addWidget(self.chooser, 1)
        head.box.addWidget(self.more)
        self.box.addWidget(head)
        self.box.addWidget(self.view, 1)
        self._rhythm = Rhythm(self._refresh, self)
        self.chooser.textActivated.connect(self.choose)
        self.more.clicked.connect(self._offer_below)
        self.view.menu_asked.connect(self._offer)
        self.view.moment_asked.connect(self._ask)

    def show_result(self, model: Model, frame: Frame | None) -> None:
        """What there is to chart from now on."""
        self._model, self._frame = model, frame
        self.view.set_step(self._step())
        self._rhythm.ask()

    def choose(self, title: str) -> None:
        """Show the chart of a title, now and whenever there is one."""
        self._wanted = title
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._rhythm.ask()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._rhythm.stop()

    def _refresh(self) -> None:
        frame, model = self._frame, self._model
        if model is None:
            return
        state = frame.moment.state if frame is not None and frame.moment is not None else None
        loss = loss_chart(frame, model.task) if frame is not None else None
        if state is not self._of:
            self._of, self._charts = state, charts_of(state)
        self._list(((loss,) if loss is not None else ()) + self._charts)

    def _list(self, charts: tuple[Chart, ...]) -> None:
        titles = [chart.title for chart in charts]
        if titles != [self.chooser.itemText(index) for index in range(self.chooser.count())]:
            self.chooser.clear()
            self.chooser.addItems(titles)
        self._listed = {chart.title: chart for chart in charts}
        self._show()

    def _show(self) -> None:
        chart = self._listed.get(self._wanted) or next(iter(self._listed.values()), None)
        for widget in (self.chooser, self.more):
            widget.setEnabled(chart is not None)
        if chart is not None:
            self.chooser.setCurrentText(chart.title)
        self.view.set_chart(chart, "" if chart is not None else self._words())
        self.view.set_step(self._step())

    def _words(self) -> str:
        """Why there is no chart."""
        if self._frame is None or self._frame.moment is None or self._model is None:
            return "Charts of the training come here as soon as there are points to learn from."
        return f"{self._model.title} has no charts of its own, and learns in one step."

    def _step(self) -> float | None:
        frame = self._frame
        if frame is None or frame.moment is None or frame.moment.index >= len(frame.steps):
            return None
        return float(frame.steps[frame.moment.index])

    def _ask(self, step: int) -> None:
        """A step of the training as the nearest recorded moment."""
        frame = self._frame
        if frame is not None and len(frame.steps):
            self.moment_asked.emit(int(abs(frame.steps - step).argmin()))

    def _offer_below(self) -> None:
        self._offer(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _offer(self, at: QPoint) -> None:
        if self.view.chart is not None:
            menu = self._saver.menu(Drawing.of_chart(self.view.chart), self.view.size(), self)
            menu.aboutToHide.connect(partial(menu.deleteLater))
            menu.popup(at)


def charts_of(state: State | None) -> tuple[Chart, ...]:
    """A state's charts; none where its code fails, which must not take the window along."""
    try:
        return state.charts() if state is not None else ()
    except Exception:  # noqa: BLE001 (models may come from anyone)
        return ()
