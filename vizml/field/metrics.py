"""Distance metrics: the sum, the root of the sum of squares, or the maximum of coordinate differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

import numpy as np

from vizml.field.arrays import Floats
from vizml.field.raster import Section


@dataclass(frozen=True)
class Metric:
    """A distance and its rank: a monotone function of the distance that is cheaper to compute."""

    part: Callable[[Floats], Floats]
    """Contribution of the differences along one axis."""
    join: Callable[[Floats, Floats], Floats]
    """Combines the contributions of two axes into a rank."""
    length: Callable[[Floats], Floats]
    """Converts ranks to distances."""

    def ranks(self, X: Floats, points: Floats) -> Floats:
        """The ranks (m, n) of the distances from X (m, d) to points (n, d)."""
        return reduce(self.join, (self.part(x[:, None] - p) for x, p in zip(X.T, points.T)))


METRICS = {
    "l1": Metric(part=np.abs, join=np.add, length=np.asarray),
    "l2": Metric(part=np.square, join=np.add, length=np.sqrt),
    "linf": Metric(part=np.abs, join=np.maximum, length=np.asarray),
}


def section_offsets(section: Section, X: Floats, metric: str) -> tuple[Floats, Floats | None] | None:
    """Return the points (n, 2) on a section, and the ranks of their distances from it, that give distances.

    The Euclidean distance has them for every section, the others for sections along two inputs; None where
    there are none.
    """
    if section.whole:
        return X, None
    if metric == "l2":
        return section.project(X)
    hidden = ~section.basis.any(axis=0)
    if np.count_nonzero(section.basis) > 2 or not hidden.any():
        return None
    ranks = METRICS[metric].ranks(section.origin[None, hidden], X[:, hidden])
    return (X - section.origin) @ section.basis.T, ranks[0]
