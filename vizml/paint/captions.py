"""Scores, the colours of a lens and the legend: on plates where they hide nothing, else over the plot."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from vizml.field.arrays import Floats
from vizml.paint import colour_bar, legend, scores
from vizml.paint.geometry import Geometry
from vizml.paint.legend import LegendEntry
from vizml.paint.overlay_placement import FEW, SOME, covers_few, settle
from vizml.scene.figure import Figure, Fill
from vizml.scene.scene import LEGEND, SCORES


def paint_captions(painter: QPainter, geometry: Geometry, figure: Figure, obstacles: Floats) -> list[QRectF]:
    """All that there are; where their plates are."""
    taken: list[QRectF] = []
    over = _paint_scores(painter, geometry, figure, obstacles, taken)
    if figure.lens is not None:
        rect = settle(geometry, colour_bar.plate_of(geometry, figure.lens), obstacles, taken, "bottom left")
        if rect is not None and covers_few(rect, obstacles, SOME, geometry.type_scale):
            taken.append(rect)
            colour_bar.paint_lens(painter, geometry, figure.look.theme, rect, figure.lens)
    rows = rows_of(figure) if figure.look.shows(LEGEND) else ()
    if rows:
        _paint_legend(painter, geometry, figure, obstacles, taken, rows, over)
    return taken


def _paint_scores(
    painter: QPainter, geometry: Geometry, figure: Figure, obstacles: Floats, taken: list[QRectF]
) -> float:
    """On a plate that hides nothing, else over the plot, else on one that hides little; where they begin."""
    theme = figure.look.theme
    if not figure.scores or not figure.look.shows(SCORES):
        return geometry.plot.right()
    rect = settle(geometry, scores.plate_of(geometry, figure.scores), obstacles, (), "bottom right")
    spare = 0.0 if scores.fit_above(geometry, figure.scores, figure.title) else SOME
    if rect is not None and covers_few(rect, obstacles, spare, geometry.type_scale):
        taken.append(rect)
        scores.paint_scores(painter, geometry, theme, rect, figure.scores)
    elif not geometry.low:
        return scores.paint_above(painter, geometry, theme, figure.scores, figure.title)
    return geometry.plot.right()


def _paint_legend(
    painter: QPainter,
    geometry: Geometry,
    figure: Figure,
    obstacles: Floats,
    taken: list[QRectF],
    rows: tuple[LegendEntry, ...],
    over: float,
) -> None:
    """Paint the legend where it hides nothing, or above the plot; else where it hides little."""
    symbols, room = legend.symbols_of(rows), over - geometry.plot.left()
    line = () if figure.title or geometry.low else legend.above_of(geometry, rows, room)
    whole = line == rows
    plates = [(rows, 0.0)] if whole else [(rows, 0.0), (symbols, 0.0)]
    for some, share in plates if line else [*plates, (rows, FEW), (symbols, SOME)]:
        size, shown = legend.plate_of(geometry, some)
        cut = len(shown) < len(rows) or legend.cuts(geometry, shown, size)
        rect = (
            settle(geometry, size, obstacles, taken, "top right") if shown and not (whole and cut) else None
        )
        if rect is not None and covers_few(rect, obstacles, share, geometry.type_scale):
            taken.append(rect)
            legend.paint_legend(painter, geometry, figure.look.theme, rect, shown)
            return
    legend.paint_above(painter, geometry, figure.look.theme, line)


def rows_of(figure: Figure) -> tuple[LegendEntry, ...]:
    """Return the entries of a figure's legend."""
    names = figure.points.fill_names
    fills: dict[Fill, str] = {
        fill: names[fill] for fill in figure.drawn_fills if fill in names and fill != Fill.FILLED
    }
    return legend.entries(figure.points.kinds[figure.drawn], figure.points.names, fills, figure.marks)
