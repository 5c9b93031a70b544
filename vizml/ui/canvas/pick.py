"""Which points lie under the pointer, in pixels of the screen that grow with large type."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from vizml.data import Dataset
from vizml.data.dataset import Floats, Mask
from vizml.paint import Geometry

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
