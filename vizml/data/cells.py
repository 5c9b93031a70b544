"""Columns of text cells, and the numbers, dates or categories that the cells hold."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from vizml.data.columns import Column, Floats, Mask
from vizml.data.rows import ID_COLUMNS, is_number, pointed

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
