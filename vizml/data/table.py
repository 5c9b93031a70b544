"""Tables of text columns, the choice of columns for x, y and class, and conversion to data sets and CSV."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from vizml.data.dataset import LETTERS, MAX_CLASSES, MAX_LABEL, Dataset, Floats
from vizml.data.files import write_whole
from vizml.data.labels import UNLABELLED, ClassValue, Ints, encoded, value_name
from vizml.data.quoting import quoted
from vizml.data.rows import CLASS_COLUMNS, TableError, TextRows, is_number, read_rows


@dataclass(frozen=True)
class CellColumn:
    """The cells of a column, with their numbers where all of them are numbers."""

    name: str
    cells: tuple[str, ...]
    decimal_comma: bool = False

    @cached_property
    def numbers(self) -> Floats | None:
        try:
            found = np.array([float(self._pointed(cell)) for cell in self.cells])
        except ValueError:
            return None
        return None if any("_" in cell for cell in self.cells) else found

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return tuple(cell.strip() for cell in self.cells)

    @cached_property
    def numeric_share(self) -> float:
        """The share of numbers among the filled cells: a column of numbers may contain errors."""
        if self.numbers is not None:
            return 1.0
        filled = [cell for cell in self.texts if cell]
        return sum(map(is_number, filled)) / max(len(filled), 1)

    @property
    def kind(self) -> str:
        """`numbers`, `text` or `mixed`."""
        return "numbers" if self.numbers is not None else "mixed" if self.numeric_share else "text"

    def _pointed(self, cell: str) -> str:
        return cell.replace(",", ".") if self.decimal_comma else cell


@dataclass(frozen=True)
class Table:
    """Named columns of equal length; `named` is whether the names are from the file."""

    name: str
    columns: tuple[CellColumn, ...]
    lines: tuple[int, ...]
    named: bool

    @property
    def header(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def __len__(self) -> int:
        return len(self.lines)


@dataclass(frozen=True)
class Mapping:
    """Indices of the columns for x, y and the class; `sure` where there are no alternatives."""

    x: int
    y: int
    label: int | None = None
    sure: bool = True


def read_table(path: Path | str) -> Table:
    """Read the columns of a CSV file; TableError names the error and its place in one sentence."""
    return to_table(read_rows(path))


def to_table(rows: TextRows) -> Table:
    """Convert rows to columns; columns without name and content are left out."""
    header = rows.header or ("",) * len(rows.cells[0])
    comma = rows.delimiter != ","
    columns = tuple(
        CellColumn(name or f"column {number}", cells, comma)
        for number, (name, cells) in enumerate(zip(header, zip(*rows.cells)), start=1)
        if name or any(map(str.strip, cells))
    )
    return Table(rows.name, columns, tuple(rows.lines), bool(rows.header))


def guess(table: Table) -> Mapping:
    """Choose the columns for x, y and class; TableError where no two columns hold numbers."""
    label = _class_column(table)
    names = [name.lower() for name in table.header] if table.named else []
    if names.count("x") == names.count("y") == 1:
        return Mapping(names.index("x"), names.index("y"), label)
    numeric = [k for k, column in enumerate(table.columns) if column.numeric_share >= 0.5 and k != label]
    if len(numeric) < 2:
        kinds = " and ".join(f"{quoted(column.name)} is {column.kind}" for column in table.columns[:6])
        raise TableError(f"{table.name} needs two columns of numbers for x and y, but {kinds}")
    others = len(table.columns) - len(numeric) - (label is not None)
    return Mapping(numeric[0], numeric[1], label, sure=len(numeric) == 2 and others == 0)


def to_dataset(table: Table, mapping: Mapping) -> Dataset:
    """Convert a table to a data set; TableError names line and column of an invalid cell."""
    x, y = table.columns[mapping.x], table.columns[mapping.y]
    points = np.column_stack([_coordinates(table, x), _coordinates(table, y)])
    axes = (x.name, y.name) if table.named else ("x", "y")
    if mapping.label is None:
        return Dataset(points, np.full(len(points), UNLABELLED), axes=axes)
    labels, classes, values = _classes(table, table.columns[mapping.label])
    return Dataset(points, labels, classes, axes, class_values=values)


def read_csv(path: Path | str) -> Dataset:
    """Read a data set from a CSV file with unambiguous columns; TableError otherwise."""
    table = read_table(path)
    mapping = guess(table)
    if not mapping.sure:
        columns = ", ".join(map(quoted, table.header[:8])) + (", ..." if len(table.header) > 8 else "")
        remedy = "name the columns to use x, y and class in its first line"
        raise TableError(f"{table.name} has the columns {columns}: {remedy}")
    return to_dataset(table, mapping)


def write_csv(dataset: Dataset, path: Path | str) -> None:
    """Write a header with axis names and class, and a line for each point, exact to the last bit.

    Readers number classes by their first occurrence: where that would change the order of the classes, one
    point of each class is written first.
    """
    write_whole(path, format_csv(dataset).encode("utf-8"))


def format_csv(dataset: Dataset) -> str:
    """Return the text that `write_csv` writes."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    dataset = _in_class_order(dataset)
    x, y = dataset.x.tolist(), dataset.y.tolist()
    if not len(dataset.present):
        writer.writerow(dataset.axes)
        writer.writerows(zip(map(repr, x), map(repr, y)))
        return out.getvalue()
    names = {UNLABELLED: "", **{int(k): dataset.name(int(k)) for k in dataset.present}}
    writer.writerow([*dataset.axes, "class"])
    writer.writerows(zip(map(repr, x), map(repr, y), map(names.__getitem__, dataset.labels.tolist())))
    return out.getvalue()


def _in_class_order(dataset: Dataset) -> Dataset:
    """Move one point of each class to the front where the first ones are not in the order of the classes."""
    first = [int(np.argmax(dataset.labels == label)) for label in dataset.present]
    named = not all(_is_letter(name) for name in map(dataset.name, dataset.present.tolist()))
    if first == sorted(first) or not named:
        return dataset
    return dataset.take(np.array([*first, *np.delete(np.arange(len(dataset)), first)]))


def _class_column(table: Table) -> int | None:
    """Return the class column: by its name, else the last text column, else the last of whole numbers."""
    columns = table.columns
    names = [column.name.lower() for column in columns]
    matching = [k for k, name in enumerate(names) if name in CLASS_COLUMNS]
    if table.named and matching and len(columns) > 2:
        return matching[-1]
    axes = {"x", "y"} if {"x", "y"} <= set(names) else set()
    text = [k for k, column in enumerate(columns) if column.numeric_share < 0.5 and names[k] not in axes]
    if text:
        return text[-1]
    return len(columns) - 1 if len(columns) > 2 and _ends_with_codes(columns) else None


def _ends_with_codes(columns: tuple[CellColumn, ...]) -> bool:
    """Whether the last column may hold numbered classes: few whole numbers, or the only ones."""
    *others, last = [column.numbers for column in columns]
    if last is None or not _is_whole(last):
        return False
    alone = not any(numbers is not None and _is_whole(numbers) for numbers in others)
    return len(np.unique(last)) <= (max(MAX_CLASSES, len(last) // 2) if alone else MAX_CLASSES)


def _is_whole(numbers: Floats) -> bool:
    return bool(np.all(np.isfinite(numbers)) and np.all(numbers == np.floor(numbers)))


def _coordinates(table: Table, column: CellColumn) -> Floats:
    numbers = column.numbers
    if numbers is not None and np.isfinite(numbers).all():
        return numbers
    if numbers is None:
        row = next(k for k, cell in enumerate(column.cells) if not _is_numeric(column, cell))
    else:
        row = int(np.argmin(np.isfinite(numbers)))
    cell = column.texts[row]
    found = f"not {quoted(cell)}" if cell else "but it is empty"
    where = f"{table.name}, line {table.lines[row]}"
    raise TableError(f"{where}: column {quoted(column.name)} must hold a finite number, {found}")


def _is_numeric(column: CellColumn, cell: str) -> bool:
    return CellColumn("", (cell,), column.decimal_comma).numbers is not None


def _classes(table: Table, column: CellColumn) -> tuple[Ints, tuple[str, ...], tuple[ClassValue, ...]]:
    """Return the code of each cell (empty is unlabelled), the names of the classes, and their values."""
    cells = {cell: _number(cell) for cell in dict.fromkeys(column.texts) if cell}
    if (count := len(cells)) > MAX_CLASSES:
        where = f"{table.name}: column {quoted(column.name)}"
        raise TableError(
            f"{where} has {count} different values, but at most {MAX_CLASSES} classes can be shown"
        )
    if all(map(_is_letter, cells)):  # letters of unnamed classes keep their codes
        letters = LETTERS[: max(map(LETTERS.index, cells), default=-1) + 1]
        return encoded(column.texts, known=letters)[0], (), tuple(letters)
    numeric = None not in cells.values()
    label: dict[str, Any] = cells if numeric else {cell: cell for cell in cells}
    values = sorted(set(label.values())) if numeric else list(cells)
    given = np.array([label.get(cell) for cell in column.texts], dtype=object)
    return encoded(given, known=values)[0], tuple(map(value_name, values)), tuple(values)


def _number(cell: str) -> float | None:
    value = float(cell) if is_number(cell) and "," not in cell else math.nan
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < MAX_LABEL else value


def _is_letter(name: str) -> bool:
    """Whether a name is the letter of an unnamed class."""
    return name in LETTERS
