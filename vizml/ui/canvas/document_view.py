"""What is on the canvas: the document's points over the newest frame, in a view of the plane."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from vizml.data import Bounds, Dataset
from vizml.data.dataset import Mask
from vizml.learn import State, Task
from vizml.paint import Geometry
from vizml.run.figures import points_of, score_lines
from vizml.run.frame import Frame
from vizml.scene import Look, Mark
from vizml.scene.figure import Figure
from vizml.ui.canvas.mark_animation import MarkAnimation
from vizml.ui.canvas.selection import Selection
from vizml.ui.canvas.viewport import exchanged, fitted, keeps, sane
from vizml.ui.widget_helpers import listen
from vizml.workspace import Document
from vizml.workspace.work import Change


class DocumentView(QWidget):
    """Follows document and frames. Points are shown from the document at once; the rest comes with frames."""

    view_changed = Signal()
    """Bounds or size are others: a new frame is wanted."""
    selection_changed = Signal()

    def __init__(self, document: Document, index: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._index = document, index
        self._seen: Dataset = document.dataset
        self._bounds, self._type_scale, self._look = fitted(self._seen), 1.0, Look()
        self._geometry: Geometry | None = None
        self._figure: Figure | None = None
        self._frame: Frame | None = None
        self._highlight: tuple[Mark, ...] = ()
        self._by_hand = False
        self.selection, self.animation = Selection(document, self), MarkAnimation(self)
        listen(document.changed, self._follow)
        listen(document.test_set_viewed, self.refresh)
        self.selection.changed.connect(self._on_selection)
        self.animation.moved.connect(self.refresh)
        self._describe()

    # -- what is shown -------------------------------------------------------------------------------------

    @property
    def document(self) -> Document:
        return self._document

    @property
    def task(self) -> Task:
        return self._document.experiment(self._index).model.task

    @property
    def index(self) -> int:
        """Which of the document's experiments it shows."""
        return self._index

    @property
    def state(self) -> State | None:
        """The state that is shown; none on an empty plane."""
        shown = self._frame.shown if self._frame and len(self._document.dataset) else None
        return shown.state if shown else None

    @property
    def look(self) -> Look:
        return self._look

    @property
    def frame(self) -> Frame | None:
        return self._frame

    @property
    def figure(self) -> Figure:
        """Everything on the canvas but the pointer."""
        if self._figure is None:
            self._figure = self._composed()
        return self._figure

    def _composed(self) -> Figure:
        dataset, document = self._document.dataset, self._document
        held, tested = document.split.dealt(dataset)
        shown = self._frame.shown if self._frame and len(dataset) else None
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
        scores = score_lines(shown, self.task, self._look.threshold)
        return Figure(points, scene, self._look, dataset.axes, scores)

    def set_frame(self, frame: Frame) -> None:
        """Show a frame of a run; while a run has nothing to show yet, the picture before it stays."""
        self._frame = frame
        if frame.scene is not None or frame.failure is not None:
            self.animation.to(frame.scene)
        self.refresh()

    @property
    def highlight(self) -> tuple[Mark, ...]:
        """What is shown of the model besides, because somebody points at a part of it elsewhere."""
        return self._highlight

    def set_highlight(self, marks: tuple[Mark, ...]) -> None:
        """Show marks over all others, until there are other ones."""
        if marks or self._highlight:
            self._highlight = marks
            self.update()

    def set_look(self, look: Look) -> None:
        """Show it in another way."""
        self._look = look
        self.refresh()

    def set_motion(self, allowed: bool) -> None:
        """Whether marks may slide; where the system wants no motion they never do."""
        self.animation.allowed = allowed
        self.animation.stop()
        self.refresh()

    def set_type_scale(self, scale: float) -> None:
        """Make type, margins and symbols larger."""
        if scale != self._type_scale:
            self._type_scale = scale
            self._on_view()

    @Slot()
    def refresh(self) -> None:
        """Paint what is there now."""
        self._figure = None
        self.update()

    # -- the view ------------------------------------------------------------------------------------------

    @property
    def bounds(self) -> Bounds:
        return self._bounds

    @property
    def plot_geometry(self) -> Geometry:
        """Where the plot lies in the widget, and how pixels and data map."""
        if self._geometry is None:
            plain = Geometry(self.width(), self.height(), self._bounds, self._type_scale)
            self._geometry = plain.strewn(self._document.dataset.points)
        return self._geometry

    def view_size(self) -> tuple[int, int]:
        """Width and height of the plot in device pixels."""
        return self.plot_geometry.device_size(self.devicePixelRatioF())

    def set_bounds(self, bounds: Bounds) -> None:
        """Look at another rectangle of the plane; one beyond the limits is not taken."""
        if bounds != self._bounds and sane(bounds):
            self._bounds = bounds
            self._on_view()

    def fit_all(self) -> None:
        """Look at all points."""
        self.set_bounds(fitted(self._document.dataset))

    def _on_view(self) -> None:
        self._geometry = None
        self.update()
        self.view_changed.emit()

    # -- selection -----------------------------------------------------------------------------------------

    @property
    def selected(self) -> Mask:
        """Which points are selected."""
        return self.selection.mask

    @Slot()
    def _on_selection(self) -> None:
        self.refresh()
        self.selection_changed.emit()

    # -- the document --------------------------------------------------------------------------------------

    @Slot(object)
    def _follow(self, change: Change) -> None:
        if self._index >= len(self._document.work.experiments):
            return
        if Change.DATA in change:
            before, self._seen = self._seen, self._document.dataset
            self._geometry = None  # many points have smaller symbols
            self._keep_up(before, self._seen)
        self.refresh()

    def _keep_up(self, before: Dataset, after: Dataset) -> None:
        """Selection and view follow the points."""
        if exchanged(before, after):
            self.selection.clear()
        else:
            self.selection.prune()
        if not self._by_hand and not keeps(self._bounds, before, after):
            self.fit_all()
        if len(before) != len(after):
            self._describe()

    def _describe(self) -> None:
        count = len(self._seen)
        points = "1 point" if count == 1 else f"{count} points"
        self.setAccessibleDescription(f"{points}. Arrows move the cross-hair, Enter uses the tool.")
