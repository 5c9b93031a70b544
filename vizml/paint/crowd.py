"""More points than symbols make sense for: an image in which each is a spot, denser where they are many."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from vizml.field.arrays import Floats, Ints
from vizml.paint.symbols import style_of
from vizml.scene import CLASSES, Theme
from vizml.scene.figure import PLAIN

RADIUS = 1.6
DEPTH = 128
"""So many spots on each other are as dense as it gets."""
LEAST, FULL, DARKEST = 0.5, 4, 0.8
"""The opacity of one spot; from how many on they get darker instead; and how dark at the most."""


def crowd(places: Floats, kinds: Ints, size: tuple[int, int], theme: Theme, spot: float = 1.0) -> QImage:
    """Spots at places in pixels of the image, of the colours of their classes; the image is its own copy."""
    width, height = size
    offsets = _disc(RADIUS * spot)
    reach = int(np.abs(offsets).max())
    wide, high = width + 2 * reach, height + 2 * reach
    column, row = (np.floor(axis).astype(np.int64) for axis in places.T)
    inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
    starts, codes = (row + reach) * wide + (column + reach), (np.asarray(kinds) - PLAIN).astype(np.uint8)
    if not inside.all():
        starts, codes = starts[inside], codes[inside]
    shuffled = _deck(len(starts))
    starts, codes = starts[shuffled], codes[shuffled]
    top = np.zeros(wide * high, dtype=np.uint8)
    for dx, dy in offsets.tolist():
        top[starts + (dy * wide + dx)] = codes
    centres = np.minimum(np.bincount(starts, minlength=wide * high), DEPTH).astype(np.uint16)
    depth = _spread(centres.reshape(high, wide), offsets, reach)
    seen = slice(reach, reach + height), slice(reach, reach + width)
    shade = top.reshape(high, wide)[seen].astype(np.intp) * (DEPTH + 1) + depth
    pixels = np.ascontiguousarray(_table(theme)[shade])
    form = QImage.Format.Format_ARGB32_Premultiplied
    return QImage(pixels.data, width, height, 4 * width, form).copy()


@lru_cache(maxsize=2)
def _deck(count: int) -> Ints:
    """An order in which no class lies on all others; from picture to picture the same."""
    deck = np.random.default_rng(0).permutation(count)
    deck.flags.writeable = False
    return deck


def _spread(centres: NDArray[np.uint16], offsets: Ints, reach: int) -> NDArray[np.uint16]:
    """How many spots lie on each pixel of the inner part, at most DEPTH."""
    height, width = (side - 2 * reach for side in centres.shape)
    depth = np.zeros((height, width), dtype=np.uint16)
    for dx, dy in offsets.tolist():
        rows, columns = slice(reach - dy, reach - dy + height), slice(reach - dx, reach - dx + width)
        depth += centres[rows, columns]
    return np.minimum(depth, DEPTH)


def _disc(radius: float) -> Ints:
    """The pixels of a disc around the origin."""
    reach = int(radius)
    dx, dy = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
    near = dx**2 + dy**2 <= radius**2
    return np.column_stack([dx[near], dy[near]]).astype(np.int64)


def _table(theme: Theme) -> NDArray[np.uint32]:
    """The pixel (ARGB, alpha multiplied in) of each kind at each depth."""
    depth = np.arange(DEPTH + 1)
    alpha = 1 - (1 - LEAST) ** depth
    dark = DARKEST * np.log(np.maximum(depth / FULL, 1.0)) / np.log(DEPTH / FULL)
    rows = []
    for kind in range(PLAIN, len(CLASSES)):
        style = style_of(kind, theme)
        rgb = np.array(style.fill) * (1 - dark)[:, None] + np.array(style.outline) * dark[:, None]
        parts = np.round(np.column_stack([alpha * 255, alpha[:, None] * rgb])).astype(np.uint32)
        rows.append(parts[:, 0] << 24 | parts[:, 1] << 16 | parts[:, 2] << 8 | parts[:, 3])
    return np.concatenate(rows)
