"""Circles around points: lines of their own where they are few or on paper, else stamped from one image."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage, QPainter

from vizml.field.arrays import Floats, Ints
from vizml.paint.pens import device_ratio, vectorial
from vizml.paint.stamps import stamp_cells

MANY = 300
"""More rings than so many are stamped, each with its radius to half a device pixel."""


def paint_rings(painter: QPainter, places: Floats, radii: Floats) -> None:
    """Circles around places in logical pixels, with the painter's pen."""
    if len(places) <= MANY or vectorial(painter):
        for (x, y), radius in zip(places.tolist(), radii.tolist()):
            painter.drawEllipse(QPointF(x, y), radius, radius)
        return
    ratio = device_ratio(painter)
    sizes, which = np.unique(np.rint(radii * ratio * 2) / 2, return_inverse=True)
    cells = 2 * np.ceil(sizes + painter.pen().widthF() * ratio).astype(np.int64) + 1
    left = np.cumsum(cells) - cells
    image = _sheet(painter, sizes, cells, left)
    rows = np.column_stack([places, left[which], np.zeros(len(places))])
    stamp_cells(painter, image, cells[which], ratio, rows)


def _sheet(painter: QPainter, radii: Floats, cells: Ints, left: Ints) -> QImage:
    """Rings of all radii in device pixels, side by side."""
    image = QImage(int(cells.sum()), int(cells.max()), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    brush = QPainter(image)
    brush.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = painter.pen()
    pen.setWidthF(pen.widthF() * device_ratio(painter))
    brush.setPen(pen)
    for radius, cell, start in zip(radii.tolist(), cells.tolist(), left.tolist()):
        brush.drawEllipse(QPointF(start + cell / 2, cell / 2), radius, radius)
    brush.end()
    return image
