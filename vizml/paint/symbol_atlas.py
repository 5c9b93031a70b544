"""Images of symbols and rings that are painted once and copied to many places in one call."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import shiboken6
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage, QPainter, QPen, QPixmap

from vizml.field.arrays import Floats, Ints
from vizml.paint.pens import device_ratio, pen, vectorial
from vizml.paint.symbols import SIZE, Style, paint_symbol, style_of
from vizml.scene import CLASSES, Theme
from vizml.scene.figure import PLAIN, Fill
from vizml.scene.palette import Rgb

KINDS = len(CLASSES) - PLAIN
"""Symbols in a row of the atlas: plain, unlabelled, then the classes. Each fill has a row."""
REACH = 1.15
"""Distance from the centre of a star to its tip with the halo, in sizes: the greatest of all symbols."""


@dataclass(frozen=True, eq=False)
class SymbolAtlas:
    """All symbols of a theme in one image, in square cells of device pixels."""

    image: QImage
    cell: int
    ratio: float


@lru_cache(maxsize=8)
def symbol_atlas(theme: Theme, scale: float, ratio: float) -> SymbolAtlas:
    """Return the atlas of a theme at a scale; it is painted once."""
    cell = _cell(REACH * SIZE * scale * ratio)

    def draw(painter: QPainter) -> None:
        painter.scale(ratio, ratio)
        for column, row in product(range(KINDS), Fill):
            x, y = (column + 0.5) * cell / ratio, (row + 0.5) * cell / ratio
            paint_symbol(painter, style_of(column + PLAIN, theme), x, y, scale, row)

    return SymbolAtlas(_image(cell * KINDS, cell * len(Fill), draw), cell, ratio)


def _cell(reach: float) -> int:
    """Return the odd side of a square around a symbol that reaches so many device pixels."""
    return 2 * math.ceil(reach) + 1


def _image(width: int, height: int, draw: Callable[[QPainter], None]) -> QImage:
    """Return a transparent image with something drawn on it."""
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw(painter)
    painter.end()
    return image


@lru_cache(maxsize=32)
def symbol(style: Style, scale: float, ratio: float) -> QImage:
    """Return a square image of one symbol; it is painted once."""
    cell = _cell((REACH * style.size + style.weight + 2 * style.rim) * scale * ratio)

    def draw(painter: QPainter) -> None:
        painter.scale(ratio, ratio)
        paint_symbol(painter, style, cell / 2 / ratio, cell / 2 / ratio, scale)

    return _image(cell, cell, draw)


@lru_cache(maxsize=16)
def ring(radius: float, width: float, rgb: Rgb, opacity: float, ratio: float) -> QImage:
    """Return a square image of one ring; it is painted once."""
    cell = _cell((radius + width) * ratio)

    def draw(painter: QPainter) -> None:
        painter.setPen(pen(rgb, width * ratio, opacity))
        painter.drawEllipse(QPointF(cell / 2, cell / 2), radius * ratio, radius * ratio)

    return _image(cell, cell, draw)


def stamp(painter: QPainter, symbols: SymbolAtlas, places: Floats, kinds: Ints, inside: Ints) -> None:
    """Draw symbols at positions in logical pixels, moved to whole device pixels so that they stay crisp."""
    left, top = (kinds - PLAIN) * symbols.cell, inside * symbols.cell
    stamp_cells(painter, symbols.image, symbols.cell, symbols.ratio, np.column_stack([places, left, top]))


def stamp_all(painter: QPainter, image: QImage, places: Floats, ratio: float) -> None:
    """Draw an image at all positions."""
    corner = np.zeros(places.shape)
    stamp_cells(painter, image, image.width(), ratio, np.column_stack([places, corner]))


def stamp_cells(painter: QPainter, image: QImage, cell: int | Ints, ratio: float, rows: Floats) -> None:
    """Draw cells of an image; each row holds x and y of the centre, and left and top in the image."""
    if not len(rows):
        return
    fragments = np.zeros((len(rows), 10))
    fragments[:, 0:2] = (np.floor(rows[:, :2] * ratio) + 0.5) / ratio
    fragments[:, 2:4] = rows[:, 2:]
    fragments[:, 4] = fragments[:, 5] = cell
    fragments[:, 6:8] = 1 / ratio
    fragments[:, 9] = 1.0
    first: Any = shiboken6.wrapInstance(fragments.ctypes.data, QPainter.PixmapFragment)
    painter.drawPixmapFragments(first, len(rows), QPixmap.fromImage(image))


MANY = 300
"""More rings than this are copied from images, with radii rounded to half a device pixel."""


def paint_rings(painter: QPainter, places: Floats, radii: Floats) -> None:
    """Draw circles around positions in logical pixels, with the painter's pen."""
    if len(places) <= MANY or vectorial(painter):
        for (x, y), radius in zip(places.tolist(), radii.tolist()):
            painter.drawEllipse(QPointF(x, y), radius, radius)
        return
    ratio = device_ratio(painter)
    sizes, which = np.unique(np.rint(radii * ratio * 2) / 2, return_inverse=True)
    cells = 2 * np.ceil(sizes + painter.pen().widthF() * ratio).astype(np.int64) + 1
    left = np.cumsum(cells) - cells
    stroke = QPen(painter.pen())
    stroke.setWidthF(stroke.widthF() * ratio)

    def draw(brush: QPainter) -> None:
        brush.setPen(stroke)
        for radius, cell, start in zip(sizes.tolist(), cells.tolist(), left.tolist()):
            brush.drawEllipse(QPointF(start + cell / 2, cell / 2), radius, radius)

    image = _image(int(cells.sum()), int(cells.max()), draw)
    rows = np.column_stack([places, left[which], np.zeros(len(places))])
    stamp_cells(painter, image, cells[which], ratio, rows)
