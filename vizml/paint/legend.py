"""Legend and scores of a figure: on panels that cover few points, else in a line above the plot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from vizml.field.arrays import Floats, Ints
from vizml.paint.clipping import box_of
from vizml.paint.colour_bar import bar_size, paint_colour_bar
from vizml.paint.geometry import Geometry
from vizml.paint.marks import dot_style
from vizml.paint.pens import BODY, HEADING, LABEL, SMALL, colour, draw_text, font, paint_panel, pen, typeface
from vizml.paint.symbols import paint_symbol, style_of
from vizml.scene import Band, Dots, Mark, Path, Profile, Rings, Segments, Theme
from vizml.scene.figure import LEGEND, PLAIN, REGIONS, SCORES, Emphasis, Figure, Fill
from vizml.scene.typesetting import typeset

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
SCORE_PAD, SCORE_ROW, SCORES_APART = 10.0, 22.0, 16.0
"""Padding of the panel of scores, height of a row, and distance of scores above the plot, in pixels."""
MARGIN = 10.0
"""Distance of a panel to the edges of the plot, in pixels."""
FEW, SOME = 0.02, 0.05
"""Shares of the points: a first corner that covers at most FEW is taken; no panel covers more than SOME."""
CORNERS = ("top right", "top left", "bottom left", "bottom right")
ALONG = 12
"""Candidate places along an edge of the plot."""
MANY = 5000
"""With more points than this only the corners are candidates: counting takes too long elsewhere."""


@dataclass(frozen=True)
class LegendEntry:
    """A line of the legend: the text for the symbol of a class, or for a mark."""

    text: str
    kind: int | None = None
    inside: int = Fill.FILLED
    mark: Mark | None = None

    @property
    def emphasis(self) -> Emphasis:
        """The marks or points that it is about."""
        return Emphasis(frozenset({self.mark.layer} if self.mark else ()), self.kind, Fill(self.inside))


Entries: TypeAlias = Sequence[LegendEntry]
Placed: TypeAlias = list[tuple[QRectF, LegendEntry]]
"""Entries with their places."""
Swatch: TypeAlias = Callable[[QPainter, Theme, LegendEntry, QPointF, float], None]
"""Paints a sample of an entry around a position, at a scale."""


def legend_entries(figure: Figure) -> tuple[LegendEntry, ...]:
    """Return the entries of named kinds of points that occur, of fills, of scaled shading, and of marks."""
    points, drawn = figure.points, figure.drawn
    present = (np.flatnonzero(np.bincount(points.kinds[drawn] - PLAIN)) + PLAIN).tolist()
    named = sorted((kind for kind in present if kind in points.names), key=lambda kind: (kind < 0, kind))
    rows = [LegendEntry(points.names[kind], kind) for kind in named]
    occurring = map(Fill, np.unique(points.fills[drawn]).tolist())
    fills = [fill for fill in occurring if fill in points.fill_names and fill is not Fill.FILLED]
    rows += [LegendEntry(points.fill_names[fill], -1, fill) for fill in fills]
    if figure.scene is not None and figure.scene.scaled and figure.look.shows(REGIONS):
        rows.append(LegendEntry(figure.scene.scaled))
    first: dict[str, Mark] = {}
    for mark in figure.marks:
        if mark.legend and not mark.empty:
            first.setdefault(mark.legend, mark)
    marks = (LegendEntry(text, mark=_representative(mark, figure.marks)) for text, mark in first.items())
    return tuple(replace(row, text=typeset(row.text)) for row in (*rows, *marks))


def _representative(shown: Mark, marks: Sequence[Mark]) -> Mark:
    """Return the mark to draw as a swatch: a grey one where each class of a layer has its own colour."""
    alike = (mark for mark in marks if mark.layer == shown.layer and mark.legend in ("", shown.legend))
    inks = {mark.ink for mark in alike if type(mark) is type(shown) and not isinstance(mark.ink, str)}
    return shown if len(inks) < 2 else replace(shown, ink="muted")


def panel_of(
    geometry: Geometry, rows: Entries, most: tuple[float, float] = (WIDEST, HIGHEST)
) -> tuple[QSizeF, tuple[LegendEntry, ...], bool]:
    """Return the size of a panel of at most such shares of the plot, its entries, and whether text is cut.

    Entries of marks are left out first.
    """
    k, plot = geometry.type_scale, geometry.plot
    fitting = max(int((plot.height() * most[1] / k - PAD) / ROW), 1)
    symbols = [row for row in rows if row.mark is None]
    shown = rows[: max(fitting, len(symbols))]
    if len(symbols) > fitting:
        more = f"and {len(symbols) - fitting + 1} more"
        shown = [*symbols[: fitting - 1], LegendEntry(more)]
    metrics = QFontMetricsF(font(LABEL, k))
    full = max((metrics.horizontalAdvance(row.text) for row in shown), default=0.0) + (SWATCH + 2 * PAD) * k
    width = min(full, max(plot.width() * most[0], 70 * k))
    return QSizeF(width, (len(shown) * ROW + PAD) * k), tuple(shown), full > width + 0.5


def entries_above(geometry: Geometry, rows: Entries, room: float) -> tuple[LegendEntry, ...]:
    """Return the entries that fit into a line of a width: all symbols, then as many marks as possible.

    Where the symbols alone are too many their text is elided, or the line is empty.
    """
    k = geometry.type_scale
    metrics = QFontMetricsF(font(SMALL, k))
    widths = [metrics.horizontalAdvance(row.text) + (BESIDE + APART) * k for row in rows]
    fit = int(np.count_nonzero(np.cumsum(widths) - APART * k <= room))
    symbols = [row for row in rows if row.mark is None]
    if fit >= len(symbols):
        return tuple(rows[:fit])
    each = room / len(symbols) - (BESIDE + APART) * k
    if each < SHORTEST * k:
        return ()
    texts = (metrics.elidedText(row.text, Qt.TextElideMode.ElideRight, each) for row in symbols)
    return tuple(replace(row, text=text) for row, text in zip(symbols, texts))


def paint_above(painter: QPainter, geometry: Geometry, theme: Theme, rows: Entries) -> Placed:
    """Draw entries side by side above the plot, from its left edge."""
    placed: Placed = []
    k, x = geometry.type_scale, geometry.plot.left()
    face, metrics = typeface(SMALL, k)
    baseline = geometry.plot.top() - ABOVE * k
    for row in rows:
        paint_swatch(painter, theme, row, QPointF(x + 6 * k, baseline - metrics.capHeight() / 2), k)
        draw_text(painter, face, theme.text, QPointF(x + BESIDE * k, baseline), row.text)
        width = metrics.horizontalAdvance(row.text) + (BESIDE + APART) * k
        placed.append((QRectF(x, baseline - ROW * k, width, ROW * k), row))
        x += width
    return placed


def paint_swatch(painter: QPainter, theme: Theme, row: LegendEntry, at: QPointF, scale: float) -> None:
    """Draw the symbol or a sample of the mark of an entry."""
    x, y, reach, mark = at.x(), at.y(), 8 * scale, row.mark
    if row.kind is not None:
        paint_symbol(painter, style_of(row.kind, theme), x, y, scale, row.inside)
    if mark is None:
        return
    patch = QRectF(x - reach, y - 5 * scale, 2 * reach, 10 * scale)
    if isinstance(mark, Band):
        painter.fillRect(patch, colour(theme.colour(mark.ink), mark.opacity))
    elif isinstance(mark, Dots):
        ink = mark.inks[0] if len(set(mark.inks)) == 1 else mark.ink
        paint_symbol(painter, dot_style(theme, mark, ink, min(mark.size, 12.0)), x, y, scale)
    elif isinstance(mark, Path | Segments | Rings | Profile):
        painter.setPen(pen(theme.stroke(mark.ink), mark.width * scale, max(mark.opacity, SEEN), mark.stroke))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if isinstance(mark, Rings):
            painter.drawEllipse(at, 6 * scale, 6 * scale)
            return
        if isinstance(mark, Path) and mark.closed and mark.fill:
            painter.fillRect(patch, colour(theme.colour(mark.ink), mark.fill * mark.opacity))
        painter.drawLine(QPointF(x - reach, y), QPointF(x + reach, y))


def paint_legend(
    painter: QPainter, theme: Theme, rect: QRectF, rows: Entries, k: float, swatch: Swatch = paint_swatch
) -> Placed:
    """Draw the entries on their panel."""
    placed: Placed = []
    face, metrics = typeface(LABEL, k)
    paint_panel(painter, theme, rect, k)
    room = rect.width() - (SWATCH + 2 * PAD) * k + 0.5
    for index, row in enumerate(rows):
        y = rect.top() + (PAD / 2 + (index + 0.5) * ROW) * k
        swatch(painter, theme, row, QPointF(rect.left() + (PAD + 6) * k, y), k)
        at = QPointF(rect.left() + (PAD + SWATCH) * k, y + metrics.capHeight() / 2)
        draw_text(painter, face, theme.text, at, row.text, room)
        placed.append((QRectF(rect.left(), y - ROW / 2 * k, rect.width(), ROW * k), row))
    return placed


def corner(geometry: Geometry, size: QSizeF, name: str) -> QRectF:
    """Return a panel in a corner of the plot."""
    gap, plot = MARGIN * geometry.type_scale, geometry.plot
    x = plot.right() - gap - size.width() if "right" in name else plot.left() + gap
    y = plot.top() + gap if "top" in name else plot.bottom() - gap - size.height()
    return QRectF(QPointF(x, y), size)


def place(
    geometry: Geometry, size: QSizeF, points: Floats, taken: Sequence[QRectF], first: str, share: float = 1.0
) -> QRectF | None:
    """Return the first corner that covers no point, or the nearest such place along the edges.

    Where every place covers points, return the first corner if they are few, else the corner with the fewest;
    None where it would cover more than a share of the points, or where no corner is free.
    """
    corners = {name: corner(geometry, size, name) for name in (first, *CORNERS)}
    free = _free(geometry, corners.values(), taken)
    if not free:
        return None
    hidden = _counts(free, points, geometry.type_scale)
    best = int(np.argmin(hidden))
    if hidden[best] and len(points) <= MANY:
        between = _free(geometry, _edges(geometry, size, first), taken)
        clear = np.flatnonzero(_counts(between, points, geometry.type_scale) == 0)
        if len(clear):
            return between[int(clear[0])]
    if hidden[best] and hidden[0] <= FEW * len(points):
        best = 0
    return free[best] if hidden[best] <= share * len(points) else None


def _free(geometry: Geometry, places: Iterable[QRectF], taken: Sequence[QRectF]) -> list[QRectF]:
    """Return the places within the plot that keep a distance to what is there already."""
    gap = MARGIN / 2 * geometry.type_scale
    around = [other.adjusted(-gap, -gap, gap, gap) for other in taken]
    inner = [rect for rect in places if geometry.plot.contains(rect)]
    return [rect for rect in inner if not any(rect.intersects(other) for other in around)]


def _edges(geometry: Geometry, size: QSizeF, first: str) -> list[QRectF]:
    """Return places along the edges of the plot, the nearest to a corner first."""
    low, high = corner(geometry, size, "top left").topLeft(), corner(geometry, size, "bottom right").topLeft()
    x, y = (np.linspace(*ends, ALONG).round().tolist() for ends in ((low.x(), high.x()), (low.y(), high.y())))
    places = [QPointF(at, edge) for at in x for edge in (low.y(), high.y())]
    places += [QPointF(edge, at) for at in y for edge in (low.x(), high.x())]
    home = corner(geometry, size, first).topLeft()
    return [QRectF(at, size) for at in sorted(places, key=lambda at: (at - home).manhattanLength())]


def _counts(rects: Sequence[QRectF], points: Floats, k: float) -> Ints:
    """Return how many points each panel covers."""
    left, right, top, bottom = np.array([box_of(rect, MARGIN / 2 * k) for rect in rects]).reshape(-1, 4).T
    x, y = points.T[:, :, None]
    return np.asarray(((x >= left) & (x <= right) & (y >= top) & (y <= bottom)).sum(axis=0))


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
        taken = metrics.horizontalAdvance(title) + SCORES_APART * k if title else 0.0
        above = sum(small.horizontalAdvance(text) + SCORES_APART * k for text in scores)
        fits_above = not geometry.low and above + taken <= geometry.plot.width()
        width = max(map(metrics.horizontalAdvance, scores)) + 2 * SCORE_PAD * k
        size = QSizeF(width, (len(scores) * SCORE_ROW + SCORE_PAD) * k)
        rect = self._place(size, "bottom right", 0.0 if fits_above else SOME)
        if rect is None:
            return 0.0 if geometry.low else self._paint_scores_above(geometry.plot.left() + taken)
        paint_panel(self._painter, self._theme, rect, k)
        for index, text in enumerate(scores):
            y = rect.top() + (SCORE_PAD / 2 + (index + 0.5) * SCORE_ROW) * k + metrics.capHeight() / 2
            x = rect.right() - SCORE_PAD * k - metrics.horizontalAdvance(text)
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
            x -= SCORES_APART * k
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
