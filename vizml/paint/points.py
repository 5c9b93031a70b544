"""Painting of the points of a data set: symbols, or a density image where there are very many."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage, QPainter

from vizml.field.arrays import Floats, Ints
from vizml.paint.clipping import box_of, inside
from vizml.paint.geometry import Geometry
from vizml.paint.pens import antialiased, pen, vectorial
from vizml.paint.symbols import KINDS, SIZE, paint_symbol, ring, stamp, style_of, symbol_atlas
from vizml.scene import Theme
from vizml.scene.figure import PLAIN, Figure, Fill

MANY = 20_000
"""More visible points than this become a density image."""


def paint_points(painter: QPainter, geometry: Geometry, figure: Figure) -> None:
    """Draw the points of a data set as a density image, copies of symbol images, or paths in SVG and PDF.

    Held-out points are hollow, selected ones have a ring.
    """
    theme, points, drawn = figure.look.theme, figure.points, figure.drawn
    places = geometry.to_pixels(points.positions[drawn])
    seen = inside(places, box_of(geometry.plot))
    places, kinds, fills = places[seen], points.kinds[drawn][seen], points.fills[drawn][seen]
    with antialiased(painter):
        if len(places) > MANY:
            _paint_density(painter, geometry, theme, places, kinds)
        elif vectorial(painter):
            styles = {kind: style_of(kind, theme) for kind in np.unique(kinds).tolist()}
            for (x, y), kind, fill in zip(places.tolist(), kinds.tolist(), fills.tolist()):
                paint_symbol(painter, styles[kind], x, y, geometry.symbol_scale, fill)
        else:
            ratio = painter.device().devicePixelRatioF()
            symbols = symbol_atlas(theme, geometry.symbol_scale, ratio)
            cell = symbols.height() // len(Fill)
            stamp(painter, symbols, places, ((kinds - PLAIN) * cell, fills * cell), cell)
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
    painter.drawImage(plot, density_image(pixels, kinds, size, theme, geometry.type_scale * ratio))


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
    for kind in KINDS:
        style = style_of(kind, theme)
        rgb = np.array(style.fill) * (1 - dark)[:, None] + np.array(style.outline) * dark[:, None]
        parts = np.round(np.column_stack([alpha * 255, alpha[:, None] * rgb])).astype(np.uint32)
        rows.append(parts[:, 0] << 24 | parts[:, 1] << 16 | parts[:, 2] << 8 | parts[:, 3])
    return np.concatenate(rows)
