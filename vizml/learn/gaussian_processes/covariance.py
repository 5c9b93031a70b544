"""Covariances of distance, k(r) = v g(r / l): Gaussian and Matern, with their slopes by ln l."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vizml.learn.state import Floats

Real: TypeAlias = NDArray[np.floating[Any]]


class Shape(NamedTuple):
    """g of s = (r / l)^2, and dg / d ln l."""

    value: Callable[[Floats], Floats]
    slope: Callable[[Floats], Floats]


def _rbf(s: Floats) -> Floats:
    return np.asarray(np.exp(-0.5 * s))


def _rbf_slope(s: Floats) -> Floats:
    return np.asarray(s * np.exp(-0.5 * s))


def _matern32(s: Floats) -> Floats:
    t = sqrt(3.0) * np.sqrt(s)
    return np.asarray((1.0 + t) * np.exp(-t))


def _matern32_slope(s: Floats) -> Floats:
    return np.asarray(3.0 * s * np.exp(-sqrt(3.0) * np.sqrt(s)))


def _matern52(s: Floats) -> Floats:
    t = sqrt(5.0) * np.sqrt(s)
    return np.asarray((1.0 + t + t * t / 3.0) * np.exp(-t))


def _matern52_slope(s: Floats) -> Floats:
    t = sqrt(5.0) * np.sqrt(s)
    return np.asarray((5.0 / 3.0) * s * (1.0 + t) * np.exp(-t))


def _overwrite_rbf(s: Real) -> Real:
    s *= -0.5
    return np.exp(s, out=s)


def _overwrite_matern32(s: Real) -> Real:
    s *= 3.0
    t = np.sqrt(s, out=s)
    with np.errstate(over="ignore"):  # beyond all reach
        rise = np.exp(t)
    t += 1.0
    t /= rise
    return t


def _overwrite_matern52(s: Real) -> Real:
    s *= 5.0
    t = np.sqrt(s)
    s /= 3.0
    s += t
    s += 1.0
    with np.errstate(over="ignore"):
        s /= np.exp(t, out=t)
    return s


SHAPES = {
    "rbf": Shape(_rbf, _rbf_slope),
    "matern32": Shape(_matern32, _matern32_slope),
    "matern52": Shape(_matern52, _matern52_slope),
}
OVERWRITING = {"rbf": _overwrite_rbf, "matern32": _overwrite_matern32, "matern52": _overwrite_matern52}
"""g of an array s of any precision, which g replaces."""
LABELS = {"rbf": "Gaussian", "matern32": "Matérn 3/2", "matern52": "Matérn 5/2"}


@dataclass(frozen=True)
class Covariance:
    """k(x, z) = variance g(|x - z| / length)."""

    kind: str
    length: float
    variance: float

    def of(self, squares: Floats) -> Floats:
        """k at squared distances."""
        return float(self.variance) * SHAPES[self.kind].value(squares / float(self.length) ** 2)

    def by_length(self, squares: Floats) -> Floats:
        """dk / d ln l there; dk / d ln v is k itself."""
        return self.variance * SHAPES[self.kind].slope(squares / self.length**2)


def squared_distances(X: Floats, Z: Floats) -> Floats:
    """|x - z|^2 (n, m) by differences, so that near points stay near, however far from the origin."""
    return np.asarray((X[:, :1] - Z[:, 0]) ** 2 + (X[:, 1:] - Z[:, 1]) ** 2)
