"""The drawing of a picture: one code for the screen, PNG, SVG, PDF and the clipboard."""

from vizml.ui.picture.blend import blend, slides
from vizml.ui.picture.geometry import Geometry, padded
from vizml.ui.picture.picture import Picture, paint, paint_marks, paint_over, paint_points, paint_under

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
