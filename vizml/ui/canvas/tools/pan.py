"""The pan tool: drags the view; a double click shows everything."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt

from vizml.data import Bounds
from vizml.ui.canvas.tools.tool import Pointer, Tool, ToolHost
from vizml.ui.canvas.viewport import panned

NOWHERE = np.zeros(2)


class PanTool(Tool):
    """Keeps the point that was taken under the pointer."""

    name = "pan"
    title = "Pan and zoom"
    hint = "Drag to move the view, wheel to zoom, double click to show everything"

    def __init__(self, surface: ToolHost) -> None:
        super().__init__(surface)
        self._bounds: Bounds = surface.plot_geometry.bounds
        self._taken = NOWHERE

    def press(self, at: Pointer) -> None:
        self.busy = True
        self._bounds = self.surface.plot_geometry.bounds
        self._taken = at.data

    def drag(self, at: Pointer) -> None:
        dx, dy = (self._taken - at.data).tolist()
        self.surface.set_bounds(panned(self.surface.plot_geometry.bounds, dx, dy))

    def release(self, at: Pointer) -> None:
        self.busy = False

    def cancel(self) -> None:
        self.surface.set_bounds(self._bounds)
        self.busy = False

    def double(self, at: Pointer) -> None:
        self.surface.fit_all()

    def cursor(self, at: Pointer | None) -> Qt.CursorShape:
        return Qt.CursorShape.ClosedHandCursor if self.busy else Qt.CursorShape.OpenHandCursor
