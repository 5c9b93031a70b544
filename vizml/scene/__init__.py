"""What can be drawn, without saying how: marks, palette, the scene of one moment."""

from vizml.scene.marks import Band, Dots, Levels, Mark, Path, Rings, Segments, Words
from vizml.scene.palette import CLASSES, DARK, LIGHT, Ink, Theme
from vizml.scene.scene import Look, Region, Scene

__all__ = [
    "CLASSES",
    "DARK",
    "LIGHT",
    "Band",
    "Dots",
    "Ink",
    "Levels",
    "Look",
    "Mark",
    "Path",
    "Region",
    "Rings",
    "Scene",
    "Segments",
    "Theme",
    "Words",
]
