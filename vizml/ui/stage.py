"""A stage: one experiment of the document on a canvas with its timeline, kept fresh by a runner."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from vizml.evaluate.diagnostic import NO_OVERLAY, Overlay
from vizml.learn import Focus, State
from vizml.run.compose import focus_of
from vizml.run.frame import Frame
from vizml.run.layers import CurvesLayer, DifferenceLayer, Layer, OverlayLayer
from vizml.run.request import RenderRequest
from vizml.run.runner import POINTER, BackgroundQuery, Runner
from vizml.scene import Look, ViewDependent
from vizml.scene.scene import LEGEND, SCORES
from vizml.scene.viewport import Viewport
from vizml.ui.canvas.canvas import Canvas
from vizml.ui.widget_helpers import listen
from vizml.ui.widgets.timeline import Timeline
from vizml.workspace import Document, Experiment
from vizml.workspace.preferences import Preferences
from vizml.workspace.work import Change

if TYPE_CHECKING:
    from vizml.learn import State


NO_NODE = (None, "")


class NodeHighlight(QObject):
    """Find the focus of a node in each new state, while a node is pointed at."""

    found = Signal(object)
    """The Focus of the node that is pointed at, empty where none is."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._query = BackgroundQuery(self, POINTER)
        self._query.answered.connect(self._on_answer)
        self._asked: tuple[State | None, str] = NO_NODE
        self._wanted: tuple[State | None, str] = NO_NODE

    def follow(self, state: State | None, node: str) -> None:
        """Find the focus of a node: for another node at once, for another state after the pending answer."""
        self._wanted = state, node
        if state is None or not node:
            self._asked = NO_NODE
            self._query.cancel()
            self.found.emit(Focus())
        elif not self._query.waiting or node != self._asked[1]:
            self._ask()

    def close_down(self) -> None:
        """End the thread."""
        self._query.close()

    def _ask(self) -> None:
        if self._asked[0] is not self._wanted[0] or self._asked[1] != self._wanted[1]:
            self._asked = self._wanted
            self._query.ask(partial(_focus, *self._wanted))

    @Slot(object)
    def _on_answer(self, focus: Focus) -> None:
        self.found.emit(focus)
        self._ask()


def _focus(state: State | None, node: str) -> Focus:
    return focus_of(state.on(), node) if state is not None else Focus()


GRACE = (0.04, 0.25)
"""The least and the most that a run may take to its first frame before an edit supersedes it, in seconds.

Edits of a drag come faster than frames; without a grace each would supersede the one before it, and nothing
would be drawn until the hand rests. Between the bounds it is twice what the latest first frame took.
"""
LONGEST = 1.0
"""What the grace grows to where one run after another is superseded before its first frame."""


LAYER_ORDER = ("overlay", "curves", "difference")
"""Names of the layers from the lowest to the highest."""


class Stage(QWidget):
    """Edits start runs, views and steps ask for frames, frames go to canvas and timeline."""

    frame_changed = Signal(object)
    """The Frame that is on the stage now."""
    threshold_changed = Signal(float)
    """What the second of two classes must lead by to win, from now on."""

    def __init__(
        self, document: Document, preferences: Preferences, index: int = 0, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._preferences, self._index = document, preferences, index
        self.canvas = Canvas(document, index, self)
        self.timeline = Timeline(self)
        self.runner = Runner(self)
        self._highlight = NodeHighlight(self)
        self.frame: Frame | None = None
        self._experiment: Experiment | None = None
        self._step: int | None = None
        self._node = self._seen = ""
        self._request: RenderRequest | None = None
        self._threshold = 0.0
        self._layers: dict[str, Layer] = {}
        self._spared: tuple[str, ...] = ()
        self._kind: tuple[object, ...] = ()
        self.train = self.held = document.dataset
        """What the newest run learns from, and what it is not shown."""
        self.learned = self.train
        """What the state on the stage has learned from: an edit may have come since."""
        self._started = 0.0
        self._grace = GRACE[0]
        self._waiting = False
        self._again = QTimer(self, singleShot=True)
        self._again.timeout.connect(self._start)
        self._lay_out()
        self._connect()
        self._dress()
        self._start()

    @property
    def state(self) -> State | None:
        """The state that is shown."""
        return self.frame.state if self.frame is not None else None

    @property
    def settled(self) -> bool:
        """Whether the newest run is over, its exact picture is here, and no edit waits."""
        frame = self.frame
        if frame is None or frame.running or frame.token != self.runner.token or self._again.isActive():
            return False
        return frame.scene is None or frame.scene.exact

    @property
    def behind(self) -> bool:
        """Whether there is an edit that no run knows of yet."""
        return self._again.isActive()

    def retrain(self) -> None:
        """Run the experiment once more."""
        self._start()

    def show_step(self, step: int | None) -> None:
        """Show a step of the recording; None follows the newest."""
        self._step = step
        self._look()

    @property
    def index(self) -> int:
        """Index of the experiment that it shows."""
        return self._index

    @property
    def look(self) -> Look:
        """Appearance of its picture."""
        look = replace(self._preferences.look, threshold=self._threshold)
        for layer in self._spared:
            if layer != LEGEND or "curves" not in self._layers:
                look = look.switched(layer, on=False)
        return look

    def set_stage_count(self, count: int) -> None:
        """How many stages there are: a table has the scores of several, and room becomes dear."""
        spared = (SCORES, LEGEND) if count > 2 else (SCORES,) if count > 1 else ()
        if spared != self._spared:
            self._spared = spared
            self._dress()

    def take_timeline(self) -> None:
        """Have the timeline below the canvas, where it is when no other stage shares it."""
        self._column.addWidget(self.timeline)
        self.timeline.show()

    @property
    def threshold(self) -> float:
        return self._threshold

    def set_threshold(self, threshold: float) -> None:
        """Let the second of two classes win only where it leads by so much."""
        if threshold != self._threshold:
            self._threshold = threshold
            self.canvas.set_look(self.look)
            self._look()
            self.threshold_changed.emit(threshold)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Additional content of the picture, from the lowest to the highest."""
        return tuple(self._layers[name] for name in sorted(self._layers, key=LAYER_ORDER.index))

    def set_layer(self, name: str, layer: Layer | None) -> None:
        """Show a layer in place of the one that was set under a name; None removes it."""
        if layer is self._layers.get(name):
            return
        self._layers.pop(name, None)
        if layer is not None:
            self._layers[name] = layer
        self._dress()

    def clear_layers(self) -> None:
        """Remove all layers and the highlighted node, as for a stage that is no longer the active one."""
        self.point_at(None)
        if self._layers:
            self._layers.clear()
            self._dress()

    def set_difference(self, other: State | None) -> None:
        """Show where the predictions of another state differ."""
        shown = self._layers.get("difference")
        if other is not (shown.other if isinstance(shown, DifferenceLayer) else None):
            self.set_layer("difference", None if other is None else DifferenceLayer(other))

    def set_curves(self, curves: CurvesLayer | None) -> None:
        """Show the curves of other models next to the model's own, with their names."""
        if curves is None or not curves.same(self._layers.get("curves")):
            self.set_layer("curves", curves)

    def set_overlay(self, overlay: Overlay) -> None:
        """Show the overlay of a diagnostic over the model's own picture."""
        shown = self._layers.get("overlay")
        if overlay is not (shown.overlay if isinstance(shown, OverlayLayer) else NO_OVERLAY):
            self.set_layer("overlay", None if overlay is NO_OVERLAY else OverlayLayer(overlay))

    @property
    def node(self) -> str:
        """The node of the state's diagram that is pointed at, or nothing."""
        return self._node

    def point_at(self, node: str | None) -> None:
        """Show on the canvas what a node of the state's diagram is; None shows the model as it is."""
        self._node = node or ""
        self._follow()

    def close_down(self) -> None:
        """End the worker, as a window does before it goes."""
        self._again.stop()
        self._highlight.close_down()
        self.runner.close()

    def _lay_out(self) -> None:
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.canvas, 1)
        column.addWidget(self.timeline)
        self.setFocusProxy(self.canvas)

    def _connect(self) -> None:
        listen(self._document.changed, self._on_change)
        listen(self._preferences.changed, self._dress)
        self.canvas.view_changed.connect(self._look)
        self.timeline.step_requested.connect(self.show_step)
        self.timeline.cancel_requested.connect(self.runner.cancel)
        self.runner.frame.connect(self._on_frame)
        self._highlight.found.connect(self._on_focus)

    @Slot(object)
    def _on_change(self, change: Change) -> None:
        """Train anew where the data or this stage's own experiment changed."""
        if self._index >= len(self._document.work.experiments):
            return
        same = self._experiment == self._document.experiment(self._index)
        if same and not change & (Change.DATA | Change.SPLIT):
            return
        self._step = None
        age = perf_counter() - self._started
        if not self._waiting or age >= self._grace:
            self._start()
        elif not self._again.isActive():
            self._again.start(max(int((self._grace - age) * 1000), 1))

    @Slot()
    def _start(self) -> None:
        self._again.stop()
        if self._index >= len(self._document.work.experiments):  # a stage that is about to go
            return
        if self._waiting:  # superseded unseen: the next run gets longer, or a drag might show nothing at all
            self._grace = min(2 * self._grace, LONGEST)
        self._experiment = self._document.experiment(self._index)
        self.train, self.held = self._document.split.parts(self._document.dataset)
        self._keep_threshold()
        self._started, self._waiting = perf_counter(), True
        self._look()
        experiment = self._experiment
        self.runner.start(
            experiment.model, experiment.seed, self.train, self.held, standardise=experiment.standardise
        )

    def _keep_threshold(self) -> None:
        """Scores of another model, or between other classes, are of another kind."""
        experiment = self._document.experiment(self._index)
        kind = type(experiment.model), *self.train.present.tolist()
        if kind != self._kind:
            self._kind = kind
            self.set_threshold(0.0)

    @Slot()
    def _look(self) -> None:
        """Ask for what the canvas can show."""
        width, height = self.canvas.view_size()
        if width > 0 and height > 0:
            viewport = Viewport(self.canvas.bounds, width, height)
            request = RenderRequest(viewport, self.look, self._step, None, self._seen, self.layers)
            if request != self._request:  # or a slow picture would start anew
                self._request = request
                self.runner.show(request)

    def _follow(self) -> None:
        """Look for the node that is pointed at in the newest state."""
        shown = self.frame.shown if self.frame else None
        self._highlight.follow(shown.state if shown else None, self._node)

    @Slot(object)
    def _on_focus(self, focus: Focus) -> None:
        """Marks of a node are drawn at once; one that is evaluated on the plane comes with the next frame."""
        evaluated = focus.lens is not None or any(isinstance(mark, ViewDependent) for mark in focus.marks)
        self.canvas.set_highlight(() if evaluated else focus.marks)
        seen = self._node if evaluated else ""
        if seen != self._seen:
            self._seen = seen
            self._look()

    @Slot()
    def _dress(self) -> None:
        """Follow the preferences."""
        self.canvas.set_type_scale(self._preferences.type_scale)
        self.canvas.set_look(self.look)
        self._look()

    @Slot(object)
    def _on_frame(self, frame: Frame) -> None:
        self.frame, self.learned = frame, self.train
        if self._waiting:
            self._waiting = False
            self._grace = min(max(2 * (perf_counter() - self._started), GRACE[0]), GRACE[1])
        self.canvas.set_frame(frame)
        if self._node:
            self._follow()
        self.timeline.set_frame(frame)
        self.frame_changed.emit(frame)
        if self._again.isActive():
            self._start()
