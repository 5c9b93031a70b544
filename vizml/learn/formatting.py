"""Formatting of counts in the notes of training steps."""

from __future__ import annotations


def plural(number: int, noun: str) -> str:
    """Return a count with its noun.

    >>> plural(1, "point"), plural(1200, "point")
    ('1 point', '1,200 points')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def shortfall(requested: int, found: int, nouns: str) -> str:
    """Explain why there are fewer groups than requested, as a parenthesis that ends a note.

    >>> shortfall(4, 2, "clusters")
    ' (4 clusters requested, but there are only 2 distinct points)'
    >>> shortfall(2, 2, "clusters")
    ''
    """
    if found >= requested:
        return ""
    reason = "all points coincide" if found == 1 else f"there are only {found} distinct points"
    return f" ({requested} {nouns} requested, but {reason})"
