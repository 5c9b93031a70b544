"""Scores, the colours of a lens and the legend: on plates where they hide nothing, else over the plot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from vizml.data.dataset import Floats
from vizml.paint import bar, legend, scores
from vizml.paint.geometry import Geometry
from vizml.paint.legend import Entry
from vizml.paint.plates import FEW, SOME, covers_few, settle
from vizml.paint.symbols import Inside
from vizml.scene.scene import LEGEND, SCORES

if TYPE_CHECKING:
    from vizml.paint.picture import Picture


def paint_captions(
    painter: QPainter, geometry: Geometry, picture: Picture, obstacles: Floats
) -> list[QRectF]:
    """All that there are; where their plates are."""
    taken: list[QRectF] = []
    over = _paint_scores(painter, geometry, picture, obstacles, taken)
    if picture.seen_through is not None:
        rect = settle(geometry, bar.plate_of(geometry, picture.seen_through), obstacles, taken, "bottom left")
        if rect is not None and covers_few(rect, obstacles, SOME, geometry.type_scale):
            taken.append(rect)
            bar.paint_lens(painter, geometry, picture.look.theme, rect, picture.seen_through)
    rows = _rows(picture) if picture.look.shows(LEGEND) else ()
    if rows:
        _paint_legend(painter, geometry, picture, obstacles, taken, rows, over)
    return taken


def _paint_scores(
    painter: QPainter, geometry: Geometry, picture: Picture, obstacles: Floats, taken: list[QRectF]
) -> float:
    """On a plate that hides nothing, else over the plot, else on one that hides little; where they begin."""
    theme = picture.look.theme
    if not picture.scores or not picture.look.shows(SCORES):
        return geometry.plot.right()
    rect = settle(geometry, scores.plate_of(geometry, picture.scores), obstacles, (), "bottom right")
    spare = 0.0 if scores.fit_above(geometry, picture.scores, picture.title) else SOME
    if rect is not None and covers_few(rect, obstacles, spare, geometry.type_scale):
        taken.append(rect)
        scores.paint_scores(painter, geometry, theme, rect, picture.scores)
    elif not geometry.low:
        return scores.paint_above(painter, geometry, theme, picture.scores, picture.title)
    return geometry.plot.right()


def _paint_legend(
    painter: QPainter,
    geometry: Geometry,
    picture: Picture,
    obstacles: Floats,
    taken: list[QRectF],
    rows: tuple[Entry, ...],
    over: float,
) -> None:
    """Where it hides nothing, or over the plot, with as much as can be told; else where it hides little."""
    symbols, room = legend.symbols_of(rows), over - geometry.plot.left()
    line = () if picture.title or geometry.low else legend.above_of(geometry, rows, room)
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
            legend.paint_legend(painter, geometry, picture.look.theme, rect, shown)
            return
    legend.paint_above(painter, geometry, picture.look.theme, line)


def _rows(picture: Picture) -> tuple[Entry, ...]:
    words = {Inside.HOLLOW: "held out", Inside.DOTTED: picture.test}
    parts = {inside: words[inside] for inside in picture.drawn_parts if inside in words}
    kinds = picture.kinds[picture.drawn]
    return legend.entries(picture.dataset, kinds, parts, picture.groups, picture.marks, picture.count)
