"""What people draw: data sets, generators, CSV and project files."""

from vizml.data.dataset import MAX_CLASSES, UNLABELLED, Bounds, Dataset
from vizml.data.generators import describe, format_spec, generate, names, parse_spec
from vizml.data.source import MAX_POINTS, Source
from vizml.data.split import Split

__all__ = [
    "MAX_CLASSES",
    "MAX_POINTS",
    "UNLABELLED",
    "Bounds",
    "Dataset",
    "Source",
    "Split",
    "describe",
    "format_spec",
    "generate",
    "names",
    "parse_spec",
]
