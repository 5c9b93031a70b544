"""Many symbols at once: stamped from one small image of all of them, in one call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter, QPixmap

from vizml.data.dataset import Floats, Ints
from vizml.scene import CLASSES, Theme
from vizml.ui.picture.symbols import PLAIN, SIZE, paint_symbol, style_of

KINDS = len(CLASSES) - PLAIN
"""Symbols in a row of the sheet: plain, unlabelled, then the classes; the second row has them hollow."""


@dataclass(frozen=True, eq=False)
class Sheet:
    """All symbols of a theme, side by side in cells of so many device pixels."""

    image: QImage
    cell: int
    ratio: float

    @classmethod
    def of(cls, theme: Theme, scale: float, ratio: float) -> Sheet:
        """Paint them, each in the middle of its cell."""
        cell = 2 * int(np.ceil(SIZE * scale * ratio)) + 1
        image = QImage(cell * KINDS, cell * 2, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(ratio, ratio)
        for column in range(KINDS):
            for row in (0, 1):
                x, y = (column + 0.5) * cell / ratio, (row + 0.5) * cell / ratio
                paint_symbol(painter, style_of(column + PLAIN, theme), x, y, scale, hollow=bool(row))
        painter.end()
        return cls(image, cell, ratio)


@lru_cache(maxsize=8)
def sheet(theme: Theme, scale: float, ratio: float) -> Sheet:
    """The symbols of a theme at a size; painted once."""
    return Sheet.of(theme, scale, ratio)


def stamp(painter: QPainter, symbols: Sheet, places: Floats, kinds: Ints, hollow: Ints) -> None:
    """Put symbols at places in logical pixels, each on the nearest device pixel so that it stays crisp."""
    count, cell, ratio = len(places), symbols.cell, symbols.ratio
    if not count:
        return
    fragments = np.zeros((count, 10))
    fragments[:, 0:2] = (np.floor(places * ratio) + 0.5) / ratio
    fragments[:, 2] = (kinds - PLAIN) * cell
    fragments[:, 3] = hollow * cell
    fragments[:, 4:6] = cell
    fragments[:, 6:8] = 1 / ratio
    fragments[:, 9] = 1.0
    first: Any = shiboken6.wrapInstance(fragments.ctypes.data, QPainter.PixmapFragment)
    painter.drawPixmapFragments(first, count, QPixmap.fromImage(symbols.image))
