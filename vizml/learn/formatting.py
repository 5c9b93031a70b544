"""Formatting of numbers and counts in notes of training steps."""

from __future__ import annotations


def plural(number: int, noun: str) -> str:
    """Return a count with its noun.

    >>> plural(1, "point"), plural(1200, "point")
    ('1 point', '1,200 points')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def shortfall(requested: int, found: int, nouns: str) -> str:
    """Explain why fewer groups than requested exist, as a parenthesis; empty if there are enough.

    >>> shortfall(4, 2, "clusters")
    ' (4 clusters requested, but there are only 2 distinct points)'
    """
    if found >= requested:
        return ""
    distinct = "all points coincide" if found == 1 else f"there are only {found} distinct points"
    return f" ({requested} {nouns} requested, but {distinct})"
