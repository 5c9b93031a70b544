"""Outlines: circles, ellipses, and contours that enclose shares of the probability of a density."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from vizml.data.params import Items, Real
from vizml.field import Raster
from vizml.field.arrays import Floats
from vizml.learn.params import text
from vizml.learn.state import Density
from vizml.learn.view import PlaneView
from vizml.scene import Levels, Mark

CORNERS = 96
"""Corners of an outline: enough for a smooth curve at any size of the canvas."""
SIGMAS = (1.0, 2.0, 3.0)
"""Standard deviations at which ellipses of Gaussians are drawn."""


def circle(centre: Floats, radius: float, corners: int = CORNERS) -> Floats:
    """Return the corners (m, 2) of a regular polygon: a circle, or the ball of the L1 norm with four corners.

    >>> circle(np.zeros(2), 2.0, corners=4).round(6).tolist()
    [[2.0, 0.0], [0.0, 2.0], [-2.0, 0.0], [-0.0, -2.0]]
    """
    angles = np.arange(corners) * (2 * np.pi / corners)
    return np.asarray(centre + radius * np.column_stack([np.cos(angles), np.sin(angles)]))


def ellipse(mean: Floats, covariance: Floats, sigma: float = 1.0) -> Floats:
    """Return the points (m, 2) with the Mahalanobis distance `sigma` from a mean."""
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
    return np.asarray(mean + circle(np.zeros(2), sigma) @ root)


def sigma_legend(sigmas: tuple[float, ...] = SIGMAS) -> str:
    """Return the legend of ellipses at some standard deviations.

    >>> sigma_legend(), sigma_legend((1.0,))
    ('1, 2 and 3 σ', '1 σ')
    """
    *others, last = (f"{sigma:g}" for sigma in sigmas)
    return f"{', '.join(others)} and {last} σ" if others else f"{last} σ"


LAYER = "Contours of mass"
CELLS = 160
"""Cells along each axis over which the density is summed: levels are right to about 1 % of the mass."""


def parse_masses(masses: str) -> tuple[float, ...]:
    """Parse '0.5, 0.9' as shares of the probability; raise ValueError unless all lie between 0 and 1."""
    shares = tuple(float(part) for part in masses.split(",") if part.strip())
    if not all(0 < share < 1 for share in shares):
        raise ValueError
    return shares


MASSES: Any = text(
    "0.5,0.8,0.95", check=parse_masses,
    items=Items(Real(default=0.5, lo=0.01, hi=0.99, help="Share of the mass."), least=0),
    allowed="shares between 0 and 1 separated by commas, such as '0.5,0.9'",
    help="Shares of the probability mass that the contours enclose.", title="enclosed mass",
)  # fmt: skip
"""The shares of the probability that contours enclose."""


@dataclass(frozen=True, eq=False, kw_only=True)
class MassDensity(Density, ABC):
    """A density with contours around chosen shares of the probability."""

    mass: str
    extent: Floats
    """Training inputs (n, d)."""

    @property
    @abstractmethod
    def reach(self) -> float:
        """Distance beyond the training data that holds probability worth counting."""

    @cached_property
    def mass_levels(self) -> tuple[float, ...]:
        """log p on the contour of each share, from cells that cover the data and a margin (two inputs)."""
        (left, bottom), (right, top) = self.extent.min(axis=0), self.extent.max(axis=0)
        reach = self.reach
        cells = Raster.over((left - reach, right + reach, bottom - reach, top + reach), CELLS, CELLS)
        falling = np.sort(self.field(cells)[0].astype(np.float64), axis=None)[::-1]
        enclosed = np.cumsum(np.exp(falling - falling[0]))
        at = np.searchsorted(enclosed, np.array(parse_masses(self.mass)) * enclosed[-1])
        return tuple(falling[np.minimum(at, len(falling) - 1)].tolist())


def gaussian_levels(peak: float, mass: str) -> tuple[float, ...]:
    """log p on the contours of a Gaussian of two inputs, as 2 (log peak - log p) is chi-square (2)."""
    return tuple(peak + float(np.log1p(-share)) for share in parse_masses(mass))


D = TypeVar("D", bound=MassDensity)


class MassContourView(PlaneView[D]):
    """A density with its contours, on two inputs."""

    def whole_marks(self) -> tuple[Mark, ...]:
        """Return one line for each share, fainter for larger shares."""
        shares = parse_masses(self.state.mass)
        legend = "contours around " + ", ".join(f"{100 * share:.0f}" for share in shares) + " % of the mass"
        return tuple(
            Levels(
                layer=LAYER, plane=0, values=(level,), ink="text", opacity=0.9 - 0.5 * share, width=1.4,
                legend=legend if i == 0 else "",
            )
            for i, (share, level) in enumerate(zip(shares, self.state.mass_levels))
        )  # fmt: skip
