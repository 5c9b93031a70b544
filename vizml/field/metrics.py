"""Distances of the plane that are put together from the differences along both axes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vizml.field.raster import Floats


@dataclass(frozen=True)
class Metric:
    """A rank puts places in the order of their distance, and costs less; `length` makes it the distance."""

    part: Callable[[Floats], Floats]
    """Of the difference along one axis."""
    join: Callable[[Floats, Floats], Floats]
    """Of the two parts: the rank."""
    length: Callable[[Floats], Floats]

    def ranks(self, X: Floats, points: Floats) -> Floats:
        """The ranks (m, n) of the distances from X (m, 2) to points (n, 2)."""
        return self.join(self.part(X[:, :1] - points[:, 0]), self.part(X[:, 1:] - points[:, 1]))


def _same(rank: Floats) -> Floats:
    return rank


METRICS = {
    "l1": Metric(part=np.abs, join=np.add, length=_same),
    "l2": Metric(part=np.square, join=np.add, length=np.sqrt),
    "linf": Metric(part=np.abs, join=np.maximum, length=_same),
}
