"""Polylines (m, 2): a row of NaN is a gap that splits a line; lines that share end points can be joined."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np

from vizml.field import Raster
from vizml.field.arrays import Floats, Mask

End: TypeAlias = tuple[int, int]
"""The index of a piece, and 0 for its first point or -1 for its last one."""
PARTS_OF_A_PIXEL = 1000.0
"""Ends are equal when they are equal to this part of a pixel: bands compute them with different rounding."""


def true_runs(mask: Mask) -> list[slice]:
    """Return the runs of consecutive true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]])))
    return [slice(start, stop) for start, stop in edges.reshape(-1, 2).tolist()]


def split_at_gaps(line: Floats) -> list[Floats]:
    """Split a polyline at its gaps into pieces of two points or more."""
    known: Mask = np.asarray(~np.isnan(line).any(axis=1))
    parts = [line] if known.all() else [line[part] for part in true_runs(known)]
    return [part for part in parts if len(part) > 1]


def join_lines(lines: Iterable[Floats], raster: Raster) -> list[Floats]:
    """Join the pieces of contour lines that were found in bands, so that a dash pattern runs on across bands.

    Ends at which exactly two pieces meet are joined; where more meet, all of them end.
    """
    pieces = [piece for line in lines for piece in split_at_gaps(line)]
    partner = _partners(pieces, raster)
    left = dict.fromkeys(range(len(pieces)))
    free = [(number, end) for end in (0, -1) for number in left if (number, end) not in partner]
    found = [_followed(start, pieces, partner, left) for start in free if start[0] in left]
    while left:  # closed lines have no free end
        found.append(_followed((next(iter(left)), 0), pieces, partner, left))
    return found


def _partners(pieces: list[Floats], raster: Raster) -> dict[End, End]:
    """Map each end to the only other end at the same position."""
    if not pieces:
        return {}
    ends = np.array([piece[[0, -1]] for piece in pieces]).reshape(-1, 2)
    axes = zip(ends.T, (raster.x, raster.y))
    pixels = np.column_stack([np.interp(at, axis, np.arange(len(axis))) for at, axis in axes])
    positions = np.round(pixels * PARTS_OF_A_PIXEL).astype(np.int64)
    met: dict[tuple[int, int], list[End]] = {}
    for index, (x, y) in enumerate(positions.tolist()):
        met.setdefault((x, y), []).append((index // 2, -(index % 2)))
    pairs = [pair for pair in met.values() if len(pair) == 2]
    return {one: other for first, second in pairs for one, other in ((first, second), (second, first))}


def _followed(start: End, pieces: list[Floats], partner: dict[End, End], left: dict[int, None]) -> Floats:
    """Concatenate the pieces that are connected to an end, and remove them from those that are left."""
    chain: list[Floats] = []
    at: End | None = start
    while at is not None and at[0] in left:
        number, end = at
        del left[number]
        piece = pieces[number] if end == 0 else pieces[number][::-1]
        chain.append(piece if not chain else piece[1:])
        at = partner.get((number, -1 - end))
    return np.concatenate(chain)
