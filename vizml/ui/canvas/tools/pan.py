"""The pan tool: drags the view; a double click shows everything."""

from __future__ import annotations

from PySide6.QtCore import Qt

from vizml.data import Bounds
from vizml.ui.canvas.tools.tool import Pointer, Surface, Tool
from vizml.ui.canvas.view import panned


class PanTool(Tool):
    """Keeps the point that was taken under the pointer."""

    name = "pan"
    title = "Pan and zoom"
    hint = "Drag to move the view, wheel to zoom, double click to show everything"

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface)
        self._bounds: Bounds = surface.geometry_now.bounds
        self._start = (0.0, 0.0)

    def press(self, at: Pointer) -> None:
        self.busy = True
        self._bounds = self.surface.geometry_now.bounds
        self._start = (at.x, at.y)

    def drag(self, at: Pointer) -> None:
        across, up = self.surface.geometry_now.unit
        x, y = self._start
        self.surface.set_bounds(panned(self._bounds, (x - at.x) * across, (at.y - y) * up))

    def release(self, at: Pointer) -> None:
        self.busy = False

    def cancel(self) -> None:
        self.surface.set_bounds(self._bounds)
        self.busy = False

    def double(self, at: Pointer) -> None:
        self.surface.fit_all()

    def cursor(self, at: Pointer | None) -> Qt.CursorShape:
        return Qt.CursorShape.ClosedHandCursor if self.busy else Qt.CursorShape.OpenHandCursor
