"""Inference about least squares: leverage and Cook's distance of rows, p values of t and F."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from vizml.field.arrays import Floats

DEPENDENT = 1e-10
"""A singular value below this share of the largest one counts as zero."""
TERMS = 2000
"""Most steps of the continued fraction; it needs some multiple of the root of the degrees of freedom."""
TINY = 1e-300


@dataclass(frozen=True, eq=False)
class HatMatrix:
    """H = Phi A Phi' of a design matrix Phi, with A = root root' and the number p of free coefficients."""

    root: Floats
    p: float

    @classmethod
    def of(cls, design: Floats, penalty: Floats | float = 0.0) -> Self:
        """Return that of least squares, A = (Phi'Phi)^+, or with a quadratic penalty b'P b added to the RSS.

        >>> hat = HatMatrix.of(np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]))
        >>> hat.leverage(np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])).round(4)
        array([0.8333, 0.3333, 0.8333])
        """
        if np.any(penalty):
            values, vectors = np.linalg.eigh(design.T @ design + penalty)
            kept = values > DEPENDENT**2 * values.max()
            root = vectors[:, kept] / np.sqrt(values[kept])
            return cls(root, float(((design @ root) ** 2).sum()))
        _, sizes, directions = np.linalg.svd(design, full_matrices=False)
        kept = sizes > DEPENDENT * sizes.max(initial=0.0)
        return cls(directions[kept].T / sizes[kept], float(kept.sum()))

    def leverage(self, design: Floats) -> Floats:
        """Return h = phi(x)' A phi(x) of each row: for training rows the diagonal of H."""
        return np.asarray(((design @ self.root) ** 2).sum(axis=1))

    def cook(self, design: Floats, residuals: Floats) -> Floats:
        """Return Cook's distance D = e^2 h / (p s^2 (1 - h)^2) of training rows, s^2 = RSS / (n - p).

        NaN where it is not defined: without spare rows, for an exact fit, and where h = 1.
        """
        h, rss, free = self.leverage(design), float(residuals @ residuals), len(residuals) - self.p
        if free <= DEPENDENT or not rss or not self.p:
            return np.full(len(h), math.nan)
        left = np.where(h < 1 - DEPENDENT, 1 - h, math.nan)
        return np.asarray(residuals**2 * h / (self.p * rss / free * left**2))


def student_p_value(t: Floats, freedom: float) -> Floats:
    """Return the probability of a larger |t| under Student's distribution.

    >>> student_p_value(np.array([12.706]), 1).round(4)
    array([0.05])
    """
    with np.errstate(divide="ignore"):
        ratio = np.square(t, dtype=np.float64) / freedom
        return incomplete_beta(freedom / 2, 0.5, 1 / (1 + ratio), 1 / (1 + 1 / ratio))


def f_p_value(ratio: float, between: int, within: int) -> float:
    """Return the probability of a larger F under the F distribution with two degrees of freedom.

    >>> round(f_p_value(4.2565, 2, 9), 4)
    0.05
    """
    odds = np.array(ratio * between / within)
    return float(incomplete_beta(within / 2, between / 2, 1 / (1 + odds), odds / (1 + odds)))


def incomplete_beta(a: float, b: float, x: Floats, rest: Floats) -> Floats:
    """Return I_x(a, b), given x and rest = 1 - x without the digits that a difference loses.

    The continued fraction converges fast below the mean; above it, I_x(a, b) = 1 - I_(1-x)(b, a).
    """
    above = x > (a + 1) / (a + b + 2)
    first, second = np.where(above, b, a), np.where(above, a, b)
    x, rest = np.where(above, rest, x), np.where(above, x, rest)
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    with np.errstate(divide="ignore", invalid="ignore"):  # at 0 the logarithm is -inf and the power 0
        front = np.exp(logarithm + first * np.log(x) + second * np.log(rest)) / first
    below = front * _continued_fraction(first, second, x)
    return np.asarray(np.where(above, 1 - below, below))


def _continued_fraction(a: Floats, b: Floats, x: Floats) -> Floats:
    """Evaluate the continued fraction of I_x(a, b) by Lentz's method (Numerical Recipes, section 6.4)."""
    c = np.ones_like(x)
    found = d = _inverse(1 - (a + b) * x / (a + 1))
    for m in range(1, TERMS):
        even = m * (b - m) / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even * x, odd * x):
            d, c = _inverse(1 + term * d), 1 + term / c
            found = found * d * c
        if not (np.abs(d * c - 1) > np.finfo(float).eps).any():
            break
    return found


def _inverse(values: Floats) -> Floats:
    return np.asarray(1 / np.where(np.abs(values) < TINY, TINY, values))
