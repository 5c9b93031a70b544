"""Acceleration of SMO: the minimum over all free coefficients at once.

Where C is large and points outnumber dimensions, pairs alone take a million steps; with it they take some
thousand (moons, n = 300, linear kernel, C = 10,000).
"""

from __future__ import annotations

import math

import numpy as np

from vizml.field.arrays import Floats, Ints
from vizml.learn.support_vectors.kernel_columns import CURVATURE
from vizml.learn.support_vectors.smo import Smo

RIDGE = 1e-11
"""Keeps the system solvable on a flat face."""
MOST, WORK = 200, 400_000
"""Free coefficients, and their product with all coefficients, beyond which pairs are faster."""
BOUNDS = 20
"""Bounds that are met in a row."""


def optimise_free(smo: Smo) -> None:
    """Move to the minimum over the free coefficients, dropping those that reach a bound on the way."""
    for _ in range(BOUNDS):
        free = np.flatnonzero(smo.free)
        if not 2 <= len(free) <= min(MOST, WORK // len(smo.w)) or _advance(smo, free):
            return


def _advance(smo: Smo, free: Ints) -> bool:
    """Move along a straight line; False where a bound cut it short."""
    columns = np.stack([smo.columns[int(i)] for i in free])
    w, v, low, high = smo.w[free], smo.v[free], smo.low[free], smo.high[free]
    direction = equality_minimum(columns[:, free], v)
    direction -= direction.mean()  # a long step has lost the digits that keep the sum at 0
    gain, curvature = float(direction @ v), float(direction @ columns[:, free] @ direction)
    if not gain > 0:
        return True
    shares = np.abs(direction) / np.where(direction > 0, high - w, w - low)
    length = min(1.0 / max(float(shares.max()), CURVATURE), gain / curvature if curvature > 0 else math.inf)
    bounds = np.where(direction > 0, high, low)
    for i, there in zip(
        free.tolist(), np.where(length * shares >= 1.0, bounds, w + length * direction).tolist()
    ):
        smo.set(i, there)
    smo.v -= length * (direction @ columns)
    smo.dual -= length * (gain - 0.5 * length * curvature)
    return bool(length * shares.max() < 1.0)


def equality_minimum(K: Floats, v: Floats) -> Floats:
    """Return the change of w with sum 0 that makes v - K change constant.

    On a flat face none does; the ridge then gives a long step downhill, until it meets a bound.
    """
    size, unit = len(v), float(np.abs(K).max())
    system = np.full((size + 1, size + 1), unit)
    system[:size, :size] = K + RIDGE * unit * np.eye(size)
    system[size, size] = 0.0
    try:
        return np.linalg.solve(system, np.append(v, 0.0))[:size]
    except np.linalg.LinAlgError:
        return np.zeros(size)
