"""Drawings as plain data, without Qt: marks, palettes, charts, diagrams, scenes and figures."""

from vizml.scene.chart import Axis, Chart, CutLine, Diagram, Handle, HeatMap, Link, Node, Offer, Rule, Series
from vizml.scene.figure import Look, Ordinate, Region, Scene
from vizml.scene.marks import (
    Band,
    Borders,
    Curves,
    Dots,
    FunctionBand,
    LazyLines,
    Levels,
    Mark,
    Path,
    Profile,
    Rings,
    Segments,
    TextLabels,
    ViewDependent,
)
from vizml.scene.palette import CLASSES, DARK, LIGHT, Ink, Theme
from vizml.scene.shading import CurveLens, Lens

__all__ = [
    "CLASSES", "DARK", "LIGHT", "Axis", "Band", "Borders", "Chart", "CurveLens", "Curves", "CutLine",
    "Diagram", "Dots", "FunctionBand", "Handle", "HeatMap", "Ink", "LazyLines", "Lens", "Levels", "Link",
    "Look", "Mark", "Node", "Offer", "Ordinate", "Path", "Profile", "Region", "Rings", "Rule", "Scene",
    "Segments", "Series", "TextLabels", "Theme", "ViewDependent",
]  # fmt: skip
