"""The coordinates that a network sees: each axis with middle 0 and spread 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from vizml.learn.networks.plan import with_ones
from vizml.learn.state import Floats

FLAT = 1e-12
"""A spread below this share of the coordinates is rounding."""


@dataclass(frozen=True, eq=False)
class Inputs:
    """u = (x - centre) / spread for each column."""

    centre: Floats
    spread: Floats

    @classmethod
    def over(cls, columns: Floats) -> Self:
        """That of values (n, d); a column without spread is only centred."""
        centre = columns.mean(axis=0)
        spread = np.sqrt(((columns - centre) ** 2).mean(axis=0))
        spread[spread <= FLAT * np.abs(centre)] = 1.0
        for array in (centre, spread):
            array.flags.writeable = False
        return cls(centre, spread)

    def inside(self, columns: Floats) -> Floats:
        """Values (n, d) in these coordinates, one row each, and a row of ones (d + 1, n)."""
        return with_ones(((columns - self.centre) / self.spread).T)
