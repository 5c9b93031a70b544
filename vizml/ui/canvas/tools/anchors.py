"""Anchors: parts of the model, such as centroids, that can be dragged; training continues from there."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt

from vizml.field.arrays import Floats
from vizml.learn import Anchor, Model
from vizml.run.errors import guarded
from vizml.scene import Dots, Mark, TextLabels
from vizml.ui.canvas.document_view import AnyView, DocumentView
from vizml.ui.canvas.tools.tool import CLICK_DISTANCE, NO_POINTS, PREVIEW, Pointer, StrokeTool

REACH = 9.0
"""Distance in pixels within which a press takes an anchor."""


class AnchorDrag:
    """A drag of an anchor; each move continues from the state in which the drag began."""

    def __init__(self, canvas: DocumentView, view: AnyView, anchor: Anchor, at: Pointer) -> None:
        self._canvas, self._view, self._start = canvas, view, at
        self.anchor = anchor
        self.dragged = False
        """Whether it has moved farther than a click."""

    def move(self, at: Pointer) -> None:
        """Put the anchor at the pointer."""
        self.dragged = self.dragged or at.distance(self._start) >= CLICK_DISTANCE
        model = continued(self._canvas, self._view, self.anchor, at.data) if self.dragged else None
        if model is not None:
            label = f"move {self.anchor.name}"
            self._canvas.document.set_model(model, self._canvas.index, label, merge="anchor")


class AnchorTool(StrokeTool):
    """A tool whose stroke drags an anchor where it begins on one."""

    anchor_drag: AnchorDrag | None = None

    def take_anchor(self, at: Pointer) -> bool:
        """Begin to drag the anchor at the pointer; False where there is none."""
        anchor, view = anchor_at(self.canvas, at), self.canvas.view
        if anchor is None or view is None:
            return False
        super().press(at)
        self.anchor_drag = AnchorDrag(self.canvas, view, anchor, at)
        return True

    def drop_anchor(self, at: Pointer) -> bool:
        """End the drag of the anchor; whether it was moved at all."""
        super().release(at)
        drag, self.anchor_drag = self.anchor_drag, None
        return drag is not None and drag.dragged

    def cancel(self) -> None:
        if self.anchor_drag:
            super().cancel()
            self.anchor_drag = None

    def anchor_position(self, at: Pointer) -> Floats:
        """Return the position (1, 2) of the anchor that is dragged, or that a press would take."""
        if self.anchor_drag and self.anchor_drag.dragged:
            return at.data[None]
        anchor = self._anchor(at)
        return NO_POINTS if anchor is None else np.array([anchor.at])

    def anchor_cursor(self, at: Pointer | None) -> Qt.CursorShape | None:
        """Return the shape of the cursor at an anchor."""
        if self.anchor_drag:
            return Qt.CursorShape.ClosedHandCursor
        return Qt.CursorShape.OpenHandCursor if at is not None and anchor_at(self.canvas, at) else None

    def preview(self, at: Pointer) -> tuple[Mark, ...]:
        anchor = self._anchor(at)
        if anchor is None:
            return ()
        points = self.anchor_position(at)
        name = TextLabels(layer=PREVIEW, points=points, texts=(anchor.name,))
        if not self.anchor_drag:
            return (name,)
        return Dots(layer=PREVIEW, points=points, inks=(anchor.ink,)), name

    def _anchor(self, at: Pointer) -> Anchor | None:
        return self.anchor_drag.anchor if self.anchor_drag else anchor_at(self.canvas, at)


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
