"""A field that is made at once and handed out in bands, for models to which narrow bands come dear."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vizml.field.raster import Field, Raster

MOST = 8 << 20
"""Values that are kept at the most: 32 MB; more are made band by band."""


@dataclass(eq=False)
class Kept:
    """The field of the latest whole, until its last row has been handed out."""

    _of: Raster | None = None
    _field: Field | None = None

    def band(self, raster: Raster, planes: int, paint: Callable[[Raster], Field]) -> Field:
        """What `paint` makes of a raster, from what it made of the whole."""
        whole = raster.whole
        height, width = whole.shape
        if raster is whole or planes * height * width > MOST:
            return paint(raster)
        if self._field is None or self._of is not whole:
            self._of, self._field = whole, paint(whole)
        band: Field = self._field[:, raster.rows_of_whole].copy()
        if raster.rows_of_whole.stop >= height:
            self._of = self._field = None
        return band
