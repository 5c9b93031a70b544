"""Viewports: the rectangle of the plane that a plot shows, and the scales of its axes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from vizml.field import Raster
from vizml.field.arrays import Bounds, Floats

LogAxes: TypeAlias = tuple[bool, bool]
"""Whether x and y are logarithmic."""
LINEAR: LogAxes = (False, False)
Categories: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""Names of the categories whose codes x and y are; none of numbers."""
NUMBERS: Categories = ((), ())
PADDING = 0.08
"""Share of the extent of the points that a view adds on each side."""


@dataclass(frozen=True)
class Scales:
    """Scales of the axes: a data unit as long along both, or powers of ten."""

    equal: bool = False
    log: LogAxes = LINEAR

    def chosen(self, equal: bool | None, log: str) -> Scales:
        """Return the scales with those that are given in their place: 'x', 'y' or 'xy' are logarithmic."""
        axes = ("x" in log, "y" in log) if log or equal else self.log
        return Scales(self.equal and not any(axes) if equal is None else equal, axes)


@dataclass(frozen=True)
class Viewport:
    """A rectangle (left, right, bottom, top) in data units on width x height device pixels."""

    bounds: Bounds
    width: int
    height: int
    equal: bool = False
    """Widen the bounds along one axis until a data unit is as long along both."""
    log: LogAxes = LINEAR
    pixels: int = field(init=False)
    """Number of pixels."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "pixels", self.width * self.height)
        if self.equal and any(self.log):
            raise ValueError("equal scales need two linear axes: leave out 'equal' or 'log'")
        if any(self.log):
            to_decades(self.bounds, self.log)
        if self.equal:
            object.__setattr__(self, "bounds", equal_bounds(self.bounds, self.width, self.height))

    @cached_property
    def raster(self) -> Raster:
        """The centres of the pixels."""
        if not any(self.log):
            return Raster.over(self.bounds, self.width, self.height)
        raster = Raster.over(to_decades(self.bounds, self.log), self.width, self.height)
        x, y = (10.0**axis if log else axis for axis, log in zip((raster.x, raster.y), self.log))
        return Raster(x, y)

    def coarsened(self, stride: int) -> Viewport:
        """Return the same rectangle on pixels that are stride times as wide and high."""
        width, height = (max(count // stride, 2) for count in (self.width, self.height))
        return replace(self, width=width, height=height, equal=False)


def equal_bounds(bounds: Bounds, width: float, height: float) -> Bounds:
    """Widen a rectangle along one axis until a unit has the same length on both."""
    left, right, bottom, top = bounds
    if width <= 0 or height <= 0:
        return bounds
    unit = max((right - left) / width, (top - bottom) / height) / 2
    across, up = unit * width, unit * height
    x, y = (left + right) / 2, (bottom + top) / 2
    return x - across, x + across, y - up, y + up


def to_decades(bounds: Bounds, log: LogAxes) -> Bounds:
    """Convert the bounds of logarithmic axes to powers of ten; ValueError where they are not positive."""
    if not any(log):
        return bounds
    edges = np.array(bounds, dtype=np.float64).reshape(2, 2)
    for name, ends, logarithmic in zip("xy", edges, log):
        if logarithmic:
            if not ends[0] > 0:
                raise ValueError(
                    f"a logarithmic {name} axis needs values above 0: they begin at {ends[0]:.4g}"
                )
            ends[:] = np.log10(ends)
    left, right, bottom, top = edges.ravel().tolist()
    return left, right, bottom, top


def from_decades(bounds: Bounds, log: LogAxes) -> Bounds:
    """Convert bounds in powers of ten along logarithmic axes to data units."""
    if not any(log):
        return bounds
    edges = [10.0**edge if log[k // 2] else edge for k, edge in enumerate(bounds)]
    return edges[0], edges[1], edges[2], edges[3]


def shifted(points: Floats, by: ArrayLike, log: LogAxes) -> Floats:
    """Move points (n, 2) by data units, along logarithmic axes by powers of ten."""
    by = np.asarray(by, dtype=np.float64)
    return points + by if not any(log) else np.where(log, points * 10.0**by, points + by)


def scaled(points: Floats, log: LogAxes) -> Floats:
    """Convert points (..., 2) to powers of ten along logarithmic axes; -inf where a value is not positive."""
    out = points.copy()
    with np.errstate(divide="ignore"):
        for axis in np.flatnonzero(log).tolist():
            out[..., axis] = np.log10(np.maximum(points[..., axis], 0.0))
    return out


def round_step(span: float, most: int) -> float:
    """Return the smallest of 1, 2, 5 times a power of ten that divides a span into at most so many parts."""
    least = span / max(most, 1)
    if not 0 < least < math.inf:
        return math.nan
    power = 10.0 ** math.floor(math.log10(least))
    return next(nice * power for nice in (1, 2, 5, 10) if nice * power >= least * (1 - 1e-9))
