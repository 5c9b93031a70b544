"""What pictures of a model take: how high bands are, and which coarse pictures come before the exact one."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from vizml.field import Raster

ROUGH, COARSE = 32, 8
"""So many pixels across and down make one of a rough picture, and of a coarse one."""
FIRST = 0.1
"""How long the first picture may take: where a coarse one takes longer, a rough one comes before it."""
WORTH = 4
"""A coarse picture after a rough one is worth its time where the exact one takes so many times as long."""
BAND_SECONDS = 0.015
"""How long one band may take, so that a stale run is dropped soon."""
PATIENCE = 0.06
"""How long one waits for the exact picture without a coarse one before it."""
BEARABLE = 0.25
"""How long one waits for it where the same is shown already, from a view that has just moved on."""
BAND_FLOATS = 4 << 20
"""How many values one band may hold: 16 MB, and a few passes of as much again."""


@dataclass
class Pace:
    """How long the latest pictures of a kind took."""

    seconds_per_pixel: float | None = None
    """Of exact ones."""
    coarse: dict[int, float] = field(default_factory=dict)
    """Seconds of coarse ones, by their stride: of very many points they take no small share of exact ones."""

    @property
    def unknown(self) -> bool:
        """Whether no field has been timed yet."""
        return self.seconds_per_pixel is None and not self.coarse

    def exact(self, pixels: int) -> float:
        """How long an exact picture of so many pixels takes, as far as that is known."""
        if self.seconds_per_pixel is not None:
            return self.seconds_per_pixel * pixels
        return min((seconds * stride**2 for stride, seconds in self.coarse.items()), default=0.0)

    def takes(self, stride: int, pixels: int) -> float:
        """How long a coarse picture of a raster of so many pixels takes."""
        return self.coarse.get(stride, self.exact(pixels) / stride**2)

    def slow(self, pixels: int, patience: float = PATIENCE) -> bool:
        """Whether so many of them take longer than one likes to wait without a coarse picture."""
        return self.exact(pixels) > patience

    def strides(self, pixels: int) -> tuple[int, ...]:
        """Those of the coarse pictures that come before a slow exact one."""
        coarse = self.takes(COARSE, pixels)
        if coarse <= FIRST:
            return (COARSE,)
        known = self.seconds_per_pixel is not None  # what a rough one took says too much of the exact one
        return (ROUGH, COARSE) if known and WORTH * coarse <= self.exact(pixels) else (ROUGH,)

    def rows(self, raster: Raster, planes: int) -> int:
        """The height of a band that takes BAND_SECONDS and holds BAND_FLOATS at the most."""
        height, width = raster.shape
        fit = BAND_FLOATS // max(planes * width, 1)
        seconds = self.exact(height * width)
        if seconds:
            fit = min(fit, int(BAND_SECONDS / seconds * height))
        return int(np.clip(fit, 16, max(height, 16)))
