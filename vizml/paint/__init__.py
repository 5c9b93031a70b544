"""Painting of figures: one implementation for the screen, PNG, SVG, PDF and the clipboard."""

from vizml.paint.figure import lines_of, paint, paint_emphasis, paint_marks, paint_over, paint_under
from vizml.paint.geometry import Geometry, padded
from vizml.paint.symbols import paint_points

__all__ = [
    "Geometry", "lines_of", "padded", "paint", "paint_emphasis", "paint_marks", "paint_over", "paint_points",
    "paint_under",
]  # fmt: skip
