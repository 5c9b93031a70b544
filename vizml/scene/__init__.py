"""What can be drawn, without saying how: marks, palette, charts, diagrams, the scene of one moment."""

from vizml.scene.chart import Axis, Chart, Handle, HeatMap, Offer, Rule, Series
from vizml.scene.diagram import Cut, Diagram, Link, Node
from vizml.scene.lens import Lens
from vizml.scene.marks import (
    Asked,
    Band,
    Between,
    Borders,
    Curves,
    Dots,
    Levels,
    Mark,
    Path,
    Profile,
    Rings,
    Segments,
    Words,
)
from vizml.scene.palette import CLASSES, DARK, LIGHT, Ink, Theme
from vizml.scene.scene import Look, Region, Scene

__all__ = [
    "CLASSES",
    "DARK",
    "LIGHT",
    "Asked",
    "Axis",
    "Band",
    "Between",
    "Borders",
    "Chart",
    "Curves",
    "Cut",
    "Diagram",
    "Dots",
    "Handle",
    "HeatMap",
    "Ink",
    "Lens",
    "Levels",
    "Link",
    "Look",
    "Mark",
    "Node",
    "Offer",
    "Path",
    "Profile",
    "Region",
    "Rings",
    "Rule",
    "Scene",
    "Segments",
    "Series",
    "Theme",
    "Words",
]
