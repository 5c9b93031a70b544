"""Tables of text columns, the choice of columns for x, y and class, and conversion to data sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from vizml.data.cells import CLASS_COLUMNS, CellColumn, TableError, TextRows, read_rows
from vizml.data.columns import (
    ALL,
    MAX_CLASSES,
    Column,
    Floats,
    class_count,
    classes_of,
    component_axis,
    known_name,
    merge_report,
    unknown_column,
)
from vizml.data.dataset import Dataset, Missing
from vizml.data.wording import plural, quoted


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

    def with_columns(self, columns: Sequence[CellColumn]) -> Table:
        """Return the table with other columns, such as those of a chosen kind."""
        return replace(self, columns=tuple(columns))

    def index(self, name: str) -> int:
        """Return the index of a column; TableError lists the columns."""
        found = known_name(name, self.header)
        if found is None:
            raise TableError(unknown_column(name, self.header, self.name))
        return self.header.index(found)


@dataclass(frozen=True)
class Roles:
    """Names of columns for roles; empty ones are guessed, or stay as they are."""

    x: str = ""
    y: str = ""
    label: str = ""
    target: str = ""
    inputs: tuple[str, ...] = ()
    """Names, or 'all' alone for every column without another role."""
    missing: Missing = ""

    def components(self, names: Collection[str]) -> tuple[int | None, int | None]:
        """Return the principal components that x and y name, where no column has their name."""
        return component_axis(self.x, names), component_axis(self.y, names)

    def among(self, names: Sequence[str]) -> Roles:
        """Return the roles with the names of existing columns, where these differ in case or signs only."""
        x, y = (
            "" if component is not None else known_name(name, names) or name
            for name, component in zip((self.x, self.y), self.components(names))
        )
        label, target = (known_name(name, names) or name for name in (self.label, self.target))
        inputs = tuple(known_name(name, names) or name for name in self.inputs)
        return replace(self, x=x, y=y, label=label, target=target, inputs=inputs)

    @property
    def takes_all(self) -> bool:
        """Whether all columns are to be inputs."""
        return self.inputs == (ALL,)

    def applied(self, dataset: Dataset) -> Dataset:
        """Return a data set with its columns in these roles; ValueError lists the columns."""
        if self == Roles():
            return dataset
        columns = tuple(column.name for column in dataset.columns)
        roles = self.among((*columns, dataset.label))
        if self.takes_all and ALL not in columns:
            roles = roles.with_all(dataset, columns)
        named = dict.fromkeys(filter(None, (roles.x, roles.y, *roles.inputs, roles.target)))
        x = roles.x or next((name for name in named if name != roles.y), dataset.axes[0])
        y = roles.y or next((name for name in (*named, *reversed(dataset.axes)) if name != x), x)
        former = dataset.target or dataset.axes[1]
        keeps = roles.inputs and not roles.y and former not in roles.inputs
        return dataset.with_roles(
            axes=(x, y), inputs=roles.inputs or None, target=roles.target or (former if keeps else None),
            label=roles.label or None, missing=roles.missing or None,
        )  # fmt: skip

    def with_all(self, dataset: Dataset, columns: Sequence[str]) -> Roles:
        """Return the roles with all columns as inputs but those of the target and the class."""
        labelled = bool(self.label or len(dataset.present))
        target = self.target or dataset.target or ("" if labelled else self.y or dataset.axes[1])
        inputs = [name for name in columns if name not in (self.label, dataset.label, target)]
        shown = [name for name in dict.fromkeys((*dataset.axes, *inputs)) if name in inputs]
        x = self.x or next((name for name in shown if name != self.y), shown[0])
        y = self.y or next((name for name in shown if name != x), x)
        return replace(self, x=x, y=y, target=target, inputs=tuple(inputs))


@dataclass(frozen=True)
class Mapping:
    """Roles of columns by their indices; `sure` where nothing needs to be asked."""

    x: int
    y: int
    label: int | None = None
    sure: bool = True
    missing: Missing = ""
    """Rows without x or y: '' refuses them, 'drop' leaves them out, 'median' fills their cells."""
    inputs: tuple[int, ...] = ()
    """Columns that models learn from; none for x and y."""
    target: int | None = None
    """Column that regressions predict; None for y."""


def read_table(path: Path | str) -> Table:
    """Read the columns of a CSV file; TableError names the error and its place in one sentence."""
    return to_table(read_rows(path))


def to_table(rows: TextRows) -> Table:
    """Convert rows to columns; columns without name and content are left out."""
    header = rows.header or ("",) * len(rows.cells[0])
    comma = rows.delimiter != ","
    columns: dict[str, CellColumn] = {}
    for number, (given, cells) in enumerate(zip(header, zip(*rows.cells)), start=1):
        if given or any(map(str.strip, cells)):
            name = given or (f"column {number}" if number > 1 or not rows.header else "#")
            name = f"{name} ({number})" if name in columns else name
            columns[name] = CellColumn(name, cells, comma)
    return Table(rows.name, tuple(columns.values()), tuple(rows.lines), bool(rows.header))


def guess(table: Table) -> Mapping:
    """Choose the columns for x, y and class; TableError where there are no two columns for x and y."""
    label = _class_column(table)
    mapping = guessed_axes(table, label)
    x, y = table.columns[mapping.x], table.columns[mapping.y]
    merged = label is not None and class_count(table.columns[label].classes) > MAX_CLASSES
    return replace(mapping, sure=mapping.sure and not (merged or x.empty.any() or y.empty.any()))


def guessed_axes(table: Table, label: int | None) -> Mapping:
    """Choose the columns for x and y: those of these names, the first two of numbers, or categories."""
    names = [name.lower() for name in table.header] if table.named else []
    if names.count("x") == names.count("y") == 1:
        return Mapping(names.index("x"), names.index("y"), label)
    free = [k for k, column in enumerate(table.columns) if k != label and not column.is_id]
    numeric = [k for k in free if table.columns[k].numeric_share >= 0.5]
    shown = numeric + [k for k in free if k not in numeric and may_be_categories(table.columns[k])]
    if len(shown) < 2:
        kinds = " and ".join(f"{quoted(column.name)} is {column.kind}" for column in table.columns[:6])
        raise TableError(f"{table.name} needs two columns of numbers for x and y, but {kinds}")
    return Mapping(shown[0], shown[1], label, sure=len(numeric) == len(free) == 2)


def mapping_of(table: Table, roles: Roles) -> Mapping:
    """Return the roles of columns, guessed where they are not named; TableError where that is ambiguous."""
    roles = roles.among(table.header)
    x, y, label, target = (
        table.index(name) if name else None for name in (roles.x, roles.y, roles.label, roles.target)
    )
    takes_all = roles.takes_all and ALL not in table.header
    if takes_all and label is None:
        label = _class_column(table)
    inputs = _all_inputs(table, (label, target)) if takes_all else tuple(map(table.index, roles.inputs))
    named = [k for k in dict.fromkeys((x, y, *inputs, target)) if k is not None]
    guessed = _class_column(table) if label is None else label
    label = None if guessed in named and not roles.label else guessed
    if len(named) < 2 and not (inputs and named):
        found = guessed_axes(table, label)
        _check_sure(table, found)
        named += [found.x, found.y]
    x = next((k for k in named if k != y), named[0]) if x is None else x
    y = next((k for k in named if k != x), x) if y is None else y
    return Mapping(x, y, label, missing=roles.missing, inputs=inputs, target=target)


def _all_inputs(table: Table, others: Sequence[int | None]) -> tuple[int, ...]:
    """Return the columns that models can learn from: numbers, dates and categories but no row numbers."""
    return tuple(
        k
        for k, column in enumerate(table.columns)
        if k not in others and not column.is_id
        and (column.numeric_share >= 0.5 or column.dates is not None or may_be_categories(column))
    )  # fmt: skip


def _check_sure(table: Table, mapping: Mapping) -> None:
    if not mapping.sure:
        columns = ", ".join(map(quoted, table.header[:8])) + (", ..." if len(table.header) > 8 else "")
        remedy = "choose two by x and y, or name the columns to use x, y and class in its first line"
        raise TableError(f"{table.name} has the columns {columns}: {remedy}")


def to_dataset(table: Table, mapping: Mapping, *, incomplete: bool = False) -> Dataset:
    """Convert a table to a data set with all columns; TableError names line and column of an invalid cell.

    Missing values stay, and the data set remembers what becomes of them. Those of x and y do where
    `incomplete` says so; without it, rows without x or y are left out or filled.
    """
    columns = _converted(table, mapping, incomplete)
    names = {k: column.name for k, column in columns.items()}
    parts: dict[str, Any] = {"missing": mapping.missing}
    if mapping.label is not None:
        labels, classes, values = classes_of(columns[mapping.label])
        parts |= {"labels": labels, "classes": classes, "class_values": values}
        if mapping.label not in (mapping.x, mapping.y, *mapping.inputs, mapping.target):
            if not merge_report(columns[mapping.label]):
                columns.pop(mapping.label)
            parts |= {"label": names[mapping.label]} if table.named or mapping.label in columns else {}
    return Dataset.of(
        [*columns.values()], (names[mapping.x], names[mapping.y]),
        chosen_inputs=tuple(names[k] for k in mapping.inputs),
        target="" if mapping.target is None else names[mapping.target], **parts,
    )  # fmt: skip


def _converted(table: Table, mapping: Mapping, incomplete: bool) -> dict[int, Column]:
    """Return the columns by their index; axes are complete or, where that is wanted, as in the table."""
    axes, label = (mapping.x, mapping.y), mapping.label
    for axis in axes:
        _check_axis(table, table.columns[axis], mapping.missing)
    columns = {k: cells.classes if k == label else cells.column for k, cells in enumerate(table.columns)}
    if not table.named:
        columns |= {k: replace(columns[k], name=name) for k, name in zip(axes, "xy")}
    if incomplete:
        return columns
    if mapping.missing == "median":
        columns |= {k: columns[k].filled() for k in axes}
    unknown = columns[mapping.x].missing | columns[mapping.y].missing
    return {k: column.take(~unknown) for k, column in columns.items()} if unknown.any() else columns


def unlabelled(dataset: Dataset) -> str:
    """Return the number of points without a class as text, where others have one; else an empty text."""
    without = int((dataset.labels < 0).sum())
    return f"{without:,} without a class" if 0 < without < len(dataset) else ""


def undrawn(dataset: Dataset) -> str:
    """Return the number of points without a place on the canvas as text; an empty text for none."""
    count = int(np.isnan(dataset.points).any(axis=1).sum()) if dataset.incomplete else 0
    return f"{count:,} without x or y {'is' if count == 1 else 'are'} not drawn" if count else ""


def changes(table: Table, mapping: Mapping, *, incomplete: bool = False) -> tuple[str, ...]:
    """Describe what a conversion leaves out, fills or merges, or the training where missing values stay."""
    used = mapping.inputs if incomplete and mapping.inputs else (mapping.x, mapping.y)
    empty = np.array([table.columns[k].empty for k in dict.fromkeys(used)])
    rows, found = np.asarray(empty.any(axis=0)), list[str]()
    if rows.any() and mapping.missing == "drop":
        found.append(f"{plural(int(rows.sum()), 'row')} with empty cells left out")
    elif rows.any():
        found.append(f"{plural(int(empty.sum()), 'empty cell')} filled with the median")
    if mapping.label is not None:
        label = table.columns[mapping.label].classes
        kept = label.take(~rows) if mapping.missing == "drop" and not incomplete else label
        found += filter(None, [merge_report(kept)])
    return tuple(found)


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


def _check_axis(table: Table, column: CellColumn, missing: Missing) -> None:
    """Raise TableError where a column has no number or category in a row that would be shown."""
    numbers = column.numbers
    if numbers is None and (column.dates is not None or may_be_categories(column)):
        row = int(np.argmax(column.empty)) if column.empty.any() and not missing else None
    elif numbers is None:
        row = next(k for k, cell in enumerate(column.cells) if not column.is_numeric(cell))
    else:
        bad = ~np.isfinite(numbers) & ~(column.empty & bool(missing))
        row = int(np.argmax(bad)) if bad.any() else None
    if row is None:
        return
    cell = column.texts[row]
    remedy = "missing='drop' (--missing drop) leaves out its row, 'median' fills it"
    found = f"not {quoted(cell)}" if cell else f"but it is empty: {remedy}"
    where = f"{table.name}, line {table.lines[row]}"
    raise TableError(f"{where}: column {quoted(column.name)} must hold a finite number, {found}")


def may_be_categories(column: CellColumn) -> bool:
    """Whether texts repeat, or were declared to be categories."""
    if column.wanted or column.numeric_share >= 0.5:
        return column.wanted == "category"
    counts = _counts(column)
    return len(counts) <= max(MAX_CLASSES, len(column.cells) // 2) and len(counts) < counts.total()


def _counts(column: CellColumn) -> Counter[str]:
    """Count the filled cells of a column by their text."""
    return Counter(filter(None, column.texts))
