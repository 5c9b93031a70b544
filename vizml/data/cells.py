"""Cells of text files: rows by encoding, delimiter and header; columns of numbers, dates or categories."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from vizml.data.columns import Column, Floats, Mask
from vizml.data.files import read_bytes
from vizml.data.generator import MAX_POINTS
from vizml.data.wording import plural

CLASS_COLUMNS = {
    "class", "classes", "label", "labels", "target", "species", "category", "group", "cluster", "kind",
    "type",
}  # fmt: skip
"""Usual names of the column of classes."""
ID_COLUMNS = {
    "id", "index", "idx", "key", "no", "no.", "nr", "nr.", "number", "row", "#", "unnamed: 0", "uuid",
}  # fmt: skip
"""Usual names of the column that numbers the rows."""

MAX_COLUMNS = 10_000
"""Columns of a file at the most; the memory that more of them take is better spent on rows."""
_DELIMITERS = "\t;, "
"""In order of preference: decimal commas and spaces after delimiters look like delimiters."""
_SAMPLE = 50
"""Lines by which the delimiter is detected."""
_OPENING = re.compile(r"(?:#(?:[ \t][^\n]*)?\n|sep=.\n|[ \t]*\n)*")
"""Comments, blank lines, and the line with the delimiter that spreadsheets write."""
_CONTROL = b"\x01\x02\x03\x04\x05\x06\x07\x08\x0e\x0f\x1b\x7f"
_GROUPED_BY_POINTS = re.compile(r"[+-]?\d{1,3}(\.\d{3})+,\d*")
_GROUPED_BY_COMMAS = re.compile(r"[+-]?\d{1,3}(,\d{3})+\.\d*")
_EXAMPLE = "expected one point per line, such as 1.5,2.0,A"


class TableError(ValueError):
    """A file without a readable table; the message names the place and the remedy."""


@dataclass(frozen=True)
class TextRows:
    """Unprocessed cells in rows of equal width; `header` is empty where the file has none."""

    name: str
    header: tuple[str, ...]
    cells: list[list[str]]
    lines: list[int]
    delimiter: str


def read_rows(path: Path | str) -> TextRows:
    """Read the cells of a file; TableError explains in one sentence why that is impossible."""
    path = Path(path)
    return parse_rows(decode(read_bytes(path, TableError, "a CSV file"), path.name), path.name)


def parse_rows(text: str, name: str) -> TextRows:
    """Parse the cells of a text; `name` identifies it in messages."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise TableError(f"{name} is empty: {_EXAMPLE}")
    delimiter = detect_delimiter(text)
    rows, lines = _split(text, delimiter, name)
    if not rows:
        raise TableError(f"{name} holds comments only: {_EXAMPLE}")
    header = tuple(cell.strip() for cell in rows[0]) if has_header(rows) else ()
    found = TextRows(name, header, rows[1:] if header else rows, lines[1:] if header else lines, delimiter)
    _check_width(found, text.count("\n"))
    return found


def decode(raw: bytes, name: str) -> str:
    """Decode a file: UTF-16 with a byte order mark, otherwise UTF-8, otherwise Latin-1."""
    marked = raw[:2] in (b"\xff\xfe", b"\xfe\xff")
    control = sum(raw[:4096].count(byte) for byte in _CONTROL)
    if not marked and (b"\0" in raw or control > len(raw[:4096]) // 50):
        raise TableError(f"{name} is not text: expected a CSV file")
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "latin-1"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise TableError(f"{name} is not text: expected a CSV file")


def detect_delimiter(text: str) -> str:
    """Return the delimiter that divides most of the first lines into equally many cells, mostly numbers."""
    sample = "\n".join(line for line in text[:100_000].split("\n")[:_SAMPLE] if line.strip())
    best, most = ",", 0.0
    for delimiter in _DELIMITERS:
        rows = list(_reader(sample, delimiter, strict=False))
        widths = Counter(len(row) for row in rows if len(row) > 1)
        if not widths:
            continue
        width, agreeing = widths.most_common(1)[0]
        cells = [cell for row in rows if len(row) == width for cell in row]
        merit = agreeing * (0.01 + sum(map(is_number, cells)) / len(cells))
        if merit > most:
            best, most = delimiter, merit
    return best


def has_header(rows: list[list[str]]) -> bool:
    """Return whether the first row has no numbers, or a usual name of the class column above other cells."""
    first = rows[0]
    if not any(is_number(cell) for cell in first):
        return True
    named = [k for k, cell in enumerate(first) if cell.strip().lower() in CLASS_COLUMNS]
    return any(all(row[k : k + 1] != [first[k]] for row in rows[1:]) for k in named)


def is_number(cell: str) -> bool:
    """Return whether a cell is a number, with a decimal point or a decimal comma."""
    try:
        float(pointed(cell))
    except ValueError:
        return False
    return "_" not in cell


def pointed(cell: str) -> str:
    """Return a number with a decimal point and without grouped digits: 1.916,24 and 1,916.24 are 1916.24."""
    if _GROUPED_BY_POINTS.fullmatch(cell.strip()):
        return cell.replace(".", "").replace(",", ".")
    return cell.replace(",", "" if _GROUPED_BY_COMMAS.fullmatch(cell.strip()) else ".")


def _reader(text: str, delimiter: str, *, strict: bool) -> Iterator[list[str]]:
    if delimiter == " ":
        text = re.sub(r" +$", "", text, flags=re.MULTILINE)
    return csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True, strict=strict)


def _split(text: str, delimiter: str, name: str) -> tuple[list[list[str]], list[int]]:
    """Return the rows that are not blank, and the line at which each begins."""
    opening = _OPENING.match(text)
    skipped = opening.end() if opening else 0
    line = 1 + text.count("\n", 0, skipped)
    rows: list[list[str]] = []
    lines: list[int] = []
    try:
        for row in _reader(text[skipped:], delimiter, strict=True):
            if row and (len(row) > 1 or row[0].strip()):
                rows.append(row)
                lines.append(line)
            line += 1 + sum(cell.count("\n") for cell in row)
            if len(rows) > MAX_POINTS + 1:
                break
    except csv.Error:
        raise TableError(f"{name}, line {line}: quotation marks must come in pairs") from None
    return rows, lines


def _check_width(rows: TextRows, newlines: int) -> None:
    name, cells = rows.name, rows.cells
    if not cells:
        raise TableError(f"{name} has a header but no rows: {_EXAMPLE}")
    if len(cells) > MAX_POINTS:
        raise TableError(f"{name} has about {newlines:,} rows: at most {MAX_POINTS:,} points can be shown")
    width = len(rows.header or cells[0])
    if width > MAX_COLUMNS:
        raise TableError(f"{name} has {width:,} columns: at most {MAX_COLUMNS:,} can be read")
    for row, line in zip(cells, rows.lines):
        if len(row) != width:
            above = "the header" if rows.header else "the first row"
            raise TableError(f"{name}, line {line}: {plural(len(row), 'cell')} where {above} has {width}")
    if width == 1:
        raise TableError(f"{name} has one column: expected two columns of numbers, such as 1.5,2.0")


Kind: TypeAlias = Literal["", "number", "category"]
DATE_FORMATS = ("%d.%m.%Y", "%Y/%m/%d", "%m/%d/%Y", "%d/%m/%Y")
"""Usual forms of dates besides ISO 8601, in order of preference."""
MISSING = frozenset(("NA", "N/A", "n/a", "#N/A", "NULL", "null", "None", "?", "-"))
"""Usual marks of missing values, which are empty cells in a column of numbers."""
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
    wanted: Kind = ""
    """Kind that was chosen: cells of a number column that are no numbers are missing values then."""

    @cached_property
    def numbers(self) -> Floats | None:
        """The numbers, NaN where a cell is empty; None where another cell is no number, or all are empty."""
        if self.wanted == "category":
            return None
        if self.wanted == "number":
            return np.array([self._number(cell) if is_number(cell) else math.nan for cell in self.texts])
        if "_" in "".join(self.cells):
            return None
        try:
            return np.fromiter(map(float, self.cells), np.float64, len(self.cells))
        except ValueError:  # the general case takes six times as long
            pass
        try:
            found = [self._number(cell) if cell else math.nan for cell in self.texts]
        except ValueError:
            return None
        return np.array(found) if any(self.texts) else None

    @cached_property
    def dates(self) -> tuple[datetime, ...] | None:
        """The dates; None where a cell is none, or empty."""
        for form in ("", *DATE_FORMATS) if self.wanted != "category" else ():
            try:
                return tuple(_parsed_date(cell, form).replace(tzinfo=None) for cell in self.texts)
            except ValueError:
                continue
        return None

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The cells without spaces around them, and without marks of missing values among numbers."""
        texts = tuple(map(str.strip, self.cells))
        filled = set() if MISSING.isdisjoint(texts) else set(texts) - MISSING - {""}
        if filled and self.wanted != "category" and all(map(is_number, filled)):
            return tuple("" if cell in MISSING else cell for cell in texts)
        return texts

    @cached_property
    def numeric_share(self) -> float:
        """The share of numbers among the filled cells: a column of numbers may contain errors."""
        if self.numbers is not None:
            return 1.0
        filled = [cell for cell in self.texts if cell]
        return sum(map(is_number, filled)) / max(len(filled), 1) if self.wanted != "category" else 0.0

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
        """The rows without a cell, or without a number where numbers were chosen."""
        if self.numbers is not None and (self.wanted or not np.isnan(self.numbers).any()):
            return np.isnan(self.numbers)
        return np.array([not cell for cell in self.texts])

    @cached_property
    def column(self) -> Column:
        """Numbers, dates as days, or categories in the order of their first occurrence.

        Cells that are not finite numbers are missing values of a column of numbers.
        """
        if self.numbers is not None:
            return Column(self.name, np.where(np.isfinite(self.numbers), self.numbers, math.nan))
        if self.dates is not None:
            start = min(self.dates).replace(hour=0, minute=0, second=0, microsecond=0)
            days = [(date - start) / timedelta(days=1) for date in self.dates]
            return Column(f"{self.name} (days since {start:%Y-%m-%d})", np.array(days))
        return self.categories

    @property
    def categories(self) -> Column:
        """The texts as categories in the order of their first occurrence."""
        names = tuple(dict.fromkeys(filter(None, self.texts)))
        code = {name: k for k, name in enumerate(names)} | {"": -1}
        values = np.array([code[cell] for cell in self.texts])
        return Column(self.name, values if names else np.full(len(self.cells), math.nan), names)

    @property
    def classes(self) -> Column:
        """The column as one of classes: numbers, or categories."""
        return self.categories if self.numbers is None else self.column

    def as_kind(self, wanted: Kind) -> CellColumn:
        """Return the column with a chosen kind; none for the kind of its cells."""
        return replace(self, wanted=wanted)

    def is_numeric(self, cell: str) -> bool:
        """Whether a cell would be a number in this column."""
        return CellColumn("", (cell,), self.decimal_comma).numbers is not None

    @cached_property
    def _decimal_commas(self) -> bool:
        """Whether commas separate decimals, so that points group digits."""
        return self.decimal_comma and any("," in cell for cell in self.cells)

    def _number(self, cell: str) -> float:
        if self._decimal_commas and _GROUPS.fullmatch(cell):
            return float(cell.replace(".", ""))
        return float(pointed(cell) if self.decimal_comma or "." in cell else cell)
