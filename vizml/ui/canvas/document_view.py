"""View of a document: its points over the newest frame, in a rectangle of the plane."""

from __future__ import annotations

from typing import Any, TypeAlias

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from vizml.data import MAX_CLASSES, Dataset
from vizml.field.arrays import Bounds, Mask
from vizml.learn import State, Task, View
from vizml.paint import Geometry
from vizml.run.errors import guarded
from vizml.run.figures import points_of, score_lines
from vizml.run.frame import Frame
from vizml.run.request import ShownState
from vizml.scene import Look, Mark
from vizml.scene.figure import Figure
from vizml.ui.canvas.mark_animation import MarkAnimation
from vizml.ui.canvas.selection import Selection
from vizml.ui.canvas.viewport import fitted, is_valid, replaced, still_fits
from vizml.ui.text import points
from vizml.ui.widget_helpers import listen
from vizml.workspace import Document
from vizml.workspace.work import Change

AnyView: TypeAlias = View[Any]


class DocumentView(QWidget):
    """Follow the document and the frames of a run: points appear at once, the rest comes with frames."""

    view_changed = Signal()
    """Bounds or size have changed: a new frame is needed."""
    selection_changed = Signal()
    label_changed = Signal(int)

    def __init__(self, document: Document, index: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._index, self._label = document, index, 0
        self._dataset: Dataset = document.dataset
        self._bounds, self._type_scale, self._look = fitted(self._dataset), 1.0, Look()
        self._geometry: Geometry | None = None
        self._figure: Figure | None = None
        self._frame: Frame | None = None
        self._view: AnyView | None = None
        self._highlight: tuple[Mark, ...] = ()
        self._editing = False
        """Whether an event of mouse or keyboard is being handled, whose edits never move the view."""
        self.selection, self.animation = Selection(document, self), MarkAnimation(self)
        listen(document.changed, self._on_change)
        listen(document.test_set_viewed, self.refresh)
        self.selection.changed.connect(self._on_selection)
        self.animation.moved.connect(self.refresh)
        self._describe()

    @property
    def document(self) -> Document:
        return self._document

    @property
    def index(self) -> int:
        """Index of the document's experiment that is shown."""
        return self._index

    @property
    def has_experiment(self) -> bool:
        """Whether the experiment is still there; the canvas of a removed one waits to be deleted."""
        return self._index < len(self._document.work.experiments)

    @property
    def task(self) -> Task:
        return self._document.experiment(self._index).model.task

    @property
    def label(self) -> int:
        """Class of new points."""
        return self._label

    def take_label(self, label: int) -> None:
        """Set the class of new points; the selection keeps its classes."""
        if not 0 <= label < MAX_CLASSES:
            raise ValueError(f"a class must be from 0 to {MAX_CLASSES - 1}, not {label}")
        if label != self._label:
            self._label = label
            self.label_changed.emit(label)
        self.update()

    # -- content -------------------------------------------------------------------------------------------

    @property
    def _shown(self) -> ShownState | None:
        return self._frame.shown if self._frame and len(self._document.dataset) else None

    @property
    def state(self) -> State | None:
        """State that is shown; None on an empty canvas."""
        return self._shown.state if self._shown else None

    @property
    def view(self) -> AnyView | None:
        """View of the state that is shown."""
        state = self.state
        if state is None:
            return None
        if self._view is None or self._view.state is not state:
            self._view = guarded(state, "on", state.on, None)
        return self._view

    @property
    def look(self) -> Look:
        return self._look

    @property
    def frame(self) -> Frame | None:
        return self._frame

    @property
    def figure(self) -> Figure:
        """Everything on the canvas except what follows the pointer."""
        if self._figure is None:
            self._figure = self._compose()
        return self._figure

    def _compose(self) -> Figure:
        dataset, document = self._document.dataset, self._document
        held, tested = document.split.masks(dataset)
        scene = self.animation.scene if len(dataset) else None
        points = points_of(
            dataset,
            self.task,
            scene,
            held=held,
            tested=tested,
            selected=self.selected if len(self.selection) else None,
            test_name=document.test_set_views.legend(document.work),
        )
        scores = score_lines(self._shown, self.task, self._look.threshold)
        return Figure(points, scene, self._look, dataset.axes, scores)

    def set_frame(self, frame: Frame) -> None:
        """Show a frame of a run; until a new run has a scene, the former one stays."""
        self._frame = frame
        if frame.scene is not None or frame.failure is not None:
            self.animation.to(frame.scene)
        self.refresh()

    @property
    def highlight(self) -> tuple[Mark, ...]:
        """Marks of the part of the model that is pointed at in a diagram."""
        return self._highlight

    def set_highlight(self, marks: tuple[Mark, ...]) -> None:
        """Show marks over all others, until there are other ones."""
        if marks or self._highlight:
            self._highlight = marks
            self.update()

    def set_look(self, look: Look) -> None:
        """Set theme and layers."""
        self._look = look
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
    def bounds(self) -> Bounds:
        return self._bounds

    @property
    def plot_geometry(self) -> Geometry:
        """Position of the plot in the widget, and the mapping between pixels and data."""
        if self._geometry is None:
            plain = Geometry(self.width(), self.height(), self._bounds, self._type_scale)
            self._geometry = plain.strewn(self._document.dataset.points)
        return self._geometry

    def view_size(self) -> tuple[int, int]:
        """Return width and height of the plot in device pixels."""
        return self.plot_geometry.device_size(self.devicePixelRatioF())

    def set_bounds(self, bounds: Bounds) -> None:
        """Show another rectangle of the plane; one beyond the limits is ignored."""
        if bounds != self._bounds and is_valid(bounds):
            self._bounds = bounds
            self.update_view()

    def fit_all(self) -> None:
        """Show all points."""
        self.set_bounds(fitted(self._document.dataset))

    def update_view(self) -> None:
        """Compute the geometry anew, and repaint."""
        self._geometry = None
        self.update()
        self.view_changed.emit()

    # -- document and selection ----------------------------------------------------------------------------

    @property
    def selected(self) -> Mask:
        """Mask of the selected points."""
        return self.selection.mask

    @Slot()
    def _on_selection(self) -> None:
        self.refresh()
        self.selection_changed.emit()

    @Slot(object)
    def _on_change(self, change: Change) -> None:
        if not self.has_experiment:
            return
        if Change.DATA in change:
            before, self._dataset = self._dataset, self._document.dataset
            self._geometry = None  # many points have smaller symbols
            self._follow_points(before, self._dataset)
        self.refresh()

    def _follow_points(self, before: Dataset, after: Dataset) -> None:
        if replaced(before, after):
            self.selection.clear()
        else:
            self.selection.prune()
        if not self._editing and not still_fits(self._bounds, before, after):
            self.fit_all()
        if len(before) != len(after):
            self._describe()

    def _describe(self) -> None:
        count = points(len(self._dataset))
        self.setAccessibleDescription(f"{count}. Arrow keys move the cross-hair, Enter uses the tool.")
