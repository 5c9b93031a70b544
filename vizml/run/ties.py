"""Ties: where planes are equal but for rounding, a line between them would follow the last digit's errors."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Plane: TypeAlias = NDArray[np.float32]
Mask: TypeAlias = NDArray[np.bool_]
ROUNDING, JUMP = 2.0**-19, 2.0**-10
"""A lead of a smaller share of what is compared is none: 16 roundings of a 32-bit number, or the errors of
a surface that was found at nodes. One of more than the other is no error, even if it ends at a tie."""
AROUND = 3
"""Pixels around a place among which a line that means something has values on both of its sides."""


def told(line: Floats, plane: Plane, value: float, beside: Plane) -> Floats:
    """A line of columns and rows on which a plane has a value; rows of NaN where that is mere rounding.

    `beside` has the size of the values that the plane is a difference of.
    """
    known = ~np.isnan(line[:, 0])
    ends = _ends(np.nan_to_num(line), plane.shape)
    off = np.abs([plane[end] - np.float32(value) for end in ends])
    size = np.abs(beside[ends[0]])
    seen = (off.min(axis=0) > size * np.float32(ROUNDING)) | (off.max(axis=0) > size * np.float32(JUMP))
    if seen[known].all():
        return line
    seen |= _seen(plane - np.float32(value), np.abs(beside))[ends[0]]
    return np.where((seen & known)[:, None], line, np.nan)


def _ends(line: Floats, shape: tuple[int, ...]) -> list[tuple[Ints, Ints]]:
    """Row and column of the pixels between which the points of a line lie."""
    columns, rows = (np.clip(part, 0, size - 1) for part, size in zip(line.T, shape[::-1]))
    return [(whole(rows).astype(np.int64), whole(columns).astype(np.int64)) for whole in (np.floor, np.ceil)]


def _seen(off: Plane, size: Plane) -> Mask:
    """Where both sides of a zero are near, or a jump is."""
    fine = size * np.float32(ROUNDING)
    found: Mask = _near(off > fine) & _near(off < -fine) | _near(np.abs(off) > size * np.float32(JUMP))
    return found


def _near(mask: Mask) -> Mask:
    """What is true, and AROUND pixels around it."""
    wide = mask.copy()
    for shift in range(1, AROUND + 1):
        wide[:, shift:] |= mask[:, :-shift]
        wide[:, :-shift] |= mask[:, shift:]
    out = wide.copy()
    for shift in range(1, AROUND + 1):
        out[shift:] |= wide[:-shift]
        out[:-shift] |= wide[shift:]
    return out
