"""Tables of text columns, the choice of columns for x, y and class, and conversion to data sets and CSV."""

from __future__ import annotations

import csv
import io
import math
import re
import warnings
from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np

from vizml.data.columns import LETTERS, MAX_CLASSES, MAX_LABEL, OTHER
from vizml.data.dataset import Dataset, Floats, Mask, Missing
from vizml.data.files import write_whole
from vizml.data.labels import UNLABELLED, ClassValue, Ints, encoded, value_name
from vizml.data.rows import CLASS_COLUMNS, ID_COLUMNS, TableError, TextRows, is_number, pointed, read_rows
from vizml.data.wording import described, plural, quoted

DATE_FORMATS = ("%d.%m.%Y", "%Y/%m/%d", "%m/%d/%Y", "%d/%m/%Y")
"""Usual forms of dates besides ISO 8601, in order of preference."""
_GROUPS = re.compile(r"[+-]?\d{1,3}(\.\d{3})+")


def _parsed_date(cell: str, form: str) -> datetime:
    """Parse a date of a form; ISO 8601 without one."""
    return datetime.strptime(cell, form) if form else datetime.fromisoformat(cell)  # noqa: DTZ007 (no zone)


@dataclass(frozen=True)
class CellColumn:
    """The cells of a column, with their numbers where all filled cells are numbers."""

    name: str
    cells: tuple[str, ...]
    decimal_comma: bool = False

    @cached_property
    def numbers(self) -> Floats | None:
        """The numbers, NaN where a cell is empty; None where another cell is no number, or all are empty."""
        if any("_" in cell for cell in self.cells):
            return None
        try:
            found = [float(self._pointed(cell)) if cell else math.nan for cell in self.texts]
        except ValueError:
            return None
        return np.array(found) if any(self.texts) else None

    @cached_property
    def dates(self) -> tuple[datetime, ...] | None:
        """The dates; None where a cell is none, or empty."""
        for form in ("", *DATE_FORMATS):
            try:
                return tuple(_parsed_date(cell, form).replace(tzinfo=None) for cell in self.texts)
            except ValueError:
                continue
        return None

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
        """`numbers`, `dates`, `text` or `mixed`."""
        if self.numbers is not None:
            return "numbers"
        return "mixed" if self.numeric_share else "text" if self.dates is None else "dates"

    @property
    def is_id(self) -> bool:
        """Whether the column numbers the rows."""
        name = self.name.lower()
        return name in ID_COLUMNS or name.endswith((" id", "_id"))

    @cached_property
    def empty(self) -> Mask:
        """The rows without a cell."""
        return np.array([not cell for cell in self.texts])

    @cached_property
    def _decimal_commas(self) -> bool:
        """Whether commas separate decimals, so that points group digits."""
        return self.decimal_comma and any("," in cell for cell in self.cells)

    def _pointed(self, cell: str) -> str:
        if self._decimal_commas and _GROUPS.fullmatch(cell.strip()):
            return cell.replace(".", "")
        return pointed(cell) if self.decimal_comma or "." in cell else cell


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
    """Indices of the columns for x, y and the class; `sure` where nothing needs to be asked."""

    x: int
    y: int
    label: int | None = None
    sure: bool = True
    missing: Missing = ""
    """Rows without x or y: '' refuses them, 'drop' leaves them out, 'median' fills their cells."""


def read_table(path: Path | str) -> Table:
    """Read the columns of a CSV file; TableError names the error and its place in one sentence."""
    return to_table(read_rows(path))


def to_table(rows: TextRows) -> Table:
    """Convert rows to columns; columns without name and content are left out."""
    header = rows.header or ("",) * len(rows.cells[0])
    comma = rows.delimiter != ","
    columns = tuple(
        CellColumn(name or (f"column {number}" if number > 1 or not rows.header else "#"), cells, comma)
        for number, (name, cells) in enumerate(zip(header, zip(*rows.cells)), start=1)
        if name or any(map(str.strip, cells))
    )
    return Table(rows.name, columns, tuple(rows.lines), bool(rows.header))


def guess(table: Table) -> Mapping:
    """Choose the columns for x, y and class; TableError where no two columns hold numbers."""
    label = _class_column(table)
    mapping = _guessed_axes(table, label)
    x, y = table.columns[mapping.x], table.columns[mapping.y]
    merged = label is not None and len(_counts(table.columns[label])) > MAX_CLASSES
    return replace(mapping, sure=mapping.sure and not (merged or x.empty.any() or y.empty.any()))


def _guessed_axes(table: Table, label: int | None) -> Mapping:
    names = [name.lower() for name in table.header] if table.named else []
    if names.count("x") == names.count("y") == 1:
        return Mapping(names.index("x"), names.index("y"), label)
    ids = [k for k, column in enumerate(table.columns) if column.is_id and k != label]
    numeric = [
        k for k, column in enumerate(table.columns) if column.numeric_share >= 0.5 and k not in (label, *ids)
    ]
    if len(numeric) < 2:
        kinds = " and ".join(f"{quoted(column.name)} is {column.kind}" for column in table.columns[:6])
        raise TableError(f"{table.name} needs two columns of numbers for x and y, but {kinds}")
    others = len(table.columns) - len(numeric) - len(ids) - (label is not None)
    return Mapping(numeric[0], numeric[1], label, sure=len(numeric) == 2 and others == 0)


def to_dataset(table: Table, mapping: Mapping) -> Dataset:
    """Convert a table to a data set; TableError names line and column of an invalid cell."""
    chosen = [table.columns[mapping.x], table.columns[mapping.y]]
    (x, x_name), (y, y_name) = (_coordinates(table, column, mapping.missing) for column in chosen)
    points, axes = np.column_stack([x, y]), (x_name, y_name) if table.named else ("x", "y")
    kept = ~np.isnan(points).any(axis=1)
    points, label = points[kept], _label(table, mapping)
    if label is None:
        return Dataset(points, np.full(len(points), UNLABELLED), axes=axes)
    labels, classes, values = _classes(label)
    return Dataset(points, labels, classes, axes, class_values=values)


def _label(table: Table, mapping: Mapping) -> CellColumn | None:
    """Return the class column of the rows that are not left out."""
    if mapping.label is None:
        return None
    label, x, y = (table.columns[k] for k in (mapping.label, mapping.x, mapping.y))
    kept = ~(x.empty | y.empty)
    drop = mapping.missing == "drop" and not kept.all()
    return replace(label, cells=tuple(compress(label.cells, kept))) if drop else label


def changes(table: Table, mapping: Mapping) -> tuple[str, ...]:
    """Describe what a conversion leaves out, fills or merges."""
    x, y = table.columns[mapping.x], table.columns[mapping.y]
    empty, found = int((x.empty | y.empty).sum()), list[str]()
    if empty and mapping.missing == "drop":
        found.append(f"{plural(empty, 'row')} with empty cells left out")
    elif empty:
        filled = int(x.empty.sum() + y.empty.sum())
        found.append(f"{plural(filled, 'empty cell')} filled with the median")
    label = _label(table, mapping)
    if label is not None and (count := len(_counts(label))) > MAX_CLASSES:
        found.append(f"the {count - MAX_CLASSES + 1} rarest of {count} classes merged into '{OTHER}'")
    return tuple(found)


def read_csv(path: Path | str, missing: Missing = "") -> Dataset:
    """Read a data set from a CSV file with unambiguous columns; TableError otherwise.

    `missing` says what becomes of rows without x or y: 'drop' leaves them out, 'median' fills their cells. A
    warning says what was left out, filled or merged.
    """
    if missing not in ("", "drop", "median"):
        raise ValueError(f"missing must be 'drop' or 'median', not {described(missing)}")
    table = read_table(path)
    mapping = replace(guess(table), missing=missing)
    if not _guessed_axes(table, mapping.label).sure:
        columns = ", ".join(map(quoted, table.header[:8])) + (", ..." if len(table.header) > 8 else "")
        remedy = "name the columns to use x, y and class in its first line"
        raise TableError(f"{table.name} has the columns {columns}: {remedy}")
    dataset, changed = to_dataset(table, mapping), changes(table, mapping)
    if changed:
        warnings.warn(f"{table.name}: {', '.join(changed)}", stacklevel=2)
    return dataset


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
    matching = [k for k, name in enumerate(names) if name in CLASS_COLUMNS and _holds_classes(columns[k])]
    if table.named and matching and len(columns) > 2:
        return matching[-1]
    axes = {"x", "y"} if {"x", "y"} <= set(names) else set()
    text = [
        k
        for k, column in enumerate(columns)
        if column.numeric_share < 0.5 and names[k] not in axes and not column.is_id
        and column.dates is None and len(_counts(column)) <= max(MAX_CLASSES, len(table) // 2)
    ]  # fmt: skip
    if text:
        return text[-1]
    return len(columns) - 1 if len(columns) > 2 and _ends_with_codes(columns) else None


def _holds_classes(column: CellColumn) -> bool:
    """Whether a column that is named like one of classes may hold them: a target may be measured as well."""
    if column.numbers is None:
        return True
    whole = _is_whole(column.numbers[~column.empty])
    few = len(_counts(column)) <= max(MAX_CLASSES, len(column.cells) // 10)
    return whole and (few or column.name.lower() != "target")


def _ends_with_codes(columns: tuple[CellColumn, ...]) -> bool:
    """Whether the last column may hold numbered classes: few whole numbers, or the only ones."""
    *others, last = [column.numbers for column in columns]
    if last is None or columns[-1].is_id or not _is_whole(last):
        return False
    alone = not any(numbers is not None and _is_whole(numbers) for numbers in others)
    return len(np.unique(last)) <= (max(MAX_CLASSES, len(last) // 2) if alone else MAX_CLASSES)


def _is_whole(numbers: Floats) -> bool:
    return bool(np.all(np.isfinite(numbers)) and np.all(numbers == np.floor(numbers)))


def _coordinates(table: Table, column: CellColumn, missing: Missing) -> tuple[Floats, str]:
    """Return the coordinates, NaN in rows that are left out, and the name of their axis."""
    numbers = column.numbers
    if numbers is None and column.dates is not None:
        start = min(column.dates).replace(hour=0, minute=0, second=0, microsecond=0)
        days = np.array([(date - start) / timedelta(days=1) for date in column.dates])
        return days, f"{column.name} (days since {start:%Y-%m-%d})"
    if numbers is None:
        row = next(k for k, cell in enumerate(column.cells) if not _is_numeric(column, cell))
    elif np.isfinite(numbers[~column.empty]).all() and (missing or not column.empty.any()):
        if missing == "median":
            return np.where(column.empty, np.median(numbers[~column.empty]), numbers), column.name
        return numbers, column.name
    else:
        row = int(np.argmin(np.isfinite(numbers) | (column.empty & bool(missing))))
    cell = column.texts[row]
    remedy = "missing='drop' leaves out its row, 'median' fills it"
    found = f"not {quoted(cell)}" if cell else f"but it is empty: {remedy}"
    where = f"{table.name}, line {table.lines[row]}"
    raise TableError(f"{where}: column {quoted(column.name)} must hold a finite number, {found}")


def _is_numeric(column: CellColumn, cell: str) -> bool:
    return CellColumn("", (cell,), column.decimal_comma).numbers is not None


def _counts(column: CellColumn) -> Counter[str]:
    """Count the filled cells of a column by their text."""
    return Counter(filter(None, column.texts))


def _classes(column: CellColumn) -> tuple[Ints, tuple[str, ...], tuple[ClassValue, ...]]:
    """Return the code of each cell (empty is unlabelled), the names of the classes, and their values.

    The rarest of too many classes become one.
    """
    counts = _counts(column)
    kept = counts if len(counts) <= MAX_CLASSES else dict(counts.most_common(MAX_CLASSES - 1))
    if all(map(_is_letter, counts)):  # letters of unnamed classes keep their codes
        letters = LETTERS[: max(map(LETTERS.index, counts), default=-1) + 1]
        if len(letters) <= MAX_CLASSES:
            return encoded(column.texts, known=letters)[0], (), tuple(letters)
    numbers = {cell: _number(cell) for cell in counts}
    numeric = None not in numbers.values()
    label: dict[str, Any] = {cell: numbers[cell] if numeric else cell for cell in counts if cell in kept}
    values = sorted(set(label.values())) if numeric else list(label)
    values += [OTHER] if len(kept) < len(counts) and OTHER not in values else []
    rest = {cell: OTHER for cell in counts if cell not in kept} | label
    given = np.array([rest.get(cell) for cell in column.texts], dtype=object)
    return encoded(given, known=values)[0], tuple(map(value_name, values)), tuple(values)


def _number(cell: str) -> float | None:
    value = float(cell) if is_number(cell) and "," not in cell else math.nan
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < MAX_LABEL else value


def _is_letter(name: str) -> bool:
    """Whether a name is the letter of an unnamed class."""
    return name in LETTERS
