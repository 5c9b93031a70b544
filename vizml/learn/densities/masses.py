"""Contours at chosen mass: the level t whose region {p >= t} holds so much of the probability."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from vizml.field import Raster
from vizml.learn import Density, text
from vizml.learn.state import Floats
from vizml.scene import Levels, Mark

CONTOURS = "Contours of mass"
CELLS = 160
"""Along each axis, in summing the density up."""


def parsed(masses: str) -> tuple[float, ...]:
    """'0.5, 0.9' as shares; ValueError where one is not between 0 and 1."""
    shares = tuple(float(each) for each in masses.split(",") if each.strip())
    if not all(0 < share < 1 for share in shares):
        raise ValueError
    return shares


def masses_parameter() -> Any:
    """The masses of the contours, as a dataclass field."""
    return text(
        "0.5,0.8,0.95",
        check=parsed,
        allowed="shares between 0 and 1 with commas between them, such as '0.5,0.9'",
        help="each contour goes around so much of the probability",
        title="contours around",
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class MassDensity(Density, ABC):
    """A density with contours at chosen mass."""

    mass: str

    @property
    @abstractmethod
    def thresholds(self) -> tuple[float, ...]:
        """log t for each mass."""

    def contours(self) -> tuple[Mark, ...]:
        """A line around each mass, the fewer the stronger."""
        masses = parsed(self.mass)
        legend = "around " + ", ".join(f"{share:.3g}" for share in masses) + " of the mass"
        return tuple(
            Levels(
                layer=CONTOURS,
                plane=0,
                values=(level,),
                ink="text",
                opacity=0.9 - 0.5 * share,
                width=1.4,
                legend=legend if i == 0 else "",
            )
            for i, (share, level) in enumerate(zip(masses, self.thresholds))
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class SummedDensity(MassDensity, ABC):
    """One whose mass is summed up over the plane."""

    extent: Floats
    """The points that it was shown."""

    @cached_property
    def thresholds(self) -> tuple[float, ...]:
        """log t for each mass, from cells that cover the data and a margin around them."""
        values = self.field(self._cells())[0].astype(np.float64).ravel()
        values.sort()
        share = np.cumsum(np.exp(values[::-1] - values[-1]))
        at = np.searchsorted(share, np.array(parsed(self.mass)) * share[-1])
        return tuple(float(level) for level in values[::-1][np.minimum(at, len(values) - 1)])

    def _cells(self) -> Raster:
        reach = self.reach
        (left, bottom), (right, top) = self.extent.min(axis=0), self.extent.max(axis=0)
        return Raster.over((left - reach, right + reach, bottom - reach, top + reach), CELLS, CELLS)

    @property
    @abstractmethod
    def reach(self) -> float:
        """How far beyond the points there is mass worth counting."""


def gaussian_thresholds(peak: float, mass: str) -> tuple[float, ...]:
    """log t of one Gaussian, exactly: 2 (log peak - log t) at its own points is chi-square with 2 degrees."""
    return tuple(peak + float(np.log1p(-share)) for share in parsed(mass))
