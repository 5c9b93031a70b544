"""Link of a table with the canvas of the active stage: selection and pointer, in both directions."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, Slot

from vizml.data.labels import Ints
from vizml.ui.canvas.canvas import Canvas
from vizml.ui.canvas.selection import NO_POINT, nearest_point
from vizml.ui.canvas.tools.move import REACH
from vizml.ui.compare.stages import Stages
from vizml.ui.table.linked import LinkedTable
from vizml.workspace import Document


def pointed_id(canvas: Canvas, document: Document) -> int:
    """Return the id of the point under the pointer, NO_POINT where there is none."""
    at, placed = canvas.pointer.at, document.placed
    mask = nearest_point(canvas.plot_geometry, placed, at.pixel, REACH) if at else np.zeros(0, bool)
    return int(placed.ids[np.argmax(mask)]) if mask.any() else NO_POINT


class CanvasLink(QObject):
    """Selection and hovered point of the canvas and of a table that is visible."""

    def __init__(self, table: LinkedTable, document: Document, stages: Stages) -> None:
        super().__init__(table)
        self._table, self._document, self._stages = table, document, stages
        table.picked.connect(self._select)
        table.hovered.connect(self._point_at)
        stages.selection_changed.connect(self.show_selection)
        stages.pointer_moved.connect(self._show_pointer)

    @property
    def canvas(self) -> Canvas:
        """The canvas of the active stage."""
        return self._stages.active.canvas

    @Slot()
    def show_selection(self) -> None:
        """Select the rows of the points that are selected on the canvas."""
        if self._table.isVisible():
            self._table.show_selection(self.canvas.selection.ids)

    @Slot(object)
    def _show_pointer(self, point: tuple[float, float] | None) -> None:
        """Highlight the row of the point under the pointer."""
        if not self._table.isVisible():
            return
        self._table.set_hot(pointed_id(self.canvas, self._document))

    @Slot(object)
    def _select(self, ids: Ints) -> None:
        self.canvas.selection.set_ids(ids)

    @Slot(int)
    def _point_at(self, id: int) -> None:
        self._table.set_hot(id)
        self.canvas.set_pointed(id)
