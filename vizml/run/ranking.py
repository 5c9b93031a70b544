"""Ranking of a field's planes at each pixel: winner, runner-up and lead, for colours and contour lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from vizml.field import Field
from vizml.field.arrays import Mask, Plane
from vizml.field.raster import Winners, top_two

Box: TypeAlias = tuple[slice, slice]
TIE_LEAD = np.float32(1e-30)
"""Lead of the first of equal planes: positive, so that contour lines run around it."""


@dataclass(frozen=True, eq=False)
class Ranking:
    """The highest and the second highest plane of a field (K, H, W), computed when first needed."""

    field: Field

    @cached_property
    def difference(self) -> Plane:
        """Of two planes: the second minus the first."""
        lead: Plane = self.field[1] - self.field[0]
        return lead

    @cached_property
    def _ranked(self) -> tuple[Winners, Plane, Plane]:
        return top_two(self.field)

    @property
    def winner(self) -> Winners:
        """Index of the highest plane, the first of equals."""
        return self._ranked[0]

    @property
    def best(self) -> Plane:
        """The highest value."""
        return self._ranked[1]

    @cached_property
    def lead(self) -> Plane:
        """The highest value minus the second highest."""
        return self._ranked[1] - self._ranked[2]

    @property
    def last(self) -> int:
        """The largest index of a plane that wins anywhere."""
        return int(self.winner.max())

    def leads(self) -> Iterator[tuple[int, Box, Plane]]:
        """Yield for each winner the box around its pixels, and there its lead over the best other plane."""
        for k in np.flatnonzero(np.bincount(self.winner.ravel(), minlength=len(self.field))).tolist():
            wins = self.winner == k
            box = _bounding_box(wins)
            lead = np.maximum(self.lead[box], TIE_LEAD)
            yield k, box, np.where(wins[box], lead, self.field[k][box] - self.best[box])

    @cached_property
    def cells(self) -> tuple[Winners, Winners]:
        """The lowest and the highest winner at the corners of each square between four pixels."""
        upper, lower = self.winner[:-1], self.winner[1:]
        low, high = np.minimum(upper, lower), np.maximum(upper, lower)
        return np.minimum(low[:, :-1], low[:, 1:]), np.maximum(high[:, :-1], high[:, 1:])


def with_threshold(field: Field, threshold: float) -> Field:
    """Subtract a decision threshold from the second of two planes, which wins where it leads by as much."""
    if not threshold or not np.isfinite(threshold) or len(field) != 2:
        return field
    return np.stack([field[0], field[1] - np.nextafter(np.float32(threshold), np.float32(-np.inf))])


def _bounding_box(mask: Mask) -> Box:
    """Return the box around the true pixels, a pixel wider where there is room."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return slice(max(rows[0] - 1, 0), rows[-1] + 2), slice(max(columns[0] - 1, 0), columns[-1] + 2)
