"""Stage: an experiment of the document on a canvas with its timeline, trained by a runner."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import perf_counter

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from vizml.evaluate.diagnostic import NO_OVERLAY, Overlay
from vizml.learn import Focus, State
from vizml.run.compose import focus_of
from vizml.run.layers import Layer, OverlayLayer, generator_layers
from vizml.run.request import Frame, RenderRequest
from vizml.run.runner import POINTER, BackgroundQuery, Runner
from vizml.scene import Look, ViewDependent
from vizml.scene.figure import LEGEND, SCORES
from vizml.ui.canvas.canvas import Canvas
from vizml.ui.widget_helpers import listen
from vizml.ui.widgets.timeline import Timeline
from vizml.workspace import Document, Experiment
from vizml.workspace.preferences import Preferences
from vizml.workspace.work import Change

DELAY = (0.04, 0.25)
"""Bounds of the seconds that a run may take to its first frame before an edit replaces it.

Edits of a drag come faster than frames. Without this delay each would replace the run before it, and nothing
would be drawn until the drag rests. Between the bounds it is twice the time of the latest first frame.
"""
LONGEST_DELAY = 1.0
"""Limit of the delay, which doubles with every run that is replaced before its first frame."""
GENERATOR = "generator"
LAYER_ORDER = (GENERATOR, "overlay", "curves", "difference")
"""Names of the layers from the lowest to the highest."""


class Stage(QWidget):
    """Start runs on edits, request frames for views and steps, pass frames to canvas and timeline."""

    frame_changed = Signal(object)
    """The Frame that is shown."""
    threshold_changed = Signal(float)
    """Score by which the second of two classes must lead to be predicted."""

    def __init__(
        self, document: Document, preferences: Preferences, index: int = 0, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._preferences = document, preferences
        self.index = index
        """Index of the document's experiment that is shown."""
        self.canvas = Canvas(document, index, self)
        self.timeline = Timeline()
        self.runner = Runner(self)
        self._focus = BackgroundQuery(self, POINTER)
        self.frame: Frame | None = None
        self.state: State | None = None
        """State that is shown."""
        self._experiment: Experiment | None = None
        self._step: int | None = None
        self.node = self._evaluated_node = ""
        """Node of the diagram that is pointed at, or an empty string, and the one that is evaluated."""
        self._request: RenderRequest | None = None
        self.threshold = 0.0
        """Score by which the second of two classes must lead to be predicted."""
        self._layers: dict[str, Layer] = {}
        self.layers: tuple[Layer, ...] = ()
        """Additional content of the picture, from the lowest to the highest."""
        self._hidden: tuple[str, ...] = ()
        self._score_kind: tuple[object, ...] = ()
        self.train = self.held = document.dataset
        """Training data and held-out points of the newest run."""
        self.learned = self.train
        """Training data of the state that is shown: the document may have been edited since."""
        self._started = 0.0
        self._delay = DELAY[0]
        self._no_frame_yet = False
        self._restart = QTimer(self, singleShot=True)
        self._restart.timeout.connect(self._start)
        self._build_layout()
        self._connect()
        self.apply_preferences()
        self._start()

    @property
    def settled(self) -> bool:
        """Whether the newest run has ended, its exact picture is shown, and no edit is pending."""
        frame = self.frame
        if frame is None or frame.running or frame.token != self.runner.token or self.behind:
            return False
        return frame.scene is None or frame.scene.exact

    @property
    def behind(self) -> bool:
        """Whether an edit waits for a run."""
        return self._restart.isActive()

    def show_step(self, step: int | None) -> None:
        """Show a recorded step by its index; None follows the newest."""
        self._step = step
        self.request_frame()

    @property
    def look(self) -> Look:
        """Theme and layers of the picture."""
        look = replace(self._preferences.look, threshold=self.threshold)
        for layer in self._hidden:
            if layer != LEGEND or "curves" not in self._layers:
                look = look.switched(layer, on=False)
        return look

    def set_stage_count(self, count: int) -> None:
        """Hide scores and legend where several stages share the window: a table shows the scores of all."""
        hidden = (SCORES, LEGEND) if count > 2 else (SCORES,) if count > 1 else ()
        if hidden != self._hidden:
            self._hidden = hidden
            self._show_look()

    def take_timeline(self) -> None:
        """Put the timeline below the canvas, where it stands unless stages share one."""
        self._column.addWidget(self.timeline)
        self.timeline.show()

    @Slot(float)
    def set_threshold(self, threshold: float) -> None:
        """Predict the second of two classes only where its score leads by a threshold."""
        if threshold != self.threshold:
            self.threshold = threshold
            self._show_look()
            self.threshold_changed.emit(threshold)

    def set_layer(self, name: str, layer: Layer | None) -> None:
        """Show a layer in place of the one that was set under a name; None removes it."""
        if layer == self._layers.get(name):
            return
        self._layers.pop(name, None)
        if layer is not None:
            self._layers[name] = layer
        self.layers = tuple(self._layers[name] for name in LAYER_ORDER if name in self._layers)
        if name == "curves":  # whose legend is shown
            self._show_look()
        else:
            self.request_frame()

    def clear_layers(self) -> None:
        """Remove the highlighted node and all layers but those of the generator.

        The stage is no longer the active one.
        """
        self.point_at(None)
        for name in set(self._layers) - {GENERATOR}:
            self.set_layer(name, None)

    def set_overlay(self, overlay: Overlay) -> None:
        """Show the overlay of a diagnostic over the model's own picture."""
        self.set_layer("overlay", None if overlay is NO_OVERLAY else OverlayLayer(overlay))

    def point_at(self, node: str | None) -> None:
        """Highlight a node of the diagram on the canvas; None ends it."""
        self.node = node or ""
        self._focus.cancel()
        self._update_focus()

    def _update_focus(self) -> None:
        """Find what the node shows in the newest state, in the background."""
        view = self.canvas.view
        if view is not None and self.node:
            self._focus.follow(view, partial(focus_of, view, self.node))
        else:
            self._on_focus(Focus())

    def close_down(self) -> None:
        """Stop timer, queries and worker before the stage is deleted."""
        self._restart.stop()
        self._focus.close()
        self.canvas.close_down()
        self.runner.close()

    def _build_layout(self) -> None:
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.canvas, 1)
        column.addWidget(self.timeline)
        self.setFocusProxy(self.canvas)

    def _connect(self) -> None:
        listen(self._document.changed, self._on_change)
        listen(self._preferences.changed, self.apply_preferences)
        self.canvas.view_changed.connect(self.request_frame)
        self.canvas.threshold_dragged.connect(self.set_threshold)
        self.timeline.step_requested.connect(self.show_step)
        self.timeline.cancel_requested.connect(self.runner.cancel)
        self.runner.frame.connect(self._on_frame)
        self._focus.answered.connect(self._on_focus)

    @Slot(object)
    def _on_change(self, change: Change) -> None:
        """Train again where the data or the experiment of this stage changed."""
        if self.index >= len(self._document.work.experiments):
            return
        same = self._experiment == self._document.experiment(self.index)
        if Change.SECTION in change:
            self.request_frame()
        if same and not change & (Change.DATA | Change.SPLIT):
            return
        self._step = 0 if self.canvas.drags_anchor else None  # continue from there, paused
        age = perf_counter() - self._started
        if not self._no_frame_yet or age >= self._delay:
            self._start()
        elif not self._restart.isActive():
            self._restart.start(max(int((self._delay - age) * 1000), 1))

    @Slot()
    def _start(self) -> None:
        self._restart.stop()
        if self.index >= len(self._document.work.experiments):  # the stage is about to be removed
            return
        if self._no_frame_yet:  # replaced before its first frame
            self._delay = min(2 * self._delay, LONGEST_DELAY)
        work, self._experiment = self._document.work, self._document.experiment(self.index)
        self.train, self.held = work.used_split.parts(work.dataset)
        generator = work.generator  # empty once the points were edited
        layers = generator_layers(generator) if generator else ()
        self.set_layer(GENERATOR, layers[0] if layers else None)
        experiment = self._experiment
        kind = type(experiment.model), *self.train.present.tolist()
        if kind != self._score_kind:  # scores of another model or of other classes are not comparable
            self._score_kind = kind
            self.set_threshold(0.0)
        self._started, self._no_frame_yet = perf_counter(), True
        self.request_frame()
        self.runner.start(
            experiment.model, experiment.seed, self.train, self.held, standardise=experiment.standardise
        )

    @Slot()
    def request_frame(self) -> None:
        """Request a frame for the current view, unless it has been requested already."""
        viewport = self.canvas.plot_geometry.viewport(self.canvas.devicePixelRatioF())
        request = RenderRequest(
            viewport, self.canvas.look, self._step, held=self._document.work.held, node=self._evaluated_node,
            layers=self.layers,
        )  # fmt: skip
        if request != self._request:  # a slow picture would start again
            self._request = request
            self.runner.show(request)

    @Slot(object)
    def _on_focus(self, focus: Focus) -> None:
        """Show marks at once; a highlight that is evaluated on the plane comes with the next frame."""
        evaluated = focus.lens is not None or any(isinstance(mark, ViewDependent) for mark in focus.marks)
        self.canvas.set_highlight(() if evaluated else focus.marks)
        node = self.node if evaluated else ""
        if node != self._evaluated_node:
            self._evaluated_node = node
            self.request_frame()

    @Slot()
    def apply_preferences(self) -> None:
        """Apply type size, theme and layers."""
        self.canvas.set_type_scale(self._preferences.type_scale)
        self._show_look()

    def _show_look(self) -> None:
        self.canvas.set_look(self.look)
        self.request_frame()

    @Slot(object)
    def _on_frame(self, frame: Frame) -> None:
        self.frame, self.state, self.learned = frame, frame.state, self.train
        if self._no_frame_yet:
            self._no_frame_yet = False
            self._delay = min(max(2 * (perf_counter() - self._started), DELAY[0]), DELAY[1])
        self.canvas.set_frame(frame)
        if self.node:
            self._update_focus()
        self.timeline.set_frame(frame)
        self.frame_changed.emit(frame)
        if self._restart.isActive():
            self._start()
