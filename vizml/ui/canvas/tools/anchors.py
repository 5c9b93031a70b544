"""Anchors, parts of the model from which training continues when they are dragged, and the threshold."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from PySide6.QtCore import Qt

from vizml.evaluate.metrics import threshold_text
from vizml.field.arrays import Floats
from vizml.learn import Anchor, ClassLineView, Model
from vizml.run.curves import THRESHOLD, lead_at_height
from vizml.run.errors import guarded
from vizml.scene import Dots, Ordinate, Segments, TextLabels
from vizml.ui.canvas.document_view import AnyView, DocumentView
from vizml.ui.canvas.tools.tool import CLICK_DISTANCE, PREVIEW, PointDrag, Pointer, Preview, StrokeTool

REACH = 9.0
"""Distance in pixels within which a press takes an anchor."""
THRESHOLD_REACH = 5.0
"""The same of the line of the threshold."""
CURSOR = Qt.CursorShape.SizeVerCursor
"""Cursor on this line."""


class AnchorDrag:
    """A drag of an anchor; each move continues from the state in which the drag began."""

    def __init__(self, canvas: DocumentView, view: AnyView, anchor: Anchor, at: Pointer) -> None:
        self._canvas, self._view, self._anchor, self._start = canvas, view, anchor, at
        self.dragged = False
        """Whether it has moved farther than a click."""

    def move(self, at: Pointer) -> None:
        """Put the anchor at the pointer."""
        self.dragged = self.dragged or at.distance(self._start) >= CLICK_DISTANCE
        model = continued(self._canvas, self._view, self._anchor, at.data) if self.dragged else None
        if model is not None:
            label = f"move {self._anchor.name}"
            self._canvas.document.set_model(model, self._canvas.index, label, merge="anchor")

    def preview(self, at: Pointer) -> Preview:
        """Return the anchor, at the pointer once it has moved."""
        points = at.data[None] if self.dragged else np.array([self._anchor.at])
        dots = Dots(layer=PREVIEW, points=points, inks=(self._anchor.ink,))
        return Preview(affected=points, marks=(dots, _name(self._anchor, points)), probes=False)


class ThresholdDrag:
    """A drag of the threshold, which is no edit of the document."""

    def __init__(
        self, canvas: DocumentView, view: ClassLineView[Any], ordinate: Ordinate, at: Pointer
    ) -> None:
        self._canvas, self._view, self._ordinate, self._start = canvas, view, ordinate, at
        self._before = canvas.look.threshold
        self.dragged = False
        """Whether it has moved farther than a click."""

    def move(self, at: Pointer) -> None:
        """Put the threshold at the pointer."""
        self.dragged = self.dragged or at.distance(self._start) >= CLICK_DISTANCE
        if self.dragged:
            lead = lead_at_height(self._view, self._ordinate, at.point[1])
            self._canvas.threshold_dragged.emit(lead)

    def cancel(self) -> None:
        """Restore the threshold from before the drag."""
        self._canvas.threshold_dragged.emit(self._before)

    def preview(self, at: Pointer) -> Preview:
        """Return the threshold as text beside the pointer."""
        state = self._view.state
        name = self._canvas.document.dataset.name(int(state.classes[1]))
        text = f"threshold {threshold_text(state, self._canvas.look.threshold, name)}"
        label = TextLabels(layer=PREVIEW, points=at.data[None], texts=(text,))
        return Preview(marks=(label,), probes=False)


Drag: TypeAlias = AnchorDrag | ThresholdDrag | PointDrag


class AnchorTool(StrokeTool):
    """A tool whose stroke drags an anchor or the threshold where it begins on one."""

    held: Drag | None = None
    """The drag in progress."""

    def press(self, at: Pointer) -> None:
        anchor, view = anchor_at(self.canvas, at), self.canvas.view
        if anchor is not None and view is not None:
            self.hold(AnchorDrag(self.canvas, view, anchor, at), at)
        elif drag := threshold_drag(self.canvas, at):
            self.hold(drag, at)

    def hold(self, drag: Drag, at: Pointer) -> None:
        """Begin a drag."""
        super().press(at)
        self.held = drag

    def drag(self, at: Pointer) -> None:
        if self.held:
            self.held.move(at)

    def release(self, at: Pointer) -> None:
        if self.held:
            super().release(at)
            self.held = None

    def cancel(self) -> None:
        if self.held:
            super().cancel()
            if isinstance(self.held, ThresholdDrag):
                self.held.cancel()
            self.held = None

    def drag_preview(self, at: Pointer) -> Preview | None:
        """Return the preview of the drag in progress, or of the anchor that a press would take."""
        if self.held:
            return self.held.preview(at)
        anchor = anchor_at(self.canvas, at)
        if anchor is None:
            line = threshold_drag(self.canvas, at)
            return line.preview(at) if line else None
        points = np.array([anchor.at])
        return Preview(affected=points, marks=(_name(anchor, points),), probes=False)

    def cursor(self, at: Pointer) -> Qt.CursorShape:
        if self.held:
            return CURSOR if isinstance(self.held, ThresholdDrag) else Qt.CursorShape.ClosedHandCursor
        if anchor_at(self.canvas, at):
            return Qt.CursorShape.OpenHandCursor
        return CURSOR if threshold_drag(self.canvas, at) else self.shape


def _name(anchor: Anchor, points: Floats) -> TextLabels:
    return TextLabels(layer=PREVIEW, points=points, texts=(anchor.name,))


def anchor_at(canvas: DocumentView, at: Pointer) -> Anchor | None:
    """Return the nearest anchor within reach that can be moved."""
    view = canvas.view
    anchors = guarded(view.state, "anchors", view.anchors, ()) if view is not None else ()
    if view is None or not anchors:
        return None
    offsets = canvas.plot_geometry.to_pixels(np.array([anchor.at for anchor in anchors])) - at.pixel
    distances = np.hypot(offsets[:, 0], offsets[:, 1])
    nearest = anchors[int(distances.argmin())]
    within = distances.min() <= REACH * canvas.plot_geometry.type_scale
    return nearest if within and continued(canvas, view, nearest, np.array(nearest.at)) else None


def continued(canvas: DocumentView, view: AnyView, anchor: Anchor, at: Floats) -> Model | None:
    """Return the model that continues with an anchor put at (2,); None where the document's model differs."""
    values = guarded(view.state, "moved", lambda: view.moved(anchor.name, at), None)
    if values is None:
        return None
    try:
        return canvas.document.experiment(canvas.index).model.with_(**values)
    except ValueError:
        return None


def threshold_drag(canvas: DocumentView, at: Pointer) -> ThresholdDrag | None:
    """Return the drag that a press would begin; None away from the line."""
    view, scene = canvas.view, canvas.figure.scene
    if not isinstance(view, ClassLineView) or scene is None or scene.ordinate is None:
        return None
    geometry = canvas.plot_geometry
    for mark in canvas.figure.marks:
        if isinstance(mark, Segments) and mark.layer == THRESHOLD:
            y = geometry.to_pixels([at.point[0], float(mark.ends[0, 0, 1])])[1]
            near = abs(y - at.y) <= THRESHOLD_REACH * geometry.type_scale
            return ThresholdDrag(canvas, view, scene.ordinate, at) if near else None
    return None
