"""A matrix as cells of a colour map, with words in them that can be read on each colour."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from vizml.paint.letters import typeset
from vizml.paint.pens import LABEL, colour, font, measure, pen
from vizml.scene import Heat, Theme
from vizml.scene.lens import risen
from vizml.scene.palette import Rgb, mixed
from vizml.ui.charts.head import readable
from vizml.ui.charts.plan import Plan

GAP = 1.0
LEAST = 8.0
"""The smallest type that words in cells may have, in pixels."""
PAD = 4.0
WITHIN = 4.0
"""Pixels from one ring to another one in the same cell."""
WIDE = 12
"""Cells of fewer pixels have no gap between them."""


def paint_heat(painter: QPainter, plan: Plan, theme: Theme) -> None:
    """All cells, then the words in them, then the ring around the best one."""
    heat = plan.chart.heat
    if heat is None or not heat.values.size:
        return
    shades = shades_of(heat, theme)
    rects = cells(plan)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    for rect, shade in zip(rects, shades):
        painter.fillRect(rect, shade)
    painter.restore()
    _paint_texts(painter, plan, theme, rects, shades)
    if heat.marked is not None:
        row, column = heat.marked
        _ring(painter, rects[row * len(heat.columns) + column], theme, theme.text, plan.geometry.type_scale)


def paint_now(painter: QPainter, plan: Plan, theme: Theme, cell: tuple[int, int]) -> None:
    """A ring around the cell of what is set now, within that of the best where it is one and the same."""
    heat, k = plan.chart.heat, plan.geometry.type_scale
    if heat is None or cell[0] >= len(heat.rows) or cell[1] >= len(heat.columns):
        return
    rect = cells(plan)[cell[0] * len(heat.columns) + cell[1]]
    inset = WITHIN * k if heat.marked == cell else 0.0
    _ring(painter, rect.adjusted(inset, inset, -inset, -inset), theme, theme.accent, k)


def cells(plan: Plan) -> list[QRectF]:
    """The rectangles of all cells, row by row, on whole pixels."""
    heat, plot = plan.chart.heat, plan.geometry.plot
    if heat is None:
        return []
    x = np.round(np.linspace(plot.left(), plot.right(), len(heat.columns) + 1)).tolist()
    y = np.round(np.linspace(plot.top(), plot.bottom(), len(heat.rows) + 1)).tolist()
    gap = GAP if min(plot.width() / len(heat.columns), plot.height() / len(heat.rows)) >= WIDE else 0.0
    return [
        QRectF(left, top, right - left - gap, bottom - top - gap)
        for top, bottom in pairwise(y)
        for left, right in pairwise(x)
    ]


def shades_of(heat: Heat, theme: Theme) -> list[QColor]:
    """The colour of each cell: further from the ground where its value is higher."""
    known = np.isfinite(heat.values)
    low, high = (float(edge(heat.values[known])) if known.any() else 0.0 for edge in (np.min, np.max))
    share = (heat.values - low) / ((high - low) or 1.0)
    table = risen(theme)
    steps = np.clip(np.nan_to_num(share) * (len(table) - 1), 0, len(table) - 1).round().astype(int)
    none = colour(mixed(theme.ground, theme.line, 0.5))
    rows = zip(table[steps].reshape(-1, 4).tolist(), known.ravel().tolist())
    return [colour((red, green, blue)) if real else none for (red, green, blue, _), real in rows]


def _paint_texts(
    painter: QPainter, plan: Plan, theme: Theme, rects: list[QRectF], shades: list[QColor]
) -> None:
    """Words as large as the narrowest cell allows; none where that would be too small."""
    heat, k = plan.chart.heat, plan.geometry.type_scale
    texts = [typeset(text) for row in heat.texts for text in row] if heat else []
    if not texts or not rects:
        return
    face = font(LABEL, k)
    size = _fit(measure(face), texts, rects[0], k) * face.pixelSize()
    if size < LEAST:
        return
    face.setPixelSize(int(size))
    painter.setFont(face)
    for rect, shade, text in zip(rects, shades, texts):
        painter.setPen(colour(readable((shade.red(), shade.green(), shade.blue()), theme)))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


def _fit(metrics: QFontMetricsF, texts: list[str], cell: QRectF, k: float) -> float:
    """By how much type must shrink (never grow) for all words to fit into a cell."""
    parts = [line for text in texts for line in text.split("\n")]
    wide = max(metrics.horizontalAdvance(part) for part in parts) + 2 * PAD * k
    high = max(text.count("\n") + 1 for text in texts) * metrics.height()
    return min(1.0, cell.width() / wide, cell.height() / high)


def _ring(painter: QPainter, cell: QRectF, theme: Theme, rgb: Rgb, k: float) -> None:
    """Seen on any colour: a line within one of the ground."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for width, ink, inset in ((4.0, theme.ground, 1.5), (2.0, rgb, 1.0)):
        stroke = pen(ink, width * k)
        stroke.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(stroke)
        inner = inset * k
        painter.drawRect(cell.adjusted(inner, inner, -inner, -inner))
