"""Colouring of the values of a field: regions of classes, shares of clusters, or a density."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from vizml.scene.palette import Ink


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
