"""Painting of a figure, its region and text labels, in the layers that a canvas caches separately."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath

from vizml.field.arrays import Bounds, Floats, Mask
from vizml.paint.axes import paint_axes, paint_cells, paint_grid, paint_heading
from vizml.paint.clipping import box_of, inside
from vizml.paint.geometry import Geometry
from vizml.paint.legend import CaptionPainter, Placed
from vizml.paint.marks import paint_mark, rim
from vizml.paint.pens import SMALL, antialiased, colour, draw_image, fill_path, pen, typeface, vectorial
from vizml.paint.symbols import SIZE, paint_points
from vizml.scene import Dots, Ink, Mark, Region, Rings, TextLabels, Theme
from vizml.scene.figure import GRID, REGIONS, Emphasis, Figure
from vizml.scene.typesetting import typeset
from vizml.scene.viewport import from_decades, scaled, to_decades

VEIL = 0.72
"""Opacity of the ground over all that is not emphasised."""
NO_POINTS = np.empty((0, 2))
DISTANCES = (9.0, 15.0, 24.0, 36.0, 52.0)
"""Candidate distances of a label to its point, in pixels."""
LEADER = 20.0
"""Labels farther away than this are connected with their point by a line."""
SIDE = 3.0
"""Padding of a label to the left and right, in pixels."""
AROUND = np.array([(1, -1), (1, 0), (-1, -1), (-1, 0), (1, 1), (-1, 1), (0, -1), (0, 1)], dtype=np.float64)
"""Directions of a label from its point, the most usual first."""
DIRECTIONS = np.tile(AROUND, (len(DISTANCES), 1))
OFFSETS = np.repeat(DISTANCES, len(AROUND))[:, None] * DIRECTIONS
OFFSETS[np.abs(DIRECTIONS).sum(axis=1) > 1] *= 0.75
"""Directions and distances of the candidates, the nearest and most usual first."""


def lines_of(figure: Figure) -> list[Mark]:
    """Return the marks below the points; on a map of colours, their rims come before them."""
    lines = [mark for mark in figure.marks if not mark.over]
    mapped = figure.lens is not None and not figure.lens.rising
    return [*filter(None, map(rim, lines)), *lines] if mapped else lines


def paint(painter: QPainter, geometry: Geometry, figure: Figure) -> None:
    """Paint all layers of a figure."""
    paint_under(painter, geometry, figure)
    paint_points(painter, geometry, figure)
    paint_over(painter, geometry, figure)


def paint_under(painter: QPainter, geometry: Geometry, figure: Figure, part: QRectF | None = None) -> None:
    """Paint ground, region, grid and the marks below the points, of all the plot or of a part of it."""
    theme, look, scene = figure.look.theme, figure.look, figure.scene
    with antialiased(painter):
        if not look.transparent:
            painter.fillRect(QRectF(0, 0, geometry.width, geometry.height), colour(theme.ground))
        if scene is not None and scene.region is not None and look.shows(REGIONS):
            paint_region(painter, geometry, scene.region, part)
        if look.shows(GRID):
            paint_grid(painter, _measured(geometry, figure), theme)
        if any(geometry.categories):
            paint_cells(painter, geometry, theme)
        for mark in lines_of(figure):
            paint_mark(painter, geometry, theme, mark, part)


def paint_emphasis(painter: QPainter, geometry: Geometry, figure: Figure, emphasis: Emphasis) -> None:
    """Fade the plot below a part of its figure, where it has any."""
    part, theme = emphasis.of(figure), figure.look.theme
    if not part.marks and not len(part.points.positions):
        return
    painter.save()
    painter.setClipRect(geometry.plot)
    painter.fillRect(geometry.plot, colour(theme.ground, VEIL))
    paint_marks(painter, geometry, theme, part.marks)
    paint_points(painter, geometry, part)
    painter.restore()


def paint_over(painter: QPainter, geometry: Geometry, figure: Figure) -> Placed:
    """Paint marks above the points, axes, title, scores, legend and text labels.

    Return the entries of the legend with their places.
    """
    theme = figure.look.theme
    with antialiased(painter):
        for mark in figure.marks:
            for each in filter(None, (rim(mark), mark)) if mark.over else ():
                paint_mark(painter, geometry, theme, each)
        paint_axes(painter, _measured(geometry, figure), theme, ("", "") if geometry.low else figure.axes)
        if figure.title:
            paint_heading(painter, geometry, theme, figure.title)
        obstacles = _obstacles(geometry, figure)
        captions = CaptionPainter(painter, geometry, figure, obstacles)
        captions.paint()
        labels = [mark for mark in figure.marks if isinstance(mark, TextLabels)]
        if labels:
            clear = SIZE / 2 * geometry.symbol_scale + geometry.type_scale
            room = LabelPlacement(geometry.plot, obstacles, clear, captions.panels)
            paint_labels(painter, geometry, theme, labels, room)
    return captions.entries


def paint_marks(painter: QPainter, geometry: Geometry, theme: Theme, marks: Iterable[Mark]) -> None:
    """Paint marks on their own, for previews and probes."""
    labels = []
    with antialiased(painter):
        for mark in marks:
            paint_mark(painter, geometry, theme, mark)
            labels += [mark] if isinstance(mark, TextLabels) else []
        if labels:
            paint_labels(painter, geometry, theme, labels, LabelPlacement(geometry.plot))


def _measured(geometry: Geometry, figure: Figure) -> Geometry:
    """Return the geometry in the units of the vertical axis, where a line view has some of its own."""
    ordinate = figure.scene.ordinate if figure.scene is not None else None
    if ordinate is None:
        return geometry
    left, right, *edges = geometry.bounds
    low, high = (ordinate.low + edge * (ordinate.high - ordinate.low) for edge in edges)
    return replace(geometry, bounds=(left, right, low, high))


def _obstacles(geometry: Geometry, figure: Figure) -> Floats:
    """Points that text should avoid, in pixels: the visible data, and the dots and rings of the model."""
    groups = [figure.points.positions[figure.drawn]]
    groups += [mark.points.reshape(-1, 2) for mark in figure.marks if isinstance(mark, Dots | Rings)]
    places = geometry.to_pixels(np.concatenate(groups))
    return np.asarray(places[inside(places, box_of(geometry.plot))])


NEAR = 0.02
"""Edges that differ by less than this share of a pixel are equal."""


def image_of(region: Region) -> QImage:
    """The region as Qt wants it: row 0 on top, alpha multiplied in only where there is any."""
    flipped = np.ascontiguousarray(region.image[::-1])
    height, width = flipped.shape[:2]
    opaque = bool((flipped[..., 3] == 255).all())
    kind = QImage.Format.Format_RGBX8888 if opaque else QImage.Format.Format_RGBA8888
    shown = QImage(flipped.data, width, height, 4 * width, kind)
    wanted = QImage.Format.Format_RGB32 if opaque else QImage.Format.Format_ARGB32_Premultiplied
    return shown.convertToFormat(wanted)


def paint_region(painter: QPainter, geometry: Geometry, region: Region, part: QRectF | None = None) -> None:
    """Draw a region within the plot, or the part of it that covers a part of the plot."""
    if not region.image.size:
        return
    if part is not None or not fits(region.bounds, geometry):
        _paint_moved(painter, geometry, region, part or geometry.plot)
        return
    image, plot, ratio = image_of(region), geometry.plot, painter.device().devicePixelRatioF()
    painter.save()
    if vectorial(painter) or (image.width(), image.height()) != geometry.device_size(ratio):
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=not vectorial(painter))
        draw_image(painter, plot, image)
    else:
        painter.translate(plot.topLeft())
        painter.scale(1 / ratio, 1 / ratio)
        painter.drawImage(0, 0, image)
    painter.restore()


def fits(bounds: Bounds, geometry: Geometry) -> bool:
    """Whether a rectangle of the plane is the one that the plot shows."""
    across, up = geometry.unit
    apart = np.subtract(to_decades(bounds, geometry.log), geometry.range)
    return bool(np.all(np.abs(apart) <= NEAR * np.array([across, across, up, up])))


def _paint_moved(painter: QPainter, geometry: Geometry, region: Region, seen: QRectF) -> None:
    """Draw the visible part of a region of another view at its place in this one."""
    log, (height, width) = geometry.log, region.image.shape[:2]
    left, right, bottom, top = to_decades(region.bounds, log)
    ends = (seen.left(), seen.bottom()), (seen.right(), seen.top())
    (west, south), (east, north) = scaled(np.array([geometry.to_data(*end) for end in ends]), log).tolist()
    across, up = (right - left) / width, (top - bottom) / height
    first, last = _inside((west - left) / across, (east - left) / across, width)
    low, high = _inside((south - bottom) / up, (north - bottom) / up, height)
    if first >= last or low >= high:
        return
    bounds = left + first * across, left + last * across, bottom + low * up, bottom + high * up
    part = Region(np.ascontiguousarray(region.image[low:high, first:last]), from_decades(bounds, log))
    (x0, y1), (x1, y0) = geometry.to_pixels(np.reshape(part.bounds, (2, 2)).T)
    painter.save()
    painter.setClipRect(geometry.plot, Qt.ClipOperation.IntersectClip)
    unit, ratio = geometry.unit, painter.device().devicePixelRatioF()
    resized = abs(across / unit[0] * ratio - 1) > 1e-3 or abs(up / unit[1] * ratio - 1) > 1e-3
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=resized)
    draw_image(painter, QRectF(x0, y0, x1 - x0, y1 - y0), image_of(part))
    painter.restore()


def _inside(low: float, high: float, count: int) -> tuple[int, int]:
    """The pixels that an interval touches, out of so many, and those that they are smoothed with."""
    ends = np.clip([np.floor(low) - 1, np.ceil(high) + 1], 0, count)
    return int(ends[0]), int(ends[1])


class LabelPlacement:
    """Free space of a plot for text labels, which keep off points, panels and each other."""

    def __init__(
        self, plot: QRectF, points: Floats = NO_POINTS, clear: float = 0.0, panels: Sequence[QRectF] = ()
    ) -> None:
        self._box = np.array(box_of(plot, -2.0))
        self._points = points
        self._clear = clear
        self._taken = np.array([box_of(panel) for panel in panels]).reshape(-1, 4)

    def find(self, anchor: Floats, width: float, height: float, scale: float) -> QRectF | None:
        """Take and return the nearest free place beside an anchor, if there is one."""
        corners = anchor + scale * OFFSETS
        left, top = (corners - np.array([width, height]) * (1 - DIRECTIONS) / 2).T
        boxes = np.column_stack([left, left + width, top, top + height])
        free = boxes[self._free(boxes)][:1]
        self._taken = np.concatenate([self._taken, free])
        for left, right, top, bottom in free.tolist():
            return QRectF(left, top, right - left, bottom - top)
        return None

    def _free(self, boxes: Floats) -> Mask:
        left, right, top, bottom = boxes.T[:, :, None]
        low_x, high_x, low_y, high_y = self._box
        within = (left >= low_x) & (right <= high_x) & (top >= low_y) & (bottom <= high_y)
        x0, x1, y0, y1 = self._taken.T
        meets = (left < x1) & (right > x0) & (top < y1) & (bottom > y0)
        reach = self._clear
        around = (left.min() - reach, right.max() + reach, top.min() - reach, bottom.max() + reach)
        x, y = self._points[inside(self._points, around)].T
        hit = (x > left - reach) & (x < right + reach) & (y > top - reach) & (y < bottom + reach)
        return np.asarray(within[:, 0] & ~meets.any(axis=1) & ~hit.any(axis=1))


def paint_labels(
    painter: QPainter, geometry: Geometry, theme: Theme, marks: Sequence[TextLabels], room: LabelPlacement
) -> None:
    """Draw the labels for which there is room."""
    k = geometry.type_scale
    face, metrics = typeface(SMALL, k)
    painter.setFont(face)
    for mark in marks:
        places = geometry.to_pixels(mark.points.reshape(-1, 2))
        seen = inside(places, box_of(geometry.plot))
        for anchor, text in zip(places[seen], np.array(mark.texts, dtype=object)[seen].tolist()):
            words = typeset(text)
            lines = words.split("\n")
            wide = max(map(metrics.horizontalAdvance, lines)) + 2 * SIDE * k
            rect = room.find(anchor, wide, len(lines) * metrics.height(), k)
            if rect is not None:
                _paint_label(painter, theme, anchor, rect, words, mark.ink, k)


def _paint_label(
    painter: QPainter, theme: Theme, anchor: Floats, rect: QRectF, text: str, ink: Ink, k: float
) -> None:
    """Draw text on a ground of its own, legible on any tint, with a thin line from a point farther off."""
    x, y = anchor.tolist()
    end = QPointF(min(max(x, rect.left()), rect.right()), min(max(y, rect.top()), rect.bottom()))
    line = QLineF(QPointF(x, y), end)
    if line.length() > LEADER * k:
        painter.setPen(pen(theme.muted, k, 0.8))
        painter.drawLine(QLineF(line.pointAt(SIZE / 2 / line.length()), end))
    ground, several = QPainterPath(), "\n" in text
    ground.addRoundedRect(rect, 3 * k, 3 * k)
    fill_path(painter, ground, colour(theme.ground, 0.92 if several else 0.75))
    painter.setPen(colour(theme.stroke(ink)))
    across = Qt.AlignmentFlag.AlignLeft if several else Qt.AlignmentFlag.AlignHCenter
    inner = rect.adjusted(SIDE * k, 0, 0, 0) if several else rect
    painter.drawText(inner, int(across | Qt.AlignmentFlag.AlignVCenter), text)
