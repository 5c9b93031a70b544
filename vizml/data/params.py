"""Declarations of parameters, shared by side panel, command line, validation and project file."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher, get_close_matches
from typing import TypeAlias

import numpy as np

from vizml.data.wording import described

MOST_NESTED = 5
"""Levels of brackets in a text: the time to read nested models doubles with each."""
Value: TypeAlias = float | int | str | bool
Condition: TypeAlias = Mapping[str, tuple[Value, ...] | Callable[[Value], bool]]
"""Relevance of a parameter: each named other one has one of these values, or one that fulfils a condition."""


class Explained(ValueError):
    """A value is not allowed, and the message says why."""


@dataclass(frozen=True, kw_only=True)
class Param(ABC):
    """A parameter: name of the field or option, default, allowed values and texts."""

    default: Value
    help: str = ""
    symbol: str = ""
    title: str = ""
    unit: str = ""
    when: Condition = field(default_factory=dict)
    name: str = ""
    synonyms: tuple[str, ...] = ()
    """Other names that users may search for."""

    @abstractmethod
    def allows(self) -> str:
        """Describe the allowed values in words that complete 'must be ...'."""

    @abstractmethod
    def accept(self, value: object) -> Value:
        """Convert a value to the type of the parameter; ValueError without a message if not allowed."""

    def coerce(self, value: object) -> Value:
        """Convert a value or its text to the type of the parameter; ValueError states the allowed values."""
        try:
            return self.accept(value.item() if isinstance(value, np.generic) else value)
        except Explained as reason:
            raise ValueError(f"{self.name}: {reason}") from None
        except (ValueError, TypeError, OverflowError):
            raise ValueError(f"{self.name} must be {self.allows()}, not {_shown(value)}") from None

    def relevant(self, values: Mapping[str, Value]) -> bool:
        """Return whether the parameter has an effect with these values of the others."""
        return all(
            name in values and (options(values[name]) if callable(options) else values[name] in options)
            for name, options in self.when.items()
        )

    @property
    def label(self) -> str:
        """Label in a panel."""
        return self.title or self.name.replace("_", " ")


@dataclass(frozen=True, kw_only=True)
class Real(Param):
    """A number in a range, or one of a few words for numbers computed from the data.

    `labels` are the displayed texts of the words.
    """

    lo: float
    hi: float
    log: bool = False
    words: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)

    def allows(self) -> str:
        words = "".join(f" or '{word}'" for word in self.words)
        return f"a number from {self.lo:g} to {self.hi:g}{words}"

    def accept(self, value: object) -> Value:
        if isinstance(value, str) and value in self.words:
            return value
        number = _as_number(value)
        if not self.lo <= number <= self.hi:
            raise ValueError
        return number


@dataclass(frozen=True, kw_only=True)
class Integer(Param):
    """A whole number in a range; `zero` is the displayed text of 0 where that means 'no limit'."""

    lo: int
    hi: int
    log: bool = False
    zero: str = ""

    def unlimited(self, value: object) -> bool:
        """Whether a value means 'no limit'."""
        return bool(self.zero) and value == 0

    def allows(self) -> str:
        return f"a whole number from {self.lo} to {self.hi}"

    def accept(self, value: object) -> Value:
        number = 0.0 if self.zero and value == self.zero else _as_number(value)
        if number != math.floor(number) or not self.lo <= number <= self.hi:
            raise ValueError
        return int(number)


@dataclass(frozen=True, kw_only=True)
class Choice(Param):
    """One of several words; `labels` are their displayed texts."""

    options: tuple[str, ...]
    labels: Mapping[str, str] = field(default_factory=dict)

    def allows(self) -> str:
        return "one of " + ", ".join(self.options)

    def accept(self, value: object) -> Value:
        if not isinstance(value, str) or value not in self.options:
            raise ValueError
        return value


@dataclass(frozen=True, kw_only=True)
class Flag(Param):
    """A switch."""

    def allows(self) -> str:
        return "true or false"

    def accept(self, value: object) -> Value:
        text = str(value).lower()
        if text not in ("true", "false", "1", "0", "yes", "no", "on", "off"):
            raise ValueError
        return text in ("true", "1", "yes", "on")


@dataclass(frozen=True)
class Items:
    """The structure of a text that is a list: the parameter of an item, the separator, the number of items.

    A list of options has each of them at most once.
    """

    param: Param
    separator: str = ","
    least: int = 1
    most: int = 8

    def split(self, text: str) -> list[str]:
        """Return the texts of the items."""
        return split_items(text, self.separator)


@dataclass(frozen=True, kw_only=True)
class Text(Param):
    """A line of text with a syntax ("8,8"); `check` raises ValueError for invalid text."""

    check: Callable[[str], object]
    allowed: str
    items: Items | None = None

    def allows(self) -> str:
        return self.allowed

    def accept(self, value: object) -> Value:
        if not isinstance(value, str):
            raise TypeError
        self.check(value)
        return value


def split_items(text: str, separator: str = ",") -> list[str]:
    """Split a text at its separators outside brackets; ValueError for open or too many brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth > MOST_NESTED:
            raise ValueError
        if letter == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    if depth:
        raise ValueError
    return [part.strip() for part in parts if part.strip()]


def suggestion(name: str, known: Sequence[str]) -> str:
    """Return 'did you mean ...? ' for a name that resembles a known one, the first of equals; else ''."""
    word, written = name.lower(), [other.lower() for other in known]
    near = sorted(get_close_matches(word, written), key=written.index)
    best = max(near, key=lambda other: SequenceMatcher(None, other, word).ratio(), default="")
    return f"did you mean '{known[written.index(best)]}'? " if best else ""


def _shown(value: object) -> str:
    """Return a value for a message; texts are quoted unless they are numbers."""
    try:
        return described(float(value)).removesuffix(".0") if isinstance(value, str) else described(value)
    except ValueError:
        return described(value)


def _as_number(value: object) -> float:
    """Convert a number, or text that is one; NaN for a boolean."""
    if not isinstance(value, int | float | str):
        raise TypeError
    return math.nan if isinstance(value, bool) else float(value)
