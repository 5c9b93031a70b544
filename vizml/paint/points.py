"""The points of a picture: which symbol each has, and the fastest way that is good enough to draw them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter

from vizml.field.arrays import Floats, Ints, Mask
from vizml.paint.clip import box_of
from vizml.paint.clip import inside as within
from vizml.paint.crowd import crowd
from vizml.paint.geometry import Geometry
from vizml.paint.pens import device_ratio, pen, vectorial
from vizml.paint.stamps import ring, sheet, stamp, stamp_all
from vizml.paint.symbols import SIZE, paint_symbol, style_of
from vizml.scene import Theme

MANY = 20_000
"""Above so many points in sight they become an image."""


@dataclass(frozen=True, eq=False)
class Placed:
    """The points in sight: where they are in logical pixels, and how each is drawn."""

    places: Floats
    kinds: Ints
    inside: Ints
    chosen: Mask


def placed(geometry: Geometry, points: Floats, kinds: Ints, inside: Ints, chosen: Mask) -> Placed:
    """Those of the points, in data units, that lie in the plot."""
    places = geometry.to_pixels(points)
    seen = within(places, box_of(geometry.plot))
    return Placed(places[seen], kinds[seen], inside[seen], chosen[seen])


def paint_placed(painter: QPainter, geometry: Geometry, theme: Theme, points: Placed) -> None:
    """Draw them: as an image, as stamps, or as paths where they are to stay lines."""
    if len(points.places) > MANY:
        _paint_crowd(painter, geometry, theme, points)
    elif vectorial(painter):
        _paint_paths(painter, geometry.symbol_scale, theme, points)
    else:
        symbols = sheet(theme, geometry.symbol_scale, device_ratio(painter))
        stamp(painter, symbols, points.places, points.kinds, points.inside)
    _paint_chosen(painter, points.places[points.chosen], theme, geometry)


def _paint_crowd(painter: QPainter, geometry: Geometry, theme: Theme, points: Placed) -> None:
    ratio, plot = max(device_ratio(painter), 1.0), geometry.plot
    places = (points.places - (plot.left(), plot.top())) * ratio
    size = geometry.device_size(ratio)
    image = crowd(places, points.kinds, size, theme, geometry.type_scale * ratio)
    painter.drawImage(plot, image)


def _paint_paths(painter: QPainter, scale: float, theme: Theme, points: Placed) -> None:
    styles = {kind: style_of(kind, theme) for kind in np.unique(points.kinds).tolist()}
    for (x, y), kind, inside in zip(points.places.tolist(), points.kinds.tolist(), points.inside.tolist()):
        paint_symbol(painter, styles[kind], x, y, scale, inside)


def _paint_chosen(painter: QPainter, places: Floats, theme: Theme, geometry: Geometry) -> None:
    """A ring around each selected point, on a wider one of the ground."""
    scale = geometry.type_scale
    radius = SIZE / 2 * geometry.symbol_scale + 4 * scale
    for width, rgb, opacity in ((4 * scale, theme.ground, 0.7), (2 * scale, theme.accent, 1.0)):
        if vectorial(painter):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(pen(rgb, width, opacity))
            for x, y in places.tolist():
                painter.drawEllipse(QPointF(x, y), radius, radius)
        else:
            ratio = device_ratio(painter)
            stamp_all(painter, ring(radius, width, rgb, opacity, ratio), places, ratio)
