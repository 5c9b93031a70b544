"""Exact values on a raster, fast: the raster and the rasterisers that use the structure of the plane."""

from vizml.field.arrays import Floats
from vizml.field.raster import Field, Raster, pointwise

__all__ = ["Field", "Floats", "Raster", "pointwise"]
