"""Data sets as tables, their generators, CSV files and project files."""

from vizml.data.catalogue import describe, format_spec, generate, load, names, parse_spec
from vizml.data.csv_files import read_csv, write_csv
from vizml.data.dataset import MAX_CLASSES, Bounds, Column, Dataset
from vizml.data.frames import table
from vizml.data.generator import MAX_POINTS, DatasetGenerator
from vizml.data.json_node import ProjectError
from vizml.data.labels import UNLABELLED
from vizml.data.project import Project, StageSpec
from vizml.data.project import load as load_project
from vizml.data.project import save as save_project
from vizml.data.rows import TableError
from vizml.data.split import Split
from vizml.data.tables import Mapping, Roles, Table, guess, read_table, to_dataset

__all__ = [
    "MAX_CLASSES", "MAX_POINTS", "UNLABELLED", "Bounds", "Column", "Dataset", "DatasetGenerator",
    "Mapping", "Project", "ProjectError", "Roles", "Split", "StageSpec", "Table", "TableError", "describe",
    "format_spec", "generate", "guess", "load", "load_project", "names", "parse_spec", "read_csv",
    "read_table", "save_project", "table", "to_dataset", "write_csv",
]  # fmt: skip
