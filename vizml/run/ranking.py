"""Which plane of a field wins at each pixel, and by how much: what both colours and contour lines go by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field import Field
from vizml.field.raster import Winners, top_two

Plane: TypeAlias = NDArray[np.float32]
Box: TypeAlias = tuple[slice, slice]
LEAST = np.float32(1e-30)
"""What the first of equals leads by."""


@dataclass(frozen=True, eq=False)
class Ranking:
    """The best and the second best of a field's planes, worked out when first asked for."""

    field: Field

    @cached_property
    def difference(self) -> Plane:
        """Of a pair: what the second plane leads the first by."""
        lead: Plane = self.field[1] - self.field[0]
        return lead

    @cached_property
    def _ranked(self) -> tuple[Winners, Plane, Plane]:
        return top_two(self.field)

    @property
    def winner(self) -> Winners:
        """The plane of the highest value, the first of equals."""
        return self._ranked[0]

    @property
    def best(self) -> Plane:
        """The highest value."""
        return self._ranked[1]

    @cached_property
    def lead(self) -> Plane:
        """What the highest value leads the next one by."""
        return self._ranked[1] - self._ranked[2]

    @property
    def last(self) -> int:
        """The last plane that wins anywhere."""
        return int(self.winner.max())

    def leads(self) -> Iterator[tuple[int, Box, Plane]]:
        """For each winner the box around where it wins, and there its lead over the best of the others."""
        for k in np.flatnonzero(np.bincount(self.winner.ravel(), minlength=len(self.field))).tolist():
            wins = self.winner == k
            box = _around(wins)
            lead = np.maximum(self.lead[box], LEAST)
            yield k, box, np.where(wins[box], lead, self.field[k][box] - self.best[box])

    @cached_property
    def cells(self) -> tuple[Winners, Winners]:
        """The first and the last of the winners at the corners of each square between four pixels."""
        upper, lower = self.winner[:-1], self.winner[1:]
        low, high = np.minimum(upper, lower), np.maximum(upper, lower)
        return np.minimum(low[:, :-1], low[:, 1:]), np.maximum(high[:, :-1], high[:, 1:])


def moved(field: Field, threshold: float) -> Field:
    """A field with a threshold taken from the second of two classes."""
    if not threshold or not np.isfinite(threshold) or len(field) != 2:
        return field
    return np.stack([field[0], field[1] - np.float32(threshold)])


def _around(mask: NDArray[np.bool_]) -> Box:
    """The box around what is true, a pixel wider where there is room."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return slice(max(rows[0] - 1, 0), rows[-1] + 2), slice(max(columns[0] - 1, 0), columns[-1] + 2)
