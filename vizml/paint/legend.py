"""The legend: symbols and lines with their names, in the corner of the plot that has the fewest points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from vizml.field.arrays import Ints
from vizml.paint.geometry import Geometry
from vizml.paint.marks import dot_style
from vizml.paint.overlay_placement import paint_plate
from vizml.paint.pens import LABEL, SMALL, colour, font, measure, pen
from vizml.paint.symbols import paint_symbol, style_of
from vizml.scene import Band, Dots, Mark, Path, Profile, Rings, Segments, Theme
from vizml.scene.figure import PLAIN, Fill

PAD, ROW, SWATCH = 8.0, 18.0, 22.0
SEEN = 0.4
"""What a line before words is at least drawn with, however faint hundreds of them are on the stage."""
ABOVE, BESIDE, APART = 6.0, 18.0, 14.0
"""In a line over the plot: how far it is from it, its words from where an entry begins, and from the next."""
SHORTEST = 24.0
"""Pixels of words that still say which class is meant."""
WIDEST, HIGHEST = 0.5, 0.5
"""A plate takes no more of the plot's width and height than these shares."""


@dataclass(frozen=True)
class LegendEntry:
    """A line of the legend: words for the symbol of a class, or for a mark."""

    words: str
    kind: int | None = None
    inside: int = Fill.FILLED
    mark: Mark | None = None


Swatch: TypeAlias = Callable[[QPainter, Theme, LegendEntry, QPointF, float], None]
"""Paints what an entry is about around a place, at a scale."""


def entries(
    kinds: Ints, names: Mapping[int, str], fills: Mapping[Fill, str], marks: Sequence[Mark]
) -> tuple[LegendEntry, ...]:
    """Return the entries of the kinds of points that occur and have a name, of fills, and of marks."""
    counts = np.bincount(kinds - PLAIN)
    present = [kind for kind in (np.flatnonzero(counts) + PLAIN).tolist() if kind in names]
    rows = [LegendEntry(names[kind], kind) for kind in sorted(present, key=lambda k: (k < 0, k))]
    rows += [LegendEntry(text, -1, fill) for fill, text in fills.items()]
    said: dict[str, Mark] = {}
    for mark in marks:
        if mark.legend and not mark.empty:
            said.setdefault(mark.legend, mark)
    rows += [LegendEntry(text, mark=_for_all(mark, marks)) for text, mark in said.items()]
    return tuple(rows)


def _for_all(shown: Mark, marks: Sequence[Mark]) -> Mark:
    """Return the swatch for the marks of a layer; grey where each class has one of its own."""
    alike = (mark for mark in marks if mark.layer == shown.layer and mark.legend in ("", shown.legend))
    inks = {mark.ink for mark in alike if type(mark) is type(shown) and not isinstance(mark.ink, str)}
    return shown if len(inks) < 2 else replace(shown, ink="muted")


def symbols_of(rows: Sequence[LegendEntry]) -> tuple[LegendEntry, ...]:
    """Without the entries of marks: most lines explain themselves."""
    return tuple(row for row in rows if row.mark is None)


def plate_of(
    geometry: Geometry, rows: Sequence[LegendEntry], most: tuple[float, float] = (WIDEST, HIGHEST)
) -> tuple[QSizeF, tuple[LegendEntry, ...]]:
    """The size of a legend of such shares of the plot at the most, and the entries that there is room for."""
    k, plot = geometry.type_scale, geometry.plot
    rows = _fitting(rows, max(int((plot.height() * most[1] / k - PAD) / ROW), 1))
    width = min(_wide(rows, k), max(plot.width() * most[0], 70 * k))
    return QSizeF(width, (len(rows) * ROW + PAD) * k), tuple(rows)


def cuts(geometry: Geometry, rows: Sequence[LegendEntry], size: QSizeF) -> bool:
    """Whether a plate is too narrow for the words of its entries."""
    return _wide(rows, geometry.type_scale) > size.width() + 0.5


def _wide(rows: Sequence[LegendEntry], k: float) -> float:
    """The width of a plate that its entries want."""
    metrics = measure(font(LABEL, k))
    return max((metrics.horizontalAdvance(row.words) for row in rows), default=0.0) + (SWATCH + 2 * PAD) * k


def _fitting(rows: Sequence[LegendEntry], most: int) -> Sequence[LegendEntry]:
    """At most so many entries: those of marks give way first."""
    symbols = symbols_of(rows)
    if len(symbols) > most:
        return [*symbols[: most - 1], LegendEntry(f"and {len(symbols) - most + 1} more")]
    return rows[: max(most, len(symbols))]


def above_of(geometry: Geometry, rows: Sequence[LegendEntry], room: float) -> tuple[LegendEntry, ...]:
    """The entries that fit into a line of a width: all symbols, then as many marks as can be.

    Where the symbols alone are too many their words are cut, or there are none.
    """
    metrics, k = measure(font(SMALL, geometry.type_scale)), geometry.type_scale
    ends = np.cumsum([_length(metrics, row, k) for row in rows]) - APART * k
    fit = int(np.count_nonzero(ends <= room))
    symbols = symbols_of(rows)
    if fit >= len(symbols):
        return tuple(rows[:fit])
    each = room / len(symbols) - (BESIDE + APART) * k
    cut = (metrics.elidedText(row.words, Qt.TextElideMode.ElideRight, each) for row in symbols)
    return tuple(map(_called, symbols, cut)) if each >= SHORTEST * k else ()


def _called(row: LegendEntry, words: str) -> LegendEntry:
    return replace(row, words=words)


def paint_above(painter: QPainter, geometry: Geometry, theme: Theme, rows: Sequence[LegendEntry]) -> None:
    """Draw entries side by side over the plot, from its left end on."""
    k, x = geometry.type_scale, geometry.plot.left()
    face = font(SMALL, k)
    metrics = measure(face)
    baseline = geometry.plot.top() - ABOVE * k
    for row in rows:
        _paint_swatch(painter, theme, row, QPointF(x + 6 * k, baseline - metrics.capHeight() / 2), k)
        painter.setFont(face)
        painter.setPen(colour(theme.text))
        painter.drawText(QPointF(x + BESIDE * k, baseline), row.words)
        x += _length(metrics, row, k)


def _length(metrics: QFontMetricsF, row: LegendEntry, k: float) -> float:
    """Distance from the start of an entry in a line to the start of the next one."""
    return metrics.horizontalAdvance(row.words) + (BESIDE + APART) * k


def paint_legend(
    painter: QPainter,
    geometry: Geometry,
    theme: Theme,
    rect: QRectF,
    rows: Sequence[LegendEntry],
    swatch: Swatch | None = None,
) -> None:
    """Draw the entries onto their plate, with swatches of their symbols and marks or other ones."""
    k = geometry.type_scale
    swatch = swatch or _paint_swatch
    face = font(LABEL, k)
    metrics = measure(face)
    paint_plate(painter, theme, rect, k)
    painter.setFont(face)
    room = rect.width() - (SWATCH + 2 * PAD) * k + 0.5
    for index, row in enumerate(rows):
        y = rect.top() + (PAD / 2 + (index + 0.5) * ROW) * k
        swatch(painter, theme, row, QPointF(rect.left() + (PAD + 6) * k, y), k)
        painter.setPen(colour(theme.text))
        words = metrics.elidedText(row.words, Qt.TextElideMode.ElideRight, room)
        baseline = y + metrics.capHeight() / 2
        painter.drawText(QPointF(rect.left() + (PAD + SWATCH) * k, baseline), words)


def _paint_swatch(painter: QPainter, theme: Theme, row: LegendEntry, at: QPointF, scale: float) -> None:
    """Paint the symbol or mark of an entry, small, around a position."""
    x, y, reach, mark = at.x(), at.y(), 8 * scale, row.mark
    if row.kind is not None:
        paint_symbol(painter, style_of(row.kind, theme), x, y, scale, row.inside)
    if mark is None:
        return
    rgb = theme.colour(mark.ink)
    patch = QRectF(x - reach, y - 5 * scale, 2 * reach, 10 * scale)
    if isinstance(mark, Band):
        painter.fillRect(patch, colour(rgb, mark.opacity))
    elif isinstance(mark, Dots):
        ink = mark.inks[0] if len(set(mark.inks)) == 1 else mark.ink
        paint_symbol(painter, dot_style(theme, mark, ink, min(mark.size, 12.0)), x, y, scale)
    elif isinstance(mark, Path | Segments | Rings | Profile):
        stroke = "solid" if isinstance(mark, Profile) else mark.stroke
        painter.setPen(pen(theme.stroke(mark.ink), mark.width * scale, max(mark.opacity, SEEN), stroke))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if isinstance(mark, Rings):
            painter.drawEllipse(at, 6 * scale, 6 * scale)
        else:
            if isinstance(mark, Path) and mark.closed and mark.fill:
                painter.fillRect(patch, colour(rgb, mark.fill * mark.opacity))
            painter.drawLine(QPointF(x - reach, y), QPointF(x + reach, y))
