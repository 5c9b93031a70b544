"""Selected points, and searches for the points under the pointer."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QObject, Signal

from vizml.data import Dataset
from vizml.data.dataset import Floats, Ints, Mask
from vizml.paint import Geometry
from vizml.workspace import Document

Place: TypeAlias = tuple[float, float]


def within(geometry: Geometry, dataset: Dataset, at: Place, radius: float) -> Mask:
    """The points at most so many pixels away."""
    return along(geometry, dataset, at, at, radius)


def along(geometry: Geometry, dataset: Dataset, start: Place, end: Place, radius: float) -> Mask:
    """The points that a disc meets on its way from one place to another."""
    away = geometry.to_pixels(dataset.points) - start
    way = np.subtract(end, start)
    share = np.clip(away @ way / max(float(way @ way), 1e-12), 0.0, 1.0)
    return np.asarray(_length(away - share[:, None] * way) <= radius * geometry.type_scale)


def nearest(geometry: Geometry, dataset: Dataset, at: Place, reach: float) -> Mask:
    """The nearest point where it is within reach, else none; of equals the last, which is painted on top."""
    mask = np.zeros(len(dataset), dtype=bool)
    if len(dataset):
        distance = _length(geometry.to_pixels(dataset.points) - at)
        last = len(dataset) - 1 - int(np.argmin(distance[::-1]))
        mask[last] = distance[last] <= reach * geometry.type_scale
    return mask


def boxed(geometry: Geometry, dataset: Dataset, corner: Place, opposite: Place) -> Mask:
    """The points in the box between two corners."""
    places = geometry.to_pixels(dataset.points)
    low, high = np.minimum(corner, opposite), np.maximum(corner, opposite)
    return np.asarray(((places >= low) & (places <= high)).all(axis=1))


def _length(vectors: Floats) -> Floats:
    return np.hypot(vectors[:, 0], vectors[:, 1])


NOTHING: Ints = np.empty(0, dtype=np.int64)


def ids_of(dataset: Dataset) -> Ints:
    """The ids of a data set's points."""
    return NOTHING if dataset.ids is None else dataset.ids


class Selection(QObject):
    """The selected points of a document, and what can be done with them."""

    changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._ids = NOTHING

    @property
    def ids(self) -> Ints:
        return self._ids

    @property
    def mask(self) -> Mask:
        """Which of the document's points are selected."""
        return np.isin(ids_of(self._document.dataset), self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def set_ids(self, ids: Ints) -> None:
        """Select the points of these ids and no others."""
        if not np.array_equal(ids, self._ids):
            self._ids = ids
            self.changed.emit()

    def set(self, mask: Mask) -> None:
        """Select these points and no others."""
        self.set_ids(ids_of(self._document.dataset)[mask])

    def clear(self) -> None:
        """Select nothing."""
        self.set_ids(NOTHING)

    def all(self) -> None:
        """Select every point."""
        self.set_ids(ids_of(self._document.dataset))

    def prune(self) -> None:
        """Forget points that are no longer there."""
        self.set_ids(self._ids[np.isin(self._ids, ids_of(self._document.dataset))])

    # -- edits ---------------------------------------------------------------------------------------------

    def delete(self) -> None:
        """Remove the selected points."""
        self._document.erase(self.mask)

    def nudge(self, dx: float, dy: float) -> None:
        """Move the selected points; nudges of the same ones that follow one another are one undo entry."""
        mask, merge = self.mask, f"nudge {self._ids.tolist()}"
        self._document.move(mask, self._document.dataset.points[mask] + (dx, dy), merge)

    def relabel(self, label: int) -> None:
        """Give the selected points another class."""
        self._document.relabel(self.mask, label)

    def duplicate(self, dx: float, dy: float) -> None:
        """Copy the selected points to a place nearby, and select the copies."""
        dataset, mask = self._document.dataset, self.mask
        count = int(mask.sum())
        if not count:
            return
        copied = dataset.adding(dataset.points[mask] + (dx, dy), dataset.labels[mask])
        name = "1 point" if count == 1 else f"{count} points"
        self._document.set_dataset(f"duplicate {name}", copied)
        self.set_ids(ids_of(copied)[-count:])
