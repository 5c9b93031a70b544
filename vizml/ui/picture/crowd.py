"""More points than symbols make sense for: an image in which each is a spot, denser where they are many."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QImage

from vizml.data.dataset import Floats, Ints
from vizml.scene import Theme
from vizml.ui.picture.symbols import PLAIN, style_of

RADIUS = 1.6
DEPTH = 8
"""So many spots on each other are as dense as it gets."""
LEAST = 0.55


def crowd(places: Floats, kinds: Ints, size: tuple[int, int], theme: Theme, spot: float = 1.0) -> QImage:
    """Spots at places in pixels of the image, of the colours of their classes; the image is its own copy."""
    width, height = size
    order = np.random.default_rng(0).permutation(len(places))
    offsets = _disc(RADIUS * spot)
    reach = int(np.abs(offsets).max())
    wide, high = width + 2 * reach, height + 2 * reach
    cells = np.floor(places[order]).astype(np.int64) + reach
    inside = ((cells >= reach) & (cells < np.array([width, height]) + reach)).all(axis=1)
    cells, kinds = cells[inside], np.asarray(kinds)[order][inside] - PLAIN
    starts = (cells[:, 1] * wide + cells[:, 0]).astype(np.int32)
    top = np.zeros(wide * high, dtype=np.uint8)
    count = np.zeros(wide * high, dtype=np.uint8)
    for dx, dy in offsets.tolist():
        spots = starts + (dy * wide + dx)
        top[spots] = kinds
        count += np.minimum(np.bincount(spots, minlength=len(count)), DEPTH).astype(np.uint8)
    shade = top.astype(np.intp) * (DEPTH + 1) + np.minimum(count, DEPTH)
    pixels = _table(theme)[shade].reshape(high, wide)[reach : reach + height, reach : reach + width]
    pixels = np.ascontiguousarray(pixels)
    form = QImage.Format.Format_ARGB32_Premultiplied
    return QImage(pixels.data, width, height, 4 * width, form).copy()


def _disc(radius: float) -> Ints:
    """The pixels of a disc around the origin."""
    reach = int(radius)
    dx, dy = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
    near = dx**2 + dy**2 <= radius**2
    return np.column_stack([dx[near], dy[near]]).astype(np.int64)


def _table(theme: Theme) -> np.ndarray:
    """The pixel (ARGB, alpha multiplied in) of each kind at each depth."""
    rows = []
    for kind in range(8 - PLAIN):
        alpha = 1 - (1 - LEAST) ** np.arange(DEPTH + 1)
        rgb = np.array(style_of(kind + PLAIN, theme).fill)
        parts = np.round(np.column_stack([alpha * 255, alpha[:, None] * rgb])).astype(np.uint32)
        rows.append(parts[:, 0] << 24 | parts[:, 1] << 16 | parts[:, 2] << 8 | parts[:, 3])
    return np.concatenate(rows)
