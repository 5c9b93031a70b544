"""Legend of a figure: symbols, lines and areas with their names, on a panel or in a line above the plot."""

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
from vizml.paint.overlay_placement import paint_panel
from vizml.paint.pens import LABEL, SMALL, colour, draw_text, elided, font, measure, pen
from vizml.paint.symbols import paint_symbol, style_of
from vizml.scene import Band, Dots, Mark, Path, Profile, Rings, Segments, Theme
from vizml.scene.figure import PLAIN, Fill

PAD, ROW, SWATCH = 8.0, 18.0, 22.0
"""Padding of the panel, height of a row, and room of a swatch, in pixels."""
SEEN = 0.4
"""Least opacity of a line in a swatch, however faint hundreds of such lines are in the plot."""
ABOVE, BESIDE, APART = 6.0, 18.0, 14.0
"""In a line above the plot: distance to the plot, from swatch to text, and between entries, in pixels."""
SHORTEST = 24.0
"""Least width of an elided text, in pixels."""
WIDEST, HIGHEST = 0.5, 0.5
"""Largest shares of the plot's width and height that a panel takes."""


@dataclass(frozen=True)
class LegendEntry:
    """A line of the legend: the text for the symbol of a class, or for a mark."""

    text: str
    kind: int | None = None
    inside: int = Fill.FILLED
    mark: Mark | None = None


Swatch: TypeAlias = Callable[[QPainter, Theme, LegendEntry, QPointF, float], None]
"""Paints a sample of an entry around a position, at a scale."""


def entries(
    kinds: Ints, names: Mapping[int, str], fills: Mapping[Fill, str], marks: Sequence[Mark]
) -> tuple[LegendEntry, ...]:
    """Return the entries of the kinds of points that occur and have a name, of fills, and of marks."""
    present = (np.flatnonzero(np.bincount(kinds - PLAIN)) + PLAIN).tolist()
    named = sorted((kind for kind in present if kind in names), key=lambda kind: (kind < 0, kind))
    rows = [LegendEntry(names[kind], kind) for kind in named]
    rows += [LegendEntry(text, -1, fill) for fill, text in fills.items()]
    first: dict[str, Mark] = {}
    for mark in marks:
        if mark.legend and not mark.empty:
            first.setdefault(mark.legend, mark)
    return (*rows, *(LegendEntry(text, mark=_representative(mark, marks)) for text, mark in first.items()))


def _representative(shown: Mark, marks: Sequence[Mark]) -> Mark:
    """Return the mark whose swatch stands for its layer: a grey one where each class has its own colour."""
    alike = (mark for mark in marks if mark.layer == shown.layer and mark.legend in ("", shown.legend))
    inks = {mark.ink for mark in alike if type(mark) is type(shown) and not isinstance(mark.ink, str)}
    return shown if len(inks) < 2 else replace(shown, ink="muted")


def without_marks(rows: Sequence[LegendEntry]) -> tuple[LegendEntry, ...]:
    """Return the entries of symbols: most lines explain themselves."""
    return tuple(row for row in rows if row.mark is None)


def panel_size(
    geometry: Geometry, rows: Sequence[LegendEntry], most: tuple[float, float] = (WIDEST, HIGHEST)
) -> tuple[QSizeF, tuple[LegendEntry, ...]]:
    """Return the size of a panel of at most such shares of the plot, and the entries that fit into it."""
    k, plot = geometry.type_scale, geometry.plot
    rows = _fitting(rows, max(int((plot.height() * most[1] / k - PAD) / ROW), 1))
    width = min(_full_width(rows, k), max(plot.width() * most[0], 70 * k))
    return QSizeF(width, (len(rows) * ROW + PAD) * k), tuple(rows)


def elides(geometry: Geometry, rows: Sequence[LegendEntry], size: QSizeF) -> bool:
    """Whether a panel is too narrow for the text of its entries."""
    return _full_width(rows, geometry.type_scale) > size.width() + 0.5


def _full_width(rows: Sequence[LegendEntry], k: float) -> float:
    metrics = measure(font(LABEL, k))
    return max((metrics.horizontalAdvance(row.text) for row in rows), default=0.0) + (SWATCH + 2 * PAD) * k


def _fitting(rows: Sequence[LegendEntry], most: int) -> Sequence[LegendEntry]:
    """Return at most so many entries; those of marks are left out first."""
    symbols = without_marks(rows)
    if len(symbols) > most:
        return [*symbols[: most - 1], LegendEntry(f"and {len(symbols) - most + 1} more")]
    return rows[: max(most, len(symbols))]


def entries_above(geometry: Geometry, rows: Sequence[LegendEntry], room: float) -> tuple[LegendEntry, ...]:
    """Return the entries that fit into a line of a width: all symbols, then as many marks as possible.

    Where the symbols alone are too many their text is elided, or the line is empty.
    """
    metrics, k = measure(font(SMALL, geometry.type_scale)), geometry.type_scale
    ends = np.cumsum([_advance(metrics, row, k) for row in rows]) - APART * k
    fit = int(np.count_nonzero(ends <= room))
    symbols = without_marks(rows)
    if fit >= len(symbols):
        return tuple(rows[:fit])
    each = room / len(symbols) - (BESIDE + APART) * k
    if each < SHORTEST * k:
        return ()
    return tuple(replace(row, text=elided(metrics, row.text, each)) for row in symbols)


def paint_above(painter: QPainter, geometry: Geometry, theme: Theme, rows: Sequence[LegendEntry]) -> None:
    """Draw entries side by side above the plot, from its left edge."""
    k, x = geometry.type_scale, geometry.plot.left()
    face = font(SMALL, k)
    metrics = measure(face)
    baseline = geometry.plot.top() - ABOVE * k
    for row in rows:
        paint_swatch(painter, theme, row, QPointF(x + 6 * k, baseline - metrics.capHeight() / 2), k)
        draw_text(painter, face, theme.text, QPointF(x + BESIDE * k, baseline), row.text)
        x += _advance(metrics, row, k)


def _advance(metrics: QFontMetricsF, row: LegendEntry, k: float) -> float:
    """Return the distance from the beginning of an entry in a line to that of the next one."""
    return metrics.horizontalAdvance(row.text) + (BESIDE + APART) * k


def paint_swatch(painter: QPainter, theme: Theme, row: LegendEntry, at: QPointF, scale: float) -> None:
    """Draw the symbol or a sample of the mark of an entry."""
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
            return
        if isinstance(mark, Path) and mark.closed and mark.fill:
            painter.fillRect(patch, colour(rgb, mark.fill * mark.opacity))
        painter.drawLine(QPointF(x - reach, y), QPointF(x + reach, y))


def paint_legend(
    painter: QPainter,
    geometry: Geometry,
    theme: Theme,
    rect: QRectF,
    rows: Sequence[LegendEntry],
    swatch: Swatch = paint_swatch,
) -> None:
    """Draw the entries on their panel."""
    k = geometry.type_scale
    face = font(LABEL, k)
    metrics = measure(face)
    paint_panel(painter, theme, rect, k)
    room = rect.width() - (SWATCH + 2 * PAD) * k + 0.5
    for index, row in enumerate(rows):
        y = rect.top() + (PAD / 2 + (index + 0.5) * ROW) * k
        swatch(painter, theme, row, QPointF(rect.left() + (PAD + 6) * k, y), k)
        at = QPointF(rect.left() + (PAD + SWATCH) * k, y + metrics.capHeight() / 2)
        draw_text(painter, face, theme.text, at, elided(metrics, row.text, room))
