"""Selected points, held by their ids, and searches for the points under the pointer."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QObject, Signal

from vizml.data import Dataset
from vizml.data.wording import plural
from vizml.field.arrays import Floats, Ints, Mask
from vizml.paint import Geometry
from vizml.scene.viewport import shifted
from vizml.workspace import Document

Pixel: TypeAlias = tuple[float, float]
"""A position in logical pixels; distances are in pixels that scale with the type size."""
NO_POINT = -1
"""Id of no point."""
NO_IDS: Ints = np.empty(0, dtype=np.int64)


def points_along(geometry: Geometry, dataset: Dataset, start: Pixel, end: Pixel, radius: float) -> Mask:
    """Return the points that a disc touches on its way from one position to another."""
    offsets = geometry.to_pixels(dataset.points) - start
    touched: Mask = np.all(np.isfinite(offsets), axis=1)  # a logarithmic axis has no place for 0
    offsets, vector = offsets[touched], np.subtract(end, start)
    share = np.clip(offsets @ vector / max(float(vector @ vector), 1e-12), 0.0, 1.0)
    distance = np.hypot(*(offsets - share[:, None] * vector).T)
    touched[touched] = distance <= radius * geometry.type_scale
    return touched


def nearest_point(geometry: Geometry, dataset: Dataset, at: Pixel, reach: float) -> Mask:
    """Return the nearest point within reach; of equally near ones the last, which is painted on top."""
    mask = np.zeros(len(dataset), dtype=bool)
    if len(dataset):
        distance = np.nan_to_num(np.hypot(*(geometry.to_pixels(dataset.points) - at).T), nan=np.inf)
        last = len(dataset) - 1 - int(np.argmin(distance[::-1]))
        mask[last] = distance[last] <= reach * geometry.type_scale
    return mask


def points_in_box(geometry: Geometry, dataset: Dataset, corner: Pixel, opposite: Pixel) -> Mask:
    """Return the points in the rectangle between two corners."""
    pixels = geometry.to_pixels(dataset.points)
    low, high = np.minimum(corner, opposite), np.maximum(corner, opposite)
    return np.asarray(((pixels >= low) & (pixels <= high)).all(axis=1))


class Selection(QObject):
    """The selected points of a document, and edits of them; ids keep the selection through other edits."""

    changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.ids = NO_IDS

    @property
    def mask(self) -> Mask:
        """Mask of the selected points of the document."""
        return np.isin(self._document.dataset.ids, self.ids)

    def set_ids(self, ids: Ints) -> None:
        """Select the points with these ids and no others."""
        if not np.array_equal(ids, self.ids):
            self.ids = ids
            self.changed.emit()

    def set(self, mask: Mask) -> None:
        """Select these points and no others."""
        self.set_ids(self._document.dataset.ids[mask])

    def clear(self) -> None:
        """Select nothing."""
        self.set_ids(NO_IDS)

    def all(self) -> None:
        """Select every point."""
        self.set_ids(self._document.dataset.ids)

    def prune(self) -> None:
        """Deselect points that have been removed."""
        self.set_ids(self.ids[np.isin(self.ids, self._document.dataset.ids)])

    def delete(self) -> None:
        """Remove the selected points."""
        self._document.erase(self.mask)

    def nudge(self, dx: float, dy: float) -> None:
        """Move the selected points; successive moves of the same points make one undo entry."""
        self._document.move(self.mask, self._shifted(dx, dy), merge=f"nudge {self.ids.tolist()}")

    def relabel(self, label: int) -> None:
        """Give the selected points another class."""
        self._document.relabel(self.mask, label)

    def duplicate(self, dx: float, dy: float) -> None:
        """Copy the selected points with an offset, and select the copies."""
        dataset, mask = self._document.dataset, self.mask
        count = int(mask.sum())
        if count:
            copied = self._document.work.task.added(dataset, self._shifted(dx, dy), dataset.labels[mask])
            self._document.set_dataset(f"duplicate {plural(count, 'point')}", copied)
            self.set_ids(copied.ids[-count:])

    def _shifted(self, dx: float, dy: float) -> Floats:
        """The selected points, moved by data units or, along logarithmic axes, by powers of ten."""
        return shifted(self._document.placed.points[self.mask], (dx, dy), self._document.work.scales.log)
