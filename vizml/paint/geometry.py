"""Layout of a figure: the plot within its margins, and the mapping between data units and pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QRectF

from vizml.field.arrays import Bounds, Floats
from vizml.scene.viewport import (
    LINEAR,
    NUMBERS,
    PADDING,
    Categories,
    LogAxes,
    Viewport,
    from_decades,
    scaled,
    to_decades,
)

SNAP = 4
"""Edges of the plot are multiples of this: device pixels at ratios of 1.25, 1.5 and 1.75 as well."""
LEFT, RIGHT, BOTTOM, TOP, HEADING = 64, 16, 46, 20, 22
"""Margins in logical pixels at a type scale of 1, and the height of a title."""
LOW, LOWEST = (48, 10, 32), 200
"""Margins (left, top, bottom) of a picture lower than LOWEST: its axes have no titles."""
GRAINS, FINEST, EACH = 8, 0.5, 400.0
"""Steps of the symbols' size between 0 and 1, its minimum, and square pixels for each full symbol."""
LETTER, NUMERAL, LONGEST = 6.5, 30.0, 90.0
"""Widths of a letter and of a number in the left margin, and most by which names of categories widen it."""
LEAST = 8
"""Least width and height of a plot."""
EMPTY: Bounds = (-1.0, 1.0, -1.0, 1.0)


@dataclass(frozen=True)
class Margins:
    """Logical pixels around a plot."""

    left: float
    right: float
    top: float
    bottom: float


@dataclass(frozen=True)
class Geometry:
    """Mapping between data units and the logical pixels of a picture; its plot lies inside margins."""

    width: float
    height: float
    bounds: Bounds
    type_scale: float = 1.0
    titled: bool = False
    margins: Margins | None = None
    """Margins that fit the labels; None for fixed ones, so that the plot stays in place."""
    grain: float = 1.0
    """Size of symbols from 0 to 1: smaller where there are many in little room."""
    log: LogAxes = LINEAR
    categories: Categories = NUMBERS
    low: bool = field(init=False, compare=False)
    """Whether the picture is so low that its axes have no titles."""
    plot: QRectF = field(init=False, compare=False)
    """The area inside the margins, in logical pixels."""
    range: Bounds = field(init=False, compare=False)
    """The bounds, in powers of ten along logarithmic axes."""
    unit: tuple[float, float] = field(init=False, compare=False)
    """Data units (decades along logarithmic axes) for each logical pixel, in x and in y."""
    symbol_scale: float = field(init=False, compare=False)
    """Size of symbols relative to the ordinary one."""

    def __post_init__(self) -> None:
        k, around = self.type_scale, self.margins
        low = around is None and self.height < LOWEST * k
        if around is None:
            side, above, below = LOW if low else (LEFT, TOP, BOTTOM)
            wide = LETTER * max(map(len, self.categories[1]), default=0)  # of names on the vertical axis
            beside = side + min(max(wide - NUMERAL, 0.0), LONGEST)
            over = above + HEADING * self.titled
            around = Margins(beside * k, RIGHT * k, over * k, below * k)
        x, y = (math.ceil(edge / SNAP) * SNAP for edge in (around.left, around.top))
        ends = self.width - around.right, self.height - around.bottom
        width, height = (math.floor(end / SNAP) * SNAP - start for end, start in zip(ends, (x, y)))
        plot = QRectF(x, y, max(width, LEAST), max(height, LEAST))
        left, right, bottom, top = reach = to_decades(self.bounds, self.log)
        derived = {
            "low": low,
            "plot": plot,
            "range": reach,
            "unit": ((right - left) / plot.width(), (top - bottom) / plot.height()),
            "symbol_scale": k * self.grain,
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def strewn(self, points: Floats) -> Geometry:
        """Return the geometry with symbols of a size that suits the number of visible points."""
        left, right, bottom, top = self.bounds
        x, y = points.T
        seen = int(((x >= left) & (x <= right) & (y >= bottom) & (y <= top)).sum())
        room = self.plot.width() * self.plot.height() / (EACH * self.type_scale**2 * max(seen, 1))
        grain = round(GRAINS * math.sqrt(room)) / GRAINS
        return replace(self, grain=min(max(grain, FINEST), 1.0))

    def to_pixels(self, points: ArrayLike) -> Floats:
        """Logical pixels (n, 2) of points (n, 2) in data units."""
        given = np.asarray(points, dtype=np.float64)
        if any(self.log):
            given = scaled(given, self.log)
        left, _, bottom, _ = self.range
        (across, up), plot = self.unit, self.plot
        out = np.empty(given.shape)
        with np.errstate(over="ignore"):  # what is out of reach of numbers is out of sight
            np.divide(given[..., 0] - left, across, out=out[..., 0])
            np.divide(bottom - given[..., 1], up, out=out[..., 1])
        out[..., 0] += plot.left()
        out[..., 1] += plot.bottom()
        return out

    def to_data(self, x: float, y: float) -> tuple[float, float]:
        """Data units of a position in logical pixels."""
        left, _, bottom, _ = self.range
        (across, up), plot = self.unit, self.plot
        at = left + (x - plot.left()) * across, bottom + (plot.bottom() - y) * up
        return at if not any(self.log) else from_decades((at[0], at[0], at[1], at[1]), self.log)[1:3]

    def unit_at(self, x: float, y: float) -> tuple[float, float]:
        """Data units for each logical pixel at a point."""
        slopes = (math.log(10) * value if log else 1.0 for value, log in zip((x, y), self.log))
        return self.unit[0] * next(slopes), self.unit[1] * next(slopes)

    def viewport(self, ratio: float = 1.0) -> Viewport:
        """Return the plot as a viewport of device pixels."""
        return Viewport(self.bounds, *self.device_size(ratio), log=self.log)

    def device_size(self, ratio: float) -> tuple[int, int]:
        """Width and height of the plot in device pixels."""
        return max(round(self.plot.width() * ratio), 1), max(round(self.plot.height() * ratio), 1)


def padded(bounds: Bounds | None, share: float = PADDING, log: LogAxes = LINEAR) -> Bounds:
    """Return bounds with padding; those of no point, one point or a line of points get an area as well."""
    if bounds is None:
        return from_decades(EMPTY, log)
    left, right, bottom, top = to_decades(bounds, log)
    width, height = right - left, top - bottom
    scale = max(width, height)
    (left, right), (bottom, top) = _widened(left, right, scale), _widened(bottom, top, scale)
    dx, dy = share * (right - left), share * (top - bottom)
    return from_decades((left - dx, right + dx, bottom - dy, top + dy), log)


def _widened(low: float, high: float, scale: float) -> tuple[float, float]:
    """Return an interval, or one around it that can be divided into pixels.

    An interval without length gets half of the other axis's or a length of 2, and never so little
    that neighbouring pixels would be the same number.
    """
    size = max(abs(low), abs(high))
    floor = max(size * 1e-9, 1e-300)
    if high - low > floor:
        return low, high
    middle, half = (low + high) / 2, max(scale / 4 or min(1.0, size or 1.0), floor)
    return middle - half, middle + half
