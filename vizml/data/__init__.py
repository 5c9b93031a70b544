"""Data sets as tables, their generators, CSV files and project files."""

from vizml.data.catalogue import describe, format_spec, generate, load, names, parse_spec
from vizml.data.cells import TableError
from vizml.data.columns import MAX_CLASSES, UNLABELLED, Column
from vizml.data.dataset import Bounds, Dataset
from vizml.data.exchange import read_csv, table, write_csv
from vizml.data.generator import MAX_POINTS, DatasetGenerator
from vizml.data.project import Project, StageSpec
from vizml.data.project import load as load_project
from vizml.data.project import save as save_project
from vizml.data.project_parts import ProjectError
from vizml.data.split import Split
from vizml.data.tables import Mapping, Roles, Table, guess, read_table, to_dataset

__all__ = [
    "MAX_CLASSES", "MAX_POINTS", "UNLABELLED", "Bounds", "Column", "Dataset", "DatasetGenerator",
    "Mapping", "Project", "ProjectError", "Roles", "Split", "StageSpec", "Table", "TableError", "describe",
    "format_spec", "generate", "guess", "load", "load_project", "names", "parse_spec", "read_csv",
    "read_table", "save_project", "table", "to_dataset", "write_csv",
]  # fmt: skip
