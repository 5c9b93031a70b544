"""View of a document: its points over the newest frame, in a rectangle of the plane."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from PySide6.QtCore import QObject, QVariantAnimation, Signal, Slot
from PySide6.QtWidgets import QApplication, QStyle, QWidget

from vizml.data import MAX_CLASSES, Dataset
from vizml.data.wording import plural
from vizml.evaluate.diagnostics.last_test import legend_text
from vizml.field.arrays import Bounds
from vizml.field.raster import Section
from vizml.learn import State, Task, View
from vizml.paint import Geometry
from vizml.run.errors import guarded
from vizml.run.figures import axis_titles, points_of, score_lines
from vizml.run.request import Frame, ShownState
from vizml.scene import Look, Mark, Scene
from vizml.scene.figure import Emphasis, Figure, interpolated, moving_dots
from vizml.scene.viewport import equal_bounds, from_decades, scaled, to_decades
from vizml.ui.canvas.selection import NO_POINT, Selection
from vizml.ui.canvas.viewport import contains, fitted, is_valid, panned, replaced, still_fits, zoomed
from vizml.ui.widget_helpers import listen
from vizml.workspace import Document
from vizml.workspace.work import Change

AnyView: TypeAlias = View[Any]
DURATION = 180
"""Milliseconds of the animation: long enough to follow a mark, short enough not to delay the next click."""
RAPID = 0.15
"""Scenes that follow one another within so many seconds are shown at once: they move by themselves."""


def animations_enabled() -> bool:
    """Whether the system allows animations."""
    return QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0


class MarkAnimation(QObject):
    """Blend the scene that is shown into the newest one."""

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.allowed = True
        self.scene: Scene | None = None
        """Scene to paint now."""
        self._from: Scene | None = None
        self._to: Scene | None = None
        self._changed = 0.0
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(DURATION)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.valueChanged.connect(self._blend)

    @property
    def running(self) -> bool:
        return self._animation.state() == QVariantAnimation.State.Running

    def to(self, scene: Scene | None) -> None:
        """Show another scene: at once in rapid succession, or where animations are disabled."""
        now = time.monotonic()
        rapid, self._changed = now - self._changed < RAPID, now
        self._animation.stop()
        self._from, self._to, self.scene = self.scene, scene, scene
        if scene is None or rapid or not self.allowed:
            return
        if moving_dots(self._from, scene) and animations_enabled():
            self._animation.start()

    def stop(self) -> None:
        """Show the newest scene."""
        self._animation.stop()
        self.scene = self._to

    def _blend(self, share: float) -> None:
        if self._to is not None:
            self.scene = interpolated(self._from, self._to, share)
            self.moved.emit()


class DocumentView(QWidget):
    """Follow the document and the frames of a run: points appear at once, the rest comes with frames."""

    view_changed = Signal()
    """Bounds or size have changed: a new frame is needed."""
    label_changed = Signal(int)
    threshold_dragged = Signal(float)
    """Lead of the second class at the threshold that is dragged."""

    def __init__(self, document: Document, index: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.index = index
        """Index of the document's experiment that is shown."""
        self.label = 0
        """Class of new points."""
        self.look = Look()
        self.frame: Frame | None = None
        self.highlight: tuple[Mark, ...] = ()
        """Marks of the part of the model that is pointed at in a diagram."""
        self.pointed = NO_POINT
        """Id of the point that is pointed at in a table, or NO_POINT."""
        self.emphasis: Emphasis | None = None
        """The part of the figure from which the rest is faded."""
        self.scales = document.work.scales
        self.bounds = fitted(document.work.bounds, self.scales.log)
        """Rectangle of the plane that is to be seen; with equal scales more of it is shown along one axis."""
        self.selection, self.animation = Selection(document, self), MarkAnimation(self)
        self._dataset: Dataset = document.placed
        self._type_scale = 1.0
        self._geometry: Geometry | None = None
        self._figure: Figure | None = None
        self._view: AnyView | None = None
        self._viewed: tuple[State | None, Section | None] = (None, None)
        self._editing = False
        """Whether an event of mouse or keyboard is being handled, whose edits never move the view."""
        listen(document.changed, self._on_change)
        listen(document.test_set_viewed, self.refresh)
        self.selection.changed.connect(self.refresh)
        self.animation.moved.connect(self.refresh)
        self._describe()

    @property
    def task(self) -> Task:
        return self.document.experiment(self.index).model.task

    def take_label(self, label: int) -> None:
        """Set the class of new points; the selection keeps its classes."""
        if not 0 <= label < MAX_CLASSES:
            raise ValueError(f"a class must be from 0 to {MAX_CLASSES - 1}, not {label}")
        if label != self.label:
            self.label = label
            self.label_changed.emit(label)
        self.update()

    # -- content -------------------------------------------------------------------------------------------

    @property
    def _shown(self) -> ShownState | None:
        """State that is shown with its scores; None on an empty canvas."""
        return self.frame.shown if self.frame and len(self.document.work.dataset) else None

    @property
    def view(self) -> AnyView | None:
        """View of the state that is shown; None on an empty canvas."""
        frame = self.frame
        if frame is None or self._shown is None:
            return None
        state, section = self._shown.state, frame.request.section
        if (state, section) != self._viewed:
            self._viewed = state, section
            self._view = guarded(state, "on", lambda: state.on(section), None)
        return self._view

    @property
    def cost(self) -> object:
        """Equal for views that take equally long to evaluate: those of one step of a run."""
        frame, shown = self.frame, self._shown
        return (self.index, frame.token, shown.index) if frame and shown else None

    @property
    def figure(self) -> Figure:
        """Everything on the canvas except what follows the pointer."""
        if self._figure is None:
            document, dataset = self.document, self.document.work.dataset
            held, tested = document.work.used_split.masks(dataset)
            scene = self.animation.scene if len(dataset) else None
            points = points_of(
                dataset,
                self.task,
                scene,
                positions=document.placed.points,
                held=held,
                tested=tested,
                selected=self.selection.mask if len(self.selection.ids) else None,
                test_name=legend_text(document.test_set_views.count(document.work)) if tested.any() else "",
                section=self.frame.request.section if self.frame and self._shown else None,
            )
            scores = score_lines(self._shown, self.task, dataset, self.look.threshold)
            self._figure = Figure(points, scene, self.look, axis_titles(dataset, self.task, scene), scores)
        return self._figure

    def set_frame(self, frame: Frame) -> None:
        """Show a frame of a run; until a new run has a scene, the former one stays."""
        self.frame = frame
        same_axes = frame.request.viewport.log == self.scales.log
        if same_axes and (frame.scene is not None or frame.failure is not None):
            self.animation.to(frame.scene)
        self.refresh()

    def set_highlight(self, marks: tuple[Mark, ...]) -> None:
        """Show marks over all others, until there are other ones."""
        self.highlight = marks
        self.update()

    def set_pointed(self, id: int) -> None:
        """Ring the point with an id; NO_POINT for none."""
        if id != self.pointed:
            self.pointed = id
            self.update()

    def set_emphasis(self, emphasis: Emphasis | None) -> None:
        """Fade all but a part of the figure; None shows all of it."""
        if emphasis != self.emphasis:
            self.emphasis = emphasis
            self.update()

    def set_look(self, look: Look) -> None:
        """Set theme and layers."""
        self.look = look
        self.refresh()

    def set_motion(self, allowed: bool) -> None:
        """Allow or forbid the animation of marks."""
        self.animation.allowed = allowed
        self.animation.stop()
        self.refresh()

    def set_type_scale(self, scale: float) -> None:
        """Scale type, margins and symbols."""
        if scale != self._type_scale:
            self._type_scale = scale
            self.update_view()

    @Slot()
    def refresh(self) -> None:
        """Compose the figure anew and repaint."""
        self._figure = None
        self.update()

    # -- viewport ------------------------------------------------------------------------------------------

    @property
    def plot_geometry(self) -> Geometry:
        """Position of the plot in the widget, and the mapping between pixels and data."""
        if self._geometry is None:
            size, scales = (self.width(), self.height()), self.scales
            work = self.document.work
            names = work.task.canvas_axes(work.dataset).categories
            geometry = Geometry(*size, self.bounds, self._type_scale, log=scales.log, categories=names)
            if scales.equal:
                plot = geometry.plot
                geometry = replace(geometry, bounds=equal_bounds(self.bounds, plot.width(), plot.height()))
            self._geometry = geometry.strewn(self.document.placed.points)
        return self._geometry

    def set_bounds(self, bounds: Bounds) -> None:
        """Show another rectangle of the plane; one beyond the limits is ignored."""
        if bounds != self.bounds and is_valid(bounds, self.scales.log):
            self.bounds = bounds
            self.update_view()

    def fit_all(self) -> None:
        """Show all points."""
        self.set_bounds(fitted(self.document.work.bounds, self.scales.log))

    def keep_all(self) -> None:
        """Fit the view to the points where all of them are visible, but only at this size."""
        points, shown = self.document.work.bounds, self.plot_geometry.bounds
        if points is not None and contains(shown, points) and not contains(self.bounds, points):
            self.fit_all()

    def pan(self, dx: float, dy: float) -> None:
        """Move the view by pixels."""
        (across, up), log = self.plot_geometry.unit, self.scales.log
        moved = panned(to_decades(self.bounds, log), -dx * across, dy * up)
        self.set_bounds(from_decades(moved, log))

    def magnify(self, x_factor: float, y_factor: float, x: float, y: float) -> None:
        """Magnify the view about a position in pixels, which keeps its data units."""
        scales = self.scales
        if scales.equal:
            x_factor = y_factor = max(x_factor, y_factor, key=lambda factor: abs(math.log(factor)))
        across, up = scaled(np.array(self.plot_geometry.to_data(x, y)), scales.log).tolist()
        range_ = zoomed(to_decades(self.bounds, scales.log), x_factor, y_factor, (across, up))
        self.set_bounds(from_decades(range_, scales.log))

    def update_view(self) -> None:
        """Compute the geometry anew, and repaint."""
        self._geometry = None
        self.update()
        self.view_changed.emit()

    # -- document and selection ----------------------------------------------------------------------------

    @Slot(object)
    def _on_change(self, change: Change) -> None:
        scales, self.scales = self.scales, self.document.work.scales
        if self.scales.log != scales.log:  # a view of powers of ten shows all points at first
            self.bounds = fitted(self.document.work.bounds, self.scales.log)
            self.animation.to(None)
        if self.scales != scales:
            self.update_view()
        before, self._dataset = self._dataset, self.document.placed
        if self._dataset is not before:
            self._geometry = None  # many points have smaller symbols
            if len(self.selection.ids):
                if replaced(before, self._dataset):
                    self.selection.clear()
                else:
                    self.selection.prune()
            if not self._editing and not still_fits(self.bounds, before, self._dataset):
                self.fit_all()
            self._describe()
        self.refresh()

    def _describe(self) -> None:
        count = plural(len(self._dataset), "point")
        self.setAccessibleDescription(f"{count}. Arrow keys move the cross-hair, Enter uses the tool.")
