"""The dock of a model's inside: its diagram, linked with the canvas and with its parameters."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from vizml.learn import Model, State
from vizml.run.errors import guarded
from vizml.run.frame import Frame
from vizml.run.runner import BackgroundQuery
from vizml.scene import Diagram
from vizml.ui.charts.diagram_view import DiagramView
from vizml.ui.charts.pruned import pruned
from vizml.ui.charts.rhythm import Rhythm
from vizml.ui.charts.saving import Drawing, Saver
from vizml.ui.widgets.appearance import role
from vizml.ui.widgets.boxes import Box, Direction
from vizml.ui.widgets.buttons import IconButton
from vizml.ui.widgets.note import Note


class Structure(Box):
    """Shows the diagram of the state; it costs nothing while it is hidden."""

    def __init__(self, saver: Saver, parent: QWidget | None = None) -> None:
        super().__init__(Direction.TopToBottom, 4, (16, 4, 16, 12), parent)
        self._saver = saver
        self._model: Model | None = None
        self._frame: Frame | None = None
        self._of: State | None = None
        self._diagram: Diagram | None = None
        self._query = BackgroundQuery(self)
        self._query.answered.connect(self._on_diagram)
        self.note = Note()
        role(self.note, "muted")
        self.fit = IconButton("fit", "See all of it\nDouble click does the same")
        self.more = IconButton("export", "Save or copy the diagram")
        self.view = DiagramView()
        head = Box(Direction.LeftToRight, 4)
        head.box.addWidget(self.note, 1)
        head.box.addWidget(self.fit)
        head.box.addWidget(self.more)
        self.box.addWidget(head)
        self.box.addWidget(self.view, 1)
        self._rhythm = Rhythm(self._refresh, self)
        self.fit.clicked.connect(self.view.fit)
        self.more.clicked.connect(self._offer_below)
        self.view.menu_asked.connect(self._offer)

    def show_result(self, model: Model, frame: Frame | None) -> None:
        """What there is to draw from now on."""
        self._model, self._frame = model, frame
        self._rhythm.ask()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._rhythm.ask()

    def close_down(self) -> None:
        """End the thread, as a window does before it goes."""
        self._query.close()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is pointed at any more."""
        super().hideEvent(event)
        self._rhythm.stop()
        self.view.let_go()

    def _refresh(self) -> None:
        frame = self._frame
        state = frame.moment.state if frame is not None and frame.moment is not None else None
        if state is None:
            self._of = None
            self._query.cancel()
            self._put(None)
        elif state is not self._of and not self._query.waiting:
            self._of = state
            self._query.ask(partial(diagram_of, state))

    def _on_diagram(self, diagram: Diagram | None) -> None:
        """What the state of a moment ago had; by now there may be another one."""
        self._put(diagram)
        self._rhythm.ask()

    def _put(self, diagram: Diagram | None) -> None:
        self._diagram = diagram
        self.note.say(diagram.note or diagram.title if diagram is not None else "")
        for widget in (self.fit, self.more):
            widget.setEnabled(diagram is not None)
        quiet = replace(diagram, note="") if diagram is not None else None
        self.view.set_diagram(quiet, "" if quiet is not None else self._words())

    def _words(self) -> str:
        """Why there is no diagram."""
        if self._of is None or self._model is None:
            return "The inside of the model comes here as soon as there are points to learn from."
        return f"{self._model.title} has no inside to draw. Trees, networks and hierarchies have."

    def _offer_below(self) -> None:
        self._offer(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _offer(self, at: QPoint) -> None:
        if self._diagram is not None:
            menu = self._saver.menu(Drawing.of_diagram(self._diagram), self.view.size(), self)
            menu.aboutToHide.connect(partial(menu.deleteLater))
            menu.popup(at)


def diagram_of(state: State | None) -> Diagram | None:
    """A state's diagram; none where its code raises an error, which is reported."""
    diagram = guarded(state, "diagram", state.diagram, None) if state is not None else None
    return pruned(diagram) if diagram is not None else None
