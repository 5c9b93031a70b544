"""Pacing of rendering by measured times: height of bands, and coarse previews before an exact picture."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from vizml.field import Raster

ROUGH, COARSE = 32, 8
"""Pixels in width and height for each pixel of a rough and of a coarse preview."""
FIRST = 0.1
"""Seconds that the first preview may take: a rough one precedes a coarse one that takes longer."""
WORTH = 4
"""A coarse preview follows a rough one where the exact picture takes this many times as long."""
BAND_SECONDS = 0.015
"""Seconds that one band may take, so that a stale run is dropped soon."""
SHORT_WAIT = 0.06
"""Seconds to wait for an exact picture without a preview."""
LONG_WAIT = 0.25
"""The same where the previous picture of the same state is shown, moved along with the view."""
BAND_FLOATS = 4 << 20
"""Values in one band: 16 MB, and a few intermediate arrays of the same size."""


@dataclass
class RenderPacing:
    """Durations of the latest pictures of one kind of model."""

    seconds_per_pixel: float | None = None
    """Of exact pictures."""
    coarse: dict[int, float] = field(default_factory=dict)
    """Seconds of previews by stride; with very many points they take nearly as long as an exact picture."""

    def exact_seconds(self, pixels: int) -> float:
        """Estimate the duration of an exact picture; 0 where nothing is known."""
        if self.seconds_per_pixel is not None:
            return self.seconds_per_pixel * pixels
        return min((seconds * stride**2 for stride, seconds in self.coarse.items()), default=0.0)

    def preview_seconds(self, stride: int, pixels: int) -> float:
        """Estimate the duration of a preview of a raster of so many pixels."""
        return self.coarse.get(stride, self.exact_seconds(pixels) / stride**2)

    def slow(self, pixels: int, wait: float = SHORT_WAIT) -> bool:
        """Whether an exact picture takes longer than a time to wait."""
        return self.exact_seconds(pixels) > wait

    def strides(self, pixels: int) -> tuple[int, ...]:
        """Return the strides of the previews of a slow picture."""
        coarse = self.preview_seconds(COARSE, pixels)
        if coarse <= FIRST:
            return (COARSE,)
        known = self.seconds_per_pixel is not None  # a rough preview overestimates the exact picture
        return (ROUGH, COARSE) if known and WORTH * coarse <= self.exact_seconds(pixels) else (ROUGH,)

    def rows(self, raster: Raster, planes: int) -> int:
        """Return the height of a band that takes BAND_SECONDS and holds BAND_FLOATS at most."""
        height, width = raster.shape
        fit = BAND_FLOATS // max(planes * width, 1)
        seconds = self.exact_seconds(height * width)
        if seconds:
            fit = min(fit, int(BAND_SECONDS / seconds * height))
        return int(np.clip(fit, 16, max(height, 16)))
