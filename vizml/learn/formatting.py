"""Reasons for missing groups in notes of steps, and figures without rounding errors."""

from __future__ import annotations

import numpy as np

from vizml.field.arrays import Floats

ROUNDING = 1e-14
"""Relative size of differences that are but rounding errors."""


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


def explained_share(rss: float, tss: float) -> float:
    """Return R², 1 - RSS / TSS, without the rounding error of 1e-16 where it is 0."""
    return round(1.0 - rss / tss, 12)


def without_rounding(values: Floats, sizes: Floats) -> Floats:
    """Return values with 0 in place of those that are rounding errors beside the largest of `sizes`.

    Sizes (n, m) have a row for each value: the terms that it is the sum of.
    """
    return np.where(np.abs(values) <= ROUNDING * np.abs(sizes).max(axis=-1, initial=0.0), 0.0, values)
