"""Painting of figures: one implementation for the screen, PNG, SVG, PDF and the clipboard."""

from vizml.paint.blend import blend, slides
from vizml.paint.figure import lines_of, paint, paint_marks, paint_over, paint_points, paint_under, painting
from vizml.paint.geometry import Geometry, padded

__all__ = [
    "Geometry",
    "blend",
    "lines_of",
    "padded",
    "paint",
    "paint_marks",
    "paint_over",
    "paint_points",
    "paint_under",
    "painting",
    "slides",
]
