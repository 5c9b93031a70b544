"""Distance metrics that combine the coordinate differences axis by axis: L1, L2 and L-infinity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

import numpy as np

from vizml.field.arrays import Floats


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


def _identity(rank: Floats) -> Floats:
    return rank


METRICS = {
    "l1": Metric(part=np.abs, join=np.add, length=_identity),
    "l2": Metric(part=np.square, join=np.add, length=np.sqrt),
    "linf": Metric(part=np.abs, join=np.maximum, length=_identity),
}
