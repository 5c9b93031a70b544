"""Texts that several parts write alike: counts with nouns, durations, titles, input quoted in messages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

MOST = 60
"""Characters of the input that a message repeats."""
MOST_LISTED = 16
"""Names that a message lists."""


def plural(number: int, noun: str, nouns: str = "") -> str:
    """Return a count with its noun, or with a noun and its verb.

    >>> plural(1, "point"), plural(1200, "point"), plural(2, "leaf remains", "leaves remain")
    ('1 point', '1,200 points', '2 leaves remain')
    """
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


def listed(names: Sequence[str]) -> str:
    """Return the first names, and the number of the others.

    >>> listed([f"x{k}" for k in range(18)])[-19:]
    'x14, x15 and 2 more'
    """
    rest = len(names) - MOST_LISTED
    return ", ".join(names[:MOST_LISTED]) + (f" and {rest} more" if rest > 0 else "")


def printable(text: str) -> str:
    """Return text with escape sequences for characters that are not printable."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def quoted(text: object, most: int = MOST) -> str:
    """Return text in quotation marks, with its beginning only where it is long."""
    shown = printable(str(text)[: most + 1])
    return f"'{shown}'" if len(shown) <= most else f"'{shown[: most - 1]}…'"


def described(value: object) -> str:
    """Return a value as it is repeated in a message; objects by their type."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        return quoted(value)
    if value is None or isinstance(value, bool | float):
        return repr(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**MOST else "a number of more than 60 digits"
    return f"a value of type '{type(value).__name__}'"


def duration(seconds: float) -> str:
    """Return a time in the unit that suits its rounded value."""
    if seconds < 0.9995e-3:
        return f"{1e6 * seconds:.0f} µs"
    if seconds < 9.95e-3:
        return f"{1000 * seconds:.2g} ms"
    if seconds < 0.9995:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def capitalised(text: str) -> str:
    """Return a text with a capital first letter, unless it begins with a symbol such as x or ρ."""
    is_word = (len(text) > 1 and text[:2].isascii() and text[:2].isalpha()) or text.startswith("a ")
    return f"{text[:1].upper()}{text[1:]}" if is_word else text
