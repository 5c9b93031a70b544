"""Pan tool: drag the view; a double click shows all points."""

from __future__ import annotations

from PySide6.QtCore import Qt

from vizml.ui.canvas.document_view import DocumentView
from vizml.ui.canvas.tools.tool import Pointer, Tool


class PanTool(Tool):
    """Keep the data point of the press under the pointer."""

    name = "pan"
    order = 5
    title = "Pan and zoom"
    key = "Z"
    tip = "Move the view by dragging, zoom with the wheel"
    hint = "Drag to move the view, wheel to zoom, double click to show all points"

    def __init__(self, canvas: DocumentView) -> None:
        super().__init__(canvas)
        self._bounds, self._start = canvas.bounds, (0.0, 0.0)

    def press(self, at: Pointer) -> None:
        self.busy = True
        self._bounds, self._start = self.canvas.bounds, at.point

    def drag(self, at: Pointer) -> None:
        x, y = self.canvas.plot_geometry.to_pixels(self._start).tolist()
        self.canvas.pan(at.x - x, at.y - y)

    def release(self, at: Pointer) -> None:
        self.busy = False

    def cancel(self) -> None:
        self.canvas.set_bounds(self._bounds)
        self.busy = False

    def double(self, at: Pointer) -> None:
        self.canvas.fit_all()

    def cursor(self, at: Pointer) -> Qt.CursorShape:
        return Qt.CursorShape.ClosedHandCursor if self.busy else Qt.CursorShape.OpenHandCursor
