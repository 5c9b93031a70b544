"""Painting of marks: paths, segments, rings, dots, bands and profiles."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from vizml.field.arrays import Floats, Ints
from vizml.paint.clipping import (
    Box,
    area,
    box_of,
    inside,
    joined,
    length_within,
    near,
    parted,
    pieces,
    polygon,
    qpolygon,
    segments,
    traces,
    visible,
)
from vizml.paint.geometry import Geometry
from vizml.paint.pens import clear_image, colour, fill_path, pen, stroking, vectorial
from vizml.paint.symbols import Style, paint_symbol, stamp, symbol
from vizml.scene import Band, Dots, Ink, Mark, Path, Profile, Rings, Segments, Theme
from vizml.scene.marks import true_runs
from vizml.scene.palette import mixed

FEW = 64
"""Up to this number dots are painted one by one, at fractions of a pixel."""
AT_ONCE, SHORT, DENSE = 30, 40.0, 500
"""Most straight lines of up to so many pixels in one stroke, fewer long ones: Qt searches a whole stroke for
each row. More lines than DENSE are no wider than a pixel."""
CROWD, MOST_LINES = 20_000, 100_000
"""Lines that cannot be told from each other: more of them do not bend along logarithmic axes, and on a screen
every other one, or every third, is drawn."""
MANY_LINES, CELLS = 5000, 2
"""More lines than this are drawn once in each cell that they begin and end in, and cells to a pixel."""
MANY_RINGS = 300
"""More rings than this are copied from images, with radii rounded to half a device pixel."""
BOLD = 2.0
"""Least width of lines that may be painted in pieces without visible joints."""
LONG, WINDING, FILLING = 4e3, 4e4, 2e5
"""Pixels of a line beyond which it is painted in pieces, also if it is thin, and no wider than a pixel. Qt
searches a whole stroke for each row: seconds for a curve that jumps up and down in each column."""
RIM = 0.8
"""Width of the rim of a line on a colour map, in pixels."""
BEND, FLAT, ROUGH, MOST_BENDS, BEYOND = 2.0, 0.05, 0.5, 512, 1000.0
"""Least pixels between two points of a line that bends, most pixels between it and its chords, and of more
than DENSE lines, most points of a stretch of it, and how many times the bounds it may reach beyond them."""
CREST = 1 / 6
"""Height of the peak of a profile as a share of the plot."""


def paint_mark(
    painter: QPainter, geometry: Geometry, theme: Theme, mark: Mark, part: QRectF | None = None
) -> None:
    """Draw a mark within the plot, or the part of it that lies in a part of the plot."""
    part = part or geometry.plot
    match mark:
        case Path():
            _path(painter, geometry, theme, mark, part)
        case Segments():
            _segments(painter, geometry, theme, mark, part)
        case Rings():
            _rings(painter, geometry, theme, mark, part)
        case Band():
            _band(painter, geometry, theme, mark, box_of(part))
        case Dots():
            _dots(painter, geometry, theme, mark, box_of(part))
        case Profile():
            _profile(painter, geometry, theme, mark, part)


def reach(mark: Mark, geometry: Geometry) -> float:
    """Distance in pixels that a mark extends beyond its coordinates."""
    match mark:
        case Rings():
            widest = float(np.max(mark.radii, initial=0.0)) * geometry.symbol_scale
            return widest + mark.width * geometry.type_scale
        case Path() | Segments() | Profile():
            return mark.width * geometry.type_scale
        case Dots():
            return mark.size * geometry.type_scale
    return 0.0


def rim(mark: Mark) -> Mark | None:
    """Return the rim below a line on a colour map, whose colours may be as light or dark as its own."""
    if not isinstance(mark, Path | Segments | Rings) or not mark.width:
        return None
    wide = replace(mark, ink="ground", width=mark.width + 2 * RIM, stroke="solid")
    return replace(wide, fill=0.0) if isinstance(wide, Path) else wide


def _path(painter: QPainter, geometry: Geometry, theme: Theme, mark: Path, part: QRectF) -> None:
    box = box_of(part)
    lines = _pixels(geometry, mark)
    if mark.fill and mark.closed:
        fill_path(painter, area(lines, box), colour(theme.colour(mark.ink), mark.fill * mark.opacity))
    if mark.width:
        stroke, length = _pen(theme, mark, geometry), 0.0 if vectorial(painter) else length_within(lines, box)
        short = mark.stroke == "solid" and length > (LONG if mark.width >= BOLD else WINDING)
        if length > FILLING:
            stroke.setWidthF(min(stroke.widthF(), _pixel(painter)))
        _polylines(painter, part, stroke, traces(lines, box, closed=mark.closed, short=short))


def _pixel(painter: QPainter) -> float:
    """Return the width of a device pixel: Qt strokes lines of this width ten times as fast as wider ones."""
    return 1.0 / painter.device().devicePixelRatioF()


def _pixels(geometry: Geometry, mark: Path) -> list[Floats]:
    """Return the lines in pixels; along logarithmic axes straight lines bend, and are subdivided."""
    if not any(geometry.log):
        points = np.concatenate([np.empty((0, 2)), *mark.lines])
        return parted(geometry.to_pixels(points), np.array([len(line) for line in mark.lines], dtype=int))
    box = _around(geometry)
    if mark.closed:
        cut = [polygon(line, box) for line in mark.lines]
        lines = [np.concatenate([line, line[:1]]) for line in cut if len(line)]
    else:
        lines = visible(near(mark.lines, box), box)
    if not lines:
        return []
    return _subdivided(geometry, np.concatenate(lines), np.array([len(line) for line in lines], dtype=int))


def _around(geometry: Geometry) -> Box:
    """Return the part of the plane, in data units, beyond which lines are cut off on logarithmic axes."""
    left, right, bottom, top = geometry.bounds
    far = BEYOND * max(right - left, top - bottom)
    low = (edge / BEYOND if log else edge - far for edge, log in zip((left, bottom), geometry.log))
    return next(low), right + far, next(low), top + far


def _subdivided(geometry: Geometry, points: Floats, sizes: Ints, flat: float = FLAT) -> list[Floats]:
    """Return concatenated polylines in pixels, with points where their stretches bend.

    Its points are evenly spread along the axis on which a stretch grows most, by e^g; it leaves its chord by
    L g (1 + g) / 8 at most, where L is its length along the other axis. Growths along both axes add up.
    """
    left, _, bottom, _ = _around(geometry)
    points = np.maximum(points, (left, bottom))  # cuts are rounded, even to 0
    firsts = np.cumsum(sizes) - sizes
    starts = np.roll(points, 1, axis=0)
    starts[firsts] = points[firsts]
    lengths = np.abs(geometry.to_pixels(points) - geometry.to_pixels(starts))
    with np.errstate(divide="ignore", invalid="ignore"):
        growths = np.where(geometry.log, np.log(points) - np.log(starts), 0.0)
    rows, most = np.arange(len(points)), np.abs(growths).argmax(axis=1)
    growth, across, total = growths[rows, most], lengths[rows, 1 - most], np.abs(growths).sum(axis=1)
    bend = np.sqrt(across * total * (1 + total) / (8 * flat))
    counts = np.ceil(np.minimum(bend, lengths.max(axis=1) / BEND)).clip(1, MOST_BENDS).astype(int)
    each = np.repeat(rows, counts)
    share = (np.arange(len(each)) - (np.cumsum(counts) - counts)[each] + 1) / counts[each]
    growth = growth[each]
    with np.errstate(invalid="ignore"):  # (e^gs - 1) / (e^g - 1), which would overflow
        bent = np.expm1(-np.abs(growth) * share) / np.expm1(-np.abs(growth))
    bent *= np.exp(np.maximum(growth, 0.0) * (share - 1))
    share = np.where(growth == 0, share, bent)[:, None]
    found = starts[each] + share * (points - starts)[each]
    return parted(geometry.to_pixels(found), np.add.reduceat(counts, firsts))


def _polylines(painter: QPainter, around: QRectF, pen: QPen, polylines: list[QPolygonF]) -> None:
    """Draw polylines; one by one, which is faster, where they are opaque."""
    with stroking(painter, pen, around) as brush:
        if brush.pen().color().alphaF() >= 1:
            for polyline in polylines:
                brush.drawPolyline(polyline)
            return
        brush.drawPath(joined(polylines))  # whose stroke is not denser at crossings


def _segments(painter: QPainter, geometry: Geometry, theme: Theme, mark: Segments, part: QRectF) -> None:
    if not len(mark.ends):
        return
    box, bent = box_of(part), []
    ends = mark.ends
    if any(geometry.log):
        ends, seen = segments(ends, _around(geometry))
        ends = ends[seen]
        straight = (ends[:, 0] == ends[:, 1]).any(axis=1) | (len(ends) > CROWD)
        oblique, flat = ends[~straight], FLAT if len(ends) <= DENSE else ROUGH
        lines = _subdivided(geometry, oblique.reshape(-1, 2), np.full(len(oblique), 2), flat)
        bent = [qpolygon(run) for run in visible(near(lines, box), box)]
        ends = ends[straight]
    ends = geometry.to_pixels(ends)
    cut, seen = segments(ends, box)
    ends = cut[seen]
    if not vectorial(painter):
        if len(ends) > MANY_LINES:
            ends = _apart(ends, CELLS / _pixel(painter))
        ends = ends[:: max(math.ceil(len(ends) / MOST_LINES), 1)]
    few, stroke = max(len(ends), len(bent), 1), _pen(theme, mark, geometry)
    if not vectorial(painter):
        if few > DENSE:
            stroke.setWidthF(min(stroke.widthF(), _pixel(painter)))
        length = float(np.hypot(*(ends[:, 1] - ends[:, 0]).T).mean()) if len(ends) else 0.0
        few = max(round(AT_ONCE * SHORT / max(length / _pixel(painter), SHORT)), 1)
    with stroking(painter, stroke, part) as brush:
        for start in range(0, len(ends), few):
            brush.drawPath(pieces(ends[start : start + few]))
        for start in range(0, len(bent), few):
            brush.drawPath(joined(bent[start : start + few]))


def _apart(ends: Floats, resolution: float) -> Floats:
    """Return one line of all those that begin and end in the same cells of a grid, as splits of a tree do."""
    cells = np.rint(ends.reshape(-1, 4) * resolution).astype(np.int64)
    keys = ((cells - cells.min()) << np.array([48, 32, 16, 0])).sum(axis=1)  # 16 bits for each coordinate
    return ends[np.sort(np.unique(keys, return_index=True)[1])]


def _rings(painter: QPainter, geometry: Geometry, theme: Theme, mark: Rings, part: QRectF) -> None:
    places = geometry.to_pixels(mark.points.reshape(-1, 2))
    radii = np.broadcast_to(mark.radii, (len(places),)) * geometry.symbol_scale
    seen = inside(places, box_of(part))
    places, radii = places[seen], radii[seen]
    with stroking(painter, _pen(theme, mark, geometry), part) as brush:
        if len(places) > MANY_RINGS and not vectorial(brush):
            _copy_rings(brush, places, radii)
            return
        for (x, y), radius in zip(places.tolist(), radii.tolist()):
            brush.drawEllipse(QPointF(x, y), radius, radius)


def _copy_rings(painter: QPainter, places: Floats, radii: Floats) -> None:
    """Copy images of rings of each radius to positions in logical pixels."""
    ratio = painter.device().devicePixelRatioF()
    sizes, which = np.unique(np.rint(radii * ratio * 2) / 2, return_inverse=True)
    cells = 2 * np.ceil(sizes + painter.pen().widthF() * ratio).astype(np.int64) + 1
    left = np.cumsum(cells) - cells
    stroke = QPen(painter.pen())
    stroke.setWidthF(stroke.widthF() * ratio)
    image = clear_image(int(cells.sum()), int(cells.max()))
    with QPainter(image) as brush:
        brush.setRenderHint(QPainter.RenderHint.Antialiasing)
        brush.setPen(stroke)
        for radius, cell, start in zip(sizes.tolist(), cells.tolist(), left.tolist()):
            brush.drawEllipse(QPointF(start + cell / 2, cell / 2), radius, radius)
    stamp(painter, image, places, (left[which], 0), cells[which])


def _band(painter: QPainter, geometry: Geometry, theme: Theme, mark: Band, box: Box) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    known = np.isfinite(mark.low) & np.isfinite(mark.high)
    for piece in true_runs(known):
        up = np.column_stack([mark.x[piece], mark.high[piece]])
        down = np.column_stack([mark.x[piece], mark.low[piece]])[::-1]
        around = geometry.to_pixels(np.concatenate([up, down]))
        fill_path(painter, area([around], box), colour(theme.colour(mark.ink), mark.opacity))


def _dots(painter: QPainter, geometry: Geometry, theme: Theme, mark: Dots, box: Box) -> None:
    """Draw few dots as paths at fractions of a pixel, many as copies of an image in a tenth of the time."""
    places = geometry.to_pixels(mark.points.reshape(-1, 2))
    inks = np.array(mark.inks or (mark.ink,) * len(places), dtype=object)
    seen = inside(places, box)
    places, inks = places[seen], inks[seen]
    painter.save()
    painter.setOpacity(painter.opacity() * mark.opacity)
    if len(places) <= FEW or vectorial(painter):
        for (x, y), ink in zip(places.tolist(), inks.tolist()):
            paint_symbol(painter, dot_style(theme, mark, ink, mark.size), x, y, geometry.type_scale)
    else:
        ratio = painter.device().devicePixelRatioF()
        for ink in dict.fromkeys(inks.tolist()):
            image = symbol(dot_style(theme, mark, ink, mark.size), geometry.type_scale, ratio)
            stamp(painter, image, places[inks == ink])
    painter.restore()


def _profile(painter: QPainter, geometry: Geometry, theme: Theme, mark: Profile, part: QRectF) -> None:
    """Draw the curve of a profile, and the area between it and the edge of the plot."""
    if not len(mark.at):
        return
    plot = geometry.plot
    upright = mark.axis == "x"
    size = plot.height() if upright else -plot.width()
    foot = plot.bottom() if upright else plot.left()
    ends = np.column_stack([mark.at, mark.at])
    line = geometry.to_pixels(ends)
    line[:, int(upright)] = foot - mark.heights / (mark.peak or 1.0) * size * CREST
    ground = line[[-1, 0]]
    ground[:, int(upright)] = foot
    box = box_of(part)
    around = area([np.concatenate([line, ground])], box)
    fill_path(painter, around, colour(theme.colour(mark.ink), mark.fill * mark.opacity))
    _polylines(painter, part, _pen(theme, mark, geometry), traces([line], box))


def dot_style(theme: Theme, mark: Dots, ink: Ink, size: float) -> Style:
    """Return the style of a dot: filled with its ink, with an outline close to the text colour."""
    fill = theme.colour(ink)
    edge = theme.text if theme.name == "light" else theme.ground
    halo = theme.ground if theme.name == "light" else theme.text
    return Style(mark.shape, fill, mixed(fill, edge, 0.9), halo, size, weight=1.8, rim=1.6)


def _pen(theme: Theme, mark: Path | Segments | Rings | Profile, geometry: Geometry) -> QPen:
    return pen(theme.stroke(mark.ink), mark.width * geometry.type_scale, mark.opacity, mark.stroke)
