"""Points as symbols: eight shapes of equal area, images of them to copy, a density image of very many."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import Any, TypeAlias

import numpy as np
import shiboken6
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QBrush, QImage, QPainter, QPainterPath, QPixmap, QPolygonF

from vizml.field.arrays import Floats, Ints
from vizml.paint.clipping import box_of, inside
from vizml.paint.geometry import Geometry
from vizml.paint.pens import antialiased, clear_image, colour, draw_image, pen, vectorial
from vizml.scene import Theme
from vizml.scene.figure import FIRST_SHADE, PLAIN, SHADES, Figure, Fill
from vizml.scene.palette import CLASSES, FOLDS, ClassStyle, Rgb, Shape, mixed
from vizml.scene.shading import STEPS, softened

Corner: TypeAlias = tuple[Ints | int, Ints | int]
SIZE = 9.0
"""The diameter of the circle whose area all shapes have, in logical pixels."""
HALO, OUTLINE = 0.9, 1.1
EMPTY, DOT = 0.58, 0.3
"""Sizes of the hole in a held-out point and of the dot in a test point, as shares of the symbol's size."""
ARM, WAIST = 0.36, 0.5
"""Width of the arms of plus and cross, and radius of a star's inner corners, as shares of their size."""
LABELLED = (*CLASSES, *FOLDS)
KINDS, ALL_KINDS = range(PLAIN, FIRST_SHADE), range(PLAIN, FIRST_SHADE + SHADES)
"""Symbols in a row of the atlas: plain, unlabelled, the classes, the folds, and on maps the shades of
targets. Each fill has a row.
"""
REACH = 1.15
"""Distance from the centre of a star to its tip with the halo, in sizes: the greatest of all symbols."""
FAR = 1 << 20
"""Pixels beyond which nothing is painted: Qt may crash where positions exceed its integers."""


@dataclass(frozen=True)
class Style:
    """Shape, colours and size of the symbol of a point."""

    shape: Shape
    fill: Rgb
    outline: Rgb
    halo: Rgb
    size: float
    weight: float = OUTLINE
    rim: float = HALO
    """Widths of the outline and of the halo around it."""


@lru_cache(maxsize=128)
def style_of(kind: int, theme: Theme) -> Style:
    """Return the style of a class or fold; unlabelled points are grey, plain ones as text, both smaller."""
    dark = theme.name == "dark"
    if kind < 0:
        fill = theme.muted if kind > PLAIN else mixed(theme.text, theme.ground, 0.25)
        edge = mixed(fill, theme.ground, 0.0 if dark else 0.35)
        return Style("circle", fill, edge, theme.ground, SIZE * 0.82)
    style = LABELLED[kind] if kind < FIRST_SHADE else _shade_style(kind - FIRST_SHADE, theme)
    outline = mixed(style.colour, theme.text, 0.55) if dark else mixed(style.colour, (0, 0, 0), 0.45)
    return Style(style.shape, style.colour, outline, theme.ground, SIZE)


def _shade_style(shade: int, theme: Theme) -> ClassStyle:
    """Return the style of a target by its shade."""
    red, green, blue, _ = softened(theme)[round(shade / (SHADES - 1) * (STEPS - 1))].tolist()
    return ClassStyle((red, green, blue), "circle")


@cache
def corners(shape: Shape) -> Floats:
    """Return the corners of a polygonal shape whose area is that of a circle of diameter 1."""
    around = _RAW[shape]()
    x, y = around.T
    area = 0.5 * abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))
    return np.asarray(around * math.sqrt(math.pi / 4 / area))


def outline_of(shape: Shape, size: float) -> QPainterPath:
    """Return a shape as a path around the origin; a new one, as painting writes into paths.

    Threads that export and the window would write into a shared one at the same time.
    """
    path = QPainterPath()
    if shape == "circle":
        path.addEllipse(QPointF(0, 0), size / 2, size / 2)
        return path
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in (corners(shape) * size).tolist()]))
    path.closeSubpath()
    return path


def paint_symbol(
    painter: QPainter, style: Style, x: float, y: float, scale: float = 1.0, inside: int = Fill.FILLED
) -> None:
    """Draw a symbol: halo, outline and fill; a hole for held-out points, and a dot in it for test points."""
    path = outline_of(style.shape, style.size * scale).translated(x, y)
    halo = pen(style.halo, (style.weight + 2 * style.rim) * scale, 0.85)
    outline = pen(style.outline, style.weight * scale)
    for stroke, brush in ((halo, QBrush()), (outline, QBrush(colour(style.fill)))):
        stroke.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        stroke.setMiterLimit(3.0)
        painter.setPen(stroke)
        painter.setBrush(brush)
        painter.drawPath(path)
    if inside == Fill.FILLED:
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(colour(style.halo)))
    painter.drawPath(outline_of(style.shape, style.size * scale * EMPTY).translated(x, y))
    if inside == Fill.DOTTED:
        painter.setBrush(QBrush(colour(style.outline)))
        painter.drawEllipse(QPointF(x, y), style.size * scale * DOT / 2, style.size * scale * DOT / 2)


def _regular(count: int, turn: float = 0.0) -> Floats:
    angles = np.arange(count) * (2 * math.pi / count) - math.pi / 2 + turn
    return np.column_stack([np.cos(angles), np.sin(angles)])


def _plus() -> Floats:
    a = ARM
    quarter = np.array([(a, 1.0), (a, a), (1.0, a)])
    around = [quarter, quarter[::-1] * (1, -1), quarter * (-1, -1), quarter[::-1] * (-1, 1)]
    return np.concatenate(around)


def _cross() -> Floats:
    half = math.sqrt(0.5)
    return np.asarray(_plus() @ np.array([[half, half], [-half, half]]))


def _star() -> Floats:
    around = np.empty((10, 2))
    around[0::2] = _regular(5)
    around[1::2] = _regular(5, math.pi / 5) * WAIST
    return around


_RAW: dict[Shape, Callable[[], Floats]] = {
    "square": lambda: _regular(4, math.pi / 4),
    "triangle": lambda: _regular(3),
    "diamond": lambda: _regular(4) * (0.86, 1.0),
    "plus": _plus,
    "cross": _cross,
    "star": _star,
    "pentagon": lambda: _regular(5),
    "wedge": lambda: _regular(3, math.pi),
    "hexagon": lambda: _regular(6),
}


# -- images --


def _image(reach: float, columns: int = 1, rows: int = 1) -> QImage:
    """Return an image of square cells of odd size around symbols that reach so many device pixels."""
    cell = 2 * math.ceil(reach) + 1
    return clear_image(cell * columns, cell * rows)


@lru_cache(maxsize=8)
def symbol_atlas(theme: Theme, scale: float, ratio: float, kinds: range = KINDS) -> QImage:
    """Return all symbols of a theme at a scale in square cells; they are painted once."""
    image = _image(REACH * SIZE * scale * ratio, len(kinds), len(Fill))
    cell = image.height() // len(Fill)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(ratio, ratio)
        for kind, row in product(kinds, Fill):
            x, y = (kind - PLAIN + 0.5) * cell / ratio, (row + 0.5) * cell / ratio
            paint_symbol(painter, style_of(kind, theme), x, y, scale, row)
    return image


@lru_cache(maxsize=32)
def symbol(style: Style, scale: float, ratio: float) -> QImage:
    """Return a square image of one symbol; it is painted once."""
    image = _image((REACH * style.size + style.weight + 2 * style.rim) * scale * ratio)
    centre = image.width() / 2 / ratio
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(ratio, ratio)
        paint_symbol(painter, style, centre, centre, scale)
    return image


@lru_cache(maxsize=16)
def ring(radius: float, width: float, rgb: Rgb, opacity: float, ratio: float) -> QImage:
    """Return a square image of one ring; it is painted once."""
    image = _image((radius + width) * ratio)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen(rgb, width * ratio, opacity))
        painter.drawEllipse(QPointF(image.width() / 2, image.width() / 2), radius * ratio, radius * ratio)
    return image


def stamp(
    painter: QPainter, image: QImage, places: Floats, corner: Corner = (0, 0), cell: Ints | int | None = None,
    opacity: Floats | float = 1.0,
) -> None:  # fmt: skip
    """Copy square cells of an image to positions in logical pixels, on whole device pixels to stay crisp.

    `corner` is left and top of each cell; the whole image is the only cell if nothing else is given.
    Positions that are far away or no numbers, as below zero on a logarithmic axis, are left out.
    """
    ratio = painter.device().devicePixelRatioF()
    fragments = np.zeros((len(places), 10))
    fragments[:, 0:2] = (np.floor(places * ratio) + 0.5) / ratio
    fragments[:, 2], fragments[:, 3] = corner
    fragments[:, 4] = fragments[:, 5] = image.width() if cell is None else cell
    fragments[:, 6:8] = 1 / ratio
    fragments[:, 9] = opacity
    fragments = fragments[(np.abs(places) < FAR).all(axis=1)]
    if threading.current_thread() is not threading.main_thread():
        _copy_cells(painter, image, fragments, ratio)
    elif len(fragments):
        first: Any = shiboken6.wrapInstance(fragments.ctypes.data, QPainter.PixmapFragment)
        painter.drawPixmapFragments(first, len(fragments), QPixmap.fromImage(image))


def _copy_cells(painter: QPainter, image: QImage, fragments: Floats, ratio: float) -> None:
    """Copy cells one by one, without a pixmap: those of Qt belong to the main thread."""
    x, y, left, top, width, height = fragments[:, :6].T
    corners = np.rint([x * ratio - width / 2, y * ratio - height / 2]).astype(np.int64)
    cells = np.column_stack([*corners, left, top, width, height]).astype(np.int64)
    whole = painter.opacity()
    painter.save()
    painter.scale(1 / ratio, 1 / ratio)
    for (column, row, *cell), share in zip(cells.tolist(), fragments[:, 9].tolist()):
        painter.setOpacity(whole * share)
        painter.drawImage(QPoint(column, row), image, QRect(*cell))
    painter.restore()


MANY = 20_000
"""More visible points than this become a density image."""
NEAR = 0.5
"""Opacity from which a point is part of such an image."""


def paint_points(painter: QPainter, geometry: Geometry, figure: Figure) -> None:
    """Draw the points of a data set as a density image, copies of symbol images, or paths in SVG and PDF.

    Held-out points are hollow, selected ones have a ring.
    """
    theme, points, drawn = figure.look.theme, figure.points, figure.drawn
    opacity = np.ones(len(points.kinds)) if points.opacity is None else points.opacity
    places = geometry.to_pixels(points.positions[drawn])
    seen = inside(places, box_of(geometry.plot))
    places, kinds, fills = places[seen], points.kinds[drawn][seen], points.fills[drawn][seen]
    opacity = opacity[drawn][seen]
    with antialiased(painter):
        if len(places) > MANY:
            near = opacity >= NEAR
            _paint_density(painter, geometry, theme, places[near], kinds[near])
        elif vectorial(painter):
            styles = {kind: style_of(kind, theme) for kind in np.unique(kinds).tolist()}
            for (x, y), kind, fill, share in zip(*map(np.ndarray.tolist, (places, kinds, fills, opacity))):
                painter.setOpacity(share)
                paint_symbol(painter, styles[kind], x, y, geometry.symbol_scale, fill)
            painter.setOpacity(1.0)
        else:
            ratio = painter.device().devicePixelRatioF()
            some = KINDS if kinds.max(initial=PLAIN) < FIRST_SHADE else ALL_KINDS
            symbols = symbol_atlas(theme, geometry.symbol_scale, ratio, some)
            cell = symbols.height() // len(Fill)
            stamp(painter, symbols, places, ((kinds - PLAIN) * cell, fills * cell), cell, opacity)
        if points.selected is not None and points.selected.any():
            _paint_selection(painter, geometry, theme, places[points.selected[drawn][seen]])


def _paint_selection(painter: QPainter, geometry: Geometry, theme: Theme, places: Floats) -> None:
    """Draw a ring around each selected point, over a wider one in the colour of the ground."""
    scale, ratio = geometry.type_scale, painter.device().devicePixelRatioF()
    radius = SIZE / 2 * geometry.symbol_scale + 4 * scale
    for width, rgb, opacity in ((4 * scale, theme.ground, 0.7), (2 * scale, theme.accent, 1.0)):
        if not vectorial(painter):
            stamp(painter, ring(radius, width, rgb, opacity, ratio), places)
            continue
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(rgb, width, opacity))
        for x, y in places.tolist():
            painter.drawEllipse(QPointF(x, y), radius, radius)


def _paint_density(painter: QPainter, geometry: Geometry, theme: Theme, places: Floats, kinds: Ints) -> None:
    ratio, plot = max(painter.device().devicePixelRatioF(), 1.0), geometry.plot
    pixels = (places - (plot.left(), plot.top())) * ratio
    size = geometry.device_size(ratio)
    draw_image(painter, plot, density_image(pixels, kinds, size, theme, geometry.type_scale * ratio))


RADIUS = 1.6
"""Radius of a spot in pixels."""
DEPTH = 128
"""Number of overlapping spots from which the colour stays the same."""
LEAST, FULL, DARKEST = 0.5, 4, 0.8
"""Opacity of one spot, number of spots from which they become darker instead, and the greatest
share of the outline's colour."""


def density_image(
    places: Floats, kinds: Ints, size: tuple[int, int], theme: Theme, spot: float = 1.0
) -> QImage:
    """Return an image with a spot at each place (in its pixels) in the colour of the class."""
    width, height = size
    offsets = _disc(RADIUS * spot)
    reach = int(np.abs(offsets).max())
    wide, high = width + 2 * reach, height + 2 * reach
    column, row = (np.floor(axis).astype(np.int64) for axis in places.T)
    within = (column >= 0) & (column < width) & (row >= 0) & (row < height)
    starts, codes = (row + reach) * wide + (column + reach), (np.asarray(kinds) - PLAIN).astype(np.uint8)
    if not within.all():
        starts, codes = starts[within], codes[within]
    shuffled = _shuffled(len(starts))
    starts, codes = starts[shuffled], codes[shuffled]
    top = np.zeros(wide * high, dtype=np.uint8)
    for dx, dy in offsets.tolist():
        top[starts + (dy * wide + dx)] = codes
    centres = np.minimum(np.bincount(starts, minlength=wide * high), DEPTH).astype(np.uint16)
    depth = _spread(centres.reshape(high, wide), offsets, reach)
    seen = slice(reach, reach + height), slice(reach, reach + width)
    shade = top.reshape(high, wide)[seen].astype(np.intp) * (DEPTH + 1) + depth
    pixels = np.ascontiguousarray(_table(theme)[shade])
    form = QImage.Format.Format_ARGB32_Premultiplied
    return QImage(pixels.data, width, height, 4 * width, form).copy()


@lru_cache(maxsize=2)
def _shuffled(count: int) -> Ints:
    """Return a random order, always the same, in which no class covers all others."""
    order = np.random.default_rng(0).permutation(count)
    order.flags.writeable = False
    return order


def _spread(centres: NDArray[np.uint16], offsets: Ints, reach: int) -> NDArray[np.uint16]:
    """Number of discs on each pixel of the inner part, at most DEPTH."""
    height, width = (side - 2 * reach for side in centres.shape)
    depth = np.zeros((height, width), dtype=np.uint16)
    for dx, dy in offsets.tolist():
        rows, columns = slice(reach - dy, reach - dy + height), slice(reach - dx, reach - dx + width)
        depth += centres[rows, columns]
    return np.minimum(depth, DEPTH)


def _disc(radius: float) -> Ints:
    """Return the pixels of a disc around the origin."""
    reach = int(radius)
    dx, dy = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
    near = dx**2 + dy**2 <= radius**2
    return np.column_stack([dx[near], dy[near]]).astype(np.int64)


def _table(theme: Theme) -> NDArray[np.uint32]:
    """Return the premultiplied ARGB pixel of each kind at each depth."""
    depth = np.arange(DEPTH + 1)
    alpha = 1 - (1 - LEAST) ** depth
    dark = DARKEST * np.log(np.maximum(depth / FULL, 1.0)) / np.log(DEPTH / FULL)
    rows = []
    for kind in ALL_KINDS:
        style = style_of(kind, theme)
        rgb = np.array(style.fill) * (1 - dark)[:, None] + np.array(style.outline) * dark[:, None]
        parts = np.round(np.column_stack([alpha * 255, alpha[:, None] * rgb])).astype(np.uint32)
        rows.append(parts[:, 0] << 24 | parts[:, 1] << 16 | parts[:, 2] << 8 | parts[:, 3])
    return np.concatenate(rows)
