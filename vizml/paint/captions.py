"""Scores, colour bar and legend of a figure: on panels that cover few points, else above the plot."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QLinearGradient, QPainter

from vizml.field.arrays import Floats
from vizml.paint.axes import Ticks, ticks
from vizml.paint.geometry import Geometry
from vizml.paint.legend import Placed, entries_above, legend_entries, paint_above, paint_legend, panel_of
from vizml.paint.overlay_placement import FEW, SOME, paint_panel, place
from vizml.paint.pens import BODY, HEADING, LABEL, SMALL, colour, draw_text, font, pen, typeface
from vizml.scene import Lens, Theme
from vizml.scene.figure import LEGEND, SCORES, Figure
from vizml.scene.lens import colours

PAD, ROW = 10.0, 22.0
"""Padding of a panel, and height of a row of scores, in pixels."""
ABOVE, APART = 6.0, 16.0
"""Distances of scores above the plot to the plot and to each other, in pixels."""
NAME, BAR, GAP, NUMBERS = 20.0, 10.0, 3.0, 16.0
"""Heights of a lens's name, the colour bar, a gap and the numbers, in pixels."""
BAR_WIDTH, WIDEST = 176.0, 0.45
"""Width of the panel of a colour bar in pixels, and the largest share of the plot's width that it takes."""
STOPS = 17
"""Colours of the gradient."""
MOST_TICKS, TICK, BETWEEN = 4, 3.0, 8.0
"""Most ticks of a colour bar, the length of each, and the least distance between their numbers."""
BESIDE = 20.0
"""Least distance between name and unit, in pixels."""


class CaptionPainter:
    """Draws scores, colour bar and legend of a figure, and keeps the rectangles of their panels."""

    def __init__(self, painter: QPainter, geometry: Geometry, figure: Figure, obstacles: Floats) -> None:
        self._painter, self._geometry, self._figure = painter, geometry, figure
        self._theme, self._obstacles = figure.look.theme, obstacles
        self.panels: list[QRectF] = []
        self.entries: Placed = []
        """Entries of the legend with their places."""

    def paint(self) -> None:
        """Draw all of them; the legend has the room above the plot that scores leave."""
        figure, room = self._figure, self._geometry.plot.width()
        if figure.scores and figure.look.shows(SCORES):
            room -= self._paint_scores()
        if figure.lens is not None:
            rect = self._place(bar_size(self._geometry, figure.lens), "bottom left", SOME)
            if rect is not None:
                paint_colour_bar(self._painter, self._geometry, self._theme, rect, figure.lens)
        if figure.look.shows(LEGEND):
            self._paint_legend(room)

    def _place(self, size: QSizeF, first: str, share: float) -> QRectF | None:
        """Take and return a place for a panel that covers at most a share of the points."""
        rect = place(self._geometry, size, self._obstacles, self.panels, first, share)
        self.panels += [] if rect is None else [rect]
        return rect

    def _paint_scores(self) -> float:
        """Draw the scores on a panel, else above the plot; return the width that they take there.

        On the panel they are aligned to the right, so that their digits are in columns.
        """
        geometry, scores, k = self._geometry, self._figure.scores, self._geometry.type_scale
        face, metrics = typeface(HEADING, k, bold=True)
        small, title = QFontMetricsF(font(BODY, k, bold=True)), self._figure.title
        taken = metrics.horizontalAdvance(title) + APART * k if title else 0.0
        above = sum(small.horizontalAdvance(text) + APART * k for text in scores)
        fits_above = not geometry.low and above + taken <= geometry.plot.width()
        width = max(map(metrics.horizontalAdvance, scores)) + 2 * PAD * k
        size = QSizeF(width, (len(scores) * ROW + PAD) * k)
        rect = self._place(size, "bottom right", 0.0 if fits_above else SOME)
        if rect is None:
            return 0.0 if geometry.low else self._paint_scores_above(geometry.plot.left() + taken)
        paint_panel(self._painter, self._theme, rect, k)
        for index, text in enumerate(scores):
            y = rect.top() + (PAD / 2 + (index + 0.5) * ROW) * k + metrics.capHeight() / 2
            x = rect.right() - PAD * k - metrics.horizontalAdvance(text)
            draw_text(self._painter, face, self._theme.text, QPointF(x, y), text)
        return 0.0

    def _paint_scores_above(self, left: float) -> float:
        """Draw the scores that fit right-aligned above the plot, right of a title; return their width."""
        k, plot = self._geometry.type_scale, self._geometry.plot
        face, metrics = typeface(BODY, k, bold=True)
        x, baseline = plot.right(), plot.top() - ABOVE * k
        for text in reversed(self._figure.scores):
            x -= metrics.horizontalAdvance(text)
            if x >= left or not self._figure.title:
                draw_text(self._painter, face, self._theme.text, QPointF(x, baseline), text)
            x -= APART * k
        return plot.right() - x

    def _paint_legend(self, room: float) -> None:
        """Draw the legend on a panel that covers nothing, above the plot, or on one that covers few."""
        geometry, rows = self._geometry, legend_entries(self._figure)
        symbols = tuple(row for row in rows if row.mark is None)
        line = () if self._figure.title or geometry.low else entries_above(geometry, rows, room)
        whole = line == rows
        panels = [(rows, 0.0)] if whole else [(rows, 0.0), (symbols, 0.0)]
        for some, share in panels if line else [*panels, (rows, FEW), (symbols, SOME)]:
            size, shown, cut = panel_of(geometry, some)
            if not shown or (whole and (cut or shown != rows)):
                continue
            rect = self._place(size, "top right", share)
            if rect is not None:
                self.entries = paint_legend(self._painter, self._theme, rect, shown, geometry.type_scale)
                return
        self.entries = paint_above(self._painter, geometry, self._theme, line)


# -- the colour bar of a lens --


def bar_size(geometry: Geometry, lens: Lens) -> QSizeF:
    """Return the size of the panel of a colour bar."""
    k = geometry.type_scale
    wide = QFontMetricsF(font(LABEL, k)).horizontalAdvance(f"{lens.name}{lens.unit}")
    wanted = max(BAR_WIDTH * k, wide + (2 * PAD + BESIDE) * k)
    width = min(wanted, max(geometry.plot.width() * WIDEST, 80 * k))
    return QSizeF(width, (PAD + NAME + BAR + GAP + NUMBERS + PAD / 2) * k)


def paint_colour_bar(painter: QPainter, geometry: Geometry, theme: Theme, rect: QRectF, lens: Lens) -> None:
    """Draw name, unit, colours, contour levels and numbers of a lens on their panel."""
    k = geometry.type_scale
    paint_panel(painter, theme, rect, k)
    inside = rect.adjusted(PAD * k, PAD / 2 * k, -PAD * k, 0)
    bar = QRectF(inside.left(), inside.top() + NAME * k, inside.width(), BAR * k)
    scale = _bar_ticks(bar, lens, k)
    unit = " ".join(filter(None, (scale.scale, lens.unit)))
    _paint_name(painter, theme, inside, lens.name, unit, k)
    _paint_gradient(painter, bar, lens, theme)
    painter.setPen(pen(theme.text, k))
    levels = _positions(bar, lens, np.array(lens.levels))
    painter.drawLines([QLineF(x, bar.top(), x, bar.bottom()) for x in levels])
    _paint_numbers(painter, theme, bar, lens, scale, k)


def _paint_gradient(painter: QPainter, bar: QRectF, lens: Lens, theme: Theme) -> None:
    gradient, table = QLinearGradient(bar.topLeft(), bar.topRight()), colours(lens, theme)
    for share in np.linspace(0.0, 1.0, STOPS):
        red, green, blue, _ = table[round(share * (len(table) - 1))].tolist()
        gradient.setColorAt(share, colour((red, green, blue)))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.fillRect(bar, gradient)


def _paint_numbers(painter: QPainter, theme: Theme, bar: QRectF, lens: Lens, scale: Ticks, k: float) -> None:
    face, metrics = typeface(SMALL, k)
    painter.setPen(colour(theme.muted))
    for x in _positions(bar, lens, scale.values):
        painter.drawLine(QLineF(x, bar.bottom(), x, bar.bottom() + TICK * k))
    baseline = bar.bottom() + (TICK + GAP) * k + metrics.capHeight() + k
    for (left, _), label in zip(_label_spans(bar, lens, scale, metrics), scale.labels):
        draw_text(painter, face, theme.muted, QPointF(left, baseline), label)


def _bar_ticks(bar: QRectF, lens: Lens, k: float) -> Ticks:
    """Return as many ticks as have room for their labels."""
    metrics = QFontMetricsF(font(SMALL, k))
    for most in range(MOST_TICKS, 1, -1):
        found = ticks(lens.low, lens.high, most)
        spans = _label_spans(bar, lens, found, metrics)
        if all(right + BETWEEN * k <= left for (_, right), (left, _) in pairwise(spans)):
            return found
    return ticks(lens.low, lens.high, 1)


def _label_spans(bar: QRectF, lens: Lens, scale: Ticks, metrics: QFontMetricsF) -> list[tuple[float, float]]:
    """Return left and right ends of the labels of ticks: centred, but not beyond the bar."""
    spans = []
    for x, label in zip(_positions(bar, lens, scale.values), scale.labels):
        wide = metrics.horizontalAdvance(label)
        left = min(max(x - wide / 2, bar.left()), bar.right() - wide)
        spans.append((left, left + wide))
    return spans


def _paint_name(painter: QPainter, theme: Theme, inside: QRectF, name: str, unit: str, k: float) -> None:
    """Draw the name to the left and the unit to the right, which is elided first."""
    face, metrics = typeface(LABEL, k)
    baseline = inside.top() + (NAME * k + metrics.capHeight()) / 2
    name = metrics.elidedText(name, Qt.TextElideMode.ElideRight, inside.width())
    rest = inside.width() - metrics.horizontalAdvance(name) - BESIDE / 2 * k
    unit = metrics.elidedText(unit, Qt.TextElideMode.ElideRight, max(rest, 0.0))
    right = QPointF(inside.right() - metrics.horizontalAdvance(unit), baseline)
    draw_text(painter, face, theme.muted, right, unit)
    draw_text(painter, face, theme.text, QPointF(inside.left(), baseline), name)


def _positions(bar: QRectF, lens: Lens, values: Floats) -> list[float]:
    """Return the positions of the values that lie on a bar."""
    span = (lens.high - lens.low) or 1.0
    seen = values[(values >= lens.low) & (values <= lens.high)]
    along: list[float] = (bar.left() + (seen - lens.low) / span * bar.width()).tolist()
    return along
