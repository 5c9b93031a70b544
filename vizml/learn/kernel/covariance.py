"""Covariances of distance, k(r) = v g(r / l): Gaussian and Matern, with their slopes by ln l."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np

from vizml.learn.state import Floats


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


SHAPES = {
    "rbf": Shape(_rbf, _rbf_slope),
    "matern32": Shape(_matern32, _matern32_slope),
    "matern52": Shape(_matern52, _matern52_slope),
}
LABELS = {"rbf": "Gaussian", "matern32": "Matérn 3/2", "matern52": "Matérn 5/2"}


@dataclass(frozen=True)
class Covariance:
    """k(x, z) = variance g(|x - z| / length)."""

    kind: str
    length: float
    variance: float

    def of(self, squares: Floats) -> Floats:
        """k at squared distances."""
        return self.variance * SHAPES[self.kind].value(squares / self.length**2)

    def by_length(self, squares: Floats) -> Floats:
        """dk / d ln l there; dk / d ln v is k itself."""
        return self.variance * SHAPES[self.kind].slope(squares / self.length**2)


def squared_distances(X: Floats, Z: Floats) -> Floats:
    """|x - z|^2 (n, m) by differences, so that near points stay near, however far from the origin."""
    return np.asarray((X[:, :1] - Z[:, 0]) ** 2 + (X[:, 1:] - Z[:, 1]) ** 2)
