"""The loss of each moment as a line of few corners, however many moments there are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vizml.run.frame import Losses

DECADES = 100.0
"""The ratio of highest and lowest loss above which it is drawn as a logarithm."""

Heights = NDArray[np.float64]


def heights(losses: Losses) -> Heights:
    """Each loss between 0 (the least) and 1; logarithmic where it spans decades, NaN where there is none."""
    seen = losses[np.isfinite(losses)]
    if not seen.size:
        return np.full(len(losses), np.nan)
    values = np.where(np.isfinite(losses), losses, np.nan)
    if seen.min() > 0 and seen.max() / seen.min() > DECADES:
        values, seen = np.log(values), np.log(seen)
    span = seen.max() - seen.min()
    return (values - seen.min()) / span if span > 0 else values * 0 + 0.5


def corners(up: Heights, columns: int) -> NDArray[np.float64]:
    """Positions 0 to 1 and heights (m, 2): all of them, or the lowest and highest of each column."""
    count = len(up)
    places = np.arange(count) / max(count - 1, 1)
    if count <= 2 * columns:
        return np.column_stack([places, up])
    edges = np.linspace(0, count, columns + 1).astype(int)[:-1]
    low, high = np.fmin.reduceat(up, edges), np.fmax.reduceat(up, edges)
    rising = up[edges] <= up[np.append(edges[1:], count) - 1]
    pairs = np.where(rising[:, None], np.column_stack([low, high]), np.column_stack([high, low]))
    line = np.column_stack([np.repeat(places[edges], 2), pairs.ravel()])
    return np.vstack([[0.0, up[0]], line, [1.0, up[-1]]])
