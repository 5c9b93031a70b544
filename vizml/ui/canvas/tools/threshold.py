"""The decision threshold of a line view, a horizontal line that can be dragged."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt

from vizml.evaluate.metrics import threshold_text
from vizml.learn import ClassLineView
from vizml.run.lines import THRESHOLD, lead_at_height
from vizml.scene import Ordinate, Segments, TextLabels
from vizml.ui.canvas.document_view import DocumentView
from vizml.ui.canvas.tools.tool import CLICK_DISTANCE, PREVIEW, Pointer, Preview

REACH = 5.0
"""Distance in pixels within which a press takes the line."""
CURSOR = Qt.CursorShape.SizeVerCursor


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


def threshold_drag(canvas: DocumentView, at: Pointer) -> ThresholdDrag | None:
    """Return the drag that a press would begin; None away from the line."""
    view, scene = canvas.view, canvas.figure.scene
    if not isinstance(view, ClassLineView) or scene is None or scene.ordinate is None:
        return None
    geometry = canvas.plot_geometry
    for mark in canvas.figure.marks:
        if isinstance(mark, Segments) and mark.layer == THRESHOLD:
            y = geometry.to_pixels([at.point[0], float(mark.ends[0, 0, 1])])[1]
            near = abs(y - at.y) <= REACH * geometry.type_scale
            return ThresholdDrag(canvas, view, scene.ordinate, at) if near else None
    return None
