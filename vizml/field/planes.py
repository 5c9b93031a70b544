"""What planes (K, ...) say at each place: which is the highest, how high it is, how high the next one."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

F = TypeVar("F", bound=np.floating)
Winners: TypeAlias = NDArray[np.unsignedinteger[Any]]


def ranked(planes: NDArray[F]) -> tuple[Winners, NDArray[F], NDArray[F]]:
    """The plane of the highest value, the first of equals; this value; and the next one, -inf for one plane.

    Plane by plane, because numpy's argmax and partition along a short first axis go place by place.
    """
    best = planes[0].copy()
    following = np.full_like(best, -np.inf)
    winner = np.zeros(best.shape, dtype=np.min_scalar_type(len(planes)))
    for k, plane in enumerate(planes[1:], start=1):
        winner[plane > best] = k
        np.maximum(following, np.minimum(best, plane), out=following)
        np.maximum(best, plane, out=best)
    return winner, best, following
