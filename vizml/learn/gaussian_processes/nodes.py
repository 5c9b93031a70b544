"""Data seen through Chebyshev nodes: a smooth f is known from its values at a few of them, f = P f(nodes)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial.chebyshev import chebvander

from vizml.field.chebyshev import nodes
from vizml.learn.state import Floats


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes over the range of x, and all that a process with a smooth kernel asks of the data."""

    at: Floats
    squares: Floats
    """P'P."""
    pull: Floats
    """P't."""
    size: float
    """t't."""

    @classmethod
    def over(cls, x: Floats, t: Floats, count: int) -> Nodes:
        """So many nodes over the points (x, t)."""
        series, waves = chebvander(scaled(x, x), count - 1), _waves(count)
        squares = waves.T @ (series.T @ series) @ waves
        return cls(nodes(x, count), squares, waves.T @ (series.T @ t), float(t @ t))


def interpolation(x: Floats, over: Floats, count: int) -> Floats:
    """P (n, count) at x, for nodes over the range of other x."""
    return np.asarray(chebvander(scaled(x, over), count - 1) @ _waves(count))


def scaled(x: Floats, over: Floats) -> Floats:
    """x with the range of others as -1..1."""
    low, high = float(over.min()), float(over.max())
    return np.asarray((x - (low + high) / 2) / ((high - low) / 2))


@cache
def _waves(count: int) -> Floats:
    """The Chebyshev coefficients (count, count) of values at the nodes."""
    angles = np.outer(np.arange(count), (np.arange(count) + 0.5) * (np.pi / count))
    waves = np.cos(angles) * (2.0 / count)
    waves[0] /= 2.0
    waves.flags.writeable = False
    return np.asarray(waves)
