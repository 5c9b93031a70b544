"""The drawing of a picture: one code for the screen, PNG, SVG, PDF and the clipboard."""

from vizml.paint.blend import blend, slides
from vizml.paint.geometry import Geometry, padded
from vizml.paint.picture import Picture, paint, paint_marks, paint_over, paint_points, paint_under

__all__ = [
    "Geometry",
    "Picture",
    "blend",
    "padded",
    "paint",
    "paint_marks",
    "paint_over",
    "paint_points",
    "paint_under",
    "slides",
]
