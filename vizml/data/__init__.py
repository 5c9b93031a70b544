"""What people draw: data sets, generators, CSV and project files."""

from vizml.data.dataset import MAX_CLASSES, UNLABELLED, Bounds, Dataset
from vizml.data.generators import describe, format_spec, generate, names, parse_spec
from vizml.data.rows import TableError
from vizml.data.source import MAX_POINTS, Source
from vizml.data.split import Split
from vizml.data.table import Mapping, Table, guess, read_csv, read_table, to_dataset, write_csv

__all__ = [
    "MAX_CLASSES",
    "MAX_POINTS",
    "UNLABELLED",
    "Bounds",
    "Dataset",
    "Mapping",
    "Source",
    "Split",
    "Table",
    "TableError",
    "describe",
    "format_spec",
    "generate",
    "guess",
    "names",
    "parse_spec",
    "read_csv",
    "read_table",
    "to_dataset",
    "write_csv",
]
