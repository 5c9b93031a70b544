"""Viewports: the rectangle of the plane that a picture shows, and how many pixels it has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from vizml.field import Raster
from vizml.field.arrays import Bounds


@dataclass(frozen=True)
class Viewport:
    """A rectangle (left, right, bottom, top) in data units on width x height device pixels."""

    bounds: Bounds
    width: int
    height: int

    @cached_property
    def raster(self) -> Raster:
        """The centres of the pixels."""
        return Raster.over(self.bounds, self.width, self.height)

    def coarsened(self, stride: int) -> Viewport:
        """Return the same rectangle on pixels that are stride times as wide and high."""
        return replace(self, width=max(self.width // stride, 2), height=max(self.height // stride, 2))

    @property
    def pixels(self) -> int:
        """Number of pixels."""
        return self.width * self.height
