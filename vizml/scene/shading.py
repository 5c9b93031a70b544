"""Colouring of the values of a field: regions of classes, shares of clusters, a density, or a lens."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.field import Raster
from vizml.field.arrays import Floats, Plane
from vizml.scene.palette import Ink, Theme


class Scale(Enum):
    """Meaning of the scores of a classifier, which decides how its regions are shaded."""

    SHARE = "probabilities"
    LOGIT = "logits: their softmax gives probabilities"
    MARGIN = "margins: certain where the best score leads the next by 2, a tie where they are equal"
    LEAD = "differences in units without meaning; `reach` is the lead that counts as certain"
    RANK = "ranks: only the order of the scores has a meaning"


REACH = {Scale.SHARE: 1.0, Scale.LOGIT: 8.0, Scale.MARGIN: 2.0, Scale.LEAD: 1.0, Scale.RANK: 1.0}
"""Lead over the next class at which certainty is complete."""


@dataclass(frozen=True)
class ClassShading:
    """One plane for each class or cluster; the highest value wins."""

    inks: tuple[Ink, ...]
    scale: Scale
    reach: float
    blended: bool = False
    """Mix the colours in proportion to the values instead of fading the winner's colour."""
    floor: float = -math.inf
    """Pixels without a higher value belong to no class and show the ground."""
    labelled: bool = True
    """Whether the planes are known classes rather than groups that a model found."""


@dataclass(frozen=True)
class DensityShading:
    """One plane of log densities, relative to the highest at the data."""


@dataclass(frozen=True)
class MapShading:
    """One plane of predicted numbers, in the colours of the targets of the data."""


@dataclass(frozen=True)
class HeightShading:
    """One plane of heights of a surface, in a range of its own."""

    low: float
    high: float
    log: bool = False
    """Whether colours and contour lines follow the logarithm of the height."""


Table: TypeAlias = NDArray[np.uint8]
STEPS = 256
CIVIDIS = (
    *("00224e", "123570", "3b496c", "575d6d", "707173"),
    *("8a8678", "a59c74", "c3b369", "e1cc55", "fee838"),
)
"""Ten stops of the colour map cividis: uniform in lightness and safe for colour blindness."""
PALE = 0.75
"""Share of the ground in the low end of a map that rises from it."""
DEEP = 0.7
"""Share of the accent in the high end of a rising map, low enough for lines over it to be visible."""
SOFT = 0.7
"""Share of the colours of cividis in a soft map."""
COLD, WARM = "0072b2", "d55e00"
"""Ends of a diverging map: the colours of the first two classes."""


def flat(raster: Raster) -> Plane:
    """Return a placeholder: the colours come from the field, or there are none."""
    return np.zeros(raster.shape, dtype=np.float32)


@dataclass(frozen=True, eq=False, kw_only=True)
class Lens:
    """A quantity to show in place of the regions; `plane` gives its values (H, W) at the pixel centres."""

    name: str
    plane: Callable[[Raster], Plane]
    low: float
    high: float
    unit: str = ""
    diverging: bool = False
    """Whether the middle of the range is neutral ground, as for a signed score."""
    rising: bool = False
    """Whether its low end is the ground, as for a density."""
    soft: bool = False
    """Whether its colours are mixed with the ground, so that marks over all of them are visible."""
    levels: tuple[float, ...] = ()
    """Values at which contour lines are drawn."""
    log: bool = False
    """Whether its colours follow the logarithm of the values, all of them above 0."""

    def shares(self, values: Floats) -> Floats:
        """Return the positions of values in its range, from 0 to 1."""
        low, high = self.low, self.high
        if self.log:
            low, high, values = np.log(low), np.log(high), np.log(values)
        return np.asarray((values - low) / ((high - low) or 1.0))


@dataclass(frozen=True, eq=False, kw_only=True)
class CurveLens(Lens):
    """A quantity of one input as curves; its range lies between the heights 0 and 1 of a line view."""

    curves: Callable[[Floats], Floats]
    """Values (m, K) at abscissae (m,)."""
    inks: tuple[Ink, ...]
    density: bool = False
    """Whether it is a density, whose values depend on the unit of the input."""
    plane: Callable[[Raster], Plane] = flat


def colours(lens: Lens, theme: Theme) -> Table:
    """Return the colours (STEPS, 4) from the low to the high end of a lens."""
    ground, accent = np.array(theme.ground, dtype=float), np.array(theme.accent, dtype=float)
    if lens.rising:
        return _graded([ground, ground + DEEP * (accent - ground)])
    if lens.soft:
        return softened(theme)
    return _graded([_rgb(COLD), ground, _rgb(WARM)] if lens.diverging else _cividis())


@cache
def softened(theme: Theme) -> Table:
    """Return cividis (STEPS, 4) mixed with the ground of a theme."""
    ground = np.array(theme.ground, dtype=float)
    return _graded([ground + SOFT * (stop - ground) for stop in _cividis()])


def risen(theme: Theme) -> Table:
    """Return cividis (STEPS, 4) from a tint of the ground of a theme to the end with the most contrast."""
    stops = _cividis()[::-1] if theme.name == "light" else _cividis()
    stops[0] = stops[0] + PALE * (np.array(theme.ground, dtype=float) - stops[0])
    return _graded(stops)


def _cividis() -> list[NDArray[np.float64]]:
    return [_rgb(stop) for stop in CIVIDIS]


def _graded(stops: list[NDArray[np.float64]]) -> Table:
    at = np.linspace(0.0, len(stops) - 1.0, STEPS)
    channels = [np.interp(at, np.arange(len(stops)), [stop[c] for stop in stops]) for c in range(3)]
    return np.round(np.column_stack([*channels, np.full(STEPS, 255.0)])).astype(np.uint8)


def _rgb(code: str) -> NDArray[np.float64]:
    return np.array([int(code[i : i + 2], 16) for i in (0, 2, 4)], dtype=float)
