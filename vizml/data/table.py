"""A table of columns, which of them are x, y and the class, and the data set that they make."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from vizml.data.dataset import MAX_CLASSES, UNLABELLED, Dataset, Floats, Ints
from vizml.data.rows import LABEL_WORDS, Rows, TableError, is_number, read_rows
from vizml.files import write_whole

LETTERS = "ABCDEFGH"
"""What classes without a name of their own are called."""


@dataclass(frozen=True)
class CellColumn:
    """The cells under one name, and the numbers that they are where all of them are."""

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
        """The share of numbers in what it holds: a column of numbers may have a slip in it."""
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
    """Named columns of equal length; `named` tells whether the file said their names."""

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
    """Which columns, counted from 0, are x, y and the class; `sure` where there was no doubt."""

    x: int
    y: int
    label: int | None = None
    sure: bool = True


def read_table(path: Path | str) -> Table:
    """The columns of a CSV file; TableError says in one sentence what is wrong, and where."""
    return tabulate(read_rows(path))


def tabulate(rows: Rows) -> Table:
    """Rows of cells as columns; those without a name and without content are left out."""
    header = rows.header or ("",) * len(rows.cells[0])
    comma = rows.delimiter != ","
    columns = tuple(
        CellColumn(name or f"column {number}", cells, comma)
        for number, (name, cells) in enumerate(zip(header, zip(*rows.cells)), start=1)
        if name or any(map(str.strip, cells))
    )
    return Table(rows.name, columns, tuple(rows.lines), bool(rows.header))


def guess(table: Table) -> Mapping:
    """The likely columns; TableError where no two of them hold numbers."""
    label = _label(table)
    names = [name.lower() for name in table.header] if table.named else []
    if names.count("x") == names.count("y") == 1:
        return Mapping(names.index("x"), names.index("y"), label)
    numeric = [k for k, column in enumerate(table.columns) if column.numeric_share >= 0.5 and k != label]
    if len(numeric) < 2:
        kinds = " and ".join(f"'{column.name}' is {column.kind}" for column in table.columns[:6])
        raise TableError(f"{table.name} needs two columns of numbers for x and y, but {kinds}")
    others = len(table.columns) - len(numeric) - (label is not None)
    return Mapping(numeric[0], numeric[1], label, sure=len(numeric) == 2 and others == 0)


def to_dataset(table: Table, mapping: Mapping) -> Dataset:
    """The points and classes of a table; TableError names the line and the column of what is unfit."""
    x, y = table.columns[mapping.x], table.columns[mapping.y]
    points = np.column_stack([_coordinates(table, x), _coordinates(table, y)])
    axes = (x.name, y.name) if table.named else ("x", "y")
    if mapping.label is None:
        return Dataset(points, np.full(len(points), UNLABELLED), axes=axes)
    labels, classes = _classes(table, table.columns[mapping.label])
    return Dataset(points, labels, classes, axes)


def read_csv(path: Path | str) -> Dataset:
    """The data set in a CSV file whose columns are plain to see; TableError where they are not."""
    table = read_table(path)
    mapping = guess(table)
    if not mapping.sure:
        columns = ", ".join(table.header[:8]) + (", ..." if len(table.header) > 8 else "")
        wanted = "call those to use x, y and class in its first line"
        raise TableError(f"{table.name} has the columns {columns}: {wanted}")
    return to_dataset(table, mapping)


def write_csv(dataset: Dataset, path: Path | str) -> None:
    """Axis names and class in a header, then a line for each point, exact to the last bit.

    A reader counts classes as they first come: where they would come in another order, one point of each
    comes before all others.
    """
    write_whole(path, format_csv(dataset).encode("utf-8"))


def format_csv(dataset: Dataset) -> str:
    """What `write_csv` writes."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    dataset = _led(dataset)
    x, y = dataset.x.tolist(), dataset.y.tolist()
    if not len(dataset.present):
        writer.writerow(dataset.axes)
        writer.writerows(zip(map(repr, x), map(repr, y)))
        return out.getvalue()
    names = {UNLABELLED: "", **{int(k): dataset.name(int(k)) for k in dataset.present}}
    writer.writerow([*dataset.axes, "class"])
    writer.writerows(zip(map(repr, x), map(repr, y), map(names.__getitem__, dataset.labels.tolist())))
    return out.getvalue()


def _led(dataset: Dataset) -> Dataset:
    """The same points, led by one of each class where those come first in another order than the classes."""
    first = [int(np.argmax(dataset.labels == label)) for label in dataset.present]
    named = not all(_is_letter(name) for name in map(dataset.name, dataset.present.tolist()))
    if first == sorted(first) or not named:
        return dataset
    return dataset.take(np.array([*first, *np.delete(np.arange(len(dataset)), first)]))


def _label(table: Table) -> int | None:
    """The column of the classes: by its name, else the last of text, else whole numbers that come last."""
    columns = table.columns
    names = [column.name.lower() for column in columns]
    called = [k for k, name in enumerate(names) if name in LABEL_WORDS]
    if table.named and called and len(columns) > 2:
        return called[-1]
    axes = {"x", "y"} if {"x", "y"} <= set(names) else set()
    text = [k for k, column in enumerate(columns) if column.numeric_share < 0.5 and names[k] not in axes]
    if text:
        return text[-1]
    return len(columns) - 1 if len(columns) > 2 and _counts_classes(columns) else None


def _counts_classes(columns: tuple[CellColumn, ...]) -> bool:
    """Whether the last column looks like numbered classes: few whole numbers, or the only ones."""
    *others, last = [column.numbers for column in columns]
    if last is None or not _whole(last):
        return False
    alone = not any(numbers is not None and _whole(numbers) for numbers in others)
    return len(np.unique(last)) <= (max(MAX_CLASSES, len(last) // 2) if alone else MAX_CLASSES)


def _whole(numbers: Floats) -> bool:
    return bool(np.all(np.isfinite(numbers)) and np.all(numbers == np.floor(numbers)))


def _coordinates(table: Table, column: CellColumn) -> Floats:
    numbers = column.numbers
    if numbers is not None and np.isfinite(numbers).all():
        return numbers
    if numbers is None:
        row = next(k for k, cell in enumerate(column.cells) if not _fine(column, cell))
    else:
        row = int(np.argmin(np.isfinite(numbers)))
    cell = column.texts[row]
    found = f"not '{cell}'" if cell else "but it is empty"
    where = f"{table.name}, line {table.lines[row]}"
    raise TableError(f"{where}: column '{column.name}' must hold a finite number, {found}")


def _fine(column: CellColumn, cell: str) -> bool:
    return CellColumn("", (cell,), column.decimal_comma).numbers is not None


def _classes(table: Table, column: CellColumn) -> tuple[Ints, tuple[str, ...]]:
    """A label for each cell, where empty is unlabelled, and the names of the classes if they have any."""
    number = {cell: _number(cell) for cell in dict.fromkeys(column.texts) if cell}
    values = [value for value in number.values() if value is not None]
    if len(values) == len(number):
        names = {cell: f"{value:g}" for cell, value in number.items() if value is not None}
        labels, classes = _from_numbers(sorted(set(values)))
    else:
        names = {cell: cell for cell in number}
        labels, classes = _from_words(list(number))
    if (count := len(set(labels.values()) - {UNLABELLED})) > MAX_CLASSES:
        where = f"{table.name}: column '{column.name}'"
        raise TableError(
            f"{where} has {count} different values, but at most {MAX_CLASSES} classes can be shown"
        )
    label = {cell: labels[name] for cell, name in names.items()} | {"": UNLABELLED}
    return np.array([label[cell] for cell in column.texts], dtype=np.int64), classes


def _number(cell: str) -> float | None:
    value = float(cell) if is_number(cell) and "," not in cell else math.nan
    return value if math.isfinite(value) else None


def _from_numbers(values: list[float]) -> tuple[dict[str, int], tuple[str, ...]]:
    """The label of each rising value by its name: 0 to K - 1 are labels already, with -1 for unlabelled."""
    names = tuple(f"{value:g}" for value in values)
    first = -1 if len(values) > 2 and values[0] == -1 else 0
    if values == list(range(first, first + len(values))):
        return dict(zip(names, range(first, first + len(values)))), ()
    return dict(zip(names, range(len(names)))), names


def _from_words(words: list[str]) -> tuple[dict[str, int], tuple[str, ...]]:
    """The label of each word as they first come; the letters that stand for nameless classes keep theirs."""
    if all(map(_is_letter, words)):
        return {word: LETTERS.index(word) for word in words}, ()
    return {word: k for k, word in enumerate(words)}, tuple(words)


def _is_letter(name: str) -> bool:
    """Whether it is what a class without a name is called."""
    return len(name) == 1 and name in LETTERS
