"""Lines that were found in bands, sewn together: a dash goes on where one band ends and the next begins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field import Raster
from vizml.scene.breaks import unbroken

Floats: TypeAlias = NDArray[np.float64]
End: TypeAlias = tuple[int, int]
"""The number of a piece, and 0 for its beginning or -1 for its end."""
GRAINS = 1000.0
"""Ends that are the same to such a part of a pixel are one."""


def sewn(lines: Iterable[Floats], raster: Raster) -> list[Floats]:
    """The same lines in as few pieces as can be: what meets in twos is one, where more meet they end."""
    pieces = [piece for line in lines for piece in unbroken(line)]
    partner = _partners(pieces, raster)
    left = set(range(len(pieces)))
    free = (number for number in range(len(pieces)) if (number, 0) not in partner)
    back = (number for number in range(len(pieces)) if (number, -1) not in partner)
    found = [_walked((number, 0), pieces, partner, left) for number in free if number in left]
    found += [_walked((number, -1), pieces, partner, left) for number in back if number in left]
    while left:
        found.append(_walked((min(left), 0), pieces, partner, left))
    return found


def _grains(points: Floats, raster: Raster) -> NDArray[np.int64]:
    """Places as whole numbers, the same for what cannot be told apart."""
    unit = [np.ptp(axis) / max(len(axis) - 1, 1) or 1.0 for axis in (raster.x, raster.y)]
    corner = np.array([raster.x.min(), raster.y.min()])
    return np.asarray(np.round((points - corner) / unit * GRAINS).astype(np.int64))


def _partners(pieces: list[Floats], raster: Raster) -> dict[End, End]:
    """For each end the one other end that is in the same place."""
    if not pieces:
        return {}
    ends = np.array([piece[[0, -1]] for piece in pieces]).reshape(-1, 2)
    grains = _grains(ends, raster)
    met: dict[tuple[int, int], list[End]] = {}
    for place, (x, y) in enumerate(grains.tolist()):
        met.setdefault((x, y), []).append((place // 2, -(place % 2)))
    pairs = [pair for pair in met.values() if len(pair) == 2]
    return {one: other for first, second in pairs for one, other in ((first, second), (second, first))}


def _walked(start: End, pieces: list[Floats], partner: dict[End, End], left: set[int]) -> Floats:
    """All that hangs together from an end on, in the order in which it is met."""
    way: list[Floats] = []
    at: End | None = start
    while at is not None and at[0] in left:
        number, end = at
        left.discard(number)
        piece = pieces[number] if end == 0 else pieces[number][::-1]
        way.append(piece if not way else piece[1:])
        at = partner.get((number, -1 - end))
    return np.concatenate(way)
